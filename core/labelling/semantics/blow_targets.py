"""Targets of blows, recovered from the motion: the end effector's places at the apexes (Freda 2018, section 3)."""

from collections.abc import Sequence

from ...motion import Clip
from ...motion.rotations import Array
from .blows import Blow


def blow_targets(clip: Clip, blows: Sequence[Blow]) -> Array:
    """Return the points (B, 3), meters, world, at which the end effectors of blows are at the apexes."""
    joints = [clip.skeleton.joint(blow.effector) for blow in blows]
    return clip.positions[[blow.apex for blow in blows], joints].reshape(-1, 3)
