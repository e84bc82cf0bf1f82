"""Sliding pairs: both feet slide at once while one bears weight, which people do not do."""

from typing import Final

import numpy as np

from ..motion import Clip
from ..motion.proportions import ADULT_LEG_LENGTH_M
from ..motion.rotations import Array
from ..motion.signals import runs_of
from .feet import horizontal_speeds

SLIDING_SPEED_M_S: Final = 0.3
"""Speed above which an adult's ankle slides; both must."""
BEARING_HEIGHT_M: Final = 0.12
"""Height of an adult's ankle above the ground below which it may bear weight."""


def sliding_pair_seconds(clip: Clip, heights: Array) -> Array:
    """Return the duration (F), seconds, of the slide of both feet around each frame; 0 if they do not both slide.

    Args:
        clip: the motion of a biped.
        heights: (F, 2) heights of the ankles over the ground, meters.
    """
    size = clip.skeleton.leg_length / ADULT_LEG_LENGTH_M
    feet = clip.positions[:, [clip.skeleton.joint(f"foot.{side}") for side in "LR"]]
    fast = (horizontal_speeds(feet, clip.rate) > SLIDING_SPEED_M_S * size).all(axis=1)
    sliding = fast & (heights < BEARING_HEIGHT_M * size).any(axis=1)
    result = np.zeros(len(clip))
    for start, stop in runs_of(np.asarray(sliding)):
        result[start:stop] = (stop - start) / clip.rate
    return result
