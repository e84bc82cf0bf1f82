"""Targets of blows, recovered from the motion: where the end effector is at the apex (Freda 2018, section 3)."""

from collections.abc import Sequence

import numpy as np

from ...motion import Clip
from ...motion.root_frame import into_frame, root_track
from ...motion.rotations import Array
from .blows import Blow


def blow_targets(clip: Clip, blows: Sequence[Blow]) -> Array:
    """Return the points (B, 3) that the end effectors reach at the apexes of some blows, world, meters."""
    joints = [clip.skeleton.joint(blow.effector) for blow in blows]
    return clip.positions[[blow.apex for blow in blows], joints].reshape(-1, 3)


def blow_targets_from_root(clip: Clip, blows: Sequence[Blow], frames: Sequence[int] | None = None) -> Array:
    """Return the targets (B, 3) of some blows in the character's root frame, meters; heights are the world's.

    Args:
        clip: the motion.
        blows: its blows.
        frames: (B) frames of the roots; the blows' first frames if not given.

    Raises:
        FootfallError: the skeleton has no hips or thighs.
    """
    track = root_track(clip)
    at = np.array([blow.start for blow in blows] if frames is None else frames, dtype=np.intp)
    away = blow_targets(clip, blows)
    away[:, :2] -= track.positions[at]
    return into_frame(away, track.yaws[at])
