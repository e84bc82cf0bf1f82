"""How low somebody crouches, as a number: what a ceiling asks for is the same number (PFNN section 4.3)."""

from typing import Final

import numpy as np

from ..motion import Clip, Skeleton
from ..motion.proportions import ADULT_LEG, ANKLE_HEIGHT, TOE_HEIGHT, leg_length
from ..motion.rotations import Array

DEEPEST: Final = 0.35
"""Share of the upright height by which a head is lower at 1."""
STRAIGHT: Final = 0.97
"""An upright body's height as a share of its bones' lengths."""
DOWN: Final = 0.75
"""Share of the way from the hips' joint to a thigh's that goes down."""


def upright_height(skeleton: Skeleton) -> float:
    """How high the head's joint is over the ground, metres, of somebody who stands."""
    leg = leg_length(skeleton)
    spine, pelvis = _length(skeleton, "head"), _length(skeleton, "thigh.L")
    return STRAIGHT * (spine + DOWN * pelvis + leg + ANKLE_HEIGHT * leg / ADULT_LEG)


def _length(skeleton: Skeleton, role: str) -> float:
    """Metres of bone from the root to a joint."""
    joint, length = skeleton.role(role), 0.0
    while skeleton.parents[joint] >= 0:
        length += float(np.linalg.norm(skeleton.offsets[joint]))
        joint = skeleton.parents[joint]
    return length


def crouching(clip: Clip) -> Array:
    """How low (F), 0 to 1, the head is over the lower of the feet."""
    roles = clip.skeleton.roles
    feet = [roles.get(f"toe.{side}", roles[f"foot.{side}"]) for side in "LR"]
    ground = clip.positions[:, feet, 2].min(axis=1) - TOE_HEIGHT * leg_length(clip.skeleton) / ADULT_LEG
    height = clip.positions[:, clip.skeleton.role("head"), 2] - ground
    return np.clip((1 - height / upright_height(clip.skeleton)) / DEEPEST, 0.0, 1.0)
