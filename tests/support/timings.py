"""Timings of walks without path events."""

import numpy as np

from footfall.core.control.path.running import run_shares
from footfall.core.control.path.velocity_profile import Timing
from footfall.core.motion.proportions import ADULT_LEG_LENGTH_M


def plain_timing(distances: np.ndarray, speeds: np.ndarray, gaits: int = 0) -> Timing:
    """Arc lengths and speeds (T) at 60 Hz, the face ahead, no style."""
    none = np.zeros(len(distances))
    runs = run_shares(speeds, 60.0, ADULT_LEG_LENGTH_M)
    return Timing(distances, speeds, none, none, runs, np.zeros((len(distances), gaits)))
