"""The machine of a measurement, and its used resources."""

import os
import platform
import re
import sys
from math import nan
from pathlib import Path


def describe() -> str:
    """Return processor, available cores, memory, system and Python, in one line."""
    memory = f", {gigabytes:.0f} GB" if (gigabytes := _memory()) else ""
    return (
        f"{_processor()}, {_cores()} core{'s' * (_cores() > 1)}{memory}, "
        f"{platform.system()}, Python {platform.python_version()}"
    )


def peak_megabytes() -> float:
    """Return the peak memory of this process, megabytes; NaN on Windows, which does not report it."""
    if sys.platform == "win32":
        return nan
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e3)


def _processor() -> str:
    try:
        match = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE)
    except OSError:
        match = None
    return match.group(1).strip() if match else platform.processor() or platform.machine()


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _memory() -> float | None:
    if not hasattr(os, "sysconf") or "SC_PHYS_PAGES" not in os.sysconf_names:
        return None
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 1e9
