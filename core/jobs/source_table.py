"""Table of the clips that a data set uses, by source: written by the trainer and shown in Blender."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from ..errors import FootfallError
from .atomic import write_atomically
from .bounded_files import read_json

TABLE_FILE_NAME: Final = "sources.json"
"""Name of the table in a data set's folder."""
MAX_BYTES: Final = 1 << 24
"""Largest size of a table."""


@dataclass(frozen=True, slots=True)
class SkippedClip:
    """A clip left out of the data set, and the reason."""

    file: str
    reason: str


@dataclass(frozen=True, slots=True)
class SourceRow:
    """One source of a data set: the clips of a folder, or of an armature.

    Attributes:
        name: the source's name for the user.
        clips: number of used clips.
        minutes: total length of the used clips.
        residual: largest calibration error of a bone in any clip, degrees; see ``retarget.calibration``.
        role: role of the bone with that error.
        left_out: the clips that were not used.
    """

    folder: str
    name: str
    clips: int = 0
    minutes: float = 0.0
    residual: float = 0.0
    role: str = ""
    left_out: tuple[SkippedClip, ...] = field(default=())


def tabulate_sources(
    used: Iterable[tuple[str, str, float, Mapping[str, float]]], skipped: Iterable[tuple[str, str, SkippedClip]]
) -> tuple[SourceRow, ...]:
    """Return the rows of the table of sources, one for each folder of clips.

    Args:
        used: folder, source name, minutes and calibration errors by role, degrees, of each used clip.
        skipped: folder, source name and reason of each unused clip.
    """
    rows: dict[str, dict[str, Any]] = {}
    for folder, name, minutes, residuals in used:
        row = rows.setdefault(folder, asdict(SourceRow(folder, name)) | {"left_out": ()})
        row["clips"] += 1
        row["minutes"] += minutes
        for role, degrees in residuals.items():
            if degrees > row["residual"]:
                row["residual"], row["role"] = degrees, role
    for folder, name, clip in skipped:
        row = rows.setdefault(folder, asdict(SourceRow(folder, name)) | {"left_out": ()})
        row["left_out"] = (*row["left_out"], clip)
    return tuple(SourceRow(**{**rows[folder], "minutes": round(rows[folder]["minutes"], 3)}) for folder in sorted(rows))


def write_table(folder: Path, rows: Sequence[SourceRow]) -> None:
    """Write the table of sources into a data set's folder.

    Raises:
        OSError: the table cannot be written.
    """
    data = json.dumps([asdict(row) for row in rows], indent=1).encode()
    write_atomically(folder / TABLE_FILE_NAME, data, follow_links=False)


def read_table(folder: Path) -> tuple[SourceRow, ...]:
    """Return the table of sources in a data set's folder; empty if the data set is not built yet.

    Raises:
        FootfallError: the table is damaged.
    """
    path = folder / TABLE_FILE_NAME
    try:
        return tuple(_parse_row(entry) for entry in read_json(path, MAX_BYTES))
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, TypeError, LookupError, OverflowError) as error:
        raise FootfallError(
            "The table of sources '{path}' cannot be read ({error}): train again", path=path, error=error
        ) from error


def _parse_row(entry: Mapping[str, Any]) -> SourceRow:
    """Return the row that an entry of the file describes."""
    left_out = tuple(SkippedClip(str(clip["file"]), str(clip["reason"])) for clip in entry["left_out"])
    minutes, residual = (float(entry[key]) for key in ("minutes", "residual"))
    if not (math.isfinite(minutes) and math.isfinite(residual)):
        raise ValueError("a number is missing or invalid")
    return SourceRow(
        str(entry["folder"]), str(entry["name"]), int(entry["clips"]), minutes, residual, str(entry["role"]), left_out
    )
