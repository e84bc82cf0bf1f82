"""Straight lanes along X whose cells are 0.1 m long, a layer of four in a quarter of a second."""

import numpy as np

from footfall.core.control.crowd.lane_grid import LaneGrid
from footfall.core.control.crowd.proximity_costs import MovingObstacles
from footfall.core.motion.rotations import Array

CELL_M = 0.1


def grid(cells: int = 81, offsets: tuple[float, ...] = (-0.2, 0.0, 0.2), start_cell: int = 0) -> LaneGrid:
    """Return lanes at some offsets; offsets to the right lie at a negative Y."""
    x, zero = CELL_M * np.arange(cells), np.zeros(cells)
    blocked = np.zeros((cells, len(offsets)), dtype=bool)
    return LaneGrid((x, zero), (zero, zero - 1.0), np.array(offsets), blocked, start_cell, 0.25)


def obstacles(
    *tracks: Array, distance: float = 0.6, stationary: float = 0.5, certain: tuple[bool, ...] = (), layers: int = 60
) -> MovingObstacles:
    """Return obstacles at tracks (K, 2), whose last place is kept."""
    places = np.zeros((len(tracks), layers, 2))
    for row, track in enumerate(tracks):
        places[row] = track[np.minimum(np.arange(layers), len(track) - 1)]
    known = np.array(certain or [True] * len(tracks), dtype=bool).reshape(-1, 1)
    shape = (len(tracks), layers)
    return MovingObstacles(
        places, np.full(shape, distance), np.full(len(tracks), stationary), np.broadcast_to(known, shape).copy()
    )
