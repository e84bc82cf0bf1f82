"""Progress on a path: the arc length at which a character is, which follows the nearest point and never leaps.

Where a path turns back, both of its arms are about as near, and the nearest point leaps from one to the other and back.
A network that is commanded from either by turns moves hips and feet by a hand's breadth from one frame to the next.
"""

from typing import Final

import numpy as np

from ...motion.rotations import Array
from .path_tables import PathTables

MAX_LAG_M: Final = 0.3
"""Lag behind the plan at which the plan waits."""
MAX_OVERTAKING_M_S: Final = 0.3
"""Speed at which the arc length advances beyond the planned speed at most."""
MAX_RETREAT_M_S: Final = 0.3
"""Speed at which the arc length goes back at most."""


def lag_behind(planned_lengths: Array, arc_lengths: Array) -> Array:
    """Return how far (B), meters, characters are behind their plans, at most :data:`MAX_LAG_M` either way.

    Args:
        planned_lengths: (B) planned arc lengths, meters.
        arc_lengths: (B) of the characters, meters.
    """
    return np.minimum(np.maximum(planned_lengths - arc_lengths, -MAX_LAG_M), MAX_LAG_M)


def advance_on_paths(
    tables: PathTables, positions: Array, arc_lengths: Array, planned_lengths: Array, speeds: Array, dt: float
) -> Array:
    """Return the arc lengths (B), meters, of characters after a frame.

    Args:
        tables: the paths.
        positions: (B, 2) roots, meters.
        arc_lengths: (B) before the frame, meters.
        planned_lengths: (B) planned, meters.
        speeds: (B) planned, m/s.
        dt: seconds per frame.
    """
    near = np.minimum(np.maximum(planned_lengths, arc_lengths - MAX_LAG_M), arc_lengths + MAX_LAG_M)
    moves = tables.project(positions, near) - arc_lengths
    return arc_lengths + np.minimum(np.maximum(moves, -MAX_RETREAT_M_S * dt), (speeds + MAX_OVERTAKING_M_S) * dt)
