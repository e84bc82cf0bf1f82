"""Key poses: what an animator kept of a frame, and the windows about it in which a motion comes to it and leaves it."""

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
    """Largest angular acceleration of a joint that a window of usual length adds."""
    usual_shift: float = tuned(4.0, "m/s^2", 0.1, 50.0)
    """Largest acceleration of the root that it adds."""
    window_range: tuple[float, float] = tuned((0.25, 1.5), "s", 0.05, 10.0)
    """Shortest and longest window of usual length."""


TUNING: Final = KeyPoseTuning()

FALLOFF_CURVATURE: Final = 5.774
"""Largest second derivative of the quintic falloff over a unit of time."""


@dataclass(frozen=True, slots=True, eq=False)
class KeyPose:
    """A pose that a motion goes through.

    Attributes:
        pose: one frame of the body of the motion, in the frame of the motion's root there: origin on the ground below
            the hips, +Y ahead, meters.
        joints: (J) whether a joint is kept as it is posed.
        blend_in: seconds in which the motion comes to the pose.
        blend_out: seconds in which it leaves the pose.
    """

    frame: int
    pose: Clip
    joints: NDArray[np.bool_]
    blend_in: float
    blend_out: float

    def keeps(self, joint: int) -> bool:
        """Return whether a joint is kept as it is posed."""
        return bool(self.joints[joint])


def kept_joints(skeleton: Skeleton, chosen: Iterable[int]) -> NDArray[np.bool_]:
    """Return the joints (J) that are kept with those that an animator chose: all that they hang on or carry."""
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
    """Return the time in seconds in which a body comes to a pose (one frame, world) no faster than people do.

    Args:
        motion: the motion.
        pose: the pose.
        joints: (J) which of its joints are kept.
        frame: frame of the motion.
    """
    turns = length(turns_between(pose.rotations[0], motion.rotations[frame]))[joints]
    shift = float(length(pose.root_positions[0] - motion.root_positions[frame]))
    needed = max(float(turns.max(initial=0.0)) / TUNING.usual_turn, shift / TUNING.usual_shift)
    return float(np.clip(np.sqrt(FALLOFF_CURVATURE * needed), *TUNING.window_range))


def key_weights(keys: Sequence[KeyPose], count: int, rate: float) -> Array:
    """Return the weight (F, K) of each key pose: 1 at its frame, 0 at those of the others and out of its window.

    Args:
        keys: in the order of their frames.
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
