"""Running: the weight of running, as opposed to walking, at planned speeds."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from ...motion.rotations import Array
from ...tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class RunningTuning(Tuning):
    run_froude: float = tuned(0.5, "1", 0.1, 2.0)
    """Froude number, squared speed over gravity and leg length, above which a character runs."""
    walk_froude: float = tuned(0.42, "1", 0.1, 2.0)
    """Froude number below which a running character begins to walk again."""
    gait_change: float = tuned(0.15, "s", 0.0, 2.0)
    """Standard deviation of the Gaussian that smooths changes between walking and running."""


TUNING: Final = RunningTuning()

GRAVITY_M_S2: Final = 9.81
"""Acceleration of gravity, m/s^2."""


def run_shares(speeds: Array, rate: float, leg_length: float) -> Array:
    """Return the weights (T), 0 to 1, of running as opposed to walking: one gait at a time, with short transitions.

    People of any size begin to run near a Froude number of 0.5 (Alexander 1989; Hreljac 1995), and begin to walk again
    at a slightly lower one.

    Args:
        speeds: (T) planned speeds, m/s.
        rate: frames per second.
        leg_length: length of the character's legs, meters.
    """
    froude = speeds**2 / (GRAVITY_M_S2 * leg_length)
    decided = np.where(froude > TUNING.run_froude, 1, np.where(froude < TUNING.walk_froude, 0, -1))
    # Between the two thresholds, the gait does not change; a walk begins by walking.
    last = np.maximum.accumulate(np.where(decided >= 0, np.arange(len(speeds)), -1))
    shares = np.where(last >= 0, decided[last], 0).astype(float)
    return (
        scipy.ndimage.gaussian_filter1d(shares, TUNING.gait_change * rate, mode="nearest") if shares.any() else shares
    )
