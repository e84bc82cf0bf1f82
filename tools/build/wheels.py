"""Wheels bundled with the extension, for each platform and each Python of Blender's."""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

from .environments import DEV, set_up
from .folders import ROOT, WHEEL_CACHE
from .messages import BuildError, say
from .processes import clean_environment

BLENDER_PYTHONS = {"3.11": ("4.5.0", "5.1.0"), "3.13": ("5.1.0", None), "3.14": ("5.1.0", None)}
"""Python of a zip's wheels -> the supported Blenders: from, and below. Debian's own Blender has 3.14."""
WHEEL_TAGS = {
    "linux-x64": ("manylinux_2_28_x86_64", "manylinux_2_27_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"),
    "windows-x64": ("win_amd64",),
    "macos-arm64": ("macosx_12_0_arm64", "macosx_11_0_arm64"),
    "macos-x64": ("macosx_10_14_x86_64", "macosx_10_12_x86_64"),
}


def current_platform() -> str:
    """Return Blender's name for this system, e.g. `linux-x64`."""
    system = {"linux": "linux", "win32": "windows", "darwin": "macos"}.get(sys.platform, sys.platform)
    machine = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}.get(platform.machine().lower())
    name = f"{system}-{machine}"
    if name not in WHEEL_TAGS:
        raise BuildError(f"No wheels are known for {name}; choose --platform {' | '.join(WHEEL_TAGS)} | all")
    return name


def bundled_pins() -> list[str]:
    """Return `name==version` of each package that the extension bundles."""
    lines = (ROOT / "requirements" / "bundled.txt").read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def fetch_wheels(platform_name: str, python_version: str, pip_python: Path) -> list[Path]:
    """Return the bundled packages' wheels for a platform and a Python of Blender's, downloaded once into the cache."""
    key = hashlib.sha256("\n".join(bundled_pins()).encode()).hexdigest()[:8]
    folder = WHEEL_CACHE / f"{platform_name}-py{python_version}-{key}"
    if not folder.is_dir():
        say("package", f"fetching wheels for {platform_name}, Python {python_version}")
        download_wheels(folder, platform_name, python_version, pip_python)
    return sorted(folder.glob("*.whl"))


def download_wheels(folder: Path, platform_name: str, python_version: str, pip_python: Path) -> None:
    """Download the wheels of a platform and a Python into a folder, which appears only once complete."""
    part = folder.with_name(f"{folder.name}.part-{os.getpid()}")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    tags = [word for tag in WHEEL_TAGS[platform_name] for word in ("--platform", tag)]
    command = [pip_python, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    command += ["--implementation", "cp", "--python-version", python_version, *tags, "--dest", part, *bundled_pins()]
    try:
        child = subprocess.run(command, env=clean_environment(), capture_output=True, text=True)
        if child.returncode != 0:
            raise BuildError(f"No wheels for {platform_name}, Python {python_version}:\n{child.stderr.strip()[-2000:]}")
        with contextlib.suppress(OSError):  # another build.py was faster
            part.rename(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def check_wheels(archive: Path) -> None:
    """Raise a :class:`BuildError`, and delete the zip, unless its wheels suit its platform and Python."""
    set_up(DEV)
    command = [str(DEV.python), "-P", "-m", "footfall.tools.wheels", str(archive)]
    child = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=clean_environment())
    if child.returncode != 0:
        archive.unlink()
        raise BuildError(f"{archive.name} would not run where it is for:\n{child.stderr.strip()}")
