"""A child process that logs to a file: started, polled, and ended together with all its descendants."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from ..errors import FootfallError
from ..message import Message
from .process import start_stamp

POLL_TIMEOUT_S: Final = 0.02
"""Longest wait of one poll of a child."""
TERMINATION_GRACE_S: Final = 5.0
"""Time that a child gets to end by itself before it is killed."""


class ChildError(FootfallError):
    """A child process could not be started."""


def clean_environment(**changes: str) -> dict[str, str]:
    """Return environment variables for a child: this process's without those of Blender's Python, with ``changes``.

    Inside Blender, ``PYTHONHOME`` and ``PYTHONPATH`` are Blender's own. With this environment, a started Python and its
    descendants do not import modules from their working folder.
    """
    left_out = ("PYTHONHOME", "PYTHONPATH", "PYTHONSTARTUP", "PYTHONEXECUTABLE", "__PYVENV_LAUNCHER__")
    inherited = {name: value for name, value in os.environ.items() if name not in left_out}
    return inherited | {"PYTHONSAFEPATH": "1"} | changes


class Child:
    """A running process.

    Args:
        command: the program and its arguments.
        log: file to which standard output and errors are appended.
        environment: environment variables; by default those of :func:`clean_environment`.
        folder: working folder of the process.

    Raises:
        ChildError: the process could not be started, or the log cannot be written.
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
            raise ChildError(
                "'{command}' could not be started ({error})", command=command[0], error=error.strerror or error
            ) from error

    @property
    def pid(self) -> int:
        """Process id, as given by the operating system."""
        return self._process.pid

    @property
    def start_stamp(self) -> str:
        """Stamp that tells the process from later ones with the same id; empty if the process has ended."""
        return start_stamp(self.pid) or ""

    def poll(self) -> int | None:
        """Return the exit code of the process; ``None`` while it runs."""
        return self._process.poll()

    def wait_briefly(self) -> int | None:
        """Wait for the process, at most 0.02 s; return its exit code, or ``None`` if it still runs."""
        try:
            return self._process.wait(POLL_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            return None

    def output(self) -> str:
        """Return the text that the process has written so far; empty if its log file is gone."""
        try:
            with self._log.open("rb") as file:
                file.seek(self._log_start)
                return file.read().decode(errors="replace")
        except OSError:
            return ""

    def last_output_line(self) -> str:
        lines = [line for line in self.output().splitlines() if line.strip()]
        return lines[-1].strip() if lines else Message("the program printed nothing")

    def terminate(self) -> None:
        """End the process and all its descendants, and wait until it has ended."""
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
        """Send a signal to the process and its process group."""
        try:
            os.killpg(self.pid, signal_number)
        except (ProcessLookupError, PermissionError):  # it has ended meanwhile
            self._process.kill()
