"""Bounded reading of files that may be damaged or hostile: JSON, TOML and archives of arrays.

Size, nesting, numbers and the members of an archive are checked before unpacking. Any fault in the content raises a
:class:`ContentError`, whichever parser finds it.
"""

import json
import math
import os
import re
import stat
import tomllib
import zipfile
from collections.abc import Callable, Iterable, Mapping
from io import BufferedReader
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

from ..message import Message

MAX_TEXT_BYTES: Final = 1 << 24
"""Largest size of a TOML file, or of JSON written by people or runs, bytes."""
MAX_MANIFEST_BYTES: Final = 1 << 28
"""Largest size of a data set's manifest, bytes."""
MAX_ARRAY_BYTES: Final = 1 << 29
"""Largest unpacked size of all arrays of an archive, bytes."""
MAX_MEMBERS: Final = 1 << 14
"""Largest number of members of an archive."""
MAX_INTEGER: Final = 1 << 63
"""Smallest magnitude of integers that are refused."""
HALF_CHARACTER_PATTERN: Final = re.compile(rb"\\u[dD][89abAB]|\\u[dD][c-fC-F]")
"""JSON's escapes of surrogates, which form characters only in pairs."""
DEEP_KEY_PATTERN: Final = re.compile(
    r"""(?<![\w.-])(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')(?:[ \t]*\.[ \t]*(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')){50}"""
)
"""Dotted keys nested deeper than any valid TOML file needs."""
ARCHIVE_METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Compression methods that numpy writes."""


class ContentError(ValueError):
    """Unusable content of a file; the message is the reason, worded as part of a sentence."""

    def __init__(self, template: str = "", /, **fields: object) -> None:
        super().__init__(Message(template, **fields))

    def __str__(self) -> Message:
        return self.args[0]


def open_regular(path: Path) -> BufferedReader:
    """Open a regular file for reading; pipes, which could block the reader, and devices are refused.

    Raises:
        ContentError: the file is a pipe or device.
        OSError: the file cannot be opened.
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    file = os.fdopen(descriptor, "rb")
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        file.close()
        raise ContentError("the file is not a regular file")
    return file


def read_bytes(path: Path, max_bytes: int = MAX_TEXT_BYTES) -> bytes:
    """Read the bytes of a regular file.

    Raises:
        ContentError: the file is a pipe or device, or larger than ``max_bytes``.
        OSError: the file cannot be read.
    """
    with open_regular(path) as file:
        data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise ContentError("the file is larger than {size} MB", size=max_bytes >> 20)
    return data


def parse_json(data: bytes | str, max_bytes: int = MAX_TEXT_BYTES) -> Any:
    """Parse JSON and return its value.

    Raises:
        ContentError: the text is damaged, too long, or has non-finite numbers.
    """
    if len(data) > max_bytes:
        raise ContentError("the file is larger than {size} MB", size=max_bytes >> 20)
    value = _parse(lambda: json.loads(data, parse_float=_finite, parse_int=_integer, parse_constant=_finite))
    if HALF_CHARACTER_PATTERN.search(data if isinstance(data, bytes) else data.encode("utf-8", "replace")):
        _require_text(value)
    return value


def read_json(path: Path, max_bytes: int = MAX_TEXT_BYTES) -> Any:
    """Read a JSON file and return its value; raises the errors of :func:`parse_json` and :func:`read_bytes`."""
    return parse_json(read_bytes(path, max_bytes), max_bytes)


def read_json_object(path: Path, max_bytes: int = MAX_TEXT_BYTES) -> dict[str, Any]:
    """Read a JSON file that holds an object; raises the errors of :func:`read_json`, also if it holds another type."""
    value = read_json(path, max_bytes)
    if not isinstance(value, dict):
        raise ContentError("the text does not contain a JSON object")
    return value


def parse_toml(text: str) -> dict[str, Any]:
    """Parse TOML text and return its table; raise :class:`ContentError` if it is damaged or a number is too large."""
    if DEEP_KEY_PATTERN.search(text):  # tomllib's memory grows with the square of the depth
        raise ContentError("the text is nested too deeply")
    document = _parse(lambda: tomllib.loads(text, parse_float=_finite))
    _parse(lambda: _check_integers(document))
    return document


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file and return its table; raises the errors of :func:`parse_toml` and :func:`read_bytes`."""
    data = read_bytes(path)
    return parse_toml(_parse(lambda: data.decode("utf-8-sig")))


def read_arrays(
    path: Path, names: Iterable[str] | None = None, max_bytes: int = MAX_ARRAY_BYTES
) -> dict[str, NDArray[Any]]:
    """Read arrays from an ``.npz`` file; all sizes are checked before the first array is unpacked.

    Args:
        path: the file.
        names: names of the arrays to read, if present; all by default.
        max_bytes: largest total size of these arrays, bytes.

    Raises:
        ContentError: the archive is damaged or too large, or has members not written by numpy.
        OSError: the archive cannot be read.
    """
    wanted = None if names is None else {f"{name}.npy" for name in names}
    if not stat.S_ISREG(path.stat().st_mode):
        raise ContentError("the file is not a regular file")
    return _parse(lambda: _unpack(path, wanted, max_bytes))


def map_array(path: Path) -> NDArray[Any]:
    """Return the array in an ``.npy`` file, memory-mapped; raise :class:`ContentError` if damaged, or ``OSError``."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise ContentError("the file is not a regular file")
    return _parse(lambda: np.load(path, mmap_mode="r", allow_pickle=False))


def _parse(read: Callable[[], Any]) -> Any:
    """Return what a parser returns; raise any error of the parser as :class:`ContentError`."""
    try:
        return read()
    except (ContentError, OSError, MemoryError):
        raise
    except RecursionError as error:
        raise ContentError("the text is nested too deeply") from error
    except Exception as error:  # damage can raise errors of zipfile, zlib, struct, tokenize or numpy
        raise ContentError("{error}", error=str(error) or type(error).__name__) from error


def _require_text(value: Any) -> None:
    """Raise :class:`ContentError` if a text in a JSON value has an unpaired surrogate."""
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        raise ContentError("the text contains an incomplete character") from error


def _finite(text: str) -> float:
    """Convert text to a number; raise :class:`ContentError` if it is not finite."""
    value = float(text)
    if not math.isfinite(value):
        raise ContentError("the text contains a number that is not finite")
    return value


def _integer(text: str) -> int:
    """Convert text to a whole number; raise :class:`ContentError` if it has more than 64 bits."""
    if len(text) > 20 or not -MAX_INTEGER <= (value := int(text)) < MAX_INTEGER:
        raise ContentError("the text contains an integer of more than 64 bits")
    return value


def _check_integers(value: Any) -> None:
    """Raise :class:`ContentError` if a value contains, at any depth, a whole number of more than 64 bits."""
    if isinstance(value, int) and not -MAX_INTEGER <= value < MAX_INTEGER:
        raise ContentError("the text contains an integer of more than 64 bits")
    for part in value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ():
        _check_integers(part)


def _unpack(path: Path, wanted: set[str] | None, max_bytes: int) -> dict[str, NDArray[Any]]:
    """Unpack the wanted arrays of an archive, by name."""
    with zipfile.ZipFile(path) as archive:
        found = archive.infolist()
        if len(found) > MAX_MEMBERS:
            raise ContentError("the file contains more than {count} arrays", count=MAX_MEMBERS)
        members = [one for one in found if wanted is None or one.filename in wanted]
        if sum(one.file_size for one in members) > max_bytes:
            raise ContentError("the file is larger than {size} MB when unpacked", size=max_bytes >> 20)
        if len({one.filename for one in members}) < len(members):
            raise ContentError("the file contains the same array twice")
        result: dict[str, NDArray[Any]] = {}
        for one in members:
            if one.compress_type not in ARCHIVE_METHODS or one.flag_bits & 1:
                raise ContentError("the file is encrypted or uses an unsupported compression method")
            with archive.open(one) as stream:
                result[one.filename.removesuffix(".npy")] = _read_array(stream, one.file_size)
        return result


def _read_array(stream: IO[bytes], size: int) -> NDArray[Any]:
    """Read the array of an archive's member; raise an error if its header does not match its size in bytes."""
    version = np.lib.format.read_magic(stream)
    if version == (1, 0):
        shape, is_fortran, dtype = np.lib.format.read_array_header_1_0(stream)
    elif version == (2, 0):
        shape, is_fortran, dtype = np.lib.format.read_array_header_2_0(stream)
    else:
        raise ContentError("an array is in an unsupported version of numpy's format")
    if dtype.hasobject or dtype.kind not in "biufUS" or any(length < 0 for length in shape):
        raise ContentError("an array contains neither numbers nor text")
    expected = math.prod(shape) * dtype.itemsize
    if stream.tell() + expected != size:
        raise ContentError("an array does not have the size that its header states")
    data = stream.read(expected + 1)  # one byte more, or the checksum would not be verified
    if len(data) != expected:
        raise ContentError("an array is truncated")
    flat = np.frombuffer(bytearray(data), dtype)
    return flat.reshape(shape[::-1]).T if is_fortran else flat.reshape(shape)
