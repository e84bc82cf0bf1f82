"""Evaluation of networks in training by closed-loop roll-outs, since the loss does not predict how they walk.

A network with a low loss may tremble, freeze or explode when it runs on its own poses: dropout and noise raise the loss
and make the loop stable. So a controller is made of the network, walks a fixed course of a minute on level ground, and
is measured against its own clips.
"""

import math
import time
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...core.control.path.path import Path
from ...core.control.walk.path_walk import PathWalk
from ...core.errors import FootfallError
from ...core.evaluation import course_points
from ...core.evaluation.feet import skate_speeds
from ...core.evaluation.path_error import cross_track_error
from ...core.evaluation.report import SETTLING_S
from ...core.features.locomotion import pose_rotations
from ...core.models.model_file import ControllerModel
from ...core.models.network import Float32
from ...core.motion.contacts import CONTACT_THRESHOLD
from ...core.motion.roles import FOOT_CONTACTS
from ...core.motion.root_frame import out_of_frame
from ...core.motion.rotations import Array, inverse, log, multiply
from ..data.dataset import Dataset

COURSE_NAMES: Final = ("straight", "wave", "square", "circle")
"""Courses that are walked one after the other, a minute in all."""
COURSE_SPEED_M_S: Final = 1.2
"""Speed on the course if the clips have such walks."""
REQUIRED_GAITS: Final = frozenset({"stand", "walk", "run"})
"""Gaits that a network must have for roll-outs."""

BLOCK_FRAMES: Final = 60
"""Consecutive frames that are read from the clips at once."""
MAX_SAMPLED_FRAMES: Final = 20_000
"""Frames that are read from the clips in all, about."""
COMPARABLE_SPEED_RATIOS: Final = (0.7, 1.3)
"""Ratios to the course speed within which frames of clips are compared with a roll-out."""
MOVING_SPEED_M_S: Final = 0.4
"""Root speed above which the character counts as moving."""
EXPLODED_RATIO: Final = 1.5
"""Ratio to the clips' largest joint distance and speed above which a pose counts as exploded."""
DIED_OUT_WINDOW_S: Final = 2.0
"""Seconds without motion after which a walk counts as died out."""
NO_MOTION_RATIO: Final = 0.25
"""Ratio to the usual motion below which the character does not move."""
CHECK_INTERVAL_FRAMES: Final = 300
"""Frames between two checks for an early end."""


@dataclass(frozen=True, slots=True)
class ReferenceMotion:
    """Usual motion in the clips.

    Attributes:
        speed: speed of the course, m/s.
        foot_skate: mean horizontal speed of the feet's joints in contact while moving, m/s; 0 if unknown.
        joint_rotation_speed: mean rotation speed of the joints in the root frame while moving at about that speed,
            rad/s.
        max_joint_distance, max_joint_speed: largest distance of a joint from the root, m, and largest joint speed, m/s.
    """

    speed: float
    foot_skate: float
    joint_rotation_speed: float
    max_joint_distance: float
    max_joint_speed: float

    @staticmethod
    def of(dataset: Dataset) -> "ReferenceMotion":
        """Measure the training split, on up to :data:`MAX_SAMPLED_FRAMES` evenly spaced frames."""
        blocks = _sample_output_blocks(dataset)
        layout, y = dataset.output_layout, np.concatenate(blocks)
        speeds = np.linalg.norm(layout.view(y, "root.velocity"), axis=-1)
        going = speeds > MOVING_SPEED_M_S
        common = going & (np.abs(speeds / COURSE_SPEED_M_S - 1.0) < COMPARABLE_SPEED_RATIOS[1] - 1.0)
        speed = COURSE_SPEED_M_S if common.sum() > 0.1 * going.sum() else float(np.median(speeds[going]))
        chosen = going & (speeds > COMPARABLE_SPEED_RATIOS[0] * speed) & (speeds < COMPARABLE_SPEED_RATIOS[1] * speed)
        turning = np.concatenate([_mean_joint_rotation_speed(block, dataset) for block in blocks])
        feet = _foot_joints(dataset)
        sliding = np.linalg.norm(layout.view(y, "pose.velocity")[:, feet, :2], axis=-1)
        sliding = sliding[(layout.view(y, "contact")[:, : len(feet)] > CONTACT_THRESHOLD) & chosen[:, None]]
        return ReferenceMotion(
            speed,
            float(sliding.mean()) if sliding.size else 0.0,
            float(turning[chosen].mean()),
            float(np.linalg.norm(layout.view(y, "pose.position"), axis=-1).max()),
            float(np.linalg.norm(layout.view(y, "pose.velocity"), axis=-1).max()),
        )


@dataclass(frozen=True, slots=True)
class Rollout:
    """Measures of a roll-out.

    Attributes:
        score: see :func:`rollout_score`.
        path_error_cm: mean distance of the root from the course, without the first second.
        skate_cm_s: mean horizontal speed of the feet's joints in the network's own contacts while moving, before any
            foot lock.
        liveliness: mean joint rotation speed as a ratio of that in the clips; 1 is as lively as the clips.
        alive_s: duration of the walk.
        ended: ``"arrived"``, ``"died out"`` (no motion while commanded to move) or ``"exploded"`` (an impossible pose).
    """

    score: float
    path_error_cm: float | None
    skate_cm_s: float | None
    liveliness: float | None
    alive_s: float
    ended: str

    def to_json(self) -> dict[str, Any]:
        """Return plain data for reports."""
        return {name: round(value, 4) if isinstance(value, float) else value for name, value in asdict(self).items()}

    def __str__(self) -> str:
        path, skating, lively = (
            "-" if value is None else f"{value:.{digits}f}"
            for value, digits in ((self.path_error_cm, 1), (self.skate_cm_s, 0), (self.liveliness, 2))
        )
        return (
            f"score {self.score:.2f}, path error {path} cm, skate {skating} cm/s, liveliness {lively}, "
            f"{self.ended} after {self.alive_s:.0f} s"
        )


def rollout_score(alive_share: float, path_error_cm: float, skate_ratio: float, liveliness: float) -> float:
    """Return the quality of a roll-out, 0 to 1: the share of the course survived, less penalties.

    A path error of 1 cm costs 10 %, and so do feet that slide a tenth more than in the clips, and joints that rotate a
    tenth more (trembling) or less (stiffness).

    Args:
        alive_share: share of the course.
        path_error_cm: mean distance from the course.
        skate_ratio: foot skate as a ratio of that in the clips.
        liveliness: joint rotation speed as a ratio of that in the clips.
    """
    if not liveliness > 0.0:
        return 0.0
    return alive_share * math.exp(-path_error_cm / 10.0) / max(skate_ratio, 1.0) * min(liveliness, 1.0 / liveliness)


class RolloutEvaluator:
    """Roll-outs of networks that learn from one data set.

    Attributes:
        last_rollout_s: seconds that the last roll-out took.
        total_rollouts_s: seconds of all roll-outs; the trainer resets it at each stage.
    """

    def __init__(self, dataset: Dataset, style: str = "") -> None:
        self._dataset, self._style, self.reference = dataset, style, ReferenceMotion.of(dataset)
        self.course_points = _course_points(self.reference.speed / COURSE_SPEED_M_S)
        self.last_rollout_s = self.total_rollouts_s = 0.0

    @staticmethod
    def for_dataset(dataset: Dataset, style: str = "") -> "RolloutEvaluator | None":
        """Return an evaluator in the style of the data set's clips, if any; ``None`` if a required gait is missing."""
        return RolloutEvaluator(dataset, style) if set(dataset.gaits) >= REQUIRED_GAITS else None

    def evaluate(self, model: ControllerModel) -> Rollout:
        """Walk the course with a controller of the data set; the result is deterministic."""
        began = time.monotonic()
        with np.errstate(all="ignore"):
            result = self._roll_out(model)
        self.last_rollout_s = time.monotonic() - began
        self.total_rollouts_s += self.last_rollout_s
        return result

    def _roll_out(self, model: ControllerModel) -> Rollout:
        """Walk the course and measure it."""
        walk = PathWalk(model, Path(self.course_points), self.reference.speed, style=self._style)
        planned, ended = walk.total_frames, None
        try:
            while ended is None and walk.advance(CHECK_INTERVAL_FRAMES):
                ended = self._find_end(walk)
            ended = ended or self._find_end(walk)
        except (ArithmeticError, IndexError, ValueError, FootfallError):  # NaN or infinity
            ended = self._find_end(walk)
        lived, how = ended or (walk.frames_done, "arrived")
        return self._measure(walk, lived, 1.0 if ended is None else min(lived / planned, 1.0), how)

    def _find_end(self, walk: PathWalk) -> tuple[int, str] | None:
        """Return the frame at which the walk failed, and how; ``None`` if it goes on."""
        followed, layout = walk.trace, self._dataset.output_layout
        outputs, usual = followed.frames.output, self.reference
        farthest = np.linalg.norm(layout.view(outputs, "pose.position"), axis=-1).max(axis=-1)
        fastest = np.linalg.norm(layout.view(outputs, "pose.velocity"), axis=-1).max(axis=-1)
        plausible = (farthest < EXPLODED_RATIO * usual.max_joint_distance) & (
            fastest < EXPLODED_RATIO * usual.max_joint_speed
        )  # False for NaN
        if not plausible.all():
            return int(np.argmin(plausible)), "exploded"
        window = round(DIED_OUT_WINDOW_S * self._dataset.rate)
        if len(outputs) < window:
            return None
        going = followed.gaits[:, self._dataset.gaits.index("stand")] < 0.5
        travel = np.linalg.norm(layout.view(outputs, "root.velocity"), axis=-1)
        turning = _mean_joint_rotation_speed(outputs, self._dataset)
        still = (_moving_average(travel, window) < NO_MOTION_RATIO * usual.speed) | (
            _moving_average(turning, window) < NO_MOTION_RATIO * usual.joint_rotation_speed
        )
        dead = still & (_moving_average(going.astype(float), window) > 1.0 - 0.5 / window)
        return (int(np.argmax(dead)) + window, "died out") if dead.any() else None

    def _measure(self, walk: PathWalk, frames_alive: int, alive_share: float, ending: str) -> Rollout:
        """Measure the frames until the end."""
        rate, usual = self._dataset.rate, self.reference
        settled = round(SETTLING_S * rate)
        if frames_alive < 2 * settled:
            return Rollout(0.0, None, None, None, frames_alive / rate, ending)
        followed, layout = walk.trace, self._dataset.output_layout
        roots, yaws = followed.frames.position[:frames_alive], followed.frames.yaw[:frames_alive]
        outputs, contacts = followed.frames.output[:frames_alive], followed.frames.contacts[:frames_alive]
        path_error = 100.0 * float(cross_track_error(roots[settled:], self.course_points).mean())
        going = np.linalg.norm(layout.view(outputs, "root.velocity"), axis=-1) > MOVING_SPEED_M_S
        liveliness = (
            float(_mean_joint_rotation_speed(outputs, self._dataset)[going].mean()) / usual.joint_rotation_speed
            if going.any()
            else 0.0
        )
        feet = _foot_joints(self._dataset)
        places = out_of_frame(layout.view(outputs, "pose.position")[:, feet].astype(float), yaws[:, None])
        ground = np.column_stack([roots, np.zeros(frames_alive)])
        sliding = skate_speeds(places + ground[:, None], contacts[:, : len(feet)] * going[:, None], rate)
        skating = float(sliding.mean()) if sliding.size else None
        ratio = 1.0 if skating is None or usual.foot_skate == 0.0 else skating / usual.foot_skate
        return Rollout(
            rollout_score(alive_share, path_error, ratio, liveliness),
            path_error,
            None if skating is None else 100.0 * skating,
            liveliness,
            frames_alive / rate,
            ending,
        )


def _course_points(scale: float) -> Array:
    """Return the points (N, 2), m, of all courses in sequence, scaled for another speed."""
    parts, end = [], np.zeros(2)
    for name in COURSE_NAMES:
        parts.append(scale * course_points(name) + end)
        end = parts[-1][-1]
    return np.concatenate([parts[0], *(part[1:] for part in parts[1:])])


def _foot_joints(dataset: Dataset) -> tuple[int, ...]:
    """Return the pose joints of ``FOOT_CONTACTS``, in their order; none if one of them is missing."""
    feet = dataset.task.foot_joints
    return feet if len(feet) == len(FOOT_CONTACTS) else ()


def _sample_output_blocks(dataset: Dataset) -> list[Float32]:
    """Return outputs (up to BLOCK_FRAMES, m) of consecutive frames, evenly spaced over the training split."""
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


def _mean_joint_rotation_speed(outputs: NDArray[np.floating], dataset: Dataset) -> Array:
    """Return the mean rotation speed of the joints in the root frame (F), rad/s; 0 at the first frame."""
    turned = pose_rotations(np.asarray(outputs, dtype=float), dataset.output_layout, dataset.reference_rotations)
    steps = np.linalg.norm(log(multiply(inverse(turned[:-1]), turned[1:])), axis=-1).mean(axis=-1)
    return np.concatenate([[0.0], steps * dataset.rate])


def _moving_average(values: Array, window: int) -> Array:
    """Return the means (F - window + 1) of every ``window`` consecutive values (F)."""
    sums = np.concatenate([[0.0], np.cumsum(values)])
    return (sums[window:] - sums[:-window]) / window
