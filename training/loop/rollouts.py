"""Evaluation of networks in training by roll-outs, since the loss does not predict how well they walk.

A network with a low loss may tremble, freeze or explode when it runs on its own poses, while dropout and noise raise
the loss but stabilize roll-outs. Therefore a controller with the network does all judged walks in one batch, without
foot lock, and is compared with human motion and with its own clips.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

import numpy as np

from ...core.control.walk.path_walk import WalkRollout, batch_walks
from ...core.errors import FootfallError
from ...core.evaluation.feet import skate_speeds
from ...core.evaluation.path_error import cross_track_error
from ...core.evaluation.report import SETTLING_S
from ...core.evaluation.response import sustained_speed
from ...core.evaluation.usual_ranges import UsualRange
from ...core.features.phase_system import system_parts
from ...core.models.model_file import ControllerModel
from ...core.motion import Skeleton
from ...core.motion.root_frame import out_of_frame
from ...core.motion.rotations import Array
from ..data.dataset import Dataset
from .judged_walks import JudgedWalk, judged_walks, merge_closeness
from .reference_motion import MOVING_SPEED_M_S, ReferenceMotion, foot_joints, mean_joint_rotation_speed

REQUIRED_GAITS: Final = frozenset({"stand", "walk", "run"})
"""Gaits that a network must have for roll-outs, by name; its clips need not show them."""
EXPLODED_RATIO: Final = 1.5
"""Multiple of the clips' largest joint distance and speed above which a pose counts as exploded."""
DIED_OUT_WINDOW_S: Final = 2.0
"""Time without motion after which a walk counts as stopped."""
NO_MOTION_RATIO: Final = 0.25
"""Share of the usual motion below which the character counts as not moving."""
CHECK_INTERVAL_FRAMES: Final = 120
"""Frames between two checks for an early end."""
ENDINGS: Final = ("arrived", "stopped moving", "exploded")
"""Endings of a walk, from best to worst."""
USUAL_LIVELINESS: Final = (0.7, 1.25)
"""Range of joint rotation speeds without penalty, as ratios of those in the clips."""
FOLLOWING_RANGES: Final[Mapping[str, UsualRange]] = {
    "path_error_cm": UsualRange("cm", 0.0, 3.0, 6.0),
    "speed_ratio": UsualRange("1", 0.93, 1.07, 0.15),
    "skate_ratio": UsualRange("1", 0.0, 1.2, 1.0),
}
"""Acceptable ranges of path error, of speed relative to the command, and of foot sliding relative to the clips."""


@dataclass(frozen=True, slots=True)
class Rollout:
    """Results of the judged walks of a network.

    Attributes:
        score: quality, 0 to 1: closeness times survived share, reduced for trembling or stiff motion.
        closeness: mean closeness to human motion over all measures, 0 to 1.
        path_error_cm: mean distance of the root from the paths, cm, excluding the first second.
        skate_cm_s: mean horizontal speed, cm/s, of foot joints during the network's own contacts while moving, without
            foot lock.
        liveliness: ratio of the mean joint rotation speed to that in the clips.
        alive_s: mean time until a walk ended or failed, s.
        ended: the worst ending of a walk: ``"arrived"``, ``"stopped moving"`` (no motion while commanded to move) or
            ``"exploded"`` (an impossible pose).
        measures: closeness by measure; not part of reports.
    """

    score: float
    closeness: float
    path_error_cm: float | None
    skate_cm_s: float | None
    liveliness: float | None
    alive_s: float
    ended: str
    measures: Mapping[str, float] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the roll-out's results as plain data for reports."""
        values = asdict(self)
        del values["measures"]
        return {name: round(value, 4) if isinstance(value, float) else value for name, value in values.items()}

    def __str__(self) -> str:
        path, skating, lively = (
            "-" if value is None else f"{value:.{digits}f}"
            for value, digits in ((self.path_error_cm, 1), (self.skate_cm_s, 0), (self.liveliness, 2))
        )
        farthest = sorted((value, name) for name, value in self.measures.items() if value < 0.995)[:3]
        least = "".join(f", {name} {value:.2f}" for value, name in farthest)
        return (
            f"score {self.score:.2f}, closeness {self.closeness:.2f}, path error {path} cm, skate {skating} cm/s, "
            f"liveliness {lively}, {self.ended} after {self.alive_s:.0f} s{least}"
        )


@dataclass(frozen=True, slots=True)
class _WalkResult:
    """Measures of one walk; ``None`` where unknown."""

    alive_share: float
    alive_s: float
    ended: str
    closeness: dict[str, float]
    path_error_cm: float | None = None
    skate_cm_s: float | None = None
    liveliness: float | None = None


def rollout_score(alive_share: float, liveliness: float, closeness: float) -> float:
    """Return the score of a roll-out, 0 to 1.

    It is the mean closeness to human motion, times the survived share of the walks, reduced if joints rotate much more
    than in the clips (trembling) or much less (stiffness).

    Args:
        alive_share: share of the walks' time, 0 to 1, before they failed.
        liveliness: ratio of the joint rotation speed to that in the clips.
        closeness: mean closeness to human motion over all measures.
    """
    if not liveliness > 0.0:
        return 0.0
    low, high = USUAL_LIVELINESS
    return alive_share * min(1.0, liveliness / low, high / liveliness) * closeness


class RolloutEvaluator:
    """Evaluator of networks of one data set by roll-outs of the judged walks.

    Attributes:
        reference: usual motion in the clips.
        last_rollout_s: computing time of the last roll-out, s.
        total_rollouts_s: computing time of all roll-outs, s; the trainer resets it at each stage.
    """

    def __init__(self, reference: ReferenceMotion, skeleton: Skeleton, style: str = "") -> None:
        self._style, self.reference = style, reference
        self.walks = judged_walks(reference, skeleton, has_style=bool(style))
        self.last_rollout_s = self.total_rollouts_s = 0.0

    @staticmethod
    def for_dataset(dataset: Dataset, style: str = "") -> "RolloutEvaluator | None":
        """Return an evaluator for networks of a data set, whose walks are in a style unless it is empty.

        The result is ``None`` if a required gait is missing, nothing moves in the clips, or the controller needs more
        than a path, such as a partner.
        """
        if not set(dataset.gaits) >= REQUIRED_GAITS or "opponent" in system_parts(dataset.input_layout):
            return None
        reference = ReferenceMotion.of(dataset)
        return RolloutEvaluator(reference, dataset.skeleton, style) if reference.paces else None

    def evaluate(self, model: ControllerModel) -> Rollout:
        """Return the results of a controller in the judged walks; equal controllers get equal results."""
        began = time.monotonic()
        with np.errstate(all="ignore"):
            result = _combine(self._roll_out(model))
        self.last_rollout_s = time.monotonic() - began
        self.total_rollouts_s += self.last_rollout_s
        return result

    def _roll_out(self, model: ControllerModel) -> list[_WalkResult]:
        """Let the controller do all walks in one batch, and measure each."""
        rollouts = [walk.begin(model, self._style) for walk in self.walks]
        planned = [rollout.total_frames for rollout in rollouts]
        batch_walks(rollouts)
        ends: list[tuple[int, str] | None] = [None] * len(rollouts)
        try:
            while None in ends and rollouts[0].advance(CHECK_INTERVAL_FRAMES):
                ends = self._find_ends(rollouts, ends)
        except (ArithmeticError, IndexError, ValueError, FootfallError):  # NaN or infinity
            pass
        ends = self._find_ends(rollouts, ends)
        return [self._measure(*each) for each in zip(self.walks, rollouts, planned, ends, strict=True)]

    def _find_ends(
        self, rollouts: Sequence[WalkRollout], known: Sequence[tuple[int, str] | None]
    ) -> list[tuple[int, str] | None]:
        """Return the frame and kind of failure of each walk; ``None`` for walks that have not failed."""
        return [
            end or self._find_end(walk, rollout) for walk, rollout, end in zip(self.walks, rollouts, known, strict=True)
        ]

    def _find_end(self, judged: JudgedWalk, rollout: WalkRollout) -> tuple[int, str] | None:
        """Return the frame and kind of a walk's failure; ``None`` if it has not failed."""
        model, usual, followed = rollout.model, self.reference, rollout.trace
        layout = model.output_layout
        outputs = followed.frames.output
        if not len(outputs):
            return 0, "exploded"
        farthest = np.linalg.norm(layout.view(outputs, "pose.position"), axis=-1).max(axis=-1)
        fastest = np.linalg.norm(layout.view(outputs, "pose.velocity"), axis=-1).max(axis=-1)
        plausible = (farthest < EXPLODED_RATIO * usual.max_joint_distance) & (
            fastest < EXPLODED_RATIO * usual.max_joint_speed
        )  # False for NaN
        if not plausible.all():
            return int(np.argmin(plausible)), "exploded"
        window = round(DIED_OUT_WINDOW_S * model.rate)
        if len(outputs) < window:
            return None
        going = followed.gaits[:, model.gaits.index("stand")] < 0.5
        travel = np.linalg.norm(layout.view(outputs, "root.velocity"), axis=-1)
        turning = mean_joint_rotation_speed(outputs, model)
        still = (_moving_average(travel, window) < NO_MOTION_RATIO * judged.pace.speed) | (
            _moving_average(turning, window) < NO_MOTION_RATIO * judged.pace.joint_rotation_speed
        )
        dead = still & (_moving_average(going.astype(float), window) > 1.0 - 0.5 / window)
        return (int(np.argmax(dead)) + window, "stopped moving") if dead.any() else None

    def _measure(
        self, judged: JudgedWalk, rollout: WalkRollout, planned: int, end: tuple[int, str] | None
    ) -> _WalkResult:
        """Measure the frames of a walk until it ends."""
        model, pace, followed = rollout.model, judged.pace, rollout.trace
        rate, layout = model.rate, model.output_layout
        alive, ending = end or (len(followed.frames.output), "arrived")
        settled = round(SETTLING_S * rate)
        if alive < 2 * settled:
            nothing = dict.fromkeys((*judged.measures, *FOLLOWING_RANGES), 0.0)
            return _WalkResult(0.0, alive / rate, ending, nothing)
        roots, yaws = followed.frames.position[:alive], followed.frames.yaw[:alive]
        outputs, contacts = followed.frames.output[:alive], followed.frames.contacts[:alive]
        path_error = 100.0 * float(cross_track_error(roots[settled:], judged.points).mean())
        going = np.linalg.norm(layout.view(outputs, "root.velocity"), axis=-1) > MOVING_SPEED_M_S
        turning = mean_joint_rotation_speed(outputs, model)[going]
        feet = foot_joints(model)
        places = out_of_frame(layout.view(outputs, "pose.position")[:, feet].astype(float), yaws[:, None])
        ground = np.column_stack([roots, np.zeros(alive)])
        sliding = skate_speeds(places + ground[:, None], contacts[:, : len(feet)] * going[:, None], rate)
        following = {
            "path_error_cm": path_error,
            "skate_ratio": float(sliding.mean()) / pace.foot_skate if sliding.size and pace.foot_skate else 1.0,
        }
        if judged.is_steady:
            following["speed_ratio"] = sustained_speed(roots, rate, pace.speed) / pace.speed
        near = {name: FOLLOWING_RANGES[name].closeness(value) for name, value in following.items()}
        likeness = (
            dict.fromkeys(judged.measures, 0.0)
            if ending == "exploded"
            else judged.closeness(rollout.decode_walk().cut(0, alive))
        )
        return _WalkResult(
            1.0 if end is None else min(alive / planned, 1.0),
            alive / rate,
            ending,
            near | likeness,
            path_error,
            100.0 * float(sliding.mean()) if sliding.size else None,
            float(turning.mean()) / pace.joint_rotation_speed if going.any() else 0.0,
        )


def _combine(walks: Sequence[_WalkResult]) -> Rollout:
    """Combine the measures of all walks: their means, and the worst ending."""
    measures = merge_closeness([walk.closeness for walk in walks])
    closeness = float(np.mean(list(measures.values())))
    lively = _known_mean([walk.liveliness for walk in walks])
    alive_share = float(np.mean([walk.alive_share for walk in walks]))
    return Rollout(
        rollout_score(alive_share, lively or 0.0, closeness),
        closeness,
        _known_mean([walk.path_error_cm for walk in walks]),
        _known_mean([walk.skate_cm_s for walk in walks]),
        lively,
        float(np.mean([walk.alive_s for walk in walks])),
        max((walk.ended for walk in walks), key=ENDINGS.index),
        measures,
    )


def _known_mean(values: Sequence[float | None]) -> float | None:
    """Return the mean of the values that are not ``None``; ``None`` if there are none."""
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None


def _moving_average(values: Array, window: int) -> Array:
    """Return the means (F - window + 1) of every ``window`` consecutive values (F)."""
    sums = np.concatenate([[0.0], np.cumsum(values)])
    return (sums[window:] - sums[:-window]) / window
