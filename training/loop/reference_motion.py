"""Reference motion: usual motion in the training clips, by speed."""

from dataclasses import dataclass
from itertools import groupby
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...core.control.walk.plan import SPEED_RANGE_M_S
from ...core.features.locomotion import pose_rotations
from ...core.models.model_file import ControllerModel
from ...core.models.network import Float32
from ...core.motion.contacts import CONTACT_THRESHOLD
from ...core.motion.roles import FOOT_CONTACTS
from ...core.motion.rotations import Array, inverse, log, multiply
from ..data.dataset import Dataset

JUDGED_SPEEDS_M_S: Final = (0.8, 1.2, 2.0, 3.0)
"""Speeds at which networks are evaluated, if the clips have them."""
USUAL_SPEED_M_S: Final = 1.2
"""Speed of stops and turns; the nearest speed of the clips is used."""
BLOCK_FRAMES: Final = 60
"""Number of consecutive frames read from the clips at once."""
MAX_SAMPLED_FRAMES: Final = 20_000
"""Approximate number of frames read from the clips in all."""
SAME_SPEED_SHARE: Final = 0.15
"""Largest relative difference of speed for a frame to count as at a judged speed."""
MIN_SPEED_SHARE: Final = 0.03
"""Least share of moving frames for a speed to count as present in the clips."""
COMPARABLE_SPEED_RATIOS: Final = (0.7, 1.3)
"""Range of speeds, relative to that of a roll-out, of the clip frames with which it is compared."""
MOVING_SPEED_M_S: Final = 0.4
"""Root speed above which the character counts as moving."""
RESTING_SPEED_M_S: Final = 0.1
"""Root speed below which the character counts as standing."""
MIN_STANDING_S: Final = 1.0
"""Least duration of standing in the sampled frames for networks to be judged in standing."""


@dataclass(frozen=True, slots=True)
class PaceMotion:
    """Usual motion of the clips at one speed.

    Attributes:
        speed: speed of the root, m/s.
        foot_skate: mean horizontal speed of foot joints in contact, m/s; 0 if unknown.
        joint_rotation_speed: mean rotation speed of the joints in the root frame, rad/s.
    """

    speed: float
    foot_skate: float
    joint_rotation_speed: float


@dataclass(frozen=True, slots=True)
class ReferenceMotion:
    """Usual motion in the training clips, with which roll-outs are compared.

    Attributes:
        paces: motion at each evaluated speed, from slow to fast; empty for clips without motion.
        stands: whether the clips include standing.
        max_joint_distance, max_joint_speed: largest distance of a joint from the root, m, and largest joint speed, m/s.
    """

    paces: tuple[PaceMotion, ...]
    stands: bool
    max_joint_distance: float
    max_joint_speed: float

    @property
    def usual(self) -> PaceMotion:
        """The usual motion at the speed of judged stops and turns."""
        return min(self.paces, key=lambda pace: abs(pace.speed - USUAL_SPEED_M_S))

    @staticmethod
    def of(dataset: Dataset) -> "ReferenceMotion":
        """Measure the motion of the training split on up to :data:`MAX_SAMPLED_FRAMES` evenly spaced frames."""
        blocks = _sample_output_blocks(dataset)
        layout, y = dataset.output_layout, np.concatenate(blocks)
        speeds = np.linalg.norm(layout.view(y, "root.velocity"), axis=-1)
        turning = np.concatenate([mean_joint_rotation_speed(block, dataset) for block in blocks])
        return ReferenceMotion(
            tuple(_pace_motion(dataset, y, speeds, turning, speed) for speed in _speeds_of(speeds)),
            bool(np.count_nonzero(speeds < RESTING_SPEED_M_S) >= MIN_STANDING_S * dataset.rate),
            float(np.linalg.norm(layout.view(y, "pose.position"), axis=-1).max()),
            float(np.linalg.norm(layout.view(y, "pose.velocity"), axis=-1).max()),
        )


def foot_joints(source: Dataset | ControllerModel) -> tuple[int, ...]:
    """Return the indices of left heel, left toe, right heel and right toe among the pose joints.

    They are in the order of ``FOOT_CONTACTS``; the result is empty if one is missing.
    """
    feet = source.task.foot_joints
    return feet if len(feet) == len(FOOT_CONTACTS) else ()


def mean_joint_rotation_speed(outputs: NDArray[np.floating], source: Dataset | ControllerModel) -> Array:
    """Return the rotation speed (F), rad/s, mean over the joints, in the root's frame; 0 at the first frame.

    ``outputs`` are the outputs y (F, m) of consecutive frames, not normalized, of the network of ``source``.
    """
    turned = pose_rotations(np.asarray(outputs, dtype=float), source.output_layout, source.reference_rotations)
    steps = np.linalg.norm(log(multiply(inverse(turned[:-1]), turned[1:])), axis=-1).mean(axis=-1)
    return np.concatenate([[0.0], steps * source.rate])


def _speeds_of(speeds: Array) -> list[float]:
    """Return the judged speeds, m/s, that enough of the frames' speeds (F) come close to, else the median speed."""
    going = speeds[speeds > MOVING_SPEED_M_S]
    if not len(going):
        return []
    near = {speed: np.mean(np.abs(going / speed - 1.0) < SAME_SPEED_SHARE) for speed in JUDGED_SPEEDS_M_S}
    return [speed for speed, share in near.items() if share >= MIN_SPEED_SHARE] or [
        float(np.clip(np.median(going), *SPEED_RANGE_M_S))
    ]


def _pace_motion(dataset: Dataset, y: Float32, speeds: Array, turning: Array, speed: float) -> PaceMotion:
    """Return the typical motion at a speed, computed from the frames y (F, m) whose speeds are close to it."""
    layout, feet = dataset.output_layout, foot_joints(dataset)
    low, high = (ratio * speed for ratio in COMPARABLE_SPEED_RATIOS)
    chosen = (speeds > max(low, MOVING_SPEED_M_S)) & (speeds < high)
    sliding = np.linalg.norm(layout.view(y, "pose.velocity")[:, feet, :2], axis=-1)
    sliding = sliding[(layout.view(y, "contact")[:, : len(feet)] > CONTACT_THRESHOLD) & chosen[:, None]]
    return PaceMotion(speed, float(sliding.mean()) if sliding.size else 0.0, float(turning[chosen].mean()))


def _sample_output_blocks(dataset: Dataset) -> list[Float32]:
    """Return blocks of outputs (up to BLOCK_FRAMES, m) of consecutive frames, spread evenly over the training split."""
    clips = dataset.clips_in_split("training")
    starts = [
        (number, start, min(start + BLOCK_FRAMES, one.stop))
        for number, clip in enumerate(clips)
        for one in clip.sequences
        for start in range(one.start, one.stop, BLOCK_FRAMES)
    ]
    chosen = starts[:: max(1, len(starts) * BLOCK_FRAMES // MAX_SAMPLED_FRAMES)]
    blocks: list[Float32] = []
    for number, group in groupby(chosen, key=lambda one: one[0]):
        y = dataset.samples(clips[number])[1]
        blocks += [np.array(y[start:stop]) for _, start, stop in group]
    return blocks
