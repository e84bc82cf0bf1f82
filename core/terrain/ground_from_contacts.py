"""The ground that a clip was captured on, as its feet tell of it: stairs, boxes and slopes that nobody measured.

Each place is as high as the contact nearest to it, and what feet swing through is air. Seen across the way somebody
goes, ground is taken to go on as it is: treads are wider than feet.
"""

from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ..motion.rotations import Array, normalize
from .foot_points import Feet
from .heightfield import Heightfield

CELL: Final = 0.04
MARGIN: Final = 1.5
"""Metres around the feet; beyond, the ground goes on as high as there."""
WIDER: Final = 3.0
"""How much less a metre across the way counts than one along it."""
SHARPNESS: Final = 8.0
SOLE: Final = 0.05
"""Metres around a contact within which it alone counts, and around a swinging foot's point that are air: half a foot's
width."""
SPEED: Final = 0.3
"""Metres a second from which somebody goes somewhere."""


def own_ground(feet: Feet) -> Heightfield:
    """The ground under a clip's feet, over all that they reach and a margin."""
    lower = np.floor((feet.soles[..., :2].min(axis=(0, 1)) - MARGIN) / CELL) * CELL
    upper = feet.soles[..., :2].max(axis=(0, 1)) + MARGIN
    columns, rows = (np.ceil((upper - lower) / CELL).astype(int) + 1).tolist()
    x, y = lower[0] + CELL * np.arange(columns), lower[1] + CELL * np.arange(rows)
    grid = _nearest(feet, np.dstack(np.meshgrid(x, y)))
    air = _air(feet, lower, grid.shape)
    return Heightfield(np.minimum(grid, air), CELL, lower)


def _nearest(feet: Feet, xy: Array) -> Array:
    """Heights (R, C) at places xy (R, C, 2): the contacts', the nearest counting most (Shepard 1968)."""
    if len(feet.places) == 0:
        return np.full(xy.shape[:2], float(feet.soles[..., 2].min()))
    middle = (feet.runs[:, 0] + feet.runs[:, 1]) // 2
    course = feet.course[np.minimum(middle, len(feet.course) - 1)]
    goes = np.linalg.norm(course, axis=-1) > SPEED
    across = normalize(course)[:, ::-1] * [-1.0, 1.0]
    weights, heights = np.zeros(xy.shape[:2]), np.zeros(xy.shape[:2])
    for place, side, going in zip(feet.places, across, goes, strict=True):
        away = xy - place[:2]
        distance = np.sum(away**2, axis=-1)
        if going:
            distance = distance - (1 - WIDER**-2) * (away @ side) ** 2
        weight = (np.maximum(distance, 0.0) + SOLE**2) ** (-SHARPNESS / 2)
        weights += weight
        heights += weight * place[2]
    return heights / weights


def _air(feet: Feet, lower: Array, shape: tuple[int, ...]) -> Array:
    """How high the ground is at most (R, C) under swinging feet; infinite where none swings."""
    lowest = np.full(shape, np.inf)
    swings = feet.soles[~feet.down]
    column, row = np.rint((swings[:, :2] - lower) / CELL).astype(np.intp).T
    np.minimum.at(lowest, (row, column), swings[:, 2])
    reach = round(SOLE / CELL)
    footprint: NDArray[np.bool_] = np.hypot(*np.mgrid[-reach : reach + 1, -reach : reach + 1]) * CELL <= SOLE
    return scipy.ndimage.grey_erosion(lowest, footprint=footprint, mode="nearest")
