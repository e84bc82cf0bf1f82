"""Pushes of the root out of obstacles in the roll-out: done within a frame there, led in and out in a bake."""

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion import Clip
from ...motion.rotations import Array
from .local_smoothing import smooth_where

MAX_ROOT_ACCELERATION_M_S2: Final = 20.0
"""Horizontal acceleration of hips above which they were pushed: as networks answer, they stay below 11."""
LEADING_S: Final = (0.05, 0.1, 0.15)
"""Deviations of the Gaussians that are tried, until no frame is above it."""


def soften_pushes(clip: Clip) -> Clip:
    """Return the motion with its hips smoothed over the ground where and as far as they are pushed within a frame.

    Args:
        clip: F frames as they were rolled out.
    """
    own = clip.root_positions[:, :2]

    def is_pushed(track: Array) -> NDArray[np.bool_]:
        acceleration = np.linalg.norm(np.diff(track, 2, axis=0), axis=1) * clip.rate**2
        return np.pad(acceleration > MAX_ROOT_ACCELERATION_M_S2, 1)[: len(clip)]

    track = smooth_where(own, is_pushed, LEADING_S, clip.rate)
    return clip if track is own else replace(clip, root_positions=np.column_stack([track, clip.root_positions[:, 2]]))
