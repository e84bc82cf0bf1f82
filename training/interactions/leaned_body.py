"""Bodies that lean forward onto their hands, made from standing or walking motion with unchanged feet."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...core.motion import Clip
from ...core.motion.limb_ik import rotate_joint
from ...core.motion.rotations import Array, from_axis_angle, rotate, rotation_about_up
from ...core.scene.full_body_ik import EffectorGoal, solve_full_body_ik
from ...core.tuning import Tuning, tuned

LEAN_SHARES: Final = {"spine": 0.6, "chest": 0.4}
"""Share of the lean that each joint of the trunk takes."""


@dataclass(frozen=True, slots=True)
class LeanedBodyTuning(Tuning):
    gaze_share: float = tuned(0.7, "1", 0.0, 1.0)
    """Share of the trunk's lean that the neck compensates."""
    knee: float = tuned(14.0, "deg", 0.0, 60.0)
    """Angle by which thighs are raised, at full bend, before leg IK puts the feet back."""


TUNING: Final = LeanedBodyTuning()


@dataclass(frozen=True, slots=True, eq=False)
class Lean:
    """A lean of the body, frame by frame.

    Attributes:
        angle: (F) forward lean of the trunk, rad.
        sink: (F) lowering of the hips, m.
        shift: (F, 2) shift of the hips, right and ahead, m.
        bend: (F) weight, 0 to 1, of pre-bending the knees forward, since straight knees have no bend direction for IK.
    """

    angle: Array
    sink: Array
    shift: Array
    bend: Array


def lean_ahead(clip: Clip, yaw: float, lean: Lean) -> Clip:
    """Return the clip with the trunk leaned toward a yaw, the hips lowered and shifted, and the head looking ahead.

    Args:
        clip: motion of F frames.
        yaw: world yaw toward which the body leans, rad.
        lean: lean, lowering and shift at each frame.
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
