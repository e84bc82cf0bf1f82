"""Properties of the machine that the standard library can query."""

import ctypes
import os
import shutil
import sys
import tempfile
from pathlib import Path


def total_memory() -> int | None:
    """Return the size of the machine's memory, bytes; ``None`` if unknown."""
    if sys.platform == "win32":
        return _windows_memory()
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return None


def _windows_memory() -> int | None:
    """Return the size of the machine's memory, bytes, on Windows."""

    class Status(ctypes.Structure):
        """The structure ``MEMORYSTATUSEX``."""

        _fields_ = [
            *((name, ctypes.c_uint32) for name in ("length", "load")),
            *(
                (name, ctypes.c_uint64)
                for name in ("total", "free", "page", "page_free", "space", "space_free", "more")
            ),
        ]

    status = Status()
    status.length = ctypes.sizeof(Status)
    known = ctypes.WinDLL("kernel32").GlobalMemoryStatusEx(ctypes.byref(status))  # type: ignore[attr-defined]
    return int(status.total) if known else None


def free_space(folder: Path) -> int | None:
    """Return the free bytes on the disk of a folder, which need not exist; ``None`` if unknown."""
    try:
        return shutil.disk_usage(nearest_existing_folder(folder)).free
    except OSError:
        return None


def nearest_existing_folder(folder: Path) -> Path:
    """Return the folder, or its nearest existing parent."""
    return next((path for path in (folder, *folder.parents) if path.is_dir()), folder)


def write_error(folder: Path) -> str | None:
    """Return the error with which writing a file into a folder, or its nearest existing parent, fails.

    The result is ``None`` if writing works.
    """
    try:
        with tempfile.TemporaryFile(dir=nearest_existing_folder(folder)):
            return None
    except OSError as error:
        return error.strerror or str(error)


def has_nvidia_driver() -> bool:
    """Return whether a driver for NVIDIA's graphics cards is installed."""
    return shutil.which("nvidia-smi") is not None or Path("/proc/driver/nvidia/version").exists()
