"""Progress on a path: the arc length of a character's nearest point on its path, without jumps.

Where a path turns back, both of its arms are about equally near, and the nearest point jumps between them. Commands
from alternating arms would make the network jerk hips and feet by about 10 cm between frames.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...motion.rotations import Array
from ...tuning import Tuning, tuned
from .path_tables import PathTables


@dataclass(frozen=True, slots=True)
class PathProgressTuning(Tuning):
    max_lag: float = tuned(0.3, "m", 0.0, 3.0)
    """Largest lag of a character behind its plan; the plan then waits for it."""
    max_overtaking: float = tuned(0.3, "m/s", 0.0, 3.0)
    """Largest speed by which the arc length may grow faster than planned."""
    max_retreat: float = tuned(0.3, "m/s", 0.0, 3.0)
    """Largest backward speed of the arc length."""


TUNING: Final = PathProgressTuning()


def lag_behind(planned_lengths: Array, arc_lengths: Array) -> Array:
    """Return the lags (B), meters, of characters behind their plans, negative if ahead, within ``TUNING.max_lag``.

    Args:
        planned_lengths: (B) planned arc lengths, meters.
        arc_lengths: (B) arc lengths of the characters, meters.
    """
    return np.minimum(np.maximum(planned_lengths - arc_lengths, -TUNING.max_lag), TUNING.max_lag)


def advance_on_paths(
    tables: PathTables, positions: Array, arc_lengths: Array, planned_lengths: Array, speeds: Array, dt: float
) -> Array:
    """Return the arc lengths (B), meters, of the points nearest to characters on their paths after a frame.

    Args:
        tables: the paths.
        positions: (B, 2) roots after the frame, meters, world.
        arc_lengths: (B) arc lengths before the frame, meters.
        planned_lengths: (B) planned arc lengths, meters.
        speeds: (B) planned speeds, m/s.
        dt: seconds per frame.
    """
    near = np.minimum(np.maximum(planned_lengths, arc_lengths - TUNING.max_lag), arc_lengths + TUNING.max_lag)
    moves = tables.project(positions, near) - arc_lengths
    return arc_lengths + np.minimum(np.maximum(moves, -TUNING.max_retreat * dt), (speeds + TUNING.max_overtaking) * dt)
