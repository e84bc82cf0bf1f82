"""Proportions of a body: leg length, size relative to an adult, and heights of ankle and ball over the ground."""

from typing import Final

import numpy as np

from .clip import Clip
from .roles import is_quadruped
from .skeleton import Skeleton

ADULT_LEG_LENGTH_M: Final = 0.84
"""Mean length of thigh and shin together of an adult."""
TOE_JOINT_HEIGHT_M: Final = 0.035
"""Height of an adult's toe joint (the ball) over the ground in standing: the median of the CMU clips."""
ANKLE_JOINT_HEIGHT_M: Final = 0.072
"""Height of an adult's ankle joint over the ground in standing: the median of the CMU clips."""
PLAUSIBLE_LEG_LENGTHS_M: Final = (0.2, 3.0)
"""Shortest and longest plausible legs; outside this range, the unit is probably wrong."""
WALKING_LEG_LENGTHS_M: Final = (0.02, 10.0)
"""Shortest and longest legs of characters that walk; outside this range, the unit is wrong."""


def body_scale(clip: Clip) -> float:
    """Return the body's size relative to an adult's, by its (hind) leg length; 1 for a body without legs."""
    roles = clip.skeleton.roles
    bones = [roles[role] for side in "LR" for role in (f"shin.{side}", f"foot.{side}") if role in roles]
    length = float(np.linalg.norm(clip.skeleton.offsets[bones], axis=-1).sum() / 2)
    return length / ADULT_LEG_LENGTH_M if length > 1e-6 else 1.0


def leg_length(skeleton: Skeleton) -> float:
    """Return the mean length of thigh and shin together, meters; a shin without a foot joint ends at its tip.

    Use :attr:`.skeleton.Skeleton.leg_length` for a quadruped, whose legs are bent when it stands.
    """
    if is_quadruped(skeleton.roles):
        return skeleton.leg_length
    total = 0.0
    for side in "LR":
        shin = skeleton.joint(f"shin.{side}")
        foot = skeleton.roles.get(f"foot.{side}")
        ends = (skeleton.offsets[shin], skeleton.tips[shin] if foot is None else skeleton.offsets[foot])
        total += sum(float(np.linalg.norm(end)) for end in ends)
    return total / 2


def scale_between(source: Skeleton, target: Skeleton) -> float:
    """Return the factor that scales motion from one skeleton to the other: the ratio of their leg lengths."""
    return leg_length(target) / leg_length(source)


def has_toes(skeleton: Skeleton) -> bool:
    """Return whether both feet have a toe joint, which marks the ball."""
    return all(f"toe.{side}" in skeleton.roles for side in "LR")
