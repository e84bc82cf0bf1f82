"""The extension's zip."""

from __future__ import annotations

import os
import subprocess
import tomllib
import zipfile
from collections.abc import Sequence
from pathlib import Path

from .environments import set_up_a_blender
from .extension_tool import validate
from .folders import DIST, ROOT
from .manual import manual_pages
from .messages import BuildError, say
from .wheels import BLENDER_PYTHONS, check_wheels, fetch_wheels

SHIPPED_FILES = ("__init__.py", "__main__.py", "LICENSE", "README.md")
SHIPPED_FILES += tuple(f"requirements/{name}.txt" for name in ("bundled", "constraints", "training"))  # the trainer's
SHIPPED_FOLDERS = ("blender_addon/", "cli/", "core/", "training/", "presets/")
SIZE_LIMIT = 94.0
"""Megabytes of a zip; the files of presets take 52, scipy and safetensors 36, or 37 for Windows."""
ZIP_DATE = (1980, 1, 1, 0, 0, 0)


def tracked_files(root: Path) -> list[str]:
    """Return the paths of the files in git, with a note on untracked ones; without git, all files."""
    try:
        tracked = git_files(root)
        untracked = git_files(root, "--others", "--exclude-standard")
    except (OSError, subprocess.CalledProcessError):
        files = (file.relative_to(root).as_posix() for file in root.rglob("*") if file.is_file())
        return [file for file in files if "__pycache__" not in file and not file.startswith(".")]
    if left_out := [file for file in untracked if is_shipped(file)]:
        more = " ..." if len(left_out) > 8 else ""
        say("package", f"left out, since git does not track them: {', '.join(left_out[:8])}{more}")
    return [file for file in tracked if (root / file).is_file()]


def git_files(root: Path, *options: str) -> list[str]:
    command = ["git", "-C", str(root), "ls-files", "-z", *options]
    listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [file for file in listing.split("\0") if file]


def is_shipped(path: str) -> bool:
    return path in SHIPPED_FILES or path.startswith(SHIPPED_FOLDERS)


def packaged_manifest(manifest: str, platform_name: str, python_version: str, wheel_names: Sequence[str]) -> str:
    """Return the manifest's text for one zip, with its platform, its wheels and its range of Blenders.

    The range of Blenders prevents the wrong zip: Blender checks it before an installation, but the wheels' Python only
    when an extension is enabled, after the removal of the previous one.
    """
    least, below = BLENDER_PYTHONS[python_version]
    lines = [line for line in manifest.splitlines() if not line.startswith("blender_version_")]
    first_table = next((at for at, line in enumerate(lines) if line.startswith("[")), len(lines))
    added = [f'blender_version_min = "{least}"']
    added += [f'blender_version_max = "{below}"'] if below else []
    added += [f'platforms = ["{platform_name}"]', "wheels = ["]
    added += [f'    "./wheels/{name}",' for name in sorted(wheel_names)]
    return "\n".join([*lines[:first_table], *added, "]", "", *lines[first_table:], ""])


def write_zip(target: Path, entries: dict[str, bytes]) -> None:
    """Write a reproducible zip: entries are sorted, with one date and one mode."""
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f"{target.name}.part-{os.getpid()}")
    with zipfile.ZipFile(part, "w") as archive:
        for name in sorted(entries):
            info = zipfile.ZipInfo(name, ZIP_DATE)
            info.create_system = 3
            info.external_attr = 0o100644 << 16
            info.compress_type = zipfile.ZIP_STORED if name.endswith(".whl") else zipfile.ZIP_DEFLATED
            archive.writestr(info, entries[name])
    part.replace(target)


def package_entries(root: Path, platform_name: str, python_version: str, wheels: Sequence[Path]) -> dict[str, bytes]:
    """Return the files of the extension's zip: path in the zip -> bytes."""
    entries = {file: (root / file).read_bytes() for file in tracked_files(root) if is_shipped(file)}
    source = (root / "blender_manifest.toml").read_text(encoding="utf-8")
    manifest = packaged_manifest(source, platform_name, python_version, [wheel.name for wheel in wheels])
    entries["blender_manifest.toml"] = manifest.encode()
    return entries | {f"wheels/{wheel.name}": wheel.read_bytes() for wheel in wheels}


def package(platform_name: str, python_version: str, folder: Path = DIST) -> Path:
    """Build and validate the zip for a platform and a Python, and return its path.

    The path is `<folder>/footfall-<version>-<platform>-py<Python>.zip`.
    """
    blender_version, blender = set_up_a_blender()
    manifest = tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))
    target = folder / f"{manifest['id']}-{manifest['version']}-{platform_name}-py{python_version}.zip"
    wheels = fetch_wheels(platform_name, python_version, blender.python)
    write_zip(target, package_entries(ROOT, platform_name, python_version, wheels) | manual_pages())
    size = target.stat().st_size / 1e6
    if size > SIZE_LIMIT:
        target.unlink()
        raise BuildError(f"{target.name} would be {size:.1f} MB; {SIZE_LIMIT:.0f} MB are the most that a zip may be")
    validate(target, blender_version)
    check_wheels(target)
    say("package", f"{target} ({size:.1f} MB), accepted by Blender {blender_version}'s validator; its wheels fit")
    return target
