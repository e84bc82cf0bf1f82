"""Smoothing of a roll-out's pushes: obstacles displace the root within a frame, which a bake eases in and out."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion import Clip
from ...motion.rotations import Array
from ...tuning import Tuning, tuned
from .local_smoothing import smooth_where


@dataclass(frozen=True, slots=True)
class RootPushes(Tuning):
    max_acceleration: float = tuned(20.0, "m/s^2", 1.0, 100.0)
    """Horizontal acceleration of the hips above which they count as pushed; without pushes it stays below 11 m/s^2."""
    leading: tuple[float, float, float] = tuned((0.05, 0.1, 0.15), "s", 0.01, 0.5)
    """Standard deviations of the Gaussians to try, in order, until no frame exceeds ``max_acceleration``."""


TUNING: Final = RootPushes()


def soften_pushes(clip: Clip) -> Clip:
    """Return the motion with the horizontal track of the hips smoothed around frames in which they are pushed.

    Args:
        clip: motion from the roll-out, F frames.
    """
    own = clip.root_positions[:, :2]

    def is_pushed(track: Array) -> NDArray[np.bool_]:
        acceleration = np.linalg.norm(np.diff(track, 2, axis=0), axis=1) * clip.rate**2
        return np.pad(acceleration > TUNING.max_acceleration, 1)[: len(clip)]

    track = smooth_where(own, is_pushed, TUNING.leading, clip.rate)
    return clip if track is own else replace(clip, root_positions=np.column_stack([track, clip.root_positions[:, 2]]))
