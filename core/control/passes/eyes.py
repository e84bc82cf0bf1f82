"""Eyes: turned to what a character looks at within what eyes can do, and there before the head is."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from ...motion import Clip
from ...motion.limb_ik import rest_forward_direction, with_world_rotations
from ...motion.rotations import Array, from_axis_angle, multiply, rotate
from ...tuning import Tuning, tuned

EYE_ROLES: Final = ("eye.L", "eye.R")


@dataclass(frozen=True, slots=True)
class Eyes(Tuning):
    """Tuned numbers of eyes."""

    max_turn: float = tuned(float(np.radians(25.0)), "rad", 0.0, 0.8)
    """Largest angle between the directions of an eye and of the face."""
    easing: float = tuned(0.05, "s", 0.01, 0.5)
    """Standard deviation of the Gaussian by which eyes begin and end to look; the head takes five times as long."""


TUNING: Final = Eyes()


def turn_eyes(clip: Clip, targets: Array, weights: Array) -> Clip:
    """Return a motion whose eyes are turned to a point at each frame; one without bones of eyes as it is.

    Args:
        clip: F frames, whose head is turned already.
        targets: (F, 3) meters, world.
        weights: (F) how far they are turned there, from 0 to 1, which is eased.
    """
    skeleton = clip.skeleton
    eyes = [skeleton.roles[role] for role in EYE_ROLES if role in skeleton.roles]
    if not eyes or "head" not in skeleton.roles:
        return clip
    rotations = clip.world[1].copy()
    eased = scipy.ndimage.gaussian_filter1d(weights, TUNING.easing * clip.rate, mode="nearest")
    forward = np.broadcast_to(rest_forward_direction(skeleton), (len(clip), 3))
    face = rotate(rotations[:, skeleton.roles["head"]], forward)
    for eye in eyes:
        there = targets - clip.positions[:, eye]
        axes = np.cross(face, there)
        angles = np.arctan2(np.linalg.norm(axes, axis=-1), np.sum(face * there, axis=-1))
        axes /= np.maximum(np.linalg.norm(axes, axis=-1, keepdims=True), 1e-9)
        turn = from_axis_angle(axes, eased * np.minimum(angles, TUNING.max_turn))
        rotations[:, eye] = multiply(turn, rotations[:, eye])
    return with_world_rotations(clip, clip.root_positions, rotations)
