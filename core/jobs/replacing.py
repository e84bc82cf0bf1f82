"""Staged replacement of files and folders that belong together: built in a fresh folder, then moved into place."""

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from ..errors import FootfallError
from .atomic import move_into_place, sync_folder, write_atomically
from .folder_lock import lock_folder
from .process import start_stamp

BUILD_FOLDER_PREFIX: Final = ".footfall-"
"""Start of the names of folders in which a replacement is built; the id of the building process follows."""


def list_contents(folder: Path) -> set[str]:
    """Return the names in a folder, without leftovers of killed processes; none if the folder is missing.

    Raises:
        FootfallError: it is a file, or lies in one.
    """
    try:
        return {path.name for path in folder.iterdir() if not path.name.startswith(BUILD_FOLDER_PREFIX)}
    except FileNotFoundError as error:
        if not folder.is_symlink():
            return set()
        raise FootfallError("'{folder}' is a broken link: name another folder", folder=folder) from error
    except NotADirectoryError as error:
        raise FootfallError("'{folder}' is a file, or lies in one: name a folder", folder=folder) from error


def holds_something(path: Path) -> bool:
    """Return whether there is a file or link of a name, or a folder that is not empty."""
    if path.is_dir() and not path.is_symlink():
        return bool(list_contents(path))
    return os.path.lexists(path)


@contextmanager
def build_folder(folder: Path) -> Iterator[Path]:
    """Make a fresh folder inside of ``folder`` to build in; it is removed at the end, as are those of dead processes.

    Meanwhile ``folder`` is locked. If it did not exist and stays empty, it is removed, too.

    Raises:
        FolderInUseError: another process builds in it.
    """
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with lock_folder(folder):
            _remove_abandoned_folders(folder)
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
    """Remove the half-built folders of processes that were killed."""
    for left_over in folder.glob(f"{BUILD_FOLDER_PREFIX}*"):
        pid = left_over.name.removeprefix(BUILD_FOLDER_PREFIX).partition("-")[0]
        if pid.isdecimal() and start_stamp(int(pid)) is None:
            shutil.rmtree(left_over, ignore_errors=True)


def replace_together(
    build_path: Path, folder: Path, parts: Sequence[str], marker_name: str, unfinished_marker: bytes
) -> None:
    """Move parts and then the file ``marker_name`` from ``build_path``, a folder inside of ``folder``, into it.

    Existing files and folders of these names are removed; no others are touched. Meanwhile ``marker_name`` holds
    ``unfinished_marker``, so that a reader in between, or after a crash of the machine, can tell.

    Args:
        build_path: the folder with the new parts.
        folder: the folder that receives them.
        parts: names of files and folders.
        marker_name: name of the file that marks a finished replacement.
        unfinished_marker: its content during the replacement.

    Raises:
        OSError: they cannot be moved; the old ones are in place again.
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
    """Move a file or folder and flush the change to the disk."""
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
