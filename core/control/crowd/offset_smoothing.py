"""Curves drawn as smoothly as they can be between a lower and an upper bound: how people go round each other."""

from typing import Final

import numpy as np
import scipy

from ...motion.rotations import Array

SMOOTHING_LENGTH_M: Final = 1.8
"""Metres over which one leaves one's way, and comes back to it."""
ADMM_ITERATIONS: Final = 40
ADMM_PENALTY_WEIGHT: Final = 300.0
"""How firmly bounds are kept in each round, and ..."""
BOUND_VIOLATION_WEIGHT: Final = 3000.0
"""What a square metre out of the bounds costs, beside a square metre of the curve, ..."""
STIFFENING_RATIO: Final = 12.0
"""... and how many times as much where they are kept to more firmly."""
ENDPOINT_PENALTY_WEIGHT: Final = 1e6
"""... both ends, beside how much the curve is drawn to zero."""
OVER_RELAXATION_RATIO: Final = 1.6
"""By how much more than it would each round moves the curve: it gets there sooner."""


def smooth_between_bounds(
    low: Array, high: Array, ends: tuple[float, float], spacing: float, stiffness_level: int = 0
) -> Array:
    """The smoothest curve (G) near zero, and about between bounds.

    It has the least sum of its squares, of those of its bends, and of those of what is out of the bounds; the
    alternating direction method of multipliers finds it.

    Args:
        low, high: (G) bounds, infinite where there are none; where they contradict each other, it goes between them.
        ends: the first value and the last; it begins and ends level.
        spacing: metres from value to value.
        stiffness_level: how many times more firmly it keeps to the bounds: centimetres out of them, or millimetres.
    """
    count = len(low)
    if count < 3:
        return np.linspace(*ends, count)
    low, high = low.copy(), high.copy()
    torn = low > high
    low[torn] = high[torn] = (low[torn] + high[torn]) / 2
    for end, value in zip((0, -1), ends, strict=True):
        low[end] = high[end] = value
    firm = np.full(count, ADMM_PENALTY_WEIGHT)
    firm[[0, -1]] = ENDPOINT_PENALTY_WEIGHT
    held = (
        BOUND_VIOLATION_WEIGHT
        * STIFFENING_RATIO**stiffness_level
        / (BOUND_VIOLATION_WEIGHT * STIFFENING_RATIO**stiffness_level + firm)
    )
    held[[0, -1]] = 1.0
    bands = _smoothness_bands(count, (SMOOTHING_LENGTH_M / spacing) ** 4)
    bands[2] += firm
    factorised, solve = scipy.linalg.get_lapack_funcs(("pbtrf", "pbtrs"), (bands,))
    factor, _ = factorised(bands)
    inside, pull = np.clip(np.zeros(count), low, high), np.zeros(count)
    curve = inside
    for _ in range(ADMM_ITERATIONS):
        curve, _ = solve(factor, firm * (inside - pull))
        ahead = OVER_RELAXATION_RATIO * curve + (1 - OVER_RELAXATION_RATIO) * inside
        ahead = ahead + pull
        inside = ahead + held * (np.clip(ahead, low, high) - ahead)
        pull = ahead - inside
    return curve


def _smoothness_bands(count: int, bending_weight: float) -> Array:
    """The upper bands (3, G) of the matrix of the sum of a curve's squares, and ``bending_weight`` times those of its bends."""
    bands = np.zeros((3, count))
    bands[2] = 1.0
    for weights, first in (((1.0, -2.0, 1.0), np.arange(count - 2)), ((-1.0, 1.0), np.array([0, count - 2]))):
        for one, left in enumerate(weights):
            for other in range(one, len(weights)):
                bands[2 - (other - one), first + other] += bending_weight * left * weights[other]
    return bands
