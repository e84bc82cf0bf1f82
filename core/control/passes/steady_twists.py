"""Steady twists: sudden twists of arm bones about their own axes are smoothed; joints stay in place.

Two successive solvers can move an elbow away and back, only one of them with a turn about the bone. Then the bone's
twist jumps, and so does the skinned mesh.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion import Clip
from ...motion.limb_ik import with_world_rotations
from ...motion.rotations import Array, exp, inverse, multiply, normalize, rotation_between, wrap_angle
from ...tuning import Tuning, tuned
from .local_smoothing import smooth_where

BONES: Final = (("upper_arm", "forearm"), ("forearm", "hand"))
"""Bones of an arm, each with the joint at the bone's end."""


@dataclass(frozen=True, slots=True)
class SteadyTwists(Tuning):
    max_twist: float = tuned(20.0, "rad/s", 1.0, 100.0)
    """Rotation speed of a bone about its own axis above which its twist is smoothed."""
    deviations: tuple[float, float, float] = tuned((0.05, 0.1, 0.2), "s", 0.01, 1.0)
    """Standard deviations of the Gaussians to try, in order."""


TUNING: Final = SteadyTwists()


def steady_twists(clip: Clip) -> Clip:
    """Return a motion whose arm bones do not twist suddenly.

    Args:
        clip: F frames.
    """
    positions, rotations = clip.world[0], clip.world[1].copy()
    changed = False
    for bone, end in ((f"{bone}.{side}", f"{end}.{side}") for side in "LR" for bone, end in BONES):
        if len(clip) < 2 or not {bone, end} <= set(clip.skeleton.roles):
            continue
        joint = clip.skeleton.joint(bone)
        axis = normalize(positions[:, clip.skeleton.joint(end)] - positions[:, joint])
        twist = _twists(axis, rotations[:, joint])[:, None]
        smooth = smooth_where(twist, lambda track: _is_fast(track, clip.rate), TUNING.deviations, clip.rate)
        if smooth is not twist:
            changed = True
            rotations[:, joint] = multiply(exp((smooth - twist) * axis), rotations[:, joint])
    return with_world_rotations(clip, clip.root_positions, rotations) if changed else clip


def _twists(axis: Array, rotations: Array) -> Array:
    """Return the twist (F) without jumps, radians, of rotations (F, 4) about axes (F, 3), 0 at the first frame.

    A bone's twist is its turn from frame to frame without its swing.
    """
    turn = multiply(rotations[1:], inverse(rotations[:-1]))
    rest = multiply(inverse(rotation_between(axis[:-1], axis[1:])), turn)
    steps = wrap_angle(2.0 * np.arctan2(np.sum(rest[:, 1:] * axis[:-1], axis=-1), rest[:, 0]))
    return np.concatenate([[0.0], np.cumsum(steps)])


def _is_fast(track: Array, rate: float) -> NDArray[np.bool_]:
    """Return a mask (F) of the frames at which a twist (F, 1), radians, changes too fast."""
    speeds = np.abs(np.diff(track[:, 0])) * rate > TUNING.max_twist
    return np.concatenate([speeds, [False]]) | np.concatenate([[False], speeds])
