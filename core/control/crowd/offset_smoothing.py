"""Smoothing splines between bounds: lateral offsets that stay on the chosen side of each other agent."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from ...motion.rotations import Array
from ...tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class OffsetSmoothingTuning(Tuning):
    smoothing_length: float = tuned(1.8, "m", 0.1, 10.0)
    """Length over which an agent leaves its path and returns to it."""
    iterations: int = tuned(40, "1", 1, 1000)
    """Number of ADMM updates."""
    penalty: float = tuned(300.0, "1", 1.0, 1e6)
    """Penalty parameter of ADMM (rho in Boyd et al. 2011) for all values except the first and the last."""
    bound_violation: float = tuned(3000.0, "1", 1.0, 1e6)
    """Weight of a squared bound violation relative to a squared value of the curve."""
    stiffening: float = tuned(12.0, "1", 1.0, 100.0)
    """Factor by which ``bound_violation`` grows with each stiffness level."""
    endpoint_penalty: float = tuned(1e6, "1", 1.0, 1e9)
    """Penalty parameter of ADMM for the first and the last value."""
    over_relaxation: float = tuned(1.6, "1", 1.0, 2.0)
    """Over-relaxation of the ADMM updates (alpha in Boyd et al. 2011, section 3.4.3)."""


TUNING: Final = OffsetSmoothingTuning()


def smooth_between_bounds(
    low: Array, high: Array, ends: tuple[float, float], spacing: float, stiffness_level: int = 0
) -> Array:
    """Return a smooth curve (G), meters, that stays near zero and approximately between bounds.

    It minimizes the sum of its squares, of its squared second differences and of its squared bound violations: a
    smoothing spline with soft bounds, solved by the alternating direction method of multipliers (Boyd et al. 2011,
    sections 3.1.1, 3.4.3 and 5) with one banded Cholesky factorization.

    Args:
        low: (G) lower bounds, meters, -inf for none. Between contradicting bounds, the curve is a compromise.
        high: (G) upper bounds, meters, inf for none.
        ends: First and last value, meters; the curve begins and ends with slope zero.
        spacing: Arc length between values, meters.
        stiffness_level: Number of times that bounds are stiffened, from violations of centimeters to millimeters.
    """
    count = len(low)
    if count < 3:
        return np.linspace(*ends, count)
    low, high = low.copy(), high.copy()
    contradictory = low > high
    low[contradictory] = high[contradictory] = (low[contradictory] + high[contradictory]) / 2
    for end, value in zip((0, -1), ends, strict=True):
        low[end] = high[end] = value
    penalty = np.full(count, TUNING.penalty)
    penalty[[0, -1]] = TUNING.endpoint_penalty
    projection_share = (
        TUNING.bound_violation
        * TUNING.stiffening**stiffness_level
        / (TUNING.bound_violation * TUNING.stiffening**stiffness_level + penalty)
    )
    projection_share[[0, -1]] = 1.0
    bands = _smoothness_bands(count, (TUNING.smoothing_length / spacing) ** 4)
    bands[2] += penalty
    factorize, solve = scipy.linalg.get_lapack_funcs(("pbtrf", "pbtrs"), (bands,))
    factor, _ = factorize(bands)
    bounded, multiplier = np.clip(np.zeros(count), low, high), np.zeros(count)
    curve = bounded
    for _ in range(TUNING.iterations):
        curve, _ = solve(factor, penalty * (bounded - multiplier))
        relaxed = TUNING.over_relaxation * curve + (1 - TUNING.over_relaxation) * bounded
        relaxed = relaxed + multiplier
        bounded = relaxed + projection_share * (np.clip(relaxed, low, high) - relaxed)
        multiplier = relaxed - bounded
    return curve


def _smoothness_bands(count: int, bending_weight: float) -> Array:
    """Return the upper bands (3, G) of the matrix of squared values plus weighted squared second differences."""
    bands = np.zeros((3, count))
    bands[2] = 1.0
    for weights, first in (((1.0, -2.0, 1.0), np.arange(count - 2)), ((-1.0, 1.0), np.array([0, count - 2]))):
        for row, weight in enumerate(weights):
            for column in range(row, len(weights)):
                bands[2 - (column - row), first + column] += bending_weight * weight * weights[column]
    return bands
