"""Kneeling: knees of a body that lies down or gets up stay above the ground."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import scipy

from ...motion import Clip
from ...motion.rotations import Array
from ...tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class Kneeling(Tuning):
    """Tuned numbers of kneeling."""

    knee_height: float = tuned(0.05, "m", 0.0, 0.15)
    """Smallest height of a knee joint above the ground, about the thickness of the flesh in front of it."""
    kneeling_height: float = tuned(0.25, "1", 0.05, 0.5)
    """Height of a knee, relative to the leg's length, below which the leg counts as kneeling."""
    foot_release: float = tuned(0.2, "s", 0.02, 2.0)
    """Time before and after kneeling during which the foot is not locked."""
    lasting: float = tuned(0.1, "s", 0.0, 1.0)
    """Time before and after a frame with a knee in the ground in which the body stays raised."""
    rise_smoothing: float = tuned(0.08, "s", 0.01, 1.0)
    """Standard deviation of the Gaussian that smooths how far the body is raised."""


TUNING: Final = Kneeling()


def release_kneeling_feet(contacts: Array, clip: Clip, lying: Array) -> Array:
    """Return contacts (F, 4) without those of kneeling legs, whose feet roll over their toes.

    Args:
        contacts: (F, 4) contact probabilities, in the order of ``motion.roles.FOOT_CONTACTS``.
        clip: the motion over the plane z = 0, F frames.
        lying: (F) weights of lying down or getting up, 0 to 1; contacts are unchanged in frames with weight 0.
    """
    released = contacts.copy()
    for number, side in enumerate("LR"):
        heights = clip.positions[:, clip.skeleton.joint(f"shin.{side}"), 2]
        kneels = (lying > 0.0) & (heights < TUNING.kneeling_height * clip.skeleton.leg_length)
        kneels = scipy.ndimage.binary_dilation(kneels, iterations=round(TUNING.foot_release * clip.rate))
        released[kneels, 2 * number : 2 * number + 2] = 0.0
    return released


def raise_kneeling(clip: Clip, lying: Array) -> Clip:
    """Return a clip raised in frames in which its knees are in the ground; its feet must be locked again afterward.

    Args:
        clip: the motion over the plane z = 0, F frames.
        lying: (F) weights of lying down or getting up, 0 to 1; frames with weight 0 are unchanged.
    """
    scale = clip.skeleton.leg_length
    knees = clip.positions[:, [clip.skeleton.joint(f"shin.{side}") for side in "LR"], 2]
    missing = np.where(lying > 0.0, np.maximum(TUNING.knee_height * scale - knees.min(axis=1), 0.0), 0.0)
    if not missing.any():
        return clip
    lasting = scipy.ndimage.maximum_filter1d(missing, 2 * round(TUNING.lasting * clip.rate) + 1)
    rise = scipy.ndimage.gaussian_filter1d(lasting, TUNING.rise_smoothing * clip.rate, mode="nearest")
    return replace(clip, root_positions=clip.root_positions + rise[:, None] * np.array([0.0, 0.0, 1.0]))
