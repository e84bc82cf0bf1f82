"""Safe file names made from texts that users choose, such as names of actions."""

import re
import unicodedata
from pathlib import PurePath
from typing import Final

MAX_NAME_BYTES: Final = 100
"""Largest size of a name, bytes, with room for endings, and for folders within Windows' 260 characters."""
RESERVED_PATTERN: Final = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\..*)?", re.IGNORECASE)
"""Names that Windows reserves for devices, with or without an ending."""


def safe_file_name(name: str) -> str:
    """Convert a name to one that is valid on every file system, with only letters, digits, dashes and dots.

    >>> safe_file_name("Walk: slow"), safe_file_name("Con.3"), safe_file_name("...")
    ('Walk_slow', '_Con.3', 'unnamed')
    """
    clean = re.sub(r"[^\w.-]+", "_", name).strip("._").encode()[:MAX_NAME_BYTES].decode(errors="ignore")
    return unreserved(clean.rstrip("._") or "unnamed")


def unreserved(name: str) -> str:
    """Return a name, prefixed with an underscore if Windows reserves it for a device."""
    return f"_{name}" if RESERVED_PATTERN.fullmatch(name) else name


def disk_key(path: PurePath) -> str:
    """Return a text that is equal for two paths if a disk that ignores case (Windows, macOS) may confuse them."""
    return unicodedata.normalize("NFC", str(path)).casefold()
