"""A disk as Windows has it, below a folder of this machine: names without case, and files that are locked while open.

What is open in this process, or mapped into its memory, is locked by itself; what a test holds is open elsewhere. The
functions of ``os`` and ``open`` that the project's files go through are replaced; sizes, links and modes are as here.
"""

import builtins
import errno
import io
import os
import shutil
import stat
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ACCESS_DENIED = "Access is denied"
FILE_EXISTS = "Cannot create a file when that file already exists"
ONE_PATH = ("open", "stat", "lstat", "unlink", "remove", "rmdir", "mkdir", "chmod", "listdir", "scandir", "access")
"""Functions of ``os`` that begin with a path."""


class WindowsDisk:
    """The disk, until the end of a test.

    Attributes:
        root: the folder below which it is Windows.
        refusals: number of changes that were refused.
    """

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        if not Path("/proc/self/fd").is_dir():
            pytest.skip("this system does not tell which files are open")
        _lock_folders_as_windows(monkeypatch)
        self.root = Path(os.path.realpath(root))
        self.refusals = 0
        self._held: dict[str, int] = {}
        self._real: dict[str, Callable[..., Any]] = {name: getattr(os, name) for name in (*ONE_PATH, "replace")}
        self._real_open = builtins.open
        for name in ONE_PATH:
            monkeypatch.setattr(os, name, self._with_path(name))
        monkeypatch.setattr(os, "replace", lambda path, to, **_: self._move(path, to, may_replace=True))
        monkeypatch.setattr(os, "rename", lambda path, to, **_: self._move(path, to, may_replace=False))
        for module in (builtins, io):
            monkeypatch.setattr(module, "open", self._open)
        monkeypatch.setattr(shutil, "_use_fd_functions", False)  # Or files are removed by their names in open folders.
        monkeypatch.setattr("time.sleep", lambda seconds: None)

    def hold(self, path: Path, times: int = sys.maxsize) -> None:
        """Have a file open in another program: for so many changes that are tried, or for ever."""
        self._held[self._true(path)] = times

    def release(self) -> None:
        """Close all files that another program has open."""
        self._held.clear()

    def _true(self, path: Any) -> Any:
        """Return the path that the disk has under a name, whatever its case."""
        if isinstance(path, int) or path is None:
            return path
        text = os.path.abspath(os.fsdecode(path))  # noqa: PTH100 - without a look at the disk
        root = str(self.root)
        if not text.startswith(root + os.sep):
            return path
        found = root
        for part in Path(text[len(root) + 1 :]).parts:
            exact = f"{found}{os.sep}{part}"
            if not self._is_there(exact):
                same = (name for name in self._names(found) if name.casefold() == part.casefold())
                exact = f"{found}{os.sep}{next(same, part)}"
            found = exact
        return found

    def _is_there(self, path: str) -> bool:
        try:
            self._real["lstat"](path)
        except OSError:
            return False
        return True

    def _names(self, folder: str) -> list[str]:
        try:
            return sorted(self._real["listdir"](folder))
        except OSError:
            return []

    def _with_path(self, name: str) -> Callable[..., Any]:
        """Return a function of ``os`` as Windows has it."""
        real = self._real[name]

        def called(path: Any = ".", *arguments: Any, **named: Any) -> Any:
            true = self._true(path)
            if name in ("unlink", "remove"):
                self._require_free(os.fspath(true), path)
            if name == "open" and self._is_folder(true):
                raise _refusal(path)
            return real(true, *arguments, **named)

        return called

    def _open(self, file: Any, *arguments: Any, **named: Any) -> Any:
        return self._real_open(self._true(file), *arguments, **named)

    def _is_folder(self, path: Any) -> bool:
        try:
            return stat.S_ISDIR(self._real["stat"](path).st_mode) and str(path).startswith(str(self.root))
        except (OSError, TypeError):
            return False

    def _move(self, path: Any, to: Any, may_replace: bool) -> None:
        true, aim = os.fspath(self._true(path)), os.fspath(self._true(to))
        self._require_free(true, path, to)
        if aim == true:  # Only the case of its name changes.
            aim = os.fspath(to)
        elif self._is_there(aim):
            if not may_replace:
                raise FileExistsError(errno.EEXIST, FILE_EXISTS, str(path), None, str(to))
            if self._is_folder(aim):
                raise _refusal(path, to)
            self._require_free(aim, path, to)
        self._real["replace"](true, aim)

    def _require_free(self, true: str, path: Any, to: Any = None) -> None:
        """Refuse a change of a file that is open, or of a folder in which one is."""
        held = next((one for one in self._held if _is_at(one, true)), None)
        if held is not None:
            self._held[held] -= 1
            if self._held[held] < 0:
                del self._held[held]
                held = None
        if held is not None or any(_is_at(one, true) for one in self._open_here()):
            self.refusals += 1
            raise _refusal(path, to)

    def _open_here(self) -> set[str]:
        """Return the files below the folder that this process has open or mapped."""
        found = set()
        for number in self._real["listdir"]("/proc/self/fd"):
            try:
                found.add(os.readlink(f"/proc/self/fd/{number}"))  # noqa: PTH115
            except OSError:  # That of the listing itself.
                continue
        with self._real_open("/proc/self/maps", encoding="utf-8") as maps:
            found |= {line[line.index("/") :].rstrip("\n") for line in maps if "/" in line}
        return {path for path in found if path.startswith(f"{self.root}{os.sep}")}


def _is_at(file: str, path: str) -> bool:
    """Return whether a file is at a path, or below it."""
    return file == path or file.startswith(path + os.sep)


def _refusal(path: Any, to: Any = None) -> PermissionError:
    """Return the error of Windows, which names both paths of a renaming."""
    return PermissionError(errno.EACCES, ACCESS_DENIED, str(path), None, None if to is None else str(to))


def _lock_folders_as_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give this Python the module of Windows' locks, with its function by that of this system."""
    import fcntl

    def locking(descriptor: int, mode: int, count: int) -> None:
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, count, 0, os.SEEK_CUR)

    monkeypatch.setitem(sys.modules, "msvcrt", types.SimpleNamespace(locking=locking, LK_NBLCK=2))  # type: ignore[arg-type]
