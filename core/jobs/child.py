"""A child process whose words go to a file: started, looked at, ended with all that it started itself."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from ..errors import FootfallError
from .process import start_stamp

POLL_TIMEOUT_S: Final = 0.02
"""Seconds that one look at a child waits for it at most."""
TERMINATION_GRACE_S: Final = 5.0
"""Seconds that a child has to end by itself when it is asked to."""


class ChildError(FootfallError):
    """The process could not be started."""


def clean_environment(**changes: str) -> dict[str, str]:
    """Give this process's environment without what would lead another Python astray, with some changes.

    Inside Blender, ``PYTHONHOME`` and ``PYTHONPATH`` are Blender's own. The folder in which a Python works is none
    that it takes modules from, nor do the Pythons that it starts itself.
    """
    left_out = ("PYTHONHOME", "PYTHONPATH", "PYTHONSTARTUP", "PYTHONEXECUTABLE", "__PYVENV_LAUNCHER__")
    kept = {name: value for name, value in os.environ.items() if name not in left_out}
    return kept | {"PYTHONSAFEPATH": "1"} | changes


class Child:
    """A running process.

    Args:
        command: the program and its arguments.
        log: a file to which both outputs are added.
        environment: its environment; this process's clean one where not given.
        folder: the folder it works in.

    Raises:
        ChildError: it could not be started, or the log cannot be written.
    """

    def __init__(
        self,
        command: Sequence[str | Path],
        log: Path,
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
    ) -> None:
        own_group: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":
            own_group = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
        self._log = log
        try:
            with log.open("ab") as file:
                self._log_start = file.tell()
                self._process = subprocess.Popen(
                    [str(part) for part in command],
                    stdin=subprocess.DEVNULL,
                    stdout=file,
                    stderr=subprocess.STDOUT,
                    cwd=folder,
                    env=dict(clean_environment() if environment is None else environment),
                    **own_group,
                )
        except OSError as error:
            raise ChildError(f"'{command[0]}' could not be started ({error.strerror or error}).") from error

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @property
    def start_stamp(self) -> str:
        """What tells it from every other process of its id; nothing where it has ended."""
        return start_stamp(self.pid) or ""

    def poll(self) -> int | None:
        """Its exit code; ``None`` while it runs."""
        return self._process.poll()

    def wait_briefly(self) -> int | None:
        """Return the same, after having waited for it for a moment."""
        try:
            return self._process.wait(POLL_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            return None

    def output(self) -> str:
        """What it has said so far; nothing where the log is gone."""
        try:
            with self._log.open("rb") as file:
                file.seek(self._log_start)
                return file.read().decode(errors="replace")
        except OSError:
            return ""

    def last_output_line(self) -> str:
        """Return the last line that it has said."""
        lines = [line for line in self.output().splitlines() if line.strip()]
        return lines[-1].strip() if lines else "it said nothing"

    def terminate(self) -> None:
        """Ends it with all that it has started; returns when it is gone."""
        if self.poll() is not None:
            return
        if sys.platform == "win32":
            subprocess.run(
                ["taskkill", "/F", "/T", "/PID", str(self.pid)],
                capture_output=True,
                check=False,
                timeout=TERMINATION_GRACE_S,
            )
        else:
            self._signal(signal.SIGTERM)
        try:
            self._process.wait(TERMINATION_GRACE_S)
        except subprocess.TimeoutExpired:
            self._process.kill() if sys.platform == "win32" else self._signal(signal.SIGKILL)
            self._process.wait()

    def _signal(self, signal_number: int) -> None:
        try:
            os.killpg(self.pid, signal_number)
        except (ProcessLookupError, PermissionError):  # it ended meanwhile
            self._process.kill()
