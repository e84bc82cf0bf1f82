"""Files below a folder chosen by the user."""

import os
from collections.abc import Collection
from pathlib import Path
from typing import Final

from ..errors import FootfallError

MAX_FOLDERS: Final = 5_000
"""Largest number of folders to search; a whole disk has more and would take minutes."""


def files_below(folder: Path, suffixes: Collection[str]) -> list[Path]:
    """Return the files in and below a folder that have one of the suffixes, sorted; empty if there is no such folder.

    ``suffixes`` are in lower case. Folders that are unreadable, or removed meanwhile, are skipped; links to folders are
    not followed.

    Raises:
        FootfallError: there are too many folders.
    """
    found: list[Path] = []
    for number, (place, _, names) in enumerate(os.walk(folder)):
        if number > MAX_FOLDERS:
            raise FootfallError(
                "'{folder}' contains more than {count} folders: choose a subfolder closer to the files",
                count=MAX_FOLDERS,
                folder=folder,
            )
        found += [Path(place, name) for name in names if os.path.splitext(name)[1].lower() in suffixes]  # noqa: PTH122
    return sorted(file for file in found if file.is_file())
