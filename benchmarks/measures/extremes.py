"""Extremes of a clip from its first frame to its last: largest moves, joint speeds, lean, sink and shaking."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from ...core.evaluation.motion_detail import SINK_SMOOTHING_S, body_joints, joint_speeds
from ...core.evaluation.posture import trunk_lean
from ...core.motion import Clip
from ...core.motion.rotations import Array
from ...core.motion.signals import low_pass

MOVE_RATE_HZ: Final = 60.0
"""Frame rate of the largest moves."""
MOVE_ROLES: Final = ("hips", "head", "hand.L", "hand.R", "foot.L", "foot.R")
"""Roles of the joints whose moves are measured."""
SHAKING_ROLES: Final = ("hips", "head")
"""Roles of the joints whose shaking is measured."""
SHAKING_CUTOFF_HZ: Final = 6.0
"""Frequency above which motion is shaking: people step and swing below it."""
SHAKING_WINDOW_S: Final = 1.0
"""Averaging window of the power of motion."""
MIN_MOTION_M_S: Final = 0.05
"""Speed below which a joint counts as resting: its noise is not shaking."""


@dataclass(frozen=True, slots=True)
class Extreme:
    """A largest value.

    Attributes:
        value: value in the measure's unit.
        frame: its frame, counted from the clip's first.
        role: role of its joint.
    """

    value: float
    frame: int
    role: str


def largest_moves(clip: Clip) -> dict[str, Extreme]:
    """Return the largest move per frame of 1/60 s, cm, of each available joint of :data:`MOVE_ROLES`.

    The frame is the one after the move.
    """
    found = {}
    for role in MOVE_ROLES:
        if role in clip.skeleton.roles and len(clip) > 1:
            steps = np.linalg.norm(np.diff(clip.positions[:, clip.skeleton.roles[role]], axis=0), axis=-1)
            frame = int(np.argmax(steps))
            found[role] = Extreme(100 * float(steps[frame]) * clip.rate / MOVE_RATE_HZ, frame + 1, role)
    return found


def largest_joint_speed(clip: Clip) -> Extreme:
    """Return the largest rotation speed of a joint, rad/s, with the frame after the move."""
    return _largest(joint_speeds(clip), clip)


def joint_speed_percentile(clip: Clip, percent: float = 99.0) -> float:
    """Return a percentile of the joints' rotation speeds, rad/s, over all frames and joints."""
    speeds = joint_speeds(clip)
    return float(np.percentile(speeds, percent)) if speeds.size else 0.0


def joint_accelerations(clip: Clip) -> Array:
    """Return the changes of the joints' rotation speeds (F - 2, B), rad/s^2."""
    return np.abs(np.diff(joint_speeds(clip), axis=0)) * clip.rate


def largest_joint_acceleration(clip: Clip) -> Extreme:
    """Return the largest change of a joint's rotation speed, rad/s^2."""
    return _largest(joint_accelerations(clip), clip, 2)


def largest_lean(clip: Clip) -> Extreme:
    """Return the largest angle of the line from hips to neck from the vertical, degrees."""
    lean = trunk_lean(clip)
    frame = int(np.argmax(lean))
    return Extreme(float(lean[frame]), frame, "neck")


def deepest_sink(clip: Clip, usual_height: float | None = None) -> Extreme:
    """Return the largest sink of the hips below their usual height, cm.

    Args:
        clip: the motion, on level ground.
        usual_height: height of the hips, meters; their median over the clip by default.
    """
    heights = clip.positions[:, clip.skeleton.joint("hips"), 2]
    heights = scipy.ndimage.gaussian_filter1d(heights, SINK_SMOOTHING_S * clip.rate, mode="nearest")
    usual = float(np.median(heights)) if usual_height is None else usual_height
    frame = int(np.argmin(heights))
    return Extreme(100 * (usual - float(heights[frame])), frame, "hips")


def worst_shaking(clip: Clip) -> Extreme:
    """Return the largest share of the motion power of hips or head above 6 Hz, over any second.

    Power is that of the velocity; the frame is the middle of the second.
    """
    found = []
    for role in SHAKING_ROLES:
        if role in clip.skeleton.roles and len(clip) > 1:
            velocity = np.gradient(clip.positions[:, clip.skeleton.roles[role]], 1 / clip.rate, axis=0)
            fast = velocity - low_pass(velocity, clip.rate, SHAKING_CUTOFF_HZ)
            fast_power, power = (_power(values, clip.rate) for values in (fast, velocity))
            shares = fast_power / np.maximum(power, MIN_MOTION_M_S**2)
            frame = int(np.argmax(shares))
            found.append(Extreme(float(shares[frame]), frame, role))
    return max(found, key=lambda extreme: extreme.value, default=Extreme(0.0, 0, "hips"))


def _power(velocity: Array, rate: float) -> Array:
    """Return the mean square (F) of velocities (F, 3), m/s, over the second around each frame."""
    squares = np.sum(velocity**2, axis=-1)
    return scipy.ndimage.uniform_filter1d(squares, max(round(SHAKING_WINDOW_S * rate), 1), mode="nearest")


def _largest(values: Array, clip: Clip, first: int = 1) -> Extreme:
    """Return the largest of values (N, B) of the body's joints, with the first row at frame ``first``."""
    joints = body_joints(clip)
    if not values.size:
        return Extreme(0.0, 0, "hips")
    frame, column = np.unravel_index(np.argmax(values), values.shape)
    roles = {joint: role for role, joint in clip.skeleton.roles.items()}
    return Extreme(float(values[frame, column]), int(frame) + first, roles[joints[column]])
