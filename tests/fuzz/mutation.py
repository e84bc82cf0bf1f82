"""Changes of valid files: of bytes anywhere, and of values, keys, arrays and headers where the syntax is known."""

import copy
import hashlib
import io
import json
import re
import struct
import zlib
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

Generator = np.random.Generator
TOKEN_PATTERN: Final = re.compile(rb"[^\s,=:\[\]{}\"'#]+")
WORDS: Final = (
    *(b"", b"0", b"-1", b"1", b"nan", b"inf", b"-inf", b"1e400", b"-1e400", b"1e-400", b"1e38", b"4e38", b"2147483648"),
    *(b"-9223372036854775809", b"18446744073709551616", b"9" * 400, b"9" * 5000, b"0x10", b"1_000", b"1.5.2", b"true"),
    *(b"null", b"None", b"NaN", b"Infinity", b"\xff\xfe", b"\x00", b"\x1b[31m", b"\xe2\x80\xae", b"A" * 3000, b"../.."),
    *(b"/dev/zero", b"[]", b"{}", b'""', b"[[[[]]]]", b"1979-05-27T07:32:00Z", b"\xd9\xa3", b"+", b"-", b".", b"%s{0}"),
)
"""Texts in place of a number or a name."""
VALUES: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, -1, 1, 2, 0.5, -0.0, 1e308, 1e-308, float("nan"), float("inf"), 2**31, 2**63, -(2**63)),
    *(
        2**64,
        10**400,
        "",
        "x",
        "\x1b[31m",
        "\u202e",
        "\ud800",
        "A" * 3000,
        "/dev/zero",
        "../..",
        [],
        {},
        [[]],
        [0] * 1000,
    ),
    *({"": 0}, [None], ["a", 1, None], {"a": {"b": {}}}, "0", "nan", "1e999"),
)
"""JSON values in place of others."""
NUMBERS: Final = (np.nan, np.inf, -np.inf, 0.0, -1.0, 1.0, 1e30, -1e30, 3.4e38, 1e-45, 2.0**31, -(2.0**63), 255.0)
"""Elements of arrays in place of others."""
DTYPES: Final = ("<f4", "<f8", "<f2", "<i4", "<i8", "|u1", "|b1", "<c16", "<U3", "|S2", ">f4", "<M8[s]")
SEAL_BYTES: Final = hashlib.sha256().digest_size


def mutate(data: bytes, syntax: str, others: Sequence[bytes], rng: Generator) -> bytes:
    """Return a changed file: one to four changes, those of the syntax in three of five.

    Args:
        data: a valid file.
        syntax: of the reader.
        others: valid files to splice from.
        rng: decides all.
    """
    for _ in range(int(rng.integers(1, 5))):
        change = STRUCTURAL.get(syntax)
        if change is not None and rng.random() < 0.6:
            try:
                data = change(data, rng)
                continue
            except Exception:
                pass  # What an earlier change has broken is no longer of the syntax.
        data = _changed_bytes(data, others, rng)
    return data


def _changed_bytes(data: bytes, others: Sequence[bytes], rng: Generator) -> bytes:
    """Return data with one change of any bytes."""
    size = len(data)
    if size == 0:
        return rng.bytes(int(rng.integers(1, 64)))
    start = int(rng.integers(size)) if rng.random() < 0.6 else int(rng.integers(min(size, 400)))
    stop = min(size, start + int(rng.geometric(0.05)))
    kind = rng.integers(8)
    if kind == 0:
        return data[:start] + bytes([data[start] ^ (1 << int(rng.integers(8)))]) + data[start + 1 :]
    if kind == 1:
        return data[:start] + rng.bytes(stop - start) + data[stop:]
    if kind == 2:
        return data[:start] + data[stop:]
    if kind == 3:
        return data[:start] + data[start:stop] * int(rng.integers(2, 30)) + data[stop:]
    if kind == 4:
        return data[:start]
    if kind == 5:
        return data[:start] + _choice(WORDS, rng) + data[stop:]
    if kind == 6:
        filler = bytes([int(_choice((0, 0xFF, 0x7F, 0x80, 0x20), rng))])
        return data[:start] + filler * (stop - start) + data[stop:]
    other = others[int(rng.integers(len(others)))]
    at = int(rng.integers(len(other) + 1))
    return data[:start] + other[at:]


def _changed_text(data: bytes, rng: Generator) -> bytes:
    """Return text with one word or line changed."""
    if rng.random() < 0.6:
        words = [*TOKEN_PATTERN.finditer(data[: 1 << 16])]
        word = words[int(rng.integers(len(words)))]
        return data[: word.start()] + _choice(WORDS, rng) + data[word.end() :]
    lines = data.split(b"\n")
    first, second = (int(at) for at in rng.integers(len(lines), size=2))
    kind = rng.integers(5)
    if kind == 0:
        del lines[first]
    elif kind == 1:
        lines[first] = lines[second]
    elif kind == 2:
        lines[first:first] = [lines[second]] * int(rng.integers(1, 50))
    elif kind == 3:
        lines[first], lines[second] = lines[second], lines[first]
    else:
        lines[first] = lines[first] + lines[second]
    return b"\n".join(lines)


def change_value(value: Any, rng: Generator) -> Any:
    """Return a JSON value in which one part is replaced, removed, doubled or renamed."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = list(value)[int(rng.integers(len(value)))]
        kind = rng.random()
        if kind < 0.1:
            return {name: part for name, part in value.items() if name != key}
        if kind < 0.15:
            return {(f"{name}x" if name == key else name): part for name, part in value.items()}
        if kind < 0.2:
            other = list(value)[int(rng.integers(len(value)))]
            return {**value, key: value[other]}
        return {**value, key: change_value(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.9:
        at, kind = int(rng.integers(len(value))), rng.random()
        if kind < 0.1:
            return value[:at] + value[at + 1 :]
        if kind < 0.2:
            return value[: at + 1] + value[at:]
        if kind < 0.25:
            return value[:at]
        return [*value[:at], change_value(value[at], rng), *value[at + 1 :]]
    return copy.deepcopy(_choice(VALUES, rng))


def _changed_json(data: bytes, rng: Generator) -> bytes:
    text = json.dumps(change_value(json.loads(data), rng))
    if rng.random() < 0.05:  # A key twice.
        text = re.sub(r'("\w+": [^,\[{]+,)', r"\1 \1", text, count=1)
    return text.encode()


def _changed_lines(data: bytes, rng: Generator) -> bytes:
    """Return lines of JSON with one value changed."""
    lines = data.splitlines()
    at = int(rng.integers(len(lines)))
    lines[at] = _changed_json(lines[at], rng)
    return b"\n".join(lines) + b"\n"


def change_array(array: np.ndarray, rng: Generator) -> np.ndarray:
    """Return an array of another shape or type, or with other elements."""
    kind = rng.integers(9)
    if kind <= 3 and array.size and array.dtype.kind in "fiub":
        result = array.copy()
        count = int(rng.choice([1, 1, 3, max(1, array.size // 2)]))
        with np.errstate(all="ignore"):
            values = np.array(NUMBERS)[rng.integers(len(NUMBERS), size=count)].astype(array.dtype)
        result.reshape(-1)[rng.integers(array.size, size=count)] = values
        return result
    if kind == 4:
        return array[: int(rng.integers(len(array) + 1))] if array.ndim else np.array([array, array])
    if kind == 5:
        return np.concatenate([array, array]) if array.ndim else array.reshape(1, 1)
    if kind == 6:
        return array.reshape(-1) if rng.random() < 0.5 else array[None]
    if kind == 7:
        return np.asfortranarray(array.T)
    dtype, is_empty = _choice(DTYPES, rng), rng.random() < 0.5
    if is_empty or array.dtype.kind in "SU":  # numpy ends the process where bytes become times
        return np.zeros(array.shape, dtype)
    with np.errstate(all="ignore"):
        return array.astype(dtype)


def _changed_npz(data: bytes, rng: Generator) -> bytes:
    with np.load(io.BytesIO(data), allow_pickle=False) as archive:
        arrays = dict(archive)
    name = list(arrays)[int(rng.integers(len(arrays)))]
    kind = rng.random()
    if kind < 0.1:
        del arrays[name]
    elif kind < 0.2:
        arrays[name] = arrays[list(arrays)[int(rng.integers(len(arrays)))]]
    elif arrays[name].dtype.kind == "U" and arrays[name].ndim == 0 and kind < 0.8:
        arrays[name] = np.array(_changed_json(str(arrays[name]).encode(), rng).decode("utf-8", "replace"))
    else:
        arrays[name] = change_array(arrays[name], rng)
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def _changed_npy(data: bytes, rng: Generator) -> bytes:
    file = io.BytesIO()
    np.save(file, change_array(np.load(io.BytesIO(data), allow_pickle=False), rng))
    return file.getvalue()


def _changed_safetensors(data: bytes, rng: Generator) -> bytes:
    """Return a file with another header, another description in it, or other numbers."""
    size = int.from_bytes(data[:8], "little")
    header, body = json.loads(data[8 : 8 + size]), bytearray(data[8 + size :])
    kind = rng.random()
    if kind < 0.3:
        at = 4 * rng.integers(len(body) // 4, size=int(rng.choice([1, 4, 100])))
        for place in at:
            body[place : place + 4] = np.float32(_choice(NUMBERS, rng)).tobytes()
    elif kind < 0.8 and header.get("__metadata__"):
        metadata = header["__metadata__"]
        key = list(metadata)[int(rng.integers(len(metadata)))]
        metadata[key] = json.dumps(change_value(json.loads(metadata[key]), rng))
    else:
        header = change_value(header, rng)
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + bytes(body)


def _changed_glb(data: bytes, rng: Generator) -> bytes:
    """Return a binary glTF with another document."""
    size = int.from_bytes(data[12:16], "little")
    text = json.dumps(change_value(json.loads(data[20 : 20 + size]), rng)).encode()
    text += b" " * (-len(text) % 4)
    rest = data[20 + size :]
    head = data[:8] + (20 + len(text) + len(rest)).to_bytes(4, "little") + len(text).to_bytes(4, "little") + data[16:20]
    return head + text + rest


def _changed_png(data: bytes, rng: Generator) -> bytes:
    """Return a picture of which one piece is changed, with the checksum of the change."""
    pieces, at = [], 8
    while at + 8 <= len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        pieces.append((data[at + 4 : at + 8], data[at + 8 : at + 8 + size]))
        at += size + 12
    number = int(rng.integers(len(pieces)))
    pieces[number] = pieces[number][0], _changed_bytes(pieces[number][1], [data], rng)
    return data[:8] + b"".join(png_piece(*piece) for piece in pieces)


def png_piece(kind: bytes, content: bytes) -> bytes:
    """Return a piece of a picture with its size and checksum."""
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def _changed_sealed(data: bytes, rng: Generator) -> bytes:
    """Return a file of a checksum that fits other content."""
    content = _changed_bytes(data[:-SEAL_BYTES], [data], rng)
    return content + hashlib.sha256(content).digest()


def _choice(choices: Sequence[Any], rng: Generator) -> Any:
    return choices[int(rng.integers(len(choices)))]


STRUCTURAL: Final[dict[str, Callable[[bytes, Generator], bytes]]] = {
    "text": _changed_text,
    "bvh": _changed_text,
    "obj": _changed_text,
    "csv": _changed_text,
    "toml": _changed_text,
    "json": _changed_json,
    "gltf": _changed_json,
    "jsonl": _changed_lines,
    "npz": _changed_npz,
    "npy": _changed_npy,
    "safetensors": _changed_safetensors,
    "glb": _changed_glb,
    "png": _changed_png,
    "sealed": _changed_sealed,
}
"""Syntax -> change of a file that keeps most of it valid."""
