"""Reader of the targets, end effectors and frames of strikes from CSV files."""

from pathlib import Path
from typing import Final

import numpy as np

from ..core.control.strike.strike_order import StrikeOrder, require_orders
from ..core.errors import FootfallError
from .points import parse_coordinate, parse_number, read_cells

FORMAT_HINT: Final = "write frame, x, y, z, effector on each line"
"""Remedy in error messages about the file's format."""
COLUMNS: Final = 5


def read_targets(path: Path) -> list[StrikeOrder]:
    """Read a file with ``frame, x, y, z, effector`` on each line; return its strikes sorted by frame.

    Frames are at the controller's rate, positions in meters; blank lines, comments (#) and a header are skipped.

    Raises:
        FootfallError: the file cannot be read, a line has another format, or two strikes share a frame; the message
            names file and line.
    """
    orders = []
    for number, cells in read_cells(path, "file of targets", FORMAT_HINT):
        if number == 1 and parse_number(cells[0]) is None:
            continue
        orders.append(_parse_order(cells, f"'{path}', line {number}"))
    orders.sort(key=lambda order: order.frame)
    require_orders(orders)
    return orders


def _parse_order(cells: list[str], where: str) -> StrikeOrder:
    """Parse the cells of a line as a strike."""
    if len(cells) != COLUMNS:
        raise FootfallError(
            "{where}: expected five columns, not {count}; {hint}",
            where=where,
            count=len(cells),
            hint=FORMAT_HINT,
        )
    if not cells[0].isdecimal():
        raise FootfallError("{where}: '{cell}' is not a frame; {hint}", where=where, cell=cells[0], hint=FORMAT_HINT)
    place = np.array([parse_coordinate(cell, where, FORMAT_HINT) for cell in cells[1:4]])
    return StrikeOrder(int(cells[0]), place, cells[4])
