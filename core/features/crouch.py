"""The depth of a crouch as a number, as commanded by a low ceiling (PFNN section 4.3)."""

from typing import Final

import numpy as np

from ..motion import Clip, Skeleton
from ..motion.proportions import ADULT_LEG_LENGTH_M, ANKLE_JOINT_HEIGHT_M, TOE_JOINT_HEIGHT_M, leg_length
from ..motion.rotations import Array

FULL_CROUCH_DROP_RATIO: Final = 0.35
"""Drop of the head, relative to the upright height, at crouch depth 1."""
UPRIGHT_HEIGHT_RATIO: Final = 0.97
"""Height of a standing body's head joint relative to the sum of its bone lengths from ground to head."""
PELVIS_DROP_RATIO: Final = 0.75
"""Vertical share of the bone length from the hips joint to a thigh joint."""


def upright_height(skeleton: Skeleton) -> float:
    """Return the height, meters, of the head joint above the ground when the skeleton stands."""
    leg = leg_length(skeleton)
    spine, pelvis = _chain_length(skeleton, "head"), _chain_length(skeleton, "thigh.L")
    return UPRIGHT_HEIGHT_RATIO * (
        spine + PELVIS_DROP_RATIO * pelvis + leg + ANKLE_JOINT_HEIGHT_M * leg / ADULT_LEG_LENGTH_M
    )


def _chain_length(skeleton: Skeleton, role: str) -> float:
    """Return the total length, meters, of the bones from the root to the joint with a role."""
    joint, length = skeleton.joint(role), 0.0
    while skeleton.parents[joint] >= 0:
        length += float(np.linalg.norm(skeleton.offsets[joint]))
        joint = skeleton.parents[joint]
    return length


def crouch_depth(clip: Clip) -> Array:
    """Return the depth (F) of a crouch, by the head's height over the lower foot: 0 upright, 1 for the deepest."""
    roles = clip.skeleton.roles
    feet = [roles.get(f"toe.{side}", roles[f"foot.{side}"]) for side in "LR"]
    ground = (
        clip.positions[:, feet, 2].min(axis=1) - TOE_JOINT_HEIGHT_M * leg_length(clip.skeleton) / ADULT_LEG_LENGTH_M
    )
    height = clip.positions[:, clip.skeleton.joint("head"), 2] - ground
    return np.clip((1 - height / upright_height(clip.skeleton)) / FULL_CROUCH_DROP_RATIO, 0.0, 1.0)
