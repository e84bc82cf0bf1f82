"""Cadence of people by speed: the usual band of walks and runs."""

from typing import Final

import numpy as np

WALK_RATIO_M_MIN: Final = 0.0063
"""Walk ratio: step length over cadence, m/(steps/min), nearly constant over speed (Sekiya and Nagasaki 1998)."""
WALK_TOLERANCE: Final = 0.15
"""Largest relative deviation of the cadence in 19 of 20 captured walks."""
SLOW_WALK_TOLERANCE: Final = 0.25
"""Largest relative deviation of the cadence below :data:`SLOW_SPEED_M_S`, where people vary more."""
SLOW_SPEED_M_S: Final = 0.7
"""Speed of a slow walk."""
RUN_CADENCE: Final = (145.0, 200.0)
"""Steps per minute of captured jogs and runs."""
WALK_RUN_SPEEDS_M_S: Final = (1.7, 2.4)
"""Speeds between which people walk or run; below they walk, above they run (Hreljac 1993: change at 2.0 to 2.1)."""


def usual_cadence(speed: float) -> tuple[float, float]:
    """Return the lowest and highest cadence, steps/min, with which people walk or run on level ground at a speed.

    Args:
        speed: travel speed, m/s.
    """
    middle = float(np.sqrt(60 * max(speed, 0.0) / WALK_RATIO_M_MIN))
    tolerance = WALK_TOLERANCE if speed >= SLOW_SPEED_M_S else SLOW_WALK_TOLERANCE
    walk = middle * (1 - tolerance), middle * (1 + tolerance)
    if speed < WALK_RUN_SPEEDS_M_S[0]:
        return walk
    if speed > WALK_RUN_SPEEDS_M_S[1]:
        return RUN_CADENCE
    return min(walk[0], RUN_CADENCE[0]), max(walk[1], RUN_CADENCE[1])


def is_usual_cadence(speed: float, cadence: float | None) -> bool:
    """Return whether a cadence, steps/min, is usual for people at a speed, m/s; false if the cadence is unknown."""
    low, high = usual_cadence(speed)
    return cadence is not None and low <= cadence <= high
