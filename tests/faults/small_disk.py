"""A disk of a few kilobytes, which really gets full at a byte: a file system in memory."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

FILLER: Final = ".filler"
BLOCK: Final = 4096
"""Bytes of which such a file system gives space."""


def can_mount() -> bool:
    """Return whether this process may mount one."""
    try:
        return subprocess.run(["mount", "-t", "tmpfs", "--fake", "x", "/mnt"], capture_output=True).returncode == 0
    except OSError:
        return False


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[None]:
    """Mount a disk of a size in bytes on an empty folder."""
    folder.mkdir(parents=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)
        folder.rmdir()


def fill(folder: Path, free: int) -> None:
    """Fill the disk of a folder but for some bytes."""
    with (folder / FILLER).open("wb", buffering=0) as file:
        try:
            while file.write(bytes(BLOCK)) == BLOCK:
                pass
        except OSError:
            pass  # Full.
        file.truncate(max(0, file.tell() - free))


def empty(folder: Path) -> None:
    """Free what :func:`fill` has filled."""
    (folder / FILLER).unlink()
