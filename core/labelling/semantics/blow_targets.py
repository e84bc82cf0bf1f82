"""Targets of blows: where the striking hand or foot is at each blow's apex (Freda 2018, section 3)."""

from collections.abc import Sequence

from ...motion import Clip
from ...motion.rotations import Array
from .blows import Blow


def blow_targets(clip: Clip, blows: Sequence[Blow]) -> Array:
    """Return the positions (B, 3), meters, world, of the end effector of each of B blows at its apex."""
    joints = [clip.skeleton.joint(blow.effector) for blow in blows]
    return clip.positions[[blow.apex for blow in blows], joints].reshape(-1, 3)
