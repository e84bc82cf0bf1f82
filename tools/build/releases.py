"""A release: zips, check sums, notes and an index for Blender."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import json
import os
import re
import shutil
import subprocess
import tomllib
from collections.abc import Sequence
from pathlib import Path

from .environments import set_up_a_blender
from .extension_tool import extension_tool
from .folders import ROOT
from .messages import BuildError, say
from .processes import clean_environment
from .zips import package

CHECKSUMS_FILE = "SHA256SUMS"
INDEX_FILE = "index.json"
"""The repository's list of zips; users give its address to Blender."""
INDEX_PAGE = "index.html"
NOTES_FILE = "CHANGELOG.md"


def release(folder: Path, platforms: Sequence[str], pythons: Sequence[str]) -> None:
    """Build zips, check sums, the changelog's section and the repository's index, and replace the old release.

    Raises:
        BuildError: the folder holds files that are not from a release.
        OSError: they cannot be written; the old release is unchanged.
    """
    require_release_folder(folder)
    version = tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))["version"]
    notes = changelog_section((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), version)
    if "unreleased" in notes.partition("\n")[0]:
        say("release", f"CHANGELOG.md calls {version} unreleased: write its date there before you publish it")
    for left_over in folder.parent.glob(f".{folder.name}.part-*"):  # from an interrupted release
        shutil.rmtree(left_over)
    part = folder.with_name(f".{folder.name}.part-{os.getpid()}")
    try:
        zips = [package(platform_name, python, part) for platform_name in platforms for python in pythons]
        (part / NOTES_FILE).write_text(notes, encoding="utf-8")
        (part / CHECKSUMS_FILE).write_text(checksum_lines(zips), encoding="utf-8")
        write_index(part, set_up_a_blender()[0])
        exchange(part, folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    say("release", f"{len(zips)} zips, {CHECKSUMS_FILE}, {NOTES_FILE} and {INDEX_FILE} are in {folder}")


def require_release_folder(folder: Path) -> None:
    """Raise an error if a folder holds files besides a release, which would be lost with the old one."""
    own = {CHECKSUMS_FILE, INDEX_FILE, INDEX_PAGE, NOTES_FILE}
    names = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    foreign = [name for name in names if name not in own and not re.fullmatch(r"footfall-.+\.zip", name)]
    if foreign:
        raise BuildError(f"{folder} holds {foreign[0]}, which no release has made: name a new or empty folder")


def exchange(new: Path, old: Path) -> None:
    """Give the folder ``new`` the name of the folder ``old``, which, if it exists, gets the other name in exchange.

    On Linux this is one step (renameat2 with RENAME_EXCHANGE), so that a folder of the name ``old`` always exists.
    """
    if not old.exists():
        new.rename(old)
        return
    here, swap = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    with contextlib.suppress(OSError, AttributeError):
        if ctypes.CDLL(None).renameat2(here, os.fsencode(new), here, os.fsencode(old), swap) == 0:
            return
    aside = new.with_name(f"{new.name}-old")
    old.rename(aside)
    new.rename(old)
    aside.rename(new)


def changelog_section(changelog: str, version: str) -> str:
    """Return the section of a version in the text of a changelog, with its heading."""
    found = re.search(rf"^## \[{re.escape(version)}\].*?(?=^## |\Z)", changelog, re.DOTALL | re.MULTILINE)
    if found is None:
        raise BuildError(f"CHANGELOG.md has no section '## [{version}]': write what is new for users")
    return found[0].rstrip() + "\n"


def checksum_lines(files: Sequence[Path]) -> str:
    """Return SHA-256 and name of each file, in the format of `sha256sum --check`."""
    return "".join(f"{sha256_of(file)}  {file.name}\n" for file in sorted(files))


def sha256_of(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def write_index(folder: Path, blender_version: str) -> None:
    """Write the index of a folder of zips as a repository of extensions, and a page with links for browsers.

    Blender's own generator writes both. The entries of the index are sorted here, and checked against the zips.
    """
    command = [*extension_tool(blender_version), "server-generate", "--repo-dir", str(folder), "--html"]
    child = subprocess.run(command, capture_output=True, text=True, env=clean_environment())
    said = child.stdout + child.stderr
    if child.returncode != 0 or "WARN" in said or "duplicates" in said:
        raise BuildError(f"Blender {blender_version} does not list the zips of {folder}:\n{said}")
    index = json.loads((folder / INDEX_FILE).read_text(encoding="utf-8"))
    index["data"].sort(key=lambda entry: entry["archive_url"])
    listed = {entry["archive_url"].removeprefix("./"): entry["archive_hash"] for entry in index["data"]}
    if listed != {file.name: f"sha256:{sha256_of(file)}" for file in folder.glob("*.zip")}:
        raise BuildError(f"{folder / INDEX_FILE} does not list all zips beside it:\n{said}")
    (folder / INDEX_FILE).write_text(json.dumps(index, indent=2) + "\n", encoding="utf-8")
