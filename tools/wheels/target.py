"""Target systems of a zip: allowed tags of its wheels, and libraries provided by Blender or the system."""

import re
from dataclasses import dataclass
from typing import Final

from packaging.tags import Tag, compatible_tags, cpython_tags, mac_platforms

from .shared_library import Kind, SharedLibrary, Version

MANYLINUX_NAMES: Final = {"manylinux1": (2, 5), "manylinux2010": (2, 12), "manylinux2014": (2, 17)}
"""The glibc of manylinux tags without a version."""
GLIBC_OF_BLENDER: Final = 28
"""Blender 4.5 and later need glibc 2.28."""
LINUX_LIBRARIES: Final = frozenset(
    (
        *("libc.so.6", "libm.so.6", "libdl.so.2", "librt.so.1", "libpthread.so.0"),
        *("libutil.so.1", "libnsl.so.1", "libresolv.so.2", "ld-linux-x86-64.so.2"),
        *("libgcc_s.so.1", "libstdc++.so.6", "libz.so.1"),
    )
)
"""Libraries of every Linux by PEP 600, without those of windows and graphics."""
WINDOWS_LIBRARIES: Final = frozenset(
    (
        *("kernel32", "kernelbase", "ntdll", "user32", "gdi32", "advapi32", "shell32", "shlwapi"),
        *("ole32", "oleaut32", "ws2_32", "crypt32", "bcrypt", "bcryptprimitives"),
        *("secur32", "userenv", "version", "psapi", "dbghelp", "ucrtbase"),
    )
)
"""Libraries of every Windows 10 and later, besides the API sets with names that begin with ``api-ms-win-``."""
BLENDER_LIBRARIES: Final = frozenset(["vcruntime140", "vcruntime140_1", "msvcp140", "python3"])
"""Libraries provided by Blender for Windows, besides that of its Python."""
MACOS_FOLDERS: Final = ("/usr/lib/", "/System/Library/")
KINDS: Final[dict[str, Kind]] = {"linux": "ELF", "windows": "PE", "macos": "Mach-O"}


@dataclass(frozen=True, slots=True)
class Target:
    """A platform by Blender's name for it, such as ``windows-x64``, and a version of Blender's Python."""

    platform: str
    python: tuple[int, int]

    @property
    def kind(self) -> Kind:
        """The format of the platform's shared libraries."""
        return KINDS[self.platform.partition("-")[0]]

    @property
    def machine(self) -> str:
        """The platform's machine, ``"x86_64"`` or ``"arm64"``."""
        return {"x64": "x86_64", "arm64": "arm64"}[self.platform.partition("-")[2]]

    def tags(self) -> frozenset[Tag]:
        """Return the tags of wheels that run on this platform with this Python."""
        abi = f"cp{self.python[0]}{self.python[1]}"
        platforms = self._platforms()
        tags = {*cpython_tags(self.python, [abi], platforms), *compatible_tags(self.python, abi, platforms)}
        return frozenset(tags)

    def _platforms(self) -> list[str]:
        """Return the platforms allowed in wheels; for macOS up to the one given to pip for the zip."""
        if self.kind == "PE":
            return ["win_amd64"]
        if self.kind == "Mach-O":
            newest = (12, 0) if self.machine == "arm64" else (10, 15)
            return list(mac_platforms(newest, self.machine))
        numbered = [f"manylinux_2_{minor}_{self.machine}" for minor in range(5, GLIBC_OF_BLENDER + 1)]
        return [*numbered, *(f"{name}_{self.machine}" for name in MANYLINUX_NAMES)]

    def has_library(self, name: str) -> bool:
        """Return whether the system or Blender provides a library, given its file name."""
        if self.kind == "ELF":
            return name in LINUX_LIBRARIES
        if self.kind == "Mach-O":
            return name.startswith(MACOS_FOLDERS)
        bare = name.lower().removesuffix(".dll")
        of_python = f"python{self.python[0]}{self.python[1]}"
        return bare in WINDOWS_LIBRARIES | BLENDER_LIBRARIES | {of_python} or bare.startswith("api-ms-win-")


def promised_system(tag: Tag) -> Version:
    """Return the oldest glibc or macOS that a tag declares sufficient; empty if it names none."""
    if found := re.match(r"(?:manylinux|macosx)_(\d+)_(\d+)_", tag.platform):
        return int(found[1]), int(found[2])
    return MANYLINUX_NAMES.get(tag.platform.partition("_")[0], ())


def keeps_promise(library: SharedLibrary, promised: Version) -> bool:
    """Return whether a library runs on the oldest system declared by its wheel's tag.

    From macOS 11 on, tags only name the major version, followed by a zero.
    """
    needed = library.system
    if library.kind == "Mach-O" and needed[:1] >= (11,):
        needed = needed[:1]
    return not promised or needed <= promised
