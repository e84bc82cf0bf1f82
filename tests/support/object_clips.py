"""Walkers whose arms hold an object or push a door."""

from dataclasses import replace

import numpy as np

from footfall.core.motion import Clip
from footfall.core.motion.rotations import Array, from_axis_angle, rotation_about_up
from footfall.tests.support.walker import Walker


def with_joint_rotations(clip: Clip, joint: str, rotations: Array) -> Clip:
    """Return the clip with a joint's local rotations replaced by (4) or (F, 4)."""
    result = clip.rotations.copy()
    result[:, clip.skeleton.names.index(joint)] = rotations
    return replace(clip, rotations=result)


def carrying_clip(start_s: float = 1.0, stop_s: float = 2.0) -> Clip:
    """Return a walk of 3 s along a curve whose hands keep their distance from one time to another, else spread."""
    clip = Walker(seconds=3.0, turn=0.6).clip()
    times = np.arange(len(clip)) / clip.rate
    spread = np.clip(np.maximum(start_s - times, times - stop_s) / 0.3, 0.0, 1.0)
    for joint, sign in (("lhumerus", 1), ("rhumerus", -1)):
        clip = with_joint_rotations(clip, joint, from_axis_angle([0.0, 1.0, 0.0], sign * (1.3 - 0.7 * spread)))
    return clip


def opening_clip(side: str) -> Clip:
    """Return a walk with the arm of one side held out ahead."""
    sign = 1 if side == "L" else -1
    return with_joint_rotations(
        Walker(seconds=1.0, heading=0.5).clip(), f"{side.lower()}humerus", rotation_about_up(-sign * np.pi / 2)
    )
