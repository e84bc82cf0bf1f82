"""Files that appear whole or not at all, and survive a crash of the machine a moment later.

Write-temporary, fsync, rename, fsync folder (Pillai et al. 2014).
"""

import os
import re
import time
from pathlib import Path
from typing import Final

from .process import start_stamp

PART_PATTERN: Final = re.compile(r"\..+\.(\d+)(-\w+)?\.part", re.DOTALL)
"""Names of temporary files, with the id of the process that writes them."""
RENAME_RETRY_PAUSES_S: Final = (0.01, 0.05, 0.2, 0.5, 1.0)
"""Pauses between attempts at renaming a file over one that another program has open."""


def write_atomically(path: Path, data: bytes) -> None:
    """Write ``data`` under a temporary name beside ``path``, then rename it; the old file stays until then.

    Raises:
        OSError: the folder is missing or not writable, or the disk is full; no temporary file is left behind.
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
    """Rename a file that another program has written whole, in the same folder; the old file stays until then.

    Raises:
        OSError: it is missing, or cannot be renamed; the temporary file is removed.
    """
    try:
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        _rename_with_retries(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(path.parent)


def remove_abandoned_parts(folder: Path) -> None:
    """Remove the temporary files of dead processes from a folder."""
    for path in folder.glob(".*.part"):
        found = PART_PATTERN.fullmatch(path.name)
        if found and path.is_file() and (int(found[1]) == os.getpid() or start_stamp(int(found[1])) is None):
            path.unlink(missing_ok=True)


def _rename_with_retries(temporary: Path, path: Path) -> None:
    """Rename a file; Windows refuses this while another program, such as a watching Blender, reads the old one."""
    for pause in RENAME_RETRY_PAUSES_S:
        try:
            temporary.replace(path)
        except PermissionError:
            time.sleep(pause)
        else:
            return
    temporary.replace(path)


def sync_folder(path: Path) -> None:
    """Flush a folder's entries to the disk, where the system can."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:  # Windows opens no folders; its file system writes names in order.
        return
    try:
        os.fsync(descriptor)
    except OSError:  # Some network file systems cannot.
        pass
    finally:
        os.close(descriptor)
