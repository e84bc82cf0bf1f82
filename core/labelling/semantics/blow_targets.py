"""Targets of blows, recovered from the motion: where the end effector is at the apex (Freda 2018, section 3)."""

from collections.abc import Sequence

from ...motion import Clip
from ...motion.rotations import Array
from .blows import Blow


def blow_targets(clip: Clip, blows: Sequence[Blow]) -> Array:
    """Return the points (B, 3) that the end effectors reach at the apexes of some blows, world, meters."""
    joints = [clip.skeleton.joint(blow.effector) for blow in blows]
    return clip.positions[[blow.apex for blow in blows], joints].reshape(-1, 3)
