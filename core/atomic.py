"""Files that appear whole or not at all, and stay when the machine goes down a moment later."""

import os
from pathlib import Path


def write_atomically(path: Path, data: bytes) -> None:
    """Writes ``data`` under a temporary name beside ``path``, then renames it; what was there stays until then.

    Raises:
        OSError: the folder is missing or not writable, or the disk is full; nothing is left behind.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(path.parent)


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
