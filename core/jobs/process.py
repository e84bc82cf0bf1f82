"""Identity of processes: the system may reuse a process id for another process."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path


def start_stamp(pid: int) -> str | None:
    """Return a stamp that tells a running process from others with the same id; ``None`` if no such process runs.

    The stamp is the start time in the system's own unit. A process that has ended but was not yet waited for (a zombie)
    does not count as running.
    """
    if pid <= 0:
        return None
    if sys.platform == "win32":
        return _windows_start_stamp(pid)
    if Path("/proc/self/stat").exists():
        return _linux_start_stamp(pid)
    return _posix_start_stamp(pid)


def _linux_start_stamp(pid: int) -> str | None:
    """Return the stamp on Linux, from ``/proc``."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return None
    # The name, in parentheses, may contain spaces and parentheses; the state follows it, and the start time 19 fields
    # later.
    fields = text.rpartition(")")[2].split()
    return None if len(fields) < 20 or fields[0] in "ZX" else f"ticks {fields[19]}"


def _posix_start_stamp(pid: int) -> str | None:
    """Return the stamp on other POSIX systems, from ``ps``."""
    found = subprocess.run(
        ["ps", "-o", "stat=,lstart=", "-p", str(pid)],
        env={**os.environ, "LC_ALL": "C"},
        capture_output=True,
        text=True,
        check=False,
    ).stdout.split(maxsplit=1)
    return None if len(found) < 2 or found[0].startswith("Z") else f"lstart {found[1].strip()}"


def _windows_start_stamp(pid: int) -> str | None:
    """Return the stamp on Windows, from the kernel."""
    query_limited_information, still_active = 0x1000, 259
    kernel = ctypes.WinDLL("kernel32", use_last_error=True)  # type: ignore[attr-defined]
    kernel.OpenProcess.restype = ctypes.c_void_p
    handle = kernel.OpenProcess(query_limited_information, False, pid)
    if not handle:
        return None
    process = ctypes.c_void_p(handle)
    try:
        code, times = ctypes.c_uint32(), [ctypes.c_uint64() for _ in range(4)]
        known = kernel.GetProcessTimes(process, *map(ctypes.byref, times))
        running = kernel.GetExitCodeProcess(process, ctypes.byref(code)) and code.value == still_active
        return f"filetime {times[0].value}" if known and running else None
    finally:
        kernel.CloseHandle(process)
