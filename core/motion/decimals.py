"""Tables of decimal numbers as text, read and written as whole arrays, several times faster than by ``float``.

SIMD within a register, cf. Lemire, Number parsing at a gigabyte per second, 2021: a number of at most eight digits
before and eight after its point is read as two 64-bit words of eight characters, whose digits are gathered with three
multiplications each. The quotient of two exact integers is then rounded once, so the result is the one that ``float``
gives. Anything longer or with an exponent goes through ``float`` itself.
"""

from math import nan
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..message import Message

CHUNK_BYTES: Final = 1 << 17
"""Size of the part that is read at a time, so that the temporary arrays stay in the processor's cache."""

MAX_NUMBER_CHARACTERS: Final = 1000
"""Mean length of a number, with the blanks around it, above which a line is refused."""

_SPACE, _NEWLINE, _PLUS, _MINUS, _POINT = 32, 10, 43, 45, 46
_WORD_BYTES: Final = 8
_PADDING: Final = b" " * _WORD_BYTES
_ZERO_DIGITS: Final = np.uint64(0x3030303030303030)
_HIGH_HALVES: Final = np.uint64(0xF0F0F0F0F0F0F0F0)
_CARRY: Final = np.uint64(0x0606060606060606)
_GATHER_STEPS: Final = (
    (np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(10 * 2**8 + 1), np.uint64(8)),
    (np.uint64(0x00FF00FF00FF00FF), np.uint64(100 * 2**16 + 1), np.uint64(16)),
    (np.uint64(0x0000FFFF0000FFFF), np.uint64(10_000 * 2**32 + 1), np.uint64(32)),
)
_LAST_BYTES_MASKS: Final = np.array(
    [(2**64 - 1) ^ (2 ** (8 * (_WORD_BYTES - n)) - 1) for n in range(_WORD_BYTES + 1)], dtype=np.uint64
)
_POWERS_OF_TEN: Final = 10 ** np.arange(_WORD_BYTES + 1, dtype=np.uint64)


class TableError(ValueError):
    """A line of a table is not a row of finite numbers; ``line`` counts from 0, ``reason`` is part of a sentence."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(line, reason)
        self.line, self.reason = line, reason


def parse_table(text: bytes, columns: int) -> NDArray[np.float64]:
    """Return the numbers (rows, columns) of a text with one row per line; blank lines are skipped.

    Raises:
        TableError: a line has more or fewer numbers, or a word that is not a finite number.
    """
    parts: list[NDArray[np.float64]] = [np.empty((0, columns))]
    begin = line = 0
    while begin < len(text):
        end = text.find(b"\n", begin + CHUNK_BYTES) + 1 or len(text)
        if end - begin > CHUNK_BYTES + columns * MAX_NUMBER_CHARACTERS:
            raise TableError(
                line + text.count(b"\n", begin, begin + CHUNK_BYTES),
                Message("the line is too long for {columns} numbers", columns=columns),
            )
        chunk = text[begin:end]
        parts.append(_parse_lines(chunk, columns, line))
        line += chunk.count(b"\n")
        begin = end
    return np.concatenate(parts)


def _parse_lines(text: bytes, columns: int, first_line: int) -> NDArray[np.float64]:
    """Return the numbers (rows, columns) of whole lines of text; the first line is number ``first_line`` in errors."""
    data = np.frombuffer(b"".join((_PADDING, text, _PADDING)), dtype=np.uint8)
    blank = data <= _SPACE
    edges = np.flatnonzero(blank[1:] != blank[:-1]) + 1
    starts, ends = edges[::2], edges[1::2]
    _check_rows(data, starts, columns, first_line)

    first = data[starts]
    negative = first == _MINUS
    starts = starts + (negative | (first == _PLUS))
    points = _decimal_points(data, starts, ends)
    whole_digits = points - starts
    decimals = np.maximum(ends - points - 1, 0)
    longest = np.maximum(whole_digits, decimals)
    words = np.ndarray(shape=(len(data) - _WORD_BYTES + 1,), dtype="<u8", buffer=data, strides=(1,))
    whole, whole_fits = _parse_digits(words[points - _WORD_BYTES], whole_digits)
    fraction, fraction_fits = _parse_digits(
        words[points + 1 + np.minimum(decimals, _WORD_BYTES) - _WORD_BYTES], decimals
    )
    scale = _POWERS_OF_TEN[np.minimum(decimals, _WORD_BYTES)]
    values = (whole * scale + fraction) / scale
    np.negative(values, out=values, where=negative)

    plain = whole_fits & fraction_fits & (longest <= _WORD_BYTES) & (whole_digits + decimals > 0)
    plain &= (whole < 10**7) | (decimals < _WORD_BYTES)
    odd = np.flatnonzero(~plain)
    if len(odd):
        spans = (edges.reshape(-1, 2)[odd] - _WORD_BYTES).tolist()
        values[odd] = found = [_parse_float(text[start:end]) for start, end in spans]
        if not np.isfinite(found).all():
            start, end = spans[int(np.argmin(np.isfinite(found)))]
            word = text[start : min(end, start + 20)].decode("ascii", "backslashreplace")
            raise TableError(
                first_line + text.count(b"\n", 0, start), Message("'{word}' is not a finite number", word=word)
            )
    return values.reshape(-1, columns)


def _check_rows(data: NDArray[np.uint8], starts: NDArray[np.intp], columns: int, first_line: int) -> None:
    """Raise ``TableError`` if a nonblank line does not have exactly ``columns`` words."""
    bounds = np.concatenate([[0], np.searchsorted(starts, np.flatnonzero(data == _NEWLINE)), [len(starts)]])
    counts = np.diff(bounds)
    wrong = np.flatnonzero((counts != 0) & (counts != columns))
    if len(wrong):
        raise TableError(
            first_line + int(wrong[0]),
            Message("{found} numbers were found instead of {columns}", found=counts[wrong[0]], columns=columns),
        )


def _decimal_points(data: NDArray[np.uint8], starts: NDArray[np.intp], ends: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the position of each number's decimal point, or of the number's end if it has none."""
    found = np.flatnonzero(data == _POINT)
    if len(found) == len(starts) and np.all((starts <= found) & (found < ends)):
        return found
    points = ends.copy()
    points[np.searchsorted(ends, found)] = found
    return points


def _parse_digits(words: NDArray[np.uint64], count: NDArray[np.intp]) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
    """Return the number that the last ``count`` characters of each word spell, and whether they are all digits."""
    keep = _LAST_BYTES_MASKS[np.minimum(count, _WORD_BYTES)]
    words = (words & keep) | (_ZERO_DIGITS & ~keep)
    fits = ((words & _HIGH_HALVES) == _ZERO_DIGITS) & (((words + _CARRY) & _HIGH_HALVES) == _ZERO_DIGITS)
    for mask, factor, shift in _GATHER_STEPS:
        words = ((words & mask) * factor) >> shift
    return words, fits


def _parse_float(word: bytes) -> float:
    """Return ``float(word)``, without Python's ``1_000``; NaN if it is not a number."""
    try:
        return float(word) if b"_" not in word else nan
    except ValueError:
        return nan


def format_table(values: NDArray[np.float64], places: int) -> bytes:
    """Return the text of numbers (rows, columns), rounded to ``places`` decimal places, one row per line.

    Raises:
        ValueError: a number is not finite, or has more digits than 64 bits hold.
    """
    if values.size == 0:
        return b""
    scaled = np.rint(np.abs(values.ravel()) * 10.0**places)
    if not scaled.max() < 2.0**62:
        raise ValueError("a number is not finite or too large to write")
    rest = scaled.astype(np.int64)
    wholes = max(len(str(rest.max())) - places, 1)
    width = 1 + wholes + 1 + places + 1
    text = np.empty((len(rest), width), dtype=np.uint8)
    keep = np.ones((len(rest), width), dtype=np.bool_)
    text[:, 0], keep[:, 0] = _MINUS, (values.ravel() < 0) & (rest > 0)
    text[:, 1 + wholes] = _POINT
    text[:, -1] = _SPACE
    text[values.shape[1] - 1 :: values.shape[1], -1] = _NEWLINE
    for column in (*range(width - 2, 1 + wholes, -1), *range(wholes, 0, -1)):
        if column < wholes:
            keep[:, column] = rest > 0
        rest, digit = np.divmod(rest, 10)
        text[:, column] = digit + ord("0")
    return text[keep].tobytes()
