"""Sliding pairs: both feet slide at once while one bears weight, which people do not do.

A foot that rolls over its heel or ball turns about a point that stands: the speed of a foot is that of its slower end.
"""

from typing import Final

import numpy as np

from ..motion.rotations import Array
from ..motion.signals import runs_of

SLIDING_SPEED_M_S: Final = 0.3
"""Speed along the ground above which an adult's foot slides."""
BEARING_HEIGHT_M: Final = 0.03
"""Height of an adult's sole above the ground below which it may bear weight."""


def sliding_pair_seconds(speeds: Array, heights: Array, rate: float, body_size: float = 1.0) -> Array:
    """Return the duration (F), seconds, of the slide of both feet that includes each frame; 0 in other frames.

    Frames count only while one of the feet bears weight, by its height.

    Args:
        speeds: (F, 4) speeds of left heel, left ball, right heel and right ball along the ground, m/s.
        heights: (F, 4) heights of these points' soles above the ground, meters; infinite where there is no ground.
        rate: frames per second.
        body_size: leg length relative to an adult's.
    """
    feet = speeds.reshape(-1, 2, 2).min(axis=-1)
    lowest = heights.min(axis=-1)
    sliding = (feet > SLIDING_SPEED_M_S * body_size).all(axis=1) & (lowest < BEARING_HEIGHT_M * body_size)
    result = np.zeros(len(speeds))
    for start, stop in runs_of(np.asarray(sliding)):
        result[start:stop] = (stop - start) / rate
    return result
