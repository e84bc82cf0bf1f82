"""Key poses: poses that an animator sets at a frame, with windows of time in which motion blends to and from them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion import Clip, Skeleton
from ...motion.blending import smooth_falloff
from ...motion.rotations import Array, length, turns_between
from ...tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class KeyPoseTuning(Tuning):
    usual_turn: float = tuned(25.0, "rad/s^2", 1.0, 200.0)
    """Angular acceleration of a joint from which :func:`usual_window` derives the length of a window."""
    usual_shift: float = tuned(4.0, "m/s^2", 0.1, 50.0)
    """Acceleration of the root from which :func:`usual_window` derives the length of a window."""
    window_range: tuple[float, float] = tuned((0.25, 1.5), "s", 0.05, 10.0)
    """Shortest and longest result of :func:`usual_window`."""


TUNING: Final = KeyPoseTuning()

FALLOFF_CURVATURE: Final = 5.774
"""Largest second derivative of the quintic falloff from 1 to 0 over a unit of time."""


@dataclass(frozen=True, slots=True, eq=False)
class KeyPose:
    """A pose that a motion passes through.

    Attributes:
        frame: frame of the motion.
        pose: clip of one frame, in the frame of the motion's root at ``frame``: origin on the ground below the hips, +Y
            ahead, meters.
        joints: (J) whether a joint keeps its posed rotation.
        blend_in: duration in which the motion approaches the pose, seconds.
        blend_out: duration in which the motion leaves the pose, seconds.
    """

    frame: int
    pose: Clip
    joints: NDArray[np.bool_]
    blend_in: float
    blend_out: float

    def keeps(self, joint: int) -> bool:
        """Return whether a joint keeps its posed rotation."""
        return bool(self.joints[joint])


def kept_joints(skeleton: Skeleton, chosen: Iterable[int]) -> NDArray[np.bool_]:
    """Return a mask (J) of joints that keep their posed rotation: chosen ones, their ancestors and descendants."""
    result = np.zeros(len(skeleton), dtype=bool)
    for joint in chosen:
        result[joint] = True
    carried = result.copy()
    for joint, parent in enumerate(skeleton.parents[1:], start=1):
        carried[joint] |= carried[parent]
    for joint in reversed(range(1, len(skeleton))):
        result[skeleton.parents[joint]] |= result[joint]
    result[0] = True
    return result | carried


def usual_window(motion: Clip, pose: Clip, joints: NDArray[np.bool_], frame: int) -> float:
    """Return the time, seconds, in which a body can blend into a pose without unusual accelerations.

    Args:
        motion: the motion.
        pose: the pose, one frame, world.
        joints: (J) whether a joint keeps its posed rotation.
        frame: frame of the motion.
    """
    turns = length(turns_between(pose.rotations[0], motion.rotations[frame]))[joints]
    shift = float(length(pose.root_positions[0] - motion.root_positions[frame]))
    needed = max(float(turns.max(initial=0.0)) / TUNING.usual_turn, shift / TUNING.usual_shift)
    return float(np.clip(np.sqrt(FALLOFF_CURVATURE * needed), *TUNING.window_range))


def key_weights(keys: Sequence[KeyPose], count: int, rate: float) -> Array:
    """Return the weights (F, K), 0 to 1, of key poses: 1 at a pose's frame, 0 outside its window and at other poses.

    Args:
        keys: key poses in the order of their frames.
        count: number of frames, F.
        rate: frames per second.
    """
    frames = np.arange(count)
    result = np.zeros((count, len(keys)))
    for column, key in enumerate(keys):
        earlier = key.frame - keys[column - 1].frame if column else np.inf
        later = keys[column + 1].frame - key.frame if column + 1 < len(keys) else np.inf
        before = max(min(key.blend_in * rate, earlier), 1.0)
        after = max(min(key.blend_out * rate, later), 1.0)
        away = np.where(frames < key.frame, (key.frame - frames) / before, (frames - key.frame) / after)
        result[:, column] = smooth_falloff(away)
    return result
