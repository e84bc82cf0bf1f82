"""Bodies that lean forward onto their hands, composed from standing or walking motion: feet stay."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...core.motion import Clip
from ...core.motion.limb_ik import rotate_joint
from ...core.motion.rotations import Array, from_axis_angle, rotate, rotation_about_up
from ...core.scene.full_body_ik import EffectorGoal, solve_full_body_ik
from ...core.tuning import Tuning, tuned

LEAN_SHARES: Final = {"spine": 0.6, "chest": 0.4}
"""Shares of the lean by trunk joint."""


@dataclass(frozen=True, slots=True)
class LeanedBodyTuning(Tuning):
    gaze_share: float = tuned(0.7, "1", 0.0, 1.0)
    """Share of the lean that the neck compensates."""
    knee: float = tuned(14.0, "deg", 0.0, 60.0)
    """Angle of the raised thighs before the feet are solved by leg IK."""


TUNING: Final = LeanedBodyTuning()


@dataclass(frozen=True, slots=True, eq=False)
class Lean:
    """A lean over time.

    Attributes:
        angle: (F) forward lean of the trunk, rad.
        sink: (F) lowering of the hips, m.
        shift: (F, 2) shift of the hips, right and ahead, m.
        bend: (F) weights, 0 to 1, of bending the knees forward first: a straight knee has no bend direction.
    """

    angle: Array
    sink: Array
    shift: Array
    bend: Array


def lean_ahead(clip: Clip, yaw: float, lean: Lean) -> Clip:
    """Return the clip with the trunk leaned in a direction; the hips are lowered and shifted, the head looks ahead.

    Args:
        clip: F frames.
        yaw: the direction, rad.
        lean: amounts of the lean.
    """
    left = np.tile([-np.cos(yaw), -np.sin(yaw), 0.0], (len(clip), 1))
    for role, share in (*LEAN_SHARES.items(), ("neck", -TUNING.gaze_share)):
        clip = rotate_joint(clip, clip.skeleton.joint(role), from_axis_angle(left, share * lean.angle))
    hips = clip.positions[:, clip.skeleton.joint("hips")].copy()
    hips += rotate(rotation_about_up(np.array(yaw)), np.column_stack([lean.shift, -lean.sink]))
    every = np.ones(len(clip))
    feet = []
    for side in "LR":
        foot = clip.skeleton.joint(f"foot.{side}")
        feet.append(EffectorGoal(f"foot.{side}", clip.positions[:, foot], every, clip.world[1][:, foot]))
    bend = np.radians(TUNING.knee) * lean.bend
    for side in "LR":
        for role, share in (("thigh", -1.0), ("shin", 2.0)):
            clip = rotate_joint(clip, clip.skeleton.joint(f"{role}.{side}"), from_axis_angle(left, share * bend))
    return solve_full_body_ik(clip, [EffectorGoal("hips", hips, every), *feet])
