"""Locks that admit one process at a time to a folder: run folders, data sets, patch databases.

The lock is the operating system's lock on an open file, so that it always ends with the process (flock(2); Windows:
byte-range locks). The file holds the process id, which the error of a refused process names.
"""

import errno
import importlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from ..errors import FootfallError
from .bounded_files import open_regular
from .locked_files import GLANCE_PAUSES_S, when_free

LOCK_FILE_NAME: Final = ".footfall-lock"
"""Lock file of a folder, left behind if the process was killed."""
LOCKED_BYTE: Final = 1 << 20
"""Position of the locked byte on Windows, beyond the text, so that other processes can read the text."""
UNSUPPORTED_ERRORS: Final = frozenset({errno.ENOLCK, errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP})
"""Errors of file systems without locks."""
MAX_LOCK_BYTES: Final = 4096
"""Largest number of bytes read from a lock file."""

_held: dict[str, int] = {}
"""Number of locks that this process holds on each folder."""


class FolderInUseError(FootfallError):
    """A folder cannot be locked, because another process is working in it."""


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Context manager that keeps other processes out of an existing folder; the same process may lock it again.

    On file systems without locks, the folder is not locked.

    Raises:
        FolderInUseError: another process has locked the folder; the message names it.
        OSError: the lock file cannot be created.
    """
    key = str(folder.resolve())
    if key not in _held:
        descriptor = _acquire(folder)
        _held[key] = 0
    else:
        descriptor = None
    _held[key] += 1
    try:
        yield
    finally:
        _held[key] -= 1
        if descriptor is not None:
            del _held[key]
            _release(descriptor, folder / LOCK_FILE_NAME)


def has_lock_file(folder: Path) -> bool:
    """Return whether a folder has a lock file: a process is working in it, or was killed while working in it."""
    return read_owner(folder) is not None


def _acquire(folder: Path) -> int:
    """Create and lock a folder's lock file, and return its file descriptor."""
    path = folder / LOCK_FILE_NAME
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    while True:
        # Windows refuses a file that the previous process is removing.
        descriptor = when_free(lambda: os.open(path, flags, 0o644), path, GLANCE_PAUSES_S)
        try:
            if not _try_lock(descriptor):
                raise FolderInUseError(
                    "Another process ({pid}) is using '{folder}': wait until it ends, or stop it",
                    pid=read_owner(folder) or "?",
                    folder=folder,
                )
            if _is_same_file(descriptor, path):
                _write_owner(descriptor)
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)  # the previous process has removed this file meanwhile


def _release(descriptor: int, path: Path) -> None:
    """Remove the lock file and release its lock, in the order that the system allows."""
    if _windows_locks() is not None:
        os.close(descriptor)
        descriptor = -1
    with suppress(OSError):
        path.unlink()
    if descriptor >= 0:
        os.close(descriptor)


def _try_lock(descriptor: int) -> bool:
    """Lock an open file; return ``False`` if another process has locked it."""
    windows = _windows_locks()
    try:
        if windows is not None:
            os.lseek(descriptor, LOCKED_BYTE, os.SEEK_SET)
            windows.locking(descriptor, windows.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in UNSUPPORTED_ERRORS:
            return True
        if error.errno in (errno.EAGAIN, errno.EACCES, errno.EDEADLK):
            return False
        raise
    return True


def _windows_locks() -> Any:
    """Return Python's module for locks on Windows, ``msvcrt``; ``None`` on another system."""
    try:
        return importlib.import_module("msvcrt")
    except ImportError:
        return None


def _is_same_file(descriptor: int, path: Path) -> bool:
    """Return whether an open file is still the file at ``path``."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except OSError:
        return False


def _write_owner(descriptor: int) -> None:
    """Write this process's id to a lock file, unless the disk is full."""
    with suppress(OSError):
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.ftruncate(descriptor, 0)
        os.write(descriptor, json.dumps({"footfall": "lock", "pid": os.getpid()}).encode())


def read_owner(folder: Path) -> int | None:
    """Return the process id in a folder's lock file; ``None`` if there is no readable lock file."""
    try:
        with open_regular(folder / LOCK_FILE_NAME) as file:
            owner = json.loads(file.read(MAX_LOCK_BYTES))
        pid = owner["pid"] if owner["footfall"] == "lock" else None
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None
    return pid if type(pid) is int else None
