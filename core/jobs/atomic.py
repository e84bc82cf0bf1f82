"""Files that appear whole or not at all, and stay when the machine goes down a moment later."""

import os
import time
from pathlib import Path
from typing import Final

RENAME_RETRY_PAUSES_S: Final = (0.01, 0.05, 0.2, 0.5, 1.0)
"""Seconds between attempts at renaming a file over one that another program has open."""


def write_atomically(path: Path, data: bytes) -> None:
    """Write ``data`` under a temporary name beside ``path``, then renames it; what was there stays until then.

    Raises:
        OSError: the folder is missing or not writable, or the disk is full; nothing is left behind.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _rename_with_retries(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(path.parent)


def move_into_place(temporary: Path, path: Path) -> None:
    """Rename a file that another program has written whole, in the same folder; what was there stays until then.

    Raises:
        OSError: it is not there, or cannot be renamed; the temporary file is gone.
    """
    try:
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        _rename_with_retries(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(path.parent)


def _rename_with_retries(temporary: Path, path: Path) -> None:
    """Rename; on Windows this is refused while somebody, such as a Blender that watches, read the old one."""
    for pause in RENAME_RETRY_PAUSES_S:
        try:
            temporary.replace(path)
        except PermissionError:
            time.sleep(pause)
        else:
            return
    temporary.replace(path)


def sync_folder(path: Path) -> None:
    """Has the disk know a folder's names before anything goes on, where the system lets folders be synchronised."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:  # Windows opens no folders; its file system writes names in order
        return
    try:
        os.fsync(descriptor)
    except OSError:  # some network file systems cannot
        pass
    finally:
        os.close(descriptor)
