"""The trainer's own Python: a virtual environment with pinned packages, installed at the user's request.

=========================== ===========================================================================================
``footfall-ready.json`` written last, completely or not at all: the installed packages and their requirements
``footfall-making.json`` the process that makes the environment ``footfall-log.txt`` the output of all commands
=========================== ===========================================================================================

An environment without the first file is unfinished; the next installation continues it.
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
from ...message import Message
from ..atomic import write_atomically
from ..bounded_files import ContentError, read_bytes, read_json_object
from ..child import Child, clean_environment
from ..locked_files import when_free
from ..process import start_stamp
from ..steps import mapped
from .pip_output import last_line, pip_failure_message, pip_progress
from .recipe import EnvironmentRecipe
from .requirements import TRAINING_REQUIREMENTS, digest_of, pinned_versions, requested_packages

EnvironmentState = Literal["missing", "making", "unfinished", "outdated", "ready"]
InstallProgress = Generator[tuple[float, str], None, Mapping[str, str]]
"""Generator of progress, 0 to 1, and current activity; it never blocks for long, and returns the installed versions.
"""

MIN_PYTHON_VERSION: Final = (3, 11)
"""Oldest Python for training."""
MIN_RAW_PROGRESS_PIP_VERSION: Final = (24, 1)
"""Oldest pip that reports downloaded bytes."""
UNSET_PIP_VARIABLES: Final = (
    "PIP_USER",
    "PIP_TARGET",
    "PIP_PREFIX",
    "PIP_REQUIRE_VIRTUALENV",
    "PIP_NO_BUILD_ISOLATION",
    "PIP_EXTRA_INDEX_URL",
    "PIP_FIND_LINKS",
    "PIP_TRUSTED_HOST",
    "PIP_CONFIG_FILE",
)
"""Settings of pip that would install into another folder, or from sources that the user has not chosen."""


class TrainerEnvironmentError(FootfallError):
    """The environment could not be installed or removed."""


@dataclass(frozen=True, slots=True)
class TrainerEnvironment:
    """The virtual environment in ``folder``, which may not exist yet and contains nothing else."""

    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")

    @property
    def log_path(self) -> Path:
        """``footfall-log.txt``: output of all commands."""
        return self.folder / "footfall-log.txt"

    @property
    def _ready_path(self) -> Path:
        """``footfall-ready.json``: the installed packages and their requirements."""
        return self.folder / "footfall-ready.json"

    @property
    def _maker_path(self) -> Path:
        """``footfall-making.json``: the process that makes the environment."""
        return self.folder / "footfall-making.json"

    def state(self, requirements: Path = TRAINING_REQUIREMENTS) -> EnvironmentState:
        """Return the state of the environment; ``"outdated"`` if it was made from other requirements."""
        if self.maker_pid() is not None:
            return "making"
        if not self.folder.is_dir():
            return "missing"
        ready = _read_json(self._ready_path)
        if not ready or not self._has_python():
            return "unfinished"
        return "ready" if ready.get("requirements") == digest_of(requirements) else "outdated"

    def packages(self) -> dict[str, str]:
        """Return the versions of the installed packages, by name."""
        packages = _read_json(self._ready_path).get("packages", {})
        return {str(name): str(version) for name, version in packages.items()} if isinstance(packages, dict) else {}

    def maker_pid(self) -> int | None:
        """Return the id of the process or worker that makes the environment; ``None`` if there is none."""
        making = _read_json(self._maker_path)
        for process in ("maker", "worker"):
            pid, stamp = making.get(f"{process}_pid"), making.get(f"{process}_mark")
            if isinstance(pid, int) and stamp and start_stamp(pid) == stamp:
                return pid
        return None

    def _has_python(self) -> bool:
        """Return whether the environment's Python and its base Python exist.

        The base Python may be Blender's, which is removed along with Blender.
        """
        home = re.search(r"^home\s*=\s*(.+)$", _read_text(self.folder / "pyvenv.cfg"), re.MULTILINE)
        try:
            return self.python.is_file() and home is not None and Path(home[1].strip()).is_dir()
        except OSError:  # a folder cannot have this name
            return False

    def make(self, recipe: EnvironmentRecipe) -> InstallProgress:
        """Make the environment, continue an interrupted installation, or bring the environment up to date.

        Closing the generator ends the running command and leaves an unfinished environment; so does an error.

        Raises:
            TrainerEnvironmentError: the installation failed; the message gives the reason.
        """
        recipe.check()
        pid = self.maker_pid()
        if pid is not None and pid != os.getpid():
            raise TrainerEnvironmentError(
                "Another process ({pid}) is installing the training environment '{folder}': wait until it is done",
                pid=pid,
                folder=self.folder,
            )
        self._require_own()
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
                "The training environment '{folder}' cannot be written ({error}): free disk space, or check "
                "the permissions of the folder",
                folder=self.folder,
                error=error.strerror or error,
            ) from error
        finally:
            with suppress(OSError):
                self._maker_path.unlink(missing_ok=True)

    def remove(self) -> None:
        """Remove the environment, whatever its state.

        Raises:
            TrainerEnvironmentError: the folder is not an environment of Footfall's, another process is making the
                environment, or it is in use.
        """
        if not self.folder.exists():
            return
        pid = self.maker_pid()
        if pid is not None and pid != os.getpid():
            raise TrainerEnvironmentError(
                "Another process ({pid}) is installing the training environment '{folder}': wait until it is done",
                pid=pid,
                folder=self.folder,
            )
        self._require_own()
        try:
            self._ready_path.unlink(missing_ok=True)
            going = self.folder.with_name(f".{self.folder.name}-{os.getpid()}.part")
            when_free(lambda: self.folder.rename(going), self.folder)
            shutil.rmtree(going)
        except OSError as error:
            raise TrainerEnvironmentError(
                "The training environment '{folder}' cannot be removed ({error}): stop the training that uses it first",
                folder=self.folder,
                error=error.strerror or error,
            ) from error

    def _require_own(self) -> None:
        """Raise an error if the folder contains files, but no environment of Footfall's."""
        own = (self._ready_path, self._maker_path, self.log_path)
        if self.folder.is_dir() and any(self.folder.iterdir()) and not any(path.is_file() for path in own):
            raise TrainerEnvironmentError(
                "The folder '{folder}' was not made by Footfall: remove it by hand", folder=self.folder
            )

    def _write_maker(self, worker: Child | None) -> None:
        """Record which process is making the environment, and that process's current worker."""
        making = {"maker_pid": os.getpid(), "maker_mark": start_stamp(os.getpid()) or ""}
        if worker is not None:
            making |= {"worker_pid": worker.pid, "worker_mark": worker.start_stamp}
        write_atomically(self._maker_path, json.dumps(making).encode())

    def _run(self, command: list[str | Path]) -> Generator[str, None, tuple[int, str]]:
        """Run a command, yielding its output so far repeatedly; return its exit code and its whole output."""
        environment = {name: value for name, value in clean_environment().items() if name not in UNSET_PIP_VARIABLES}
        child = Child(command, self.log_path, environment | {"PYTHONUNBUFFERED": "1", "PYTHONNOUSERSITE": "1"})
        self._write_maker(child)
        try:
            yield child.output()
            while (code := child.wait_briefly()) is None:
                yield child.output()
            return code, child.output()
        finally:
            child.terminate()

    def _prepare(self, recipe: EnvironmentRecipe) -> Generator[tuple[float, str], None, None]:
        """Make the environment without packages, unless a working one exists."""
        if self._has_python():
            code, _ = yield from _report_constant_progress(
                0.0,
                Message("Checking which packages are installed"),
                self._run([self.python, "-m", "pip", "--version"]),
            )
            if code == 0:
                return
        for left_over in ("bin", "Scripts", "lib", "Lib", "lib64", "include", "Include", "pyvenv.cfg"):
            _remove_path(self.folder / left_over)
        program = "import sys, venv, ensurepip; print(*sys.version_info[:2])"
        code, output = yield from _report_constant_progress(
            0.0, Message("Checking the Python"), self._run([recipe.python, "-c", program])
        )
        _require_python(recipe.python, code, output)
        command: list[str | Path] = [recipe.python, "-m", "venv", self.folder]
        code, output = yield from _report_constant_progress(
            0.01, Message("Creating the environment"), self._run(command)
        )
        if code != 0:
            raise TrainerEnvironmentError(
                "The Python '{python}' could not create '{folder}' ({error}): choose another Python",
                python=recipe.python,
                folder=self.folder,
                error=last_line(output),
            )

    def _install(self, recipe: EnvironmentRecipe) -> Generator[tuple[float, str], None, None]:
        """Run pip to install everything; torch is first if it comes from another index."""
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
        """Run pip, yielding progress between two shares of the whole installation."""

        def show(line: str) -> tuple[float, str]:
            share, doing = pip_progress(line, expected)
            return begins + (ends - begins) * share, doing

        code, output = yield from mapped(self._run(command), show)
        if code != 0:
            raise TrainerEnvironmentError(pip_failure_message(output, recipe, self.folder))

    def _pip_version(self) -> tuple[int, ...]:
        """Return the first two numbers of the environment's pip version."""
        found = [*self.folder.glob("lib*/python*/site-packages/pip-*.dist-info")]
        found += [*self.folder.glob("Lib/site-packages/pip-*.dist-info")]
        numbers = re.findall(r"\d+", found[0].name)[:2] if found else []
        return tuple(map(int, numbers))

    def _verify(self, recipe: EnvironmentRecipe) -> Generator[tuple[float, str], None, dict[str, str]]:
        """Ask the new Python for the versions of the pinned packages, and return them by name."""
        program = (
            "import json, sys; from importlib.metadata import distributions; "
            "print(json.dumps({d.metadata['Name'].lower().replace('_', '-'): d.version for d in distributions()}))"
        )
        code, output = yield from _report_constant_progress(
            0.95, Message("Checking that all packages are installed"), self._run([self.python, "-c", program])
        )
        try:
            versions = json.loads(last_line(output)) if code == 0 else {}
        except ValueError:
            versions = {}
        lacking = [name for name in requested_packages(recipe.requirements) if name not in versions]
        if lacking:
            raise TrainerEnvironmentError(
                "The training environment '{folder}' lacks the packages {packages}, although pip reported no "
                "error: install the environment again",
                folder=self.folder,
                packages=", ".join(lacking),
            )
        return {name: versions[name] for name in requested_packages(recipe.requirements)}


def _require_python(python: Path, code: int, output: str) -> None:
    """Raise an error if a Python's exit code and output show that it cannot make an environment."""
    if code != 0:
        missing = re.search(r"No module named '(venv|ensurepip)'", output)
        raise TrainerEnvironmentError(
            Message(
                "The Python '{python}' lacks {module}: install it (on Debian the package python3-venv), or "
                "choose another Python",
                python=python,
                module=missing[1],
            )
            if missing
            else Message(
                "'{python}' is not a working Python ({error}): choose another one",
                python=python,
                error=last_line(output),
            )
        )
    version = tuple(map(int, re.findall(r"\d+", last_line(output))[:2]))
    if version < MIN_PYTHON_VERSION:
        raise TrainerEnvironmentError(
            "'{python}' is Python {version}, but training needs {needed} or newer: choose another Python",
            python=python,
            version=".".join(map(str, version)),
            needed=".".join(map(str, MIN_PYTHON_VERSION)),
        )


def _report_constant_progress(
    share: float, activity: str, running: Generator[str, None, tuple[int, str]]
) -> Generator[tuple[float, str], None, tuple[int, str]]:
    """Run a command whose progress is unknown, yielding a constant share; return the command's result."""
    try:
        while True:
            next(running)
            yield share, activity
    except StopIteration as done:
        return done.value
    finally:
        running.close()


def _remove_path(path: Path) -> None:
    """Remove a file or folder, if it exists."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _read_json(path: Path) -> dict[str, Any]:
    """Return the table in a JSON file; empty if the file cannot be read."""
    try:
        return read_json_object(path)
    except (OSError, ContentError):
        return {}


def _read_text(path: Path) -> str:
    """Return the text of a file; empty if the file cannot be read."""
    try:
        return read_bytes(path).decode("utf-8", "replace")
    except (OSError, ContentError):
        return ""
