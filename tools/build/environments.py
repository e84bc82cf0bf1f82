"""Virtual environments under `.venvs/`, with pinned requirements."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .folders import ROOT, VENVS
from .messages import BuildError, say
from .processes import only_one_at_a_time, run_step
from .pythons import find_python
from .system_packages import BPY_LIBRARIES, install_system_packages


@dataclass(frozen=True)
class Environment:
    """A folder under `.venvs/` with the pinned `requirements/<name>.txt` and this checkout as `footfall`."""

    name: str
    python_version: str | None  # "3.11"; None: the Python that runs build.py
    libraries: Mapping[str, str]  # required shared libraries, and the Debian package of each

    @property
    def folder(self) -> Path:
        return VENVS / self.name

    @property
    def python(self) -> Path:
        return self.folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    @property
    def stamp_file(self) -> Path:
        return self.folder / "footfall-stamp.txt"

    @property
    def requirements(self) -> Path:
        return ROOT / "requirements" / f"{self.name}.txt"


DEV = Environment("dev", None, {})
MUTANTS = Environment("mutants", None, {})
BLENDERS = {
    "4.5": Environment("blender-4.5", "3.11", BPY_LIBRARIES),
    "5.2": Environment("blender-5.2", "3.13", BPY_LIBRARIES),
}


def with_included(requirements: Path) -> list[Path]:
    """Return the path of a requirements file, and those of all files that it includes with `-r` or `-c`."""
    files = [requirements]
    for line in requirements.read_text(encoding="utf-8").splitlines():
        if line.startswith(("-r ", "-c ")):
            files += with_included(requirements.parent / line[3:].strip())
    return files


def stamp_of(environment: Environment) -> str:
    """Return a hash of everything that determines an environment: requirements, Python and the checkout's folder."""
    digest = hashlib.sha256(f"{environment.python_version}\n{ROOT}\n".encode())
    for file in with_included(environment.requirements):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def read_stamp(environment: Environment) -> str | None:
    """Return the stamp of an environment's last complete set-up; None if it has none or lacks its Python."""
    if not (environment.python.exists() and environment.stamp_file.exists()):
        return None
    return environment.stamp_file.read_text(encoding="utf-8")


def is_ready(environment: Environment) -> bool:
    return read_stamp(environment) == stamp_of(environment)


def set_up(environment: Environment) -> bool:
    """Create or update an environment, unless its stamp is current; return False if its Python is missing."""
    install_system_packages(environment.libraries)
    if is_ready(environment):
        return True
    with only_one_at_a_time(VENVS / ".lock"):
        if is_ready(environment):
            return True
        base = find_python(environment.python_version)
        if base is None:
            return False
        (VENVS / f"{environment.name}.log").unlink(missing_ok=True)
        if read_stamp(environment) is None:  # new, or interrupted: existing files are unreliable
            make = [base, "-m", "venv", "--clear", environment.folder]
            run_step(environment.name, f"making the environment with {base}", make)
        environment.stamp_file.unlink(missing_ok=True)
        pip = [environment.python, "-m", "pip", "install", "--progress-bar", "off"]
        run_step(
            environment.name,
            f"installing {environment.requirements.name} (minutes, the first time)",
            [*pip, "-r", environment.requirements],
        )
        run_step(
            environment.name,
            "linking this checkout as the package footfall",
            [*pip, "--no-deps", "--no-build-isolation", "--editable", ROOT],
        )
        environment.stamp_file.write_text(stamp_of(environment), encoding="utf-8")
        say(environment.name, "ready")
    return True


def set_up_blenders() -> dict[str, Environment]:
    """Set up each Blender with a Python on this machine, and print the missing ones."""
    ready = {}
    for version, environment in BLENDERS.items():
        if set_up(environment):
            ready[version] = environment
        else:
            wanted = f"Python {environment.python_version}, which is neither on the PATH nor in pyenv"
            say(environment.name, f"SKIPPED: Blender {version} needs {wanted}; its tests are skipped")
    return ready


def set_up_a_blender() -> tuple[str, Environment]:
    """Set up the newest Blender for which this machine has a Python; return its version and environment."""
    for version in sorted(BLENDERS, reverse=True):
        if set_up(BLENDERS[version]):
            return version, BLENDERS[version]
    pythons = " or ".join(str(environment.python_version) for environment in BLENDERS.values())
    raise BuildError(f"Blender's Python module needs Python {pythons}; install one (or pyenv's) and try again.")
