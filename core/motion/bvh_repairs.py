"""Repairs of faults in the text of BVH files: missing blanks, decimal commas, names that are not in UTF-8."""

import re
from typing import Final

_GLUED_MINUS: Final = re.compile(rb"(?<=[0-9.])-")
_DECIMAL_COMMA: Final = re.compile(rb"(?<=[0-9]),(?=[0-9])")
_MOTION_WORD: Final = re.compile(rb"[\s}]MOTION\s")
_HIGH_RUN: Final = re.compile(rb"[\x80-\xff]+")
MAX_RECODED_BYTES: Final = 1 << 22
"""Largest hierarchy whose names are recoded; larger ones are refused later anyway."""


def split_glued(text: bytes) -> bytes:
    """Return the text of a table of numbers with missing blanks inserted before minus signs.

    >>> split_glued(b"1.5-2.5 3e-05")
    b'1.5 -2.5 3e-05'
    """
    return _GLUED_MINUS.sub(b" -", text)


def with_decimal_points(text: bytes) -> bytes | None:
    """Return the text of a table of numbers with points for decimal commas; ``None`` if its commas are not decimal.

    >>> with_decimal_points(b"1,5 2,5"), with_decimal_points(b"1.5, 2.5")
    (b'1.5 2.5', None)
    """
    if b"," not in text or b"." in text:
        return None
    pointed = _DECIMAL_COMMA.sub(b".", text)
    return None if b"," in pointed else pointed


def with_readable_names(data: bytes) -> bytes:
    """Return a file with its hierarchy in UTF-8, recoded from Shift-JIS or the Western code page if necessary.

    Bytes of a character of Shift-JIS may look like a brace, so this comes before parsing.
    """
    found = _MOTION_WORD.search(data, 0, MAX_RECODED_BYTES)
    head = data[: found.start() + 1] if found else data[:MAX_RECODED_BYTES]
    if head.isascii() or _is_text(head, "utf-8"):
        return data
    runs = [len(run) for run in _HIGH_RUN.findall(head)]
    pairs = sum(length for length in runs if length > 1)
    codecs = ("cp932", "cp1252") if pairs > sum(runs) / 2 else ("cp1252", "cp932")
    codec = next((codec for codec in codecs if _is_text(head, codec)), None)
    return data if codec is None else head.decode(codec).encode() + data[len(head) :]


def _is_text(data: bytes, codec: str) -> bool:
    """Return whether bytes are text in an encoding."""
    try:
        data.decode(codec)
    except UnicodeDecodeError:
        return False
    return True
