"""Clearance between a held ball and the legs, as when a body rises from a seat with a ball in front of its chest."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from ...motion import Clip
from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.rotations import Array
from ...tuning import Tuning, tuned

LEG_PARTS: Final = (("thigh", "shin"), ("shin", "foot"))
"""Roles of the joints at both ends of each part of a leg."""


@dataclass(frozen=True, slots=True)
class LegClearance(Tuning):
    thickness: float = tuned(0.08, "m", 0.02, 0.2)
    """Radius of an adult's leg."""
    highest: float = tuned(0.6, "m", 0.1, 1.0)
    """Largest height by which an adult lifts the ball."""
    ahead: float = tuned(0.2, "s", 0.0, 1.0)
    """Time before and after the legs are in the way for which the ball is lifted as well."""
    smoothing: float = tuned(0.12, "s", 0.02, 1.0)
    """Standard deviation of the Gaussian that smooths the lift."""


TUNING: Final = LegClearance()


def lift_over_legs(clip: Clip, places: Array, radius: float) -> Array:
    """Return the heights (F), meters, by which to lift a held ball so that it clears the legs.

    Args:
        clip: the motion.
        places: (F, 3) centers of the ball, meters, world.
        radius: radius of the ball, meters.
    """
    size = clip.skeleton.leg_length / ADULT_LEG_LENGTH_M
    heights = np.linspace(0.0, TUNING.highest * size, 31)
    lifted = places[:, None] + heights[:, None] * [0.0, 0.0, 1.0]
    clear = np.ones(lifted.shape[:2], dtype=bool)
    for side in "LR":
        for upper, lower in LEG_PARTS:
            start, end = (clip.positions[:, clip.skeleton.joint(f"{part}.{side}"), None] for part in (upper, lower))
            clear &= _distances(lifted, start, end) > radius + TUNING.thickness * size
    needed = np.where(clear.any(axis=1), heights[np.argmax(clear, axis=1)], heights[-1])
    rate = clip.rate
    widest = scipy.ndimage.maximum_filter1d(needed, 2 * round(TUNING.ahead * rate) + 1, mode="nearest")
    return scipy.ndimage.gaussian_filter1d(widest, TUNING.smoothing * rate, mode="nearest")


def _distances(points: Array, start: Array, end: Array) -> Array:
    """Return the distances (F, N) of points (F, N, 3) from segments between two points (F, 1, 3)."""
    way = end - start
    share = ((points - start) * way).sum(axis=-1) / np.maximum((way**2).sum(axis=-1), 1e-12)
    return np.linalg.norm(points - start - np.clip(share, 0.0, 1.0)[..., None] * way, axis=-1)
