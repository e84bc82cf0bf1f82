"""Crafted inputs: deep nesting, sizes that are declared and not there, archives that unpack without end, no files."""

import hashlib
import io
import json
import os
import pickle
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from .mutation import png_piece

DEEP: Final = 100_000
HUGE: Final = 1 << 62


def special_files() -> dict[str, Callable[[Path], None]]:
    """Return makers of what has a file's name and is none, such as a pipe, a device or a ring of links."""
    makers: dict[str, Callable[[Path], None]] = {
        "folder": Path.mkdir,
        "broken link": lambda path: path.symlink_to(path.parent / "nowhere"),
        "ring of links": lambda path: path.symlink_to(path),
        "missing": lambda path: None,
    }
    if hasattr(os, "mkfifo"):
        makers["pipe"] = lambda path: os.mkfifo(path)
        makers["device"] = lambda path: path.symlink_to("/dev/zero")
        makers["terminal"] = lambda path: path.symlink_to("/dev/null")
    return makers


def bombs(syntax: str, valid: Sequence[bytes]) -> Sequence[tuple[str, bytes]]:
    """Return named crafted contents for a syntax, made from valid ones where that helps."""
    found = [*_general()]
    if syntax in _OF_SYNTAX:
        found += _OF_SYNTAX[syntax](valid[0])
    return found


@cache
def _general() -> Sequence[tuple[str, bytes]]:
    """Return contents that are damaged in every syntax."""
    return [
        ("empty", b""),
        ("newline", b"\n"),
        ("zeros", bytes(1 << 16)),
        ("endless line", b"A" * (1 << 22)),
        ("endless words", b"1 " * (1 << 20)),
        ("endless lines", b"\n" * (1 << 20)),
        ("not UTF-8", b"\xff\xfe\x80" * 1000),
        ("UTF-16", "name = 1\n".encode("utf-16")),
        ("byte order mark", b"\xef\xbb\xbf"),
        ("escape sequences", b"\x1b]0;title\x07\x1b[2J" * 50),
        ("20 MB", b"0, 0\n" * (4 << 20)),
    ]


def _of_json(valid: bytes) -> Iterator[tuple[str, bytes]]:
    yield "deep lists", b"[" * DEEP + b"]" * DEEP
    yield "deep objects", b'{"a":' * DEEP + b"1" + b"}" * DEEP
    yield "half open", b"[" * DEEP
    for word in (b"NaN", b"Infinity", b"-Infinity", b"1e999", b"9" * 5000, b"9" * 100_000, b"0." + b"1" * 100_000):
        yield word[:12].decode(), word
        yield f"object of {word[:12].decode()}", b'{"a": ' + word + b"}"
    yield "surrogates", rb'{"\ud800": "\udfff"}'
    yield "a million zeros", b"[" + b"0," * 999_999 + b"0]"
    yield "a million lists", b"[" + b"[]," * 999_999 + b"[]]"
    yield "a million keys", b"{" + b",".join(b'"%d":0' % number for number in range(200_000)) + b"}"
    document = json.loads(valid)
    if isinstance(document, dict):
        yield "keys twice", b"{" + valid.strip()[1:-1] + b"," + valid.strip()[1:-1] + b"}"
        for key in document:
            for word in (b"NaN", b"9" * 5000, b"[" * 900 + b"]" * 900, b'"' + b"x" * (1 << 20) + b'"', b"null", b"{}"):
                changed = json.dumps({**document, key: 0}).encode()
                key_text = json.dumps(key).encode() + b": "
                yield f"{key} {word[:8].decode()}", changed.replace(key_text + b"0", key_text + word, 1)


def _of_jsonl(valid: bytes) -> Iterator[tuple[str, bytes]]:
    for name, content in _of_json(valid.splitlines()[0]):
        yield name, content + b"\n" + valid
    yield "many lines", valid.splitlines()[0] + b"\n" + valid.splitlines()[-1] * 1 + b"\n" + b"{}\n" * 500_000


def _of_toml(valid: bytes) -> Iterator[tuple[str, bytes]]:
    yield "deep lists", b"a = " + b"[" * DEEP + b"]" * DEEP
    yield "deep tables", b"a = " + b"{a = " * DEEP
    yield "dotted", b"a" + b".a" * 20_000 + b" = 1"
    yield "many dotted", b"".join(b"a" + b".a" * 300 + b".b%d = 1\n" % number for number in range(1000))
    yield "many headers", b"".join(b"[t%d]\n" % number for number in range(50_000))
    yield "many tables", b"[[t]]\n" * 50_000
    yield "many keys", b"".join(b"k%d = 1\n" % number for number in range(50_000))
    yield "long text", b'a = """' + b"x" * (1 << 21) + b'"""'
    yield "escapes", b'a = "' + rb"\u0041" * 200_000 + b'"'
    yield "keys twice", valid + b"\n" + valid
    for line in valid.splitlines():
        name, equals, _ = line.partition(b"=")
        if not equals or line.startswith(b"#"):
            continue
        for word in (
            b"nan",
            b"inf",
            b"-inf",
            b"9" * 4000,
            b"9" * 5000,
            b"0x" + b"f" * 5000,
            b"[]",
            b"{}",
            b'""',
            b"true",
        ):
            yield f"{name.decode().strip()} {word[:8].decode()}", valid.replace(line, name + b"= " + word, 1)
        yield f"{name.decode().strip()} control", valid.replace(line, name + b'= "\\u001b[2J\\u202e"', 1)


def _of_csv(valid: bytes) -> Iterator[tuple[str, bytes]]:
    lines = valid.splitlines()
    yield "a million columns", b"1," * 1_000_000
    yield "long header", lines[0] + b",x" * 500_000 + b"\n" + b"\n".join(lines[1:])
    yield "quote without end", lines[0] + b'\n"' + b"x\n" * 500_000
    yield "header alone", lines[0] + b"\n"
    yield "many rows", lines[0] + b"\n" + (lines[-1] + b"\n") * min(100_000, (3 << 20) // len(lines[-1]))
    yield "NUL", valid.replace(b",", b"\x00,", 1)
    yield "carriage returns", valid.replace(b"\n", b"\r")


def _of_bvh(valid: bytes) -> Iterator[tuple[str, bytes]]:
    joint = b"JOINT j%d { OFFSET 0 1 0 CHANNELS 3 Zrotation Xrotation Yrotation\n"
    root = b"HIERARCHY ROOT r { OFFSET 0 0 0 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
    still = b"JOINT j%d { OFFSET 0 1 0 CHANNELS 0\n"
    end = b"End Site { OFFSET 0 1 0 }\n"
    motion = b"MOTION\nFrames: %d\nFrame Time: %s\n"
    deep = 20_000
    yield "deep joints", root + b"".join(joint % n for n in range(deep)) + end + b"}" * (deep + 1)
    yield "unclosed joints", root + b"".join(joint % n for n in range(deep))
    for count, frames in ((2000, 20_000), (20_000, 2000), (200, 200_000)):
        body = b"".join(still % n + end + b"}\n" for n in range(count))
        lines = b"0 0 0 0 0 0\n" * frames
        yield f"{count} still joints, {frames} frames", root + body + b"}\n" + motion % (frames, b"0.01") + lines
    for frames in (0, 1, 10**9, 10**18, 10**30, -1):
        yield f"{frames} frames", root + end + b"}\n" + motion % (frames, b"0.01") + b"0 0 0 0 0 0\n"
    for word in (b"0", b"-1", b"nan", b"inf", b"1e-300", b"1e300", b"9" * 5000, b"1e-9", b"10000"):
        yield f"frame time {word[:9].decode()}", root + end + b"}\n" + motion % (3, word) + b"0 0 0 0 0 0\n" * 3
    for word in (b"1e30", b"1e300", b"nan", b"-inf", b"1e-30", b"9" * 5000):
        values = b" ".join([word] * 6) + b"\n"
        yield f"values {word[:9].decode()}", root + end + b"}\n" + motion % (3, b"0.01") + values * 3
        yield f"offset {word[:9].decode()}", valid.replace(b"OFFSET 0", b"OFFSET " + word)
    yield "channels", root.replace(b"CHANNELS 6", b"CHANNELS " + b"9" * 30) + end + b"}"
    yield "many channels", b"HIERARCHY ROOT r { OFFSET 0 0 0 CHANNELS 100000" + b" Xposition" * 100_000 + end + b"}"
    names = b"".join(b"JOINT same { OFFSET 0 1 0 CHANNELS 0\n" + end + b"}\n" for _ in range(20_000))
    yield "one name", root + names + b"}\n" + motion % (1, b"0.01") + b"0 0 0 0 0 0\n"


def npy(header: str, body: bytes = b"") -> bytes:
    """Return an array file of a header as it is written there."""
    text = header.encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + body


def _headers() -> Iterator[tuple[str, bytes]]:
    for shape in (
        f"({HUGE},)",
        "(-1,)",
        "(0, 4)",
        f"({1 << 20}, {1 << 20}, {1 << 30})",
        "(" + "1, " * 70 + ")",
        "True",
        "()",
    ):
        yield f"shape {shape[:24]}", npy(f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}", bytes(64))
    for kind in ("|O", "<f4', 'x': '", "V100000", "[('a', '<f4')]", "<U1000000000", "q" * 1000):
        yield f"type {kind[:12]}", npy(f"{{'descr': '{kind}', 'fortran_order': False, 'shape': (2,), }}", bytes(64))
    yield "nested header", npy("(" * 9000 + ")" * 9000)
    yield "endless header", npy("{'descr': " + "-" * 50_000 + "1}")
    yield "version 9", b"\x93NUMPY\x09\x00" + bytes(100)
    file = io.BytesIO()
    np.save(file, np.array([_Marker()], dtype=object), allow_pickle=True)
    yield "code in it", file.getvalue()


class _Marker:
    """Pickled code, which ends the process if it ever runs."""

    def __reduce__(self):
        return os._exit, (66,)


def _of_npy(_valid: bytes) -> Iterator[tuple[str, bytes]]:
    yield from _headers()


def _of_npz(valid: bytes) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(valid)) as archive:
        members = {one: archive.read(one) for one in archive.namelist()}
    first = next(iter(members))
    for name, content in _headers():
        yield name, _zip({**members, first: content})
    zeros = npy(f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({700 << 20},), }}", bytes(700 << 20))
    packed = _zip({**members, first: zeros})
    yield "700 MB of zeros", packed
    yield "unknown member of 700 MB", _zip({**members, "x.npy": zeros})
    yield "size below the truth", packed.replace(struct.pack("<I", len(zeros)), struct.pack("<I", 128))
    yield "many members", _zip({**members, **{f"{number}.npy": b"" for number in range(20_000)}})
    for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        yield f"method {method}", _zip(members, method)
    central = valid.rfind(b"PK\x01\x02")
    for at, value in ((8, 1), (10, 99), (20, 0xFFFF), (24, 0xFFFF), (28, 0xFFFF), (42, 0xFFFF), (44, 0xFFFF)):
        changed = valid[: central + at] + struct.pack("<H", value) + valid[central + at + 2 :]
        yield f"directory {at}", changed
    yield "paths", _zip({f"../{name}": content for name, content in members.items()})
    yield "twice", _zip([*members.items(), *members.items()])
    yield "an archive in it", _zip({first: valid})
    yield "no member", _zip({})
    yield "npy", members[first]
    yield "pickle", pickle.dumps(_Marker())


def _zip(members: dict[str, bytes] | Sequence[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    pairs = members.items() if isinstance(members, dict) else members
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in pairs:
            info = zipfile.ZipInfo(name)
            info.compress_type = method
            archive.NameToInfo.pop(name, None)  # No warning about a name that comes twice.
            archive.writestr(info, content, compresslevel=1)
    return file.getvalue()


def _of_safetensors(valid: bytes) -> Iterator[tuple[str, bytes]]:
    size = int.from_bytes(valid[:8], "little")
    header, body = json.loads(valid[8 : 8 + size]), valid[8 + size :]
    metadata = header.get("__metadata__", {})
    key = next(iter(metadata), "footfall")

    def packed(text: bytes, claimed: int | None = None) -> bytes:
        return (len(text) if claimed is None else claimed).to_bytes(8, "little") + text + body

    text = json.dumps(header).encode()
    for claimed in (0, 1, HUGE, len(text) - 1, len(text) + 1, 1 << 27):
        yield f"header of {claimed}", packed(text, claimed)
    yield "deep header", packed(b'{"a":' * DEEP)
    yield "header of spaces", packed(text + b" " * (1 << 24))
    for word in ("[" * DEEP, "NaN", "9" * 5000, "{" + '"a":{' * 2000, "null", "[]", "1" * 1000, '{"a":' * DEEP):
        changed = {**header, "__metadata__": {**metadata, key: word}}
        yield f"description {word[:8]}", packed(json.dumps(changed).encode())
    described = json.loads(metadata[key]) if key in metadata else {}
    for name, content in _of_json(json.dumps(described).encode()):
        changed = {**header, "__metadata__": {**metadata, key: content.decode("utf-8", "replace")}}
        if len(content) < 1 << 21:
            yield f"description: {name}", packed(json.dumps(changed).encode())
    for name in [*header][1:4]:
        for shape in ([HUGE], [HUGE, HUGE], [0], [], [-1], [1] * 1000):
            changed = {**header, name: {**header[name], "shape": shape}}
            yield f"{name} {str(shape)[:20]}", packed(json.dumps(changed).encode())
        for offsets in ([0, 0], [0, HUGE], [4, 0], [-4, 4]):
            changed = {**header, name: {**header[name], "data_offsets": offsets}}
            yield f"{name} at {offsets}", packed(json.dumps(changed).encode())


def _of_gltf(valid: bytes) -> Iterator[tuple[str, bytes]]:
    yield from _of_json(valid)
    document = json.loads(valid)
    for name, changed in _gltf_documents(document):
        yield name, json.dumps(changed).encode()
    for uri in (
        "/dev/zero",
        "../../../../dev/zero",
        "file:///dev/zero",
        "data:,",
        "data:;base64,####",
        "",
        "\0",
        "mesh.gltf",
    ):
        yield f"buffer {uri!r}", json.dumps({**document, "buffers": [{"uri": uri, "byteLength": 10**9}]}).encode()


def _gltf_documents(document: dict) -> Iterator[tuple[str, dict]]:
    nodes = document["nodes"]
    ring = [{**nodes[0], "children": [0]}]
    yield "a node in itself", {**document, "nodes": ring, "scenes": [{"nodes": [0]}]}
    doubled = [{"children": [at + 1, at + 1]} for at in range(60)] + [{"mesh": 0}]
    yield "2^60 nodes", {**document, "nodes": doubled, "scenes": [{"nodes": [0]}]}
    chain = [{"children": [at + 1]} for at in range(5000)] + [{"mesh": 0}]
    yield "deep nodes", {**document, "nodes": chain, "scenes": [{"nodes": [0]}]}
    yield "one node often", {**document, "scenes": [{"nodes": [0] * 200_000}]}
    for key in ("count", "bufferView", "byteOffset", "componentType"):
        for value in (-1, HUGE, 10**9, 0, None, "1", 1.5):
            changed = [{**one, key: value} for one in document["accessors"]]
            yield f"{key} {value}", {**document, "accessors": changed}
    for key in ("byteLength", "byteOffset", "byteStride", "buffer"):
        for value in (-1, HUGE, 0, 1, None, "1"):
            changed = [{**one, key: value} for one in document["bufferViews"]]
            yield f"{key} {value}", {**document, "bufferViews": changed}
    for scale in ([0, 0, 0], [1e300] * 3, [1e-300] * 3, [1]):
        yield f"scale {scale}", {**document, "nodes": [{**one, "scale": scale} for one in nodes]}


def _of_glb(valid: bytes) -> Iterator[tuple[str, bytes]]:
    size = int.from_bytes(valid[12:16], "little")
    rest = valid[20 + size :]

    def packed(text: bytes) -> bytes:
        text += b" " * (-len(text) % 4)
        return b"glTF" + struct.pack("<III", 2, 20 + len(text) + len(rest), len(text)) + b"JSON" + text + rest

    for name, changed in _gltf_documents(json.loads(valid[20 : 20 + size])):
        yield name, packed(json.dumps(changed).encode())
    for name, content in _of_json(valid[20 : 20 + size].strip()):
        yield name, packed(content)
    for at in (4, 8, 12):
        for value in (0, 1, 0xFFFFFFFF, 0x7FFFFFFF):
            yield f"word {at} {value}", valid[:at] + struct.pack("<I", value) + valid[at + 4 :]


def _of_obj(valid: bytes) -> Iterator[tuple[str, bytes]]:
    yield "a face of a million corners", valid + b"f" + b" 1" * 1_000_000 + b"\n"
    yield "a million vertices", b"v 0 0 0\n" * 500_000 + b"f 1 2 3\n"
    yield "faces alone", b"f 1 2 3\n" * 100_000
    for word in (b"0", b"-1", b"-" + b"9" * 30, b"9" * 5000, b"1e3", b"1/", b"//", b"nan"):
        yield f"corner {word[:9].decode()}", valid + b"f 1 2 " + word + b"\n"
    for word in (b"nan", b"inf", b"1e308", b"-1e308", b"9" * 5000, b"1e-320"):
        yield f"coordinate {word[:9].decode()}", valid + b"v 0 0 " + word + b"\nf -1 1 2\n"


def _of_png(valid: bytes) -> Iterator[tuple[str, bytes]]:
    for width, height in ((1, 2**31 - 1), (65535, 65535), (8192, 8192), (0, 0), (1, 1), (2**31, 1)):
        head = png_piece(b"IHDR", struct.pack(">IIBBBBB", width, height, 16, 0, 0, 0, 0))
        body = png_piece(b"IDAT", zlib.compress(bytes(1 << 24))) + png_piece(b"IEND", b"")
        yield f"{width} by {height}", valid[:8] + head + body


def _of_sealed(valid: bytes) -> Iterator[tuple[str, bytes]]:
    content = pickle.dumps(_Marker())
    yield "code with a right checksum", content + hashlib.sha256(content).digest()
    yield "nothing with a right checksum", hashlib.sha256(b"").digest()
    yield "checksum alone", valid[-32:]


_OF_SYNTAX: Final[dict[str, Callable[[bytes], Iterator[tuple[str, bytes]]]]] = {
    "json": _of_json,
    "jsonl": _of_jsonl,
    "toml": _of_toml,
    "csv": _of_csv,
    "bvh": _of_bvh,
    "npy": _of_npy,
    "npz": _of_npz,
    "safetensors": _of_safetensors,
    "gltf": _of_gltf,
    "glb": _of_glb,
    "obj": _of_obj,
    "png": _of_png,
    "sealed": _of_sealed,
}
"""Syntax -> bombs from a valid file of it."""
