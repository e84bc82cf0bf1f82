"""The handle on top of an object, as of a suitcase: a raised bar that a hand holds from above."""

from typing import Final

import numpy as np

from ..motion.rotations import Array
from .affordances import Grips
from .collider import Collider
from .column_grid import ColumnGrid

HANDLE_VOXEL_M: Final = 0.015
"""Edge length of the voxels, small enough to resolve the gap between a bar and the object below it."""
HANDLE_VOXEL_BUDGET: Final = 150_000
"""Largest number of voxels in the bounding box of an object."""
BAR_LENGTH_M: Final = (0.08, 0.5)
"""Range of lengths of a bar that one hand can hold."""
MAX_BAR_WIDTH_M: Final = 0.07
"""Largest width of a bar that a hand can close around."""
MIN_FINGER_ROOM_M: Final = 0.02
"""Least free height below a bar for the fingers."""
LAYER_M: Final = 0.03
"""Thickness of the topmost layer of an object in which the top of its bar must lie."""
MAX_OFF_CENTER_SHARE: Final = 0.2
"""Largest distance of a bar from the middle of its object, as a share of the object's size, at which it hangs level."""


def find_carry_handle(collider: Collider) -> Grips | None:
    """Return the grips on the handle on top of an object, both at the bar's middle; ``None`` if it has no handle.

    The bar points along the character's facing, with the object at its right hand.

    Args:
        collider: the object, with voxels of 15 mm, which resolve the gap below the bar.
    """
    columns = ColumnGrid.from_collider(collider)
    highest = float(collider.upper[:, 2].max())
    tops = columns.surface_heights(np.inf)
    bar = tops > highest - LAYER_M
    places = np.argwhere(bar)
    spans = (np.ptp(places, axis=0) + 1) * columns.cell
    along = int(np.argmax(spans))
    if not BAR_LENGTH_M[0] <= spans[along] <= BAR_LENGTH_M[1] or spans[1 - along] > MAX_BAR_WIDTH_M:
        return None
    middle = (places.min(axis=0) + places.max(axis=0)) / 2
    off_center = np.abs(middle - (np.array(columns.shape) - 1) / 2) / np.array(columns.shape)
    if off_center.max() > MAX_OFF_CENTER_SHARE:
        return None
    nearest = places[int(np.argmin(np.linalg.norm(places - middle, axis=1)))]
    if _room_below(collider, columns, nearest, highest) < MIN_FINGER_ROOM_M:
        return None
    position = np.array([*columns.to_object_space(*middle), highest])
    return Grips(np.stack([position, position]), columns.axes[along], is_handle=True)


def _room_below(collider: Collider, columns: ColumnGrid, column: Array, highest: float) -> float:
    """Return the free height, meters, below the handle's bar in a column (2) of the grid."""
    met = np.flatnonzero(columns.overlaps[column[0], column[1]])
    met = met[np.argsort(-collider.upper[met, 2])]
    underside = highest
    for cuboid in met:
        if collider.upper[cuboid, 2] < underside - 1e-6 and underside < highest:
            return float(underside - collider.upper[cuboid, 2])
        underside = min(underside, float(collider.lower[cuboid, 2]))
    return 0.0
