"""Proportions of a body: the length of its legs, its size, and how high its ankles and balls stand."""

from typing import Final

import numpy as np

from .clip import Clip
from .skeleton import Skeleton

ADULT_LEG_LENGTH_M: Final = 0.84
# How high the ball of a standing foot lies over the ground, for an adult's leg: the median of the CMU clips.
TOE_JOINT_HEIGHT_M: Final = 0.035
# And how high its ankle does.
ANKLE_JOINT_HEIGHT_M: Final = 0.072


def body_scale(clip: Clip) -> float:
    """Return the body's size as a share of an adult's, by its (hind) leg; 1 for what has no legs."""
    roles = clip.skeleton.roles
    bones = [roles[role] for side in "LR" for role in (f"shin.{side}", f"foot.{side}") if role in roles]
    length = float(np.linalg.norm(clip.skeleton.offsets[bones], axis=-1).sum() / 2)
    return length / ADULT_LEG_LENGTH_M if length > 1e-6 else 1.0


def leg_length(skeleton: Skeleton) -> float:
    """Mean length of thigh and shin, metres; a shin without a foot below it ends at its tip."""
    total = 0.0
    for side in "LR":
        shin = skeleton.joint(f"shin.{side}")
        foot = skeleton.roles.get(f"foot.{side}")
        ends = (skeleton.offsets[shin], skeleton.tips[shin] if foot is None else skeleton.offsets[foot])
        total += sum(float(np.linalg.norm(end)) for end in ends)
    return total / 2


def scale_between(source: Skeleton, target: Skeleton) -> float:
    """By how much a motion grows when it goes from one skeleton to the other: the ratio of the legs' lengths."""
    return leg_length(target) / leg_length(source)


def has_toes(skeleton: Skeleton) -> bool:
    """Whether both feet have a toe joint, which marks the ball."""
    return all(f"toe.{side}" in skeleton.roles for side in "LR")
