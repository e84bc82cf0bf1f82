"""Shared libraries of three systems: their target machine, and all needs of their loader."""

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import pefile
from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from macholib.mach_o import LC_BUILD_VERSION, LC_RPATH, LC_VERSION_MIN_MACOSX
from macholib.MachO import MachO

Kind = Literal["ELF", "Mach-O", "PE"]
Version = tuple[int, ...]

LIBRARY_NAME: Final = re.compile(r".+\.(so|pyd|dll|dylib)(\.\d+)*", re.IGNORECASE)
"""Names of shared libraries, some with a version at the end."""
MACH_O_MAGIC: Final = frozenset(
    bytes.fromhex(word) for word in ("cafebabe", "cafebabf", "feedface", "feedfacf", "cefaedfe", "cffaedfe")
)
"""First bytes of a Mach-O file: those of several machines in one, and both byte orders."""
ELF_MACHINES: Final = {"EM_X86_64": "x86_64", "EM_AARCH64": "arm64"}
MACH_O_MACHINES: Final = {0x01000007: "x86_64", 0x0100000C: "arm64"}
PE_MACHINES: Final = {0x8664: "x86_64", 0xAA64: "arm64"}
PE_TABLES: Final = [
    pefile.DIRECTORY_ENTRY[f"IMAGE_DIRECTORY_ENTRY_{name}"] for name in ("IMPORT", "DELAY_IMPORT", "EXPORT")
]
MAX_SYMBOLS: Final = 1 << 20
"""Largest number of symbols to read from a library."""
GLIBC_VERSION: Final = re.compile(r"GLIBC_(\d+(?:\.\d+)*)")


class UnreadableLibraryError(Exception):
    """Error: a file with the name of a shared library is not one, or is damaged."""


@dataclass(frozen=True, slots=True)
class SharedLibrary:
    """The header of a shared library.

    Attributes:
        kind: the format.
        machines: ``"x86_64"`` and ``"arm64"``; Mach-O files may hold both.
        needs: required libraries by name, each with its required symbols, if known.
        search_paths: folders searched by the loader, with ``$ORIGIN`` or ``@loader_path`` for its own.
        exports: symbols that the library offers to others, if known.
        system: the oldest sufficient glibc or macOS; empty without a requirement.
    """

    kind: Kind
    machines: frozenset[str]
    needs: dict[str, frozenset[str]]
    search_paths: tuple[str, ...] = ()
    exports: frozenset[str] = frozenset()
    system: Version = ()


def is_shared_library(name: str) -> bool:
    """Return whether a file name is that of a shared library, such as ``x.so``, ``x.pyd`` or ``x.dylib``."""
    return LIBRARY_NAME.fullmatch(name.rpartition("/")[2]) is not None


def read_shared_library(path: Path) -> SharedLibrary:
    """Read the header of a shared library.

    Raises:
        UnreadableLibraryError: the file is not a library, or is damaged.
    """
    with path.open("rb") as file:
        magic = file.read(4)
    try:
        if magic == b"\x7fELF":
            return _read_elf(path)
        if magic[:2] == b"MZ":
            return _read_pe(path)
        if magic in MACH_O_MAGIC:
            return _read_mach_o(path)
    except (ELFError, pefile.PEFormatError, struct.error, ValueError, LookupError, AttributeError, OSError) as error:
        raise UnreadableLibraryError(f"it is damaged ({error})") from error
    raise UnreadableLibraryError("it is no shared library of Linux, Windows or macOS")


def _read_elf(path: Path) -> SharedLibrary:
    with path.open("rb") as file:
        elf = ELFFile(file)
        dynamic: Any = elf.get_section_by_name(".dynamic")
        tags = list(dynamic.iter_tags()) if dynamic else []
        needs = {tag.needed: frozenset[str]() for tag in tags if tag.entry.d_tag == "DT_NEEDED"}
        paths = [tag.runpath for tag in tags if tag.entry.d_tag == "DT_RUNPATH"]
        paths = paths or [tag.rpath for tag in tags if tag.entry.d_tag == "DT_RPATH"]
        return SharedLibrary(
            "ELF",
            frozenset({ELF_MACHINES.get(elf["e_machine"], str(elf["e_machine"]))}),
            needs,
            tuple(folder for path in paths for folder in path.split(":")),
            system=max(_glibc_versions(elf), default=()),
        )


def _glibc_versions(elf: Any) -> Iterator[Version]:
    """Yield the versions of glibc required by the symbols of a library."""
    section = elf.get_section_by_name(".gnu.version_r")
    for _, symbols in section.iter_versions() if section else ():
        for symbol in symbols:
            if found := GLIBC_VERSION.fullmatch(symbol.name):
                yield tuple(int(number) for number in found[1].split("."))


def _read_pe(path: Path) -> SharedLibrary:
    pe: Any = pefile.PE(str(path), fast_load=True, max_symbol_exports=MAX_SYMBOLS)
    try:
        pe.parse_data_directories(PE_TABLES)
        needs: dict[str, frozenset[str]] = {}
        for table in ("DIRECTORY_ENTRY_IMPORT", "DIRECTORY_ENTRY_DELAY_IMPORT"):
            for need in getattr(pe, table, ()):
                symbols = {symbol.name.decode() for symbol in need.imports if symbol.name}
                needs[need.dll.decode()] = needs.get(need.dll.decode(), frozenset()) | symbols
        exported = getattr(pe, "DIRECTORY_ENTRY_EXPORT", None)
        exports = {symbol.name.decode() for symbol in exported.symbols if symbol.name} if exported else set()
        machine = pe.FILE_HEADER.Machine
        return SharedLibrary(
            "PE", frozenset({PE_MACHINES.get(machine, hex(machine))}), needs, exports=frozenset(exports)
        )
    finally:
        pe.close()


def _read_mach_o(path: Path) -> SharedLibrary:
    machines: set[str] = set()
    needs: dict[str, frozenset[str]] = {}
    folders: list[str] = []
    versions: list[Version] = [()]
    for part in MachO(str(path)).headers:
        machine = part.header.cputype & 0xFFFFFFFF
        machines.add(MACH_O_MACHINES.get(machine, hex(machine)))
        needs |= dict.fromkeys((name for _, _, name in part.walkRelocatables()), frozenset[str]())
        for load, command, data in part.commands:
            if load.cmd == LC_RPATH:
                folders.append(data.rstrip(b"\0").decode())
            elif load.cmd == LC_BUILD_VERSION:
                versions.append(_macos_version(command.minos))
            elif load.cmd == LC_VERSION_MIN_MACOSX:
                versions.append(_macos_version(command.version))
    return SharedLibrary("Mach-O", frozenset(machines), needs, tuple(folders), system=max(versions))


def _macos_version(packed: int) -> Version:
    """Return the version of macOS packed in a load command's number."""
    return packed >> 16, packed >> 8 & 0xFF
