"""Files and folders that belong together, built in a fresh folder and then put in the place of those that are there."""

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from ..errors import FootfallError
from .atomic import move_into_place, sync_folder, write_atomically
from .process import start_mark

PREFIX: Final = ".footfall-"
"""How the names of the folders begin in which something is built; the process that builds follows."""


def contents(folder: Path) -> set[str]:
    """Names of what is in a folder, without what a killed process has left of ours; nothing where it is not there.

    Raises:
        FootfallError: it is a file, or lies in one.
    """
    try:
        return {path.name for path in folder.iterdir() if not path.name.startswith(PREFIX)}
    except FileNotFoundError as error:
        if not folder.is_symlink():
            return set()
        raise FootfallError(f"'{folder}' is a link to what is not there: name another folder.") from error
    except NotADirectoryError as error:
        raise FootfallError(f"'{folder}' is a file, or lies in one: name a folder.") from error


@contextmanager
def workshop(folder: Path) -> Iterator[Path]:
    """Make a fresh folder inside of ``folder`` to build in; it goes at the end, as do those of processes that died.

    Where ``folder`` was not there and stays empty, it goes too.
    """
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    _sweep(folder)
    try:
        made = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=folder))
        try:
            yield made
        finally:
            shutil.rmtree(made, ignore_errors=True)
    finally:
        if is_new:
            with suppress(OSError):
                folder.rmdir()


def _sweep(folder: Path) -> None:
    """Remove what a process that was killed had half built."""
    for left_over in folder.glob(f"{PREFIX}*"):
        pid = left_over.name.removeprefix(PREFIX).partition("-")[0]
        if pid.isdecimal() and start_mark(int(pid)) is None:
            shutil.rmtree(left_over, ignore_errors=True)


def replace_together(made: Path, folder: Path, parts: Sequence[str], sign: str, unfinished: bytes) -> None:
    """Move parts and then the file ``sign`` from ``made``, a folder inside of ``folder``, into it.

    What is there of these names goes; nothing else is touched. Meanwhile ``sign`` holds ``unfinished``: who looks in
    between, or after the machine went down, can tell.

    Raises:
        OSError: they cannot be moved; what was there is there again.
    """
    before = made / "before"
    before.mkdir()
    old = (folder / sign).read_bytes() if (folder / sign).exists() else None
    write_atomically(folder / sign, unfinished)
    try:
        for name in parts:
            if (folder / name).exists():
                (folder / name).rename(before / name)
            _move(made / name, folder / name)
        _move(made / sign, folder / sign)
    except BaseException:
        _put_back(made, folder, parts)
        if old is None:
            (folder / sign).unlink(missing_ok=True)
        else:
            write_atomically(folder / sign, old)
        raise


def _move(path: Path, to: Path) -> None:
    if path.is_dir():
        path.rename(to)
        sync_folder(to.parent)
    else:
        move_into_place(path, to)


def _put_back(made: Path, folder: Path, parts: Sequence[str]) -> None:
    """Take the new parts out of a folder, and put the old ones back."""
    undone = made / "undone"
    undone.mkdir()
    for name in parts:
        if not (made / name).exists() and (folder / name).exists():
            (folder / name).rename(undone / name)
        if (made / "before" / name).exists():
            (made / "before" / name).rename(folder / name)
