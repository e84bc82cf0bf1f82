"""Files that appear completely or not at all, and survive a crash of the machine shortly afterwards.

The steps are: write a temporary file, fsync it, rename it, fsync the folder (Pillai et al. 2014).
"""

import errno
import glob
import os
import re
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

from ..errors import FootfallError
from ..message import Message
from .locked_files import discard, when_free
from .process import start_stamp

PART_PATTERN: Final = re.compile(r"\..+\.(\d+)(-\w+)?\.part(\.\w+@?)?", re.DOTALL)
"""Names of temporary files, with the id of the writing process; Blender itself adds an ``@`` while saving."""
MAX_NAME_START: Final = 60
"""Largest number of characters of a file's name that its temporary name starts with."""


def write_atomically(path: Path, data: bytes, follow_links: bool = True) -> None:
    """Write ``data`` under a temporary name beside ``path``, then rename it; until then the old file stays in place.

    The new file gets the mode of the old one.

    Args:
        path: the file.
        data: its new content.
        follow_links: whether to keep a link and replace its target; in folders that may belong to another user, the
            link itself must be replaced.

    Raises:
        OSError: the folder is missing or not writable, the disk is full, or ``path`` is a folder, device or pipe; no
            temporary file is left behind.
    """
    final = destination(path) if follow_links else path
    mode = _replaceable_mode(final)
    remove_parts_of(final)
    temporary = temporary_path(final)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(temporary, flags, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            if mode is not None:
                temporary.chmod(mode)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        when_free(lambda: temporary.replace(final), final)
    finally:
        discard(temporary)
    sync_folder(final.parent)


def move_into_place(temporary: Path, path: Path) -> None:
    """Replace ``path`` with a complete file that another program has written in the same folder.

    The old file stays in place until then, and the new one gets its mode.

    Raises:
        OSError: the file is missing or cannot be renamed; in that case the temporary file is removed.
    """
    try:
        mode = _replaceable_mode(path)
        with when_free(lambda: temporary.open("rb+"), path) as file:
            os.fsync(file.fileno())
        if mode is not None:
            temporary.chmod(mode)
        when_free(lambda: temporary.replace(path), path)
    finally:
        discard(temporary)
    sync_folder(path.parent)


def is_disk_full(error: BaseException | None) -> bool:
    """Return whether an error is due to a full disk."""
    if isinstance(error, FootfallError):
        error = error.__cause__
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)


def destination(path: Path) -> Path:
    """Return the path to which a symbolic link leads, or ``path`` itself; the file need not exist."""
    return Path(os.path.realpath(path))


def temporary_path(path: Path, suffix: str = "") -> Path:
    """Return a random path beside a file, ending in ``suffix``, at which no other user can have placed a link."""
    return path.with_name(f".{path.name[:MAX_NAME_START]}.{os.getpid()}-{secrets.token_hex(6)}.part{suffix}")


def _replaceable_mode(path: Path) -> int | None:
    """Return the mode of the file to replace, ``None`` if there is none.

    Raise ``OSError`` if it is not a regular file.
    """
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if stat.S_ISLNK(mode):
        return None
    if not stat.S_ISREG(mode):
        raise OSError(
            errno.EINVAL, Message("The file is a device or a pipe, which Footfall does not overwrite"), str(path)
        )
    return stat.S_IMODE(mode)


def remove_abandoned_parts(folder: Path) -> None:
    """Remove the temporary files of :func:`write_atomically` in a folder whose processes have ended."""
    for path in folder.glob(".*.part*"):
        found = PART_PATTERN.fullmatch(path.name)
        if found and path.is_file() and (int(found[1]) == os.getpid() or start_stamp(int(found[1])) is None):
            with suppress(OSError):
                path.unlink(missing_ok=True)


def remove_parts_of(path: Path) -> None:
    """Remove the temporary files that killed processes left while they wrote a file."""
    for part in path.parent.glob(f".{glob.escape(path.name[:MAX_NAME_START])}.*.part*"):
        found = PART_PATTERN.fullmatch(part.name)
        if found and int(found[1]) != os.getpid() and start_stamp(int(found[1])) is None:
            with suppress(OSError):
                part.unlink(missing_ok=True)


def sync_folder(path: Path) -> None:
    """Flush the list of a folder's files to the disk (fsync), if the system supports it."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:  # Windows does not open folders; its file system writes names in order.
        return
    try:
        os.fsync(descriptor)
    except OSError:  # some network file systems do not support this
        pass
    finally:
        os.close(descriptor)
