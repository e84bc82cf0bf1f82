"""The trainer's own Python: a virtual environment with pinned packages, made when somebody asks for it.

=========================== ===========================================================================================
``footfall-ready.json``     written last, whole or not at all: what was installed, and by which requirements
``footfall-making.json``    whose process makes it
``footfall-log.txt``        all that was said meanwhile
=========================== ===========================================================================================

An environment without the first file is half made; the next making goes on with what is there.
"""

import json
import os
import re
import shutil
import sys
from collections.abc import Generator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from ...errors import FootfallError
from ..atomic import write_atomically
from ..child import Child, clean_environment
from ..process import start_stamp
from .pip_talk import last_line, pip_failure_message, pip_progress
from .recipe import EnvironmentRecipe
from .requirements import TRAINING_REQUIREMENTS, digest_of, pinned_versions, requested_packages

EnvironmentState = Literal["missing", "making", "unfinished", "outdated", "ready"]
InstallProgress = Generator[tuple[float, str], None, Mapping[str, str]]
"""Yields the share that is done and what it is at, and never holds up for long; returns the versions by package."""

MIN_PYTHON_VERSION: Final = (3, 11)
MIN_RAW_PROGRESS_PIP_VERSION: Final = (24, 1)
"""The pip from which on it tells how many bytes have come."""
UNSET_PIP_VARIABLES: Final = (
    "PIP_USER",
    "PIP_TARGET",
    "PIP_PREFIX",
    "PIP_REQUIRE_VIRTUALENV",
    "PIP_NO_BUILD_ISOLATION",
)
"""Settings of pip that would install elsewhere."""


class TrainerEnvironmentError(FootfallError):
    """The environment cannot be made or removed."""


@dataclass(frozen=True, slots=True)
class TrainerEnvironment:
    """An environment; ``folder`` need not exist, and is nobody else's."""

    folder: Path

    @property
    def python(self) -> Path:
        """Its Python."""
        return self.folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")

    @property
    def log_path(self) -> Path:
        """``footfall-log.txt``."""
        return self.folder / "footfall-log.txt"

    @property
    def _ready_path(self) -> Path:
        return self.folder / "footfall-ready.json"

    @property
    def _maker_path(self) -> Path:
        return self.folder / "footfall-making.json"

    def state(self, requirements: Path = TRAINING_REQUIREMENTS) -> EnvironmentState:
        """How far it is: ``"outdated"`` was made for other requirements, ``"unfinished"`` lacks something."""
        if self.maker_pid() is not None:
            return "making"
        if not self.folder.is_dir():
            return "missing"
        ready = _read_json(self._ready_path)
        if not ready or not self._has_python():
            return "unfinished"
        return "ready" if ready.get("requirements") == digest_of(requirements) else "outdated"

    def packages(self) -> dict[str, str]:
        """Return the versions of what was installed, by package."""
        packages = _read_json(self._ready_path).get("packages", {})
        return {str(name): str(version) for name, version in packages.items()} if isinstance(packages, dict) else {}

    def maker_pid(self) -> int | None:
        """Return the id of the process that makes it, or that such a process has left behind at work."""
        making = _read_json(self._maker_path)
        for who in ("maker", "worker"):
            pid, mark = making.get(f"{who}_pid"), making.get(f"{who}_mark")
            if isinstance(pid, int) and mark and start_stamp(pid) == mark:
                return pid
        return None

    def _has_python(self) -> bool:
        """Whether its Python is there, and that from which it was made: Blender's goes with Blender."""
        home = re.search(r"^home\s*=\s*(.+)$", _read_text(self.folder / "pyvenv.cfg"), re.MULTILINE)
        return self.python.is_file() and home is not None and Path(home[1].strip()).is_dir()

    def make(self, recipe: EnvironmentRecipe) -> InstallProgress:
        """Make it, go on where an earlier making was cut short, or brings it up to date.

        Closing the generator ends what is running, and leaves a half-made environment; so does an error.

        Raises:
            TrainerEnvironmentError: one sentence on what is missing.
        """
        recipe.check()
        pid = self.maker_pid()
        if pid is not None and pid != os.getpid():
            raise TrainerEnvironmentError(f"The process {pid} is making '{self.folder}': wait until it is done.")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._ready_path.unlink(missing_ok=True)
            self._write_maker(None)
            self.log_path.unlink(missing_ok=True)
            yield from self._prepare(recipe)
            yield from self._install(recipe)
            packages = yield from self._verify(recipe)
            document = {"requirements": digest_of(recipe.requirements), "packages": packages}
            write_atomically(self._ready_path, json.dumps(document, indent=1).encode())
            return packages
        except OSError as error:
            raise TrainerEnvironmentError(
                f"The environment '{self.folder}' cannot be written ({error.strerror or error})."
            ) from error
        finally:
            with suppress(OSError):
                self._maker_path.unlink(missing_ok=True)

    def remove(self) -> None:
        """Remove it, whatever state it is in.

        Raises:
            TrainerEnvironmentError: it is no environment of Footfall's, somebody makes it, or it is in use.
        """
        if not self.folder.exists():
            return
        pid = self.maker_pid()
        if pid is not None and pid != os.getpid():
            raise TrainerEnvironmentError(f"The process {pid} is making '{self.folder}': wait until it is done.")
        known = {"footfall-ready.json", "footfall-making.json", "footfall-log.txt"}
        if any(self.folder.iterdir()) and not any((self.folder / name).is_file() for name in known):
            raise TrainerEnvironmentError(f"'{self.folder}' was not made by Footfall: remove it by hand.")
        try:
            self._ready_path.unlink(missing_ok=True)
            going = self.folder.with_name(f".{self.folder.name}-{os.getpid()}.part")
            self.folder.rename(going)
            shutil.rmtree(going)
        except OSError as error:
            raise TrainerEnvironmentError(
                f"'{self.folder}' cannot be removed ({error.strerror or error}): end what trains with it first."
            ) from error

    def _write_maker(self, worker: Child | None) -> None:
        """Write down whose process makes the environment, and which one it waits for."""
        making = {"maker_pid": os.getpid(), "maker_mark": start_stamp(os.getpid()) or ""}
        if worker is not None:
            making |= {"worker_pid": worker.pid, "worker_mark": worker.start_stamp}
        write_atomically(self._maker_path, json.dumps(making).encode())

    def _run(self, command: list[str | Path]) -> Generator[str, None, tuple[int, str]]:
        """Run a command; yields what it has said so far, again and again; returns its exit code and all its words."""
        environment = {name: value for name, value in clean_environment().items() if name not in UNSET_PIP_VARIABLES}
        child = Child(command, self.log_path, environment | {"PYTHONUNBUFFERED": "1", "PYTHONNOUSERSITE": "1"})
        self._write_maker(child)
        try:
            while (code := child.wait_briefly()) is None:
                yield child.output()
            return code, child.output()
        finally:
            child.terminate()

    def _prepare(self, recipe: EnvironmentRecipe) -> Generator[tuple[float, str], None, None]:
        """Make the bare environment, unless there is one that works."""
        if self._has_python():
            code, _ = yield from _report_constant_progress(
                0.0, "looks at what is there", self._run([self.python, "-m", "pip", "--version"])
            )
            if code == 0:
                return
        for left_over in ("bin", "Scripts", "lib", "Lib", "lib64", "include", "Include", "pyvenv.cfg"):
            _remove_path(self.folder / left_over)
        program = "import sys, venv, ensurepip; print(*sys.version_info[:2])"
        code, said = yield from _report_constant_progress(
            0.0, "looks at Python", self._run([recipe.python, "-c", program])
        )
        _require_python(recipe.python, code, said)
        command: list[str | Path] = [recipe.python, "-m", "venv", self.folder]
        code, said = yield from _report_constant_progress(0.01, "makes an environment", self._run(command))
        if code != 0:
            raise TrainerEnvironmentError(
                f"'{recipe.python}' could not make '{self.folder}' ({last_line(said)}): choose another Python."
            )

    def _install(self, recipe: EnvironmentRecipe) -> Generator[tuple[float, str], None, None]:
        """Has pip install everything, torch first where it comes from elsewhere."""
        pip: list[str | Path] = [self.python, "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
        pip += [
            "--only-binary",
            ":all:",
            "--progress-bar",
            "raw" if self._pip_version() >= MIN_RAW_PROGRESS_PIP_VERSION else "off",
        ]
        elsewhere: list[str | Path] = []
        if recipe.wheels is not None:
            elsewhere = ["--no-index", "--find-links", recipe.wheels]
        elif recipe.index:
            elsewhere = ["--index-url", recipe.index]
        pins = pinned_versions(recipe.requirements)
        share = 0.05
        if recipe.torch_index and recipe.wheels is None and "torch" in pins:
            torch = [*pip, "--index-url", recipe.torch_index, f"torch=={pins['torch']}"]
            yield from self._pip(torch, recipe, share, 0.6, len(pins) // 2)
            share = 0.6
        yield from self._pip([*pip, *elsewhere, "-r", recipe.requirements], recipe, share, 0.95, len(pins))

    def _pip(
        self, command: list[str | Path], recipe: EnvironmentRecipe, begins: float, ends: float, expected: int
    ) -> Generator[tuple[float, str], None, None]:
        running = self._run(command)
        try:
            while True:
                share, doing = pip_progress(next(running), expected)
                yield begins + (ends - begins) * share, doing
        except StopIteration as done:
            code, said = done.value
        finally:
            running.close()
        if code != 0:
            raise TrainerEnvironmentError(pip_failure_message(said, recipe, self.folder))

    def _pip_version(self) -> tuple[int, ...]:
        found = [*self.folder.glob("lib*/python*/site-packages/pip-*.dist-info")]
        found += [*self.folder.glob("Lib/site-packages/pip-*.dist-info")]
        numbers = re.findall(r"\d+", found[0].name)[:2] if found else []
        return tuple(map(int, numbers))

    def _verify(self, recipe: EnvironmentRecipe) -> Generator[tuple[float, str], None, dict[str, str]]:
        """Asks the new Python for the versions of what was pinned."""
        program = (
            "import json, sys; from importlib.metadata import distributions; "
            "print(json.dumps({d.metadata['Name'].lower().replace('_', '-'): d.version for d in distributions()}))"
        )
        code, said = yield from _report_constant_progress(
            0.95, "looks whether all is there", self._run([self.python, "-c", program])
        )
        try:
            versions = json.loads(last_line(said)) if code == 0 else {}
        except ValueError:
            versions = {}
        lacking = [name for name in requested_packages(recipe.requirements) if name not in versions]
        if lacking:
            raise TrainerEnvironmentError(
                f"'{self.folder}' lacks {', '.join(lacking)} although pip ended well: make it again."
            )
        return {name: versions[name] for name in requested_packages(recipe.requirements)}


def _require_python(python: Path, code: int, output: str) -> None:
    """Raise where a Python cannot make an environment, by what it said of itself."""
    if code != 0:
        missing = re.search(r"No module named '(venv|ensurepip)'", output)
        raise TrainerEnvironmentError(
            f"'{python}' lacks {missing[1]}: install it (on Debian the package python3-venv), or choose another Python."
            if missing
            else f"'{python}' is no Python that works ({last_line(output)}): choose another."
        )
    version = tuple(map(int, re.findall(r"\d+", last_line(output))[:2]))
    if version < MIN_PYTHON_VERSION:
        raise TrainerEnvironmentError(
            f"'{python}' is Python {'.'.join(map(str, version))}: the trainer needs {MIN_PYTHON_VERSION[0]}.{MIN_PYTHON_VERSION[1]} or newer."
        )


def _report_constant_progress(
    share: float, activity: str, running: Generator[str, None, tuple[int, str]]
) -> Generator[tuple[float, str], None, tuple[int, str]]:
    """Return a command of which nobody can tell how far it is."""
    try:
        while True:
            next(running)
            yield share, activity
    except StopIteration as done:
        return done.value
    finally:
        running.close()


def _remove_path(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _read_json(path: Path) -> dict[str, Any]:
    try:
        document = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return document if isinstance(document, dict) else {}


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
