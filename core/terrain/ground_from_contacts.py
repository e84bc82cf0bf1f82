"""The ground that a clip was captured on, as its feet tell of it: stairs, boxes and slopes that nobody measured.

Each place is as high as the contact nearest to it, and what feet swing through is air. Seen across the way somebody
goes, ground is taken to go on as it is: treads are wider than feet.
"""

from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ..motion.rotations import Array, normalize
from .foot_points import FootTracks
from .heightfield import Heightfield

CELL_SIZE_M: Final = 0.04
MARGIN_M: Final = 1.5
"""Metres around the feet; beyond, the ground goes on as high as there."""
CROSS_TRAVEL_RATIO: Final = 3.0
"""How much less a metre across the way counts than one along it."""
SHEPARD_EXPONENT: Final = 8.0
HALF_FOOT_WIDTH_M: Final = 0.05
"""Metres around a contact within which it alone counts, and around a swinging foot's point that are air: half a foot's
width."""
MIN_TRAVEL_SPEED_M_S: Final = 0.3
"""Metres a second from which somebody goes somewhere."""


def ground_from_contacts(feet: FootTracks) -> Heightfield:
    """Return the ground under a clip's feet, over all that they reach and a margin."""
    lower = np.floor((feet.sole_points[..., :2].min(axis=(0, 1)) - MARGIN_M) / CELL_SIZE_M) * CELL_SIZE_M
    upper = feet.sole_points[..., :2].max(axis=(0, 1)) + MARGIN_M
    columns, rows = (np.ceil((upper - lower) / CELL_SIZE_M).astype(int) + 1).tolist()
    x, y = lower[0] + CELL_SIZE_M * np.arange(columns), lower[1] + CELL_SIZE_M * np.arange(rows)
    grid = _interpolate_contacts(feet, np.dstack(np.meshgrid(x, y)))
    air = _swing_ceiling(feet, lower, grid.shape)
    return Heightfield(np.minimum(grid, air), CELL_SIZE_M, lower)


def _interpolate_contacts(feet: FootTracks, xy: Array) -> Array:
    """Heights (R, C) at places xy (R, C, 2): the contacts', the nearest counting most (Shepard 1968)."""
    if len(feet.contact_points) == 0:
        return np.full(xy.shape[:2], float(feet.sole_points[..., 2].min()))
    middle = (feet.contact_runs[:, 0] + feet.contact_runs[:, 1]) // 2
    course = feet.hip_velocities[np.minimum(middle, len(feet.hip_velocities) - 1)]
    goes = np.linalg.norm(course, axis=-1) > MIN_TRAVEL_SPEED_M_S
    across = normalize(course)[:, ::-1] * [-1.0, 1.0]
    weights, heights = np.zeros(xy.shape[:2]), np.zeros(xy.shape[:2])
    for place, side, going in zip(feet.contact_points, across, goes, strict=True):
        away = xy - place[:2]
        distance = np.sum(away**2, axis=-1)
        if going:
            distance = distance - (1 - CROSS_TRAVEL_RATIO**-2) * (away @ side) ** 2
        weight = (np.maximum(distance, 0.0) + HALF_FOOT_WIDTH_M**2) ** (-SHEPARD_EXPONENT / 2)
        weights += weight
        heights += weight * place[2]
    return heights / weights


def _swing_ceiling(feet: FootTracks, lower: Array, shape: tuple[int, ...]) -> Array:
    """How high the ground is at most (R, C) under swinging feet; infinite where none swings."""
    lowest = np.full(shape, np.inf)
    swings = feet.sole_points[~feet.down]
    column, row = np.rint((swings[:, :2] - lower) / CELL_SIZE_M).astype(np.intp).T
    np.minimum.at(lowest, (row, column), swings[:, 2])
    reach = round(HALF_FOOT_WIDTH_M / CELL_SIZE_M)
    footprint: NDArray[np.bool_] = (
        np.hypot(*np.mgrid[-reach : reach + 1, -reach : reach + 1]) * CELL_SIZE_M <= HALF_FOOT_WIDTH_M
    )
    return scipy.ndimage.grey_erosion(lowest, footprint=footprint, mode="nearest")
