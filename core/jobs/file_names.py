"""Names of files that are made of texts which users choose, such as those of actions."""

import re
import unicodedata
from pathlib import PurePath
from typing import Final

MAX_NAME_BYTES: Final = 100
"""Bytes of a name, so that endings, and the folders of Windows' 260 characters, have room."""
RESERVED_PATTERN: Final = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\..*)?", re.IGNORECASE)
"""Names that Windows keeps for devices, also with an ending."""


def safe_file_name(name: str) -> str:
    """Return a name that is valid on every file system: letters, digits, dashes and dots, nothing else.

    >>> safe_file_name("Walk: slow"), safe_file_name("Con.3"), safe_file_name("...")
    ('Walk_slow', '_Con.3', 'unnamed')
    """
    clean = re.sub(r"[^\w.-]+", "_", name).strip("._").encode()[:MAX_NAME_BYTES].decode(errors="ignore")
    return unreserved(clean.rstrip("._") or "unnamed")


def unreserved(name: str) -> str:
    """Return a name as it is, or with an underscore before it where Windows keeps it for a device."""
    return f"_{name}" if RESERVED_PATTERN.fullmatch(name) else name


def disk_key(path: PurePath) -> str:
    """Return what two paths have in common that are one file on disks without case, as those of Windows and macOS."""
    return unicodedata.normalize("NFC", str(path)).casefold()
