"""How soon a character does as it is told, and how well it keeps the speed."""

from typing import Final

import numpy as np

from ..motion.rotations import Array
from .speed import trailing_speed, travel_speed

REACHED_SPEED_SHARE: Final = 0.9
"""The share of a commanded speed at which it counts as reached."""


def response_time(roots: Array, rate: float, commanded: float) -> float | None:
    """Seconds from the first frame, standing, until the root (F, 2) has 90 % of a commanded speed in m/s.

    ``None`` where it never has.
    """
    reached = np.flatnonzero(trailing_speed(roots, rate) >= REACHED_SPEED_SHARE * commanded)
    return float(reached[0] / rate) if len(reached) else None


def sustained_speed(roots: Array, rate: float, commanded: float) -> float:
    """Return the speed got, m/s: the root's (F, 2) mean travel speed over the frames with more than half the commanded
    one.

    Starts and stops are left out by that; 0 where it never got half the speed.
    """
    speeds = travel_speed(roots, rate)
    steady = speeds[speeds > commanded / 2]
    return float(steady.mean()) if len(steady) else 0.0
