"""Response of a character to a commanded speed, and its sustained speed."""

from typing import Final

import numpy as np

from ..motion.rotations import Array
from .speed import trailing_speed, travel_speed

REACHED_SPEED_SHARE: Final = 0.9
"""Share of a commanded speed that counts as reached."""


def response_time(roots: Array, rate: float, commanded: float) -> float | None:
    """Return the time, seconds, from the first frame until a standing root reaches 90 % of a commanded speed.

    Args:
        roots: (F, 2) positions, meters.
        rate: frames per second.
        commanded: speed, m/s.

    Returns:
        ``None`` if the root never reaches this speed.
    """
    reached = np.flatnonzero(trailing_speed(roots, rate) >= REACHED_SPEED_SHARE * commanded)
    return float(reached[0] / rate) if len(reached) else None


def sustained_speed(roots: Array, rate: float, commanded: float) -> float:
    """Return the root's mean travel speed, m/s, over the frames in which it is above half the commanded speed.

    This limit excludes starts and stops.

    Args:
        roots: (F, 2) positions, meters.
        rate: frames per second.
        commanded: speed, m/s.

    Returns:
        Zero if the root never reaches half the speed.
    """
    speeds = travel_speed(roots, rate)
    steady = speeds[speeds > commanded / 2]
    return float(steady.mean()) if len(steady) else 0.0
