"""Replacement of files and folders that belong together: built in a separate folder, then moved into place."""

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from ..errors import FootfallError
from .atomic import move_into_place, sync_folder, write_atomically
from .folder_lock import FolderInUseError, lock_folder
from .locked_files import remove_when_free, when_free
from .process import start_stamp

BEFORE: Final = "before"
"""Subfolder of a build folder that holds the replaced parts and the old marker."""
UNFINISHED: Final = "unfinished"
"""File in a build folder that holds the marker used during the replacement."""
BUILD_FOLDER_PREFIX: Final = ".footfall-"
"""Start of the names of build folders; the id of the building process follows."""


def list_contents(folder: Path) -> set[str]:
    """Return the names in a folder, except leftovers of killed processes; empty if the folder is missing.

    Raises:
        FootfallError: the path, or a parent of it, is a file.
    """
    try:
        return {path.name for path in folder.iterdir() if not path.name.startswith(BUILD_FOLDER_PREFIX)}
    except FileNotFoundError as error:
        if not folder.is_symlink():
            return set()
        raise FootfallError("'{folder}' is a broken link: give another folder", folder=folder) from error
    except NotADirectoryError as error:
        raise FootfallError(
            "'{folder}' is not a folder but a file, or lies inside one: give a folder", folder=folder
        ) from error


def holds_something(path: Path) -> bool:
    """Return whether ``path`` is a file, a link, or a folder that is not empty."""
    if path.is_dir() and not path.is_symlink():
        return bool(list_contents(path))
    return os.path.lexists(path)


@contextmanager
def build_folder(folder: Path) -> Iterator[Path]:
    """Context manager that yields a new build folder inside ``folder``, and removes it and abandoned ones at its end.

    Meanwhile ``folder`` is locked. If ``folder`` did not exist before and is still empty at the end, it is removed as
    well.

    Raises:
        FolderInUseError: another process is building in ``folder``.
    """
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with lock_folder(folder):
            _recover(folder)
            _remove_abandoned_folders(folder)
            made = Path(tempfile.mkdtemp(prefix=f"{BUILD_FOLDER_PREFIX}{os.getpid()}-", dir=folder))
            try:
                yield made
            finally:
                if _interrupted_marker(made, folder) is None:  # else the replaced parts are still in it
                    shutil.rmtree(made, ignore_errors=True)
    finally:
        if is_new:
            with suppress(OSError):
                folder.rmdir()


def _remove_abandoned_folders(folder: Path) -> None:
    """Remove the unfinished build folders of killed processes."""
    for left_over in _abandoned_folders(folder):
        shutil.rmtree(left_over, ignore_errors=True)


def _abandoned_folders(folder: Path) -> Iterator[Path]:
    """Yield the build folders of processes that have ended, and those that this process could not finish."""
    for path in sorted(folder.glob(f"{BUILD_FOLDER_PREFIX}*")):
        pid = path.name.removeprefix(BUILD_FOLDER_PREFIX).partition("-")[0]
        if pid.isdecimal() and (int(pid) == os.getpid() or start_stamp(int(pid)) is None):
            yield path


def recover_replaced(folder: Path) -> bool:
    """Undo an interrupted :func:`replace_together` in a folder, and return whether there was one.

    Readers call this if they find the unfinished marker. Nothing changes while another process is still replacing.
    """
    try:
        with lock_folder(folder):
            return _recover(folder)
    except (OSError, FolderInUseError):
        return False


def _recover(folder: Path) -> bool:
    """Restore the parts moved aside in a folder that is locked; the process may be killed after any step."""
    for build_path in _abandoned_folders(folder):
        marker_name = _interrupted_marker(build_path, folder)
        if marker_name is not None:
            parts = {path.name for path in (build_path / BEFORE).iterdir()} - {marker_name}
            _roll_back(build_path, folder, parts, marker_name)
            sync_folder(folder)
            return True
    return False


def _interrupted_marker(build_path: Path, folder: Path) -> str | None:
    """Return the name of an interrupted replacement's marker; ``None`` if no replacement was interrupted."""
    try:
        unfinished = (build_path / UNFINISHED).read_bytes()
        names = [path.name for path in (build_path / BEFORE).iterdir() if path.is_file()]
        return next((name for name in names if _content(folder / name) == unfinished), None)
    except OSError:
        return None


def _content(path: Path) -> bytes:
    """Return the content of a file; empty if it is missing."""
    return path.read_bytes() if path.is_file() else b""


def replace_together(
    build_path: Path, folder: Path, parts: Sequence[str], marker_name: str, unfinished_marker: bytes
) -> None:
    """Replace parts of ``folder`` with those of the same names in ``build_path``, the file ``marker_name`` last.

    Existing files and folders with these names are removed; no others are touched. Meanwhile ``marker_name`` contains
    ``unfinished_marker``, which warns any reader, even after a crash of the machine.

    Args:
        build_path: the folder with the new parts.
        folder: the folder that receives them.
        parts: names of files and folders.
        marker_name: name of the file that marks a finished replacement.
        unfinished_marker: content of the marker during the replacement.

    Raises:
        OSError: the parts cannot be moved; the old ones are restored.
    """
    before = build_path / BEFORE
    before.mkdir()
    if (folder / marker_name).is_file():
        write_atomically(before / marker_name, (folder / marker_name).read_bytes())
    write_atomically(build_path / UNFINISHED, unfinished_marker)
    write_atomically(folder / marker_name, unfinished_marker, follow_links=False)
    try:
        for name in parts:
            if (folder / name).exists():
                _rename(folder / name, before / name, folder / name)
            _move(build_path / name, folder / name)
        _move(build_path / marker_name, folder / marker_name)
    except BaseException:
        _roll_back(build_path, folder, parts, marker_name)
        raise


def _move(path: Path, to: Path) -> None:
    """Move a file or folder and flush the change to the disk."""
    if path.is_dir():
        _rename(path, to, to)
        sync_folder(to.parent)
    else:
        move_into_place(path, to)


def _rename(path: Path, to: Path, named: Path) -> None:
    """Rename a file or folder as soon as no other program has it open; errors name the path ``named``."""
    when_free(lambda: path.rename(to), named)


def _roll_back(build_path: Path, folder: Path, parts: Iterable[str], marker_name: str) -> None:
    """Move the new parts out of a folder again, and restore the old parts and then their marker."""
    before, undone = build_path / BEFORE, build_path / "undone"
    undone.mkdir(exist_ok=True)
    for name in parts:
        if not (build_path / name).exists() and (folder / name).exists():
            _rename(folder / name, undone / name, folder / name)
        if (before / name).exists():
            _rename(before / name, folder / name, folder / name)
    marker, old = folder / marker_name, before / marker_name
    if old.exists():
        when_free(lambda: old.replace(marker), marker)
    else:
        remove_when_free(marker)
