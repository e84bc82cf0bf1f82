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
from .process import start_stamp

BUILD_FOLDER_PREFIX: Final = ".footfall-"
"""How the names of the folders begin in which something is built; the process that builds follows."""


def list_contents(folder: Path) -> set[str]:
    """Names of what is in a folder, without what a killed process has left of ours; nothing where it is not there.

    Raises:
        FootfallError: it is a file, or lies in one.
    """
    try:
        return {path.name for path in folder.iterdir() if not path.name.startswith(BUILD_FOLDER_PREFIX)}
    except FileNotFoundError as error:
        if not folder.is_symlink():
            return set()
        raise FootfallError(f"'{folder}' is a link to what is not there: name another folder.") from error
    except NotADirectoryError as error:
        raise FootfallError(f"'{folder}' is a file, or lies in one: name a folder.") from error


@contextmanager
def build_folder(folder: Path) -> Iterator[Path]:
    """Make a fresh folder inside of ``folder`` to build in; it goes at the end, as do those of processes that died.

    Where ``folder`` was not there and stays empty, it goes too.
    """
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    _remove_abandoned_folders(folder)
    try:
        made = Path(tempfile.mkdtemp(prefix=f"{BUILD_FOLDER_PREFIX}{os.getpid()}-", dir=folder))
        try:
            yield made
        finally:
            shutil.rmtree(made, ignore_errors=True)
    finally:
        if is_new:
            with suppress(OSError):
                folder.rmdir()


def _remove_abandoned_folders(folder: Path) -> None:
    """Remove what a process that was killed had half built."""
    for left_over in folder.glob(f"{BUILD_FOLDER_PREFIX}*"):
        pid = left_over.name.removeprefix(BUILD_FOLDER_PREFIX).partition("-")[0]
        if pid.isdecimal() and start_stamp(int(pid)) is None:
            shutil.rmtree(left_over, ignore_errors=True)


def replace_together(
    build_path: Path, folder: Path, parts: Sequence[str], marker_name: str, unfinished_marker: bytes
) -> None:
    """Move parts and then the file ``marker_name`` from ``build_path``, a folder inside of ``folder``, into it.

    What is there of these names goes; nothing else is touched. Meanwhile ``marker_name`` holds ``unfinished_marker``: who looks in
    between, or after the machine went down, can tell.

    Raises:
        OSError: they cannot be moved; what was there is there again.
    """
    before = build_path / "before"
    before.mkdir()
    old = (folder / marker_name).read_bytes() if (folder / marker_name).exists() else None
    write_atomically(folder / marker_name, unfinished_marker)
    try:
        for name in parts:
            if (folder / name).exists():
                (folder / name).rename(before / name)
            _move(build_path / name, folder / name)
        _move(build_path / marker_name, folder / marker_name)
    except BaseException:
        _roll_back(build_path, folder, parts)
        if old is None:
            (folder / marker_name).unlink(missing_ok=True)
        else:
            write_atomically(folder / marker_name, old)
        raise


def _move(path: Path, to: Path) -> None:
    if path.is_dir():
        path.rename(to)
        sync_folder(to.parent)
    else:
        move_into_place(path, to)


def _roll_back(build_path: Path, folder: Path, parts: Sequence[str]) -> None:
    """Take the new parts out of a folder, and put the old ones back."""
    undone = build_path / "undone"
    undone.mkdir()
    for name in parts:
        if not (build_path / name).exists() and (folder / name).exists():
            (folder / name).rename(undone / name)
        if (build_path / "before" / name).exists():
            (build_path / "before" / name).rename(folder / name)
