"""The least that a shared library of Windows or macOS consists of, and wheels that hold any."""

import base64
import hashlib
import io
import struct
import zipfile
from collections.abc import Mapping, Sequence

X86_64_PE, ARM64_PE = 0x8664, 0xAA64
X86_64_MACH_O, ARM64_MACH_O = 0x01000007, 0x0100000C
SECTION_ADDRESS, SECTION_OFFSET = 0x1000, 0x200


def windows_library(needs: Mapping[str, Sequence[str]], exports: Sequence[str] = (), machine: int = X86_64_PE) -> bytes:
    """A DLL of one section: its tables of symbols that it needs of others, and of those that others may need of it."""
    section = bytearray(20 * (len(needs) + 1))
    for number, (library, symbols) in enumerate(needs.items()):
        names = [_append(section, b"\0\0" + symbol.encode() + b"\0") for symbol in symbols]
        thunks = _append(section, struct.pack(f"<{len(names) + 1}Q", *names, 0))
        name = _append(section, library.encode() + b"\0")
        struct.pack_into("<5I", section, 20 * number, thunks, 0, 0, name, thunks)
    imports = (SECTION_ADDRESS, 20 * (len(needs) + 1))
    names = [_append(section, symbol.encode() + b"\0") for symbol in exports]
    count = len(exports)
    functions = _append(section, struct.pack(f"<{count}I", *(SECTION_ADDRESS + 4 for _ in exports)))
    pointers = _append(section, struct.pack(f"<{count}I", *names))
    ordinals = _append(section, struct.pack(f"<{count}H", *range(count)))
    name = _append(section, b"own.dll\0")
    table = struct.pack("<2I2H7I", 0, 0, 0, 0, name, 1, count, count, functions, pointers, ordinals)
    exported = (_append(section, table), len(table)) if exports else (0, 0)
    directories = struct.pack("<32I", *exported, *imports, *([0] * 28))
    size = -(-len(section) // 0x200) * 0x200
    optional = struct.pack("<H2B5I", 0x20B, 14, 0, 0, size, 0, 0, SECTION_ADDRESS)
    optional += struct.pack(
        "<Q2I6H4I2H4Q2I", 1 << 31, 0x1000, 0x200, 6, 0, 0, 0, 6, 0, 0, 0x3000, 0x200, 0, 2, 0, *[0] * 5, 16
    )
    head = b"MZ" + bytes(58) + struct.pack("<I", 64) + b"PE\0\0"
    head += struct.pack("<2H3I2H", machine, 1, 0, 0, 0, len(optional + directories), 0x2022) + optional + directories
    head += struct.pack("<8s6I2HI", b".rdata", size, SECTION_ADDRESS, size, SECTION_OFFSET, 0, 0, 0, 0, 0x40000040)
    return head.ljust(SECTION_OFFSET, b"\0") + bytes(section).ljust(size, b"\0")


def _append(section: bytearray, data: bytes) -> int:
    """Append to a section; return where it is in memory."""
    address = SECTION_ADDRESS + len(section)
    section += data
    return address


def macos_library(
    needs: Sequence[str],
    search_paths: Sequence[str] = (),
    system: tuple[int, int] = (11, 0),
    machine: int = ARM64_MACH_O,
) -> bytes:
    """A bundle that is nothing but its load commands."""
    commands = [struct.pack("<6I", 0x32, 24, 1, system[0] << 16 | system[1] << 8, 0, 0)]
    for need in needs:
        text = _padded(need)
        commands.append(struct.pack("<6I", 0xC, 24 + len(text), 24, 0, 0, 0) + text)
    for place in search_paths:
        text = _padded(place)
        commands.append(struct.pack("<3I", 0x8000001C, 12 + len(text), 12) + text)
    body = b"".join(commands)
    return struct.pack("<8I", 0xFEEDFACF, machine, 0, 8, len(commands), len(body), 0, 0) + body


def _padded(text: str) -> bytes:
    data = text.encode() + b"\0"
    return data + bytes(-len(data) % 8)


def wheel_bytes(files: Mapping[str, bytes], tag: str, listed: Mapping[str, bytes] | None = None) -> bytes:
    """A wheel `thing-1.0` of a tag; its list of files is that of `listed`, or of what it holds."""
    metadata = {"thing-1.0.dist-info/WHEEL": f"Wheel-Version: 1.0\nTag: {tag}\n".encode()}
    rows = []
    for name, data in (metadata | dict(files if listed is None else listed)).items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.append(f'"{name}",sha256={digest},{len(data)}\n')
    record = {"thing-1.0.dist-info/RECORD": "".join([*rows, "thing-1.0.dist-info/RECORD,,\n"]).encode()}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in (metadata | dict(files) | record).items():
            archive.writestr(name, data)
    return buffer.getvalue()
