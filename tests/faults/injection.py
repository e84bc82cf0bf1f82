"""Faults inside one process: at its k-th change of the file system below a folder."""

import errno
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

KILL: Final = "kill"
FULL: Final = "full"
READ_ONLY: Final = "read-only"
NONE: Final = "none"
CREATIONS: Final = ("os.mkdir", "os.link", "os.symlink")
CHANGES: Final = (*CREATIONS, "os.rename", "os.remove", "os.rmdir", "os.truncate", "os.chmod")
"""Audit events of changes besides ``open``; ``os.replace`` is told as a renaming."""
WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


@dataclass(frozen=True)
class Fault:
    """A fault of a kind at the change of a number, counted from 0.

    ``"kill"`` ends the process right before the change or, where a file is opened to be written in place, right after
    it was emptied. ``"full"`` lets this and every later creation fail, ``"read-only"`` this and every later change.
    """

    kind: str
    number: int = 0


class Injector:
    """The audit hook of a process, for the rest of its life.

    Args:
        fault: what happens.
        folder: below which changes count.
        told: is given the number of changes so far at each.
    """

    def __init__(self, fault: Fault, folder: Path, told: Callable[[int], None] = lambda count: None) -> None:
        self.fault, self.root, self.told = fault, os.path.realpath(folder) + os.sep, told
        self.count, self.is_acting = 0, False
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if (event != "open" and event not in CHANGES) or self.is_acting:
            return
        path = _changed_path(event, arguments)
        if path is None or not (path + os.sep).startswith(self.root):
            return
        self.count += 1
        self.told(self.count)
        if self.count > self.fault.number:
            self.is_acting = True
            try:
                self._act(event, arguments, path)
            finally:
                self.is_acting = False

    def _act(self, event: str, arguments: tuple[Any, ...], path: str) -> None:
        flags = arguments[2] or 0 if event == "open" else 0
        if self.fault.kind == KILL:
            if flags & os.O_TRUNC and Path(path).is_file():
                os.truncate(path, 0)
            os.kill(os.getpid(), signal.SIGKILL)
        if self.fault.kind == READ_ONLY:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), path)
        if self.fault.kind == FULL and (event in CREATIONS or flags & os.O_CREAT):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)


def _changed_path(event: str, arguments: tuple[Any, ...]) -> str | None:
    """Return the absolute path that an event changes; ``None`` for reading, and for files that are open already."""
    path = arguments[0]
    if path is None or isinstance(path, int) or (event == "open" and not (arguments[2] or 0) & WRITING):
        return None
    path = Path(os.fsdecode(path))
    folder = arguments[-1]
    if event in ("os.remove", "os.rmdir", "os.mkdir") and isinstance(folder, int) and folder >= 0:
        path = Path(f"/proc/self/fd/{folder}").readlink() / path  # As `shutil.rmtree` names what it removes.
    return os.path.realpath(path.parent) + os.sep + path.name
