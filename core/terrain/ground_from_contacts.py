"""The ground under a captured clip, reconstructed from its foot contacts: stairs, boxes and slopes.

Each position gets the height of its nearest contact, lowered if a swinging foot would touch it. Sideways to the travel
the ground is assumed to continue, since treads are wider than feet.
"""

from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ..motion.rotations import Array, normalize
from ..motion.signals import MIN_TRAVEL_SPEED_M_S
from .foot_points import FootTracks
from .heightfield import Heightfield
from .patches import CELL_SIZE_M

MARGIN_M: Final = 1.5
"""Width of the ground around the feet; beyond, it continues at the height of its edge."""
CROSS_TRAVEL_RATIO: Final = 3.0
"""Weight of distances along the travel relative to distances across it, when the nearest contact is sought."""
SHEPARD_EXPONENT: Final = 8.0
"""Exponent of the inverse distance weighting."""
HALF_FOOT_WIDTH_M: Final = 0.05
"""Radius around a contact in which only this contact counts, and around a swing point that stays free of ground."""


def ground_from_contacts(feet: FootTracks) -> Heightfield:
    """Return the ground under a clip as its foot contacts show it, with a margin of 1.5 m around all feet."""
    lower = np.floor((feet.sole_points[..., :2].min(axis=(0, 1)) - MARGIN_M) / CELL_SIZE_M) * CELL_SIZE_M
    upper = feet.sole_points[..., :2].max(axis=(0, 1)) + MARGIN_M
    columns, rows = (np.ceil((upper - lower) / CELL_SIZE_M).astype(int) + 1).tolist()
    x, y = lower[0] + CELL_SIZE_M * np.arange(columns), lower[1] + CELL_SIZE_M * np.arange(rows)
    grid = _interpolate_contacts(feet, np.dstack(np.meshgrid(x, y)))
    air = _swing_ceiling(feet, lower, grid.shape)
    return Heightfield(np.minimum(grid, air), CELL_SIZE_M, lower)


def _interpolate_contacts(feet: FootTracks, xy: Array) -> Array:
    """Interpolate the contacts' heights at positions (R, C, 2) by inverse distance weighting (Shepard 1968)."""
    if len(feet.contact_points) == 0:
        return np.full(xy.shape[:2], float(feet.sole_points[..., 2].min()))
    middle = (feet.contact_runs[:, 0] + feet.contact_runs[:, 1]) // 2
    course = feet.hip_velocities[np.minimum(middle, len(feet.hip_velocities) - 1)]
    is_traveling = np.linalg.norm(course, axis=-1) > MIN_TRAVEL_SPEED_M_S
    across = normalize(course)[:, ::-1] * [-1.0, 1.0]
    weights, heights = np.zeros(xy.shape[:2]), np.zeros(xy.shape[:2])
    for point, side, travels in zip(feet.contact_points, across, is_traveling, strict=True):
        away = xy - point[:2]
        distance = np.sum(away**2, axis=-1)
        if travels:
            distance = distance - (1 - CROSS_TRAVEL_RATIO**-2) * (away @ side) ** 2
        weight = (np.maximum(distance, 0.0) + HALF_FOOT_WIDTH_M**2) ** (-SHEPARD_EXPONENT / 2)
        weights += weight
        heights += weight * point[2]
    return heights / weights


def _swing_ceiling(feet: FootTracks, lower: Array, shape: tuple[int, ...]) -> Array:
    """Return the greatest possible height (R, C) of the ground under swinging feet; infinite where no foot swings.

    It is a gray-scale erosion with a disc of half a foot's width.
    """
    lowest = np.full(shape, np.inf)
    swings = feet.sole_points[~feet.down]
    column, row = np.rint((swings[:, :2] - lower) / CELL_SIZE_M).astype(np.intp).T
    np.minimum.at(lowest, (row, column), swings[:, 2])
    reach = round(HALF_FOOT_WIDTH_M / CELL_SIZE_M)
    footprint: NDArray[np.bool_] = (
        np.hypot(*np.mgrid[-reach : reach + 1, -reach : reach + 1]) * CELL_SIZE_M <= HALF_FOOT_WIDTH_M
    )
    return scipy.ndimage.grey_erosion(lowest, footprint=footprint, mode="nearest")
