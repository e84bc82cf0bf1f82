"""Targets of blows: where the striking hand or foot is at each blow's apex (Freda 2018, section 3)."""

from collections.abc import Sequence

from ...motion import Clip
from ...motion.rotations import Array
from .blows import Blow


def blow_targets(clip: Clip, blows: Sequence[Blow]) -> Array:
    """Return the position (B, 3), meters, world, of each blow's end effector at its apex."""
    joints = [clip.skeleton.joint(blow.effector) for blow in blows]
    return clip.positions[[blow.apex for blow in blows], joints].reshape(-1, 3)
