"""Pushes of the root out of obstacles in the roll-out: done within a frame there, led in and out in a bake."""

from dataclasses import replace
from typing import Final

import numpy as np
import scipy

from ...motion import Clip

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
    track = own
    for deviation in LEADING_S:
        acceleration = np.linalg.norm(np.diff(track, 2, axis=0), axis=1) * clip.rate**2
        pushed = np.pad(acceleration > MAX_ROOT_ACCELERATION_M_S2, 1)[: len(clip)]
        if not pushed.any():
            break
        sigma = deviation * clip.rate
        near = scipy.ndimage.maximum_filter1d(pushed.astype(float), 2 * round(3.0 * sigma) + 1)
        weights = scipy.ndimage.gaussian_filter1d(near, sigma)[:, None]
        track = own + weights * (scipy.ndimage.gaussian_filter1d(own, sigma, axis=0, mode="nearest") - own)
    return clip if track is own else replace(clip, root_positions=np.column_stack([track, clip.root_positions[:, 2]]))
