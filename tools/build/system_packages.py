"""Shared libraries for Blender's Python module, and their Debian packages."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence

from .messages import BuildError
from .processes import run_step

BPY_LIBRARIES = {
    "libX11.so.6": "libx11-6",
    "libXi.so.6": "libxi6",
    "libXfixes.so.3": "libxfixes3",
    "libXrender.so.1": "libxrender1",
    "libXxf86vm.so.1": "libxxf86vm1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libSM.so.6": "libsm6",
    "libICE.so.6": "libice6",
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libgomp.so.1": "libgomp1",
}


def is_loadable(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def missing_packages(libraries: Mapping[str, str], loadable: Callable[[str], bool] = is_loadable) -> list[str]:
    """Return the missing Debian packages of the libraries, a mapping from library to package, and of `venv`.

    There are none on other systems than Debian and Ubuntu.
    """
    if not sys.platform.startswith("linux"):
        return []
    packages = [package for library, package in libraries.items() if not loadable(library)]
    if importlib.util.find_spec("ensurepip") is None:
        packages.append("python{}.{}-venv".format(*sys.version_info[:2]))
    return packages


def missing_packages_message(packages: Sequence[str]) -> str:
    return (
        f"These system packages are missing: {' '.join(packages)}.\n"
        f"On Debian or Ubuntu: sudo apt-get install --no-install-recommends {' '.join(packages)}\n"
        "Elsewhere: install what your system calls them. Then run this again."
    )


def install_system_packages(libraries: Mapping[str, str]) -> None:
    """Install missing packages as root on Debian or Ubuntu; otherwise name them and stop."""
    packages = missing_packages(libraries)
    if not packages:
        return
    if shutil.which("apt-get") is None or not hasattr(os, "geteuid") or os.geteuid() != 0:
        raise BuildError(missing_packages_message(packages))
    apt = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-o", "Dpkg::Use-Pty=0", "-y"]
    install = [*apt, "install", "--no-install-recommends", *packages]
    try:
        run_step("system", f"installing {' '.join(packages)}", install)
    except BuildError:  # the usual reason on a fresh machine: package lists are missing
        run_step("system", "fetching the package lists", [*apt, "update"])
        run_step("system", f"installing {' '.join(packages)}", install)
    if still_missing := missing_packages(libraries):
        raise BuildError(missing_packages_message(still_missing))
