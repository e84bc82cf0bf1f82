"""Reader of paths, and of other tables of numbers, from CSV files."""

from collections.abc import Iterator
from math import isfinite
from pathlib import Path
from typing import Final

import numpy as np

from ..core.errors import FootfallError
from ..core.jobs.bounded_files import ContentError, read_bytes
from ..core.motion.rotations import Array

FORMAT_HINT = "write x, y in meters on each line"
"""Remedy in error messages about the file's format."""
MAX_BYTES: Final = 1 << 22
"""Largest size of a path file, bytes: enough for 20 km with a point every 10 cm."""
MAX_COORDINATE_M = 1e5
"""Largest distance from the origin; beyond it, poses lose millimeters and the unit is surely wrong."""


def read_points(path: Path) -> Array:
    """Read a path file with ``x, y`` in meters on each line; return its points (N, 2).

    Blank lines, comments (#) and one header line are skipped.

    Raises:
        FootfallError: the file cannot be read, a line is not two finite numbers, or there are fewer than two different
            points; the message names file and line.
    """
    points: list[tuple[float, float]] = []
    last = 0
    for number, cells in read_cells(path, "path", FORMAT_HINT):
        if number == 1 and _is_header(cells):
            continue
        points.append(_parse_point(cells, f"'{path}', line {number}"))
        last = number
    if not points:
        raise FootfallError("'{path}' has no points: {hint}", path=path, hint=FORMAT_HINT)
    if len(points) == 1:
        raise FootfallError(
            "'{path}', line {last}: a path needs at least two points; {hint}, at least two lines",
            path=path,
            last=last,
            hint=FORMAT_HINT,
        )
    result = np.array(points)
    if not np.diff(result, axis=0).any():
        raise FootfallError(
            "'{path}', line {last}: all points are the same, so the path has no length", path=path, last=last
        )
    return result


def read_cells(path: Path, kind: str, format_hint: str) -> Iterator[tuple[int, list[str]]]:
    """Yield line number and comma-separated cells of each line, skipping blank lines and comments (#).

    Args:
        path: the file.
        kind: name of the file's content, for error messages.
        format_hint: expected format of each line, for error messages.

    Raises:
        FootfallError: the file is missing, too large or not text.
    """
    try:
        lines = read_bytes(path, MAX_BYTES).decode("utf-8-sig").splitlines()
    except OSError as error:
        raise FootfallError(
            "The {kind} '{path}' cannot be read: {error}", kind=kind, path=path, error=error.strerror
        ) from error
    except UnicodeDecodeError as error:
        raise FootfallError(
            "The {kind} '{path}' is not a text file: {hint}", kind=kind, path=path, hint=format_hint
        ) from error
    except ContentError as error:
        raise FootfallError("The {kind} '{path}' cannot be read: {error}", kind=kind, path=path, error=error) from error
    for number, line in enumerate(lines, start=1):
        cells = [cell.strip() for cell in line.split("#")[0].split(",")]
        if cells != [""]:
            yield number, cells


def _is_header(cells: list[str]) -> bool:
    """Return whether the cells of the first line are a header of two words."""
    return len(cells) == 2 and all(cell and parse_number(cell) is None for cell in cells)


def _parse_point(cells: list[str], where: str) -> tuple[float, float]:
    """Parse the cells of a line as a point."""
    if len(cells) != 2:
        raise FootfallError(
            "{where}: expected two columns, not {count}; {hint}",
            where=where,
            count=len(cells),
            hint=FORMAT_HINT,
        )
    x, y = (parse_coordinate(cell, where) for cell in cells)
    return x, y


def parse_coordinate(cell: str, where: str, format_hint: str = FORMAT_HINT) -> float:
    """Parse a coordinate in meters, and check that it is near enough to the origin.

    Args:
        cell: text of the coordinate.
        where: file and line, for error messages.
        format_hint: expected format of each line, for error messages.

    Raises:
        FootfallError: the text is not a finite number, or too far from the origin.
    """
    value = parse_number(cell)
    if value is None or not isfinite(value):
        raise FootfallError("{where}: '{cell}' is not a number; {hint}", where=where, cell=cell, hint=format_hint)
    if abs(value) > MAX_COORDINATE_M:
        raise FootfallError(
            "{where}: {value} m is farther than {most} km from the origin; {hint}",
            where=where,
            value=f"{value:g}",
            most=f"{MAX_COORDINATE_M / 1000:g}",
            hint=format_hint,
        )
    return value


def parse_number(cell: str) -> float | None:
    """Parse text as a finite number; return ``None`` for any other text."""
    try:
        return float(cell)
    except ValueError:
        return None
