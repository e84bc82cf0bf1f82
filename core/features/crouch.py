"""How low somebody crouches, as a number: what a ceiling asks for is the same number (PFNN section 4.3)."""

from typing import Final

import numpy as np

from ..motion import Clip, Skeleton
from ..motion.proportions import ADULT_LEG_LENGTH_M, ANKLE_JOINT_HEIGHT_M, TOE_JOINT_HEIGHT_M, leg_length
from ..motion.rotations import Array

FULL_CROUCH_DROP_RATIO: Final = 0.35
"""Share of the upright height by which a head is lower at 1."""
UPRIGHT_HEIGHT_RATIO: Final = 0.97
"""An upright body's height as a share of its bones' lengths."""
PELVIS_DROP_RATIO: Final = 0.75
"""Share of the way from the hips' joint to a thigh's that goes down."""


def upright_height(skeleton: Skeleton) -> float:
    """How high the head's joint is over the ground, metres, of somebody who stands."""
    leg = leg_length(skeleton)
    spine, pelvis = _chain_length(skeleton, "head"), _chain_length(skeleton, "thigh.L")
    return UPRIGHT_HEIGHT_RATIO * (
        spine + PELVIS_DROP_RATIO * pelvis + leg + ANKLE_JOINT_HEIGHT_M * leg / ADULT_LEG_LENGTH_M
    )


def _chain_length(skeleton: Skeleton, role: str) -> float:
    """Metres of bone from the root to a joint."""
    joint, length = skeleton.joint(role), 0.0
    while skeleton.parents[joint] >= 0:
        length += float(np.linalg.norm(skeleton.offsets[joint]))
        joint = skeleton.parents[joint]
    return length


def crouch_depth(clip: Clip) -> Array:
    """How low (F), 0 to 1, the head is over the lower of the feet."""
    roles = clip.skeleton.roles
    feet = [roles.get(f"toe.{side}", roles[f"foot.{side}"]) for side in "LR"]
    ground = (
        clip.positions[:, feet, 2].min(axis=1) - TOE_JOINT_HEIGHT_M * leg_length(clip.skeleton) / ADULT_LEG_LENGTH_M
    )
    height = clip.positions[:, clip.skeleton.joint("head"), 2] - ground
    return np.clip((1 - height / upright_height(clip.skeleton)) / FULL_CROUCH_DROP_RATIO, 0.0, 1.0)
