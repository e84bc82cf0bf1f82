"""Pairs of clips of two characters captured together, and tables that name such pairs."""

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ..errors import FootfallError
from ..jobs.bounded_files import ContentError, read_bytes
from ..motion import Clip
from .clip_file import read_clip

TABLE_NAME: Final = "PAIRS.csv"
"""Name of the table of pairs in the folder of its clips or in the one above."""
COLUMNS: Final = ("file_a", "file_b")
"""Columns of a table of pairs: the first character's clip and the second's; further columns are ignored."""


@dataclass(frozen=True, slots=True)
class ClipPair:
    """Files of two clips captured together: the leader's and the follower's."""

    leader: Path
    follower: Path

    def read(self) -> tuple[Clip, Clip]:
        """Read the leader's and the follower's clip.

        Raises:
            FootfallError: a file cannot be read, or the clips differ in rate or number of frames.
        """
        leader, follower = read_clip(self.leader), read_clip(self.follower)
        if len(leader) != len(follower) or abs(leader.rate - follower.rate) > 1e-3:
            raise FootfallError(
                "'{leader}' and '{follower}' do not match: they have {first} and {second} frames at {rate} and "
                "{other} Hz. Cut both to the same frames",
                leader=self.leader.name,
                follower=self.follower.name,
                first=len(leader),
                second=len(follower),
                rate=f"{leader.rate:g}",
                other=f"{follower.rate:g}",
            )
        return leader, follower


def read_pairs(table: Path) -> list[ClipPair]:
    """Read a table of pairs: CSV with the columns :data:`COLUMNS`, files named relative to the table.

    A file may also be in a subfolder of the table's folder.

    Raises:
        FootfallError: the file is not a table of pairs, or a clip named in it does not exist.
    """
    try:
        rows = list(csv.DictReader(read_bytes(table).decode("utf-8-sig").splitlines()))
    except (OSError, UnicodeDecodeError, ContentError, csv.Error) as error:
        raise FootfallError(
            "The file '{table}' cannot be read as a table of pairs: {error}", table=table, error=error
        ) from error
    if not rows or any(not row.get(column) for row in rows for column in COLUMNS):
        raise FootfallError(
            "'{table}' is not a table of pairs: its first line must name the columns file_a and "
            "file_b, and each line below two clips",
            table=table,
        )
    folders = [table.parent, *sorted(path for path in table.parent.iterdir() if path.is_dir())]
    return [ClipPair(*(_find(row[column], folders, table) for column in COLUMNS)) for row in rows]


def find_pair(clip_file: Path) -> ClipPair | None:
    """Return the pair that a clip belongs to, by the table in the clip's folder or the one above; ``None`` without.

    Raises:
        FootfallError: the table is damaged.
    """
    for folder in clip_file.absolute().parents[:2]:
        table = folder / TABLE_NAME
        pairs = read_pairs(table) if table.is_file() else []
        for pair in pairs:
            if any(clip_file.samefile(file) for file in (pair.leader, pair.follower)):
                return pair
    return None


def _find(name: str, folders: Iterable[Path], table: Path) -> Path:
    """Return the path of a file in the first of `folders` that contains it."""
    found = next((folder / name for folder in folders if _is_file(folder / name)), None)
    if found is None:
        raise FootfallError("The clip '{name}', listed in '{table}', does not exist", name=name, table=table.name)
    return found


def _is_file(path: Path) -> bool:
    """Return whether a path names an existing file; false if its name is invalid."""
    try:
        return path.is_file()
    except OSError:
        return False
