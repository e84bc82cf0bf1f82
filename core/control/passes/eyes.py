"""Eyes: they turn to the character's gaze target within their range of motion, ahead of the head."""

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
    max_turn: float = tuned(float(np.radians(25.0)), "rad", 0.0, 0.8)
    """Largest angle between the direction of an eye and that of the face."""
    easing: float = tuned(0.05, "s", 0.01, 0.5)
    """Standard deviation of the Gaussian that eases the turn to a target and back; the head's is five times as large.
    """


TUNING: Final = Eyes()


def turn_eyes(clip: Clip, targets: Array, weights: Array) -> Clip:
    """Return a motion with the eyes turned to each frame's target; a body without eye bones is unchanged.

    Args:
        clip: motion of F frames, with the head already turned.
        targets: (F, 3) targets, meters, world.
        weights: (F) share of the turn, 0 to 1, which is eased.
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
