"""Measures of walks with varied control series: motion detail, diversity, response and path error."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from ..core.control.path.path import Path
from ..core.control.runtime.control_variation import BatchVariation, ControlVariation
from ..core.control.walk.path_walk import ADVANCE_CHUNK_FRAMES, WalkRollout, batch_walks, begin_walk
from ..core.control.walk.plan import WalkRequest
from ..core.evaluation import course_points
from ..core.evaluation.motion_detail import hip_sway, joint_rotation_speed
from ..core.evaluation.path_error import cross_track_error
from ..core.evaluation.report import SETTLING_S
from ..core.evaluation.sharp_courses import sharp_course_points
from ..core.evaluation.speed import moving_frames
from ..core.features.locomotion import ROOT_SMOOTHING_S, pose_features
from ..core.labelling import label_clip
from ..core.models.control_generator import ControlGenerator
from ..core.models.model_file import ControllerModel
from ..core.motion import Clip
from ..core.motion.root_frame import root_track
from ..core.motion.rotations import Array
from ..core.retarget.fit import fit_clip
from .baking import straight
from .free_rollout import RolloutCommands, roll_out_commands, standing_runtime
from .setup import Setup
from .walk_pairs import captured_walks

SPEED_M_S: Final = 1.2
SEEDS: Final = 20
CYCLE_SAMPLES: Final = 32
SPEED_BAND_M_S: Final = 0.1
"""Largest difference from the speed of a captured cycle at that speed."""
STRAIGHT_CYCLE_RAD: Final = 0.2
"""Largest turn within a cycle that counts as straight."""
MIN_CYCLES: Final = 3
"""Least number of an actor's cycles for a spread."""
SQUAT_RATIO: Final = 0.95
"""Height of a head below which a body squats, relative to that of standing."""
SQUAT_SHARE: Final = 0.05
"""Share of the frames above which a walk counts as one with a squat."""
SQUAT_SEEDS: Final = range(1, 7)
SQUAT_MARGIN_FRAMES: Final = 90
"""Frames of standing and starting at both ends to ignore."""
STRAIGHT_M: Final = 8.0
"""Length of the straight walk of each seed, meters."""
PATH_COURSES: Final = ("wave", "square", "circle")
DETAIL_CUTOFF_HZ: Final = 10.0
"""Frequency above which captured rotation is noise of markers and the shock of heels."""
RUN_M_S: Final = 3.2
REACHED: Final = 0.9
LEAD_S, TRIAL_S = 3.0, 4.0


@dataclass(frozen=True, eq=False)
class Variant:
    """A generator and its amount of variation; none for unchanged control."""

    title: str
    generator: ControlGenerator | None = None
    amount: float = 0.0

    def of(self, seed: int) -> ControlVariation | None:
        """Return the variation of a character with a seed."""
        return None if self.generator is None else ControlVariation(self.generator, self.amount, seed)


def varied_walks(
    model: ControllerModel, variant: Variant, courses: Sequence[Array], seeds: Sequence[int]
) -> list[WalkRollout]:
    """Return finished roll-outs of the controller's own performer, each course with each seed, in one batch."""
    walks = [
        begin_walk(
            model,
            WalkRequest(
                Path(points),
                SPEED_M_S,
                seed=seed,
                performer_share=0.0,
                variation=variant.amount,
                generator=variant.generator,
            ),
        )
        for points in courses
        for seed in seeds
    ]
    batch_walks(walks)
    while walks[0].advance(ADVANCE_CHUNK_FRAMES):
        pass
    return walks


@dataclass(frozen=True, slots=True)
class MotionDetail:
    """Liveliness of straight walks.

    Attributes:
        full: mean rotation speed of joints, rad/s.
        slow: the same below :data:`DETAIL_CUTOFF_HZ`, rad/s.
        hip_sway: meters.
    """

    full: float
    slow: float
    hip_sway: float

    @staticmethod
    def of(clips: Sequence[Clip]) -> "MotionDetail":
        """Return the means over clips; without those too short for a sway."""
        full, slow, sways = list[float](), list[float](), list[float]()
        for clip in clips:
            roots = clip.positions[:, clip.skeleton.joint("hips"), :2]
            moving = moving_frames(roots, clip.rate)
            full.append(joint_rotation_speed(clip, moving))
            slow.append(joint_rotation_speed(clip, moving, DETAIL_CUTOFF_HZ))
            sway = hip_sway(roots, clip.rate, moving)
            sways += [] if sway is None else [sway]
        return MotionDetail(float(np.mean(full)), float(np.mean(slow)), float(np.mean(sways)))


def motion_detail(model: ControllerModel, variant: Variant, seeds: Sequence[int]) -> MotionDetail:
    """Return the motion detail of finished straight walks, means over seeds."""
    walks = varied_walks(model, variant, [course_points("straight")], seeds)
    return MotionDetail.of([walk.finish().clip for walk in walks])


def path_errors(model: ControllerModel, variant: Variant, seeds: Sequence[int]) -> tuple[float, float]:
    """Return mean and largest distance, cm, from wave, square and circle, before feet are locked."""
    courses = [course_points(name) for name in PATH_COURSES]
    walks = varied_walks(model, variant, courses, seeds)
    errors = []
    for walk, points in zip(walks, [points for points in courses for _ in seeds], strict=True):
        clip = walk.decode_walk()
        roots = clip.positions[round(SETTLING_S * clip.rate) :, clip.skeleton.joint("hips"), :2]
        errors.append(100 * cross_track_error(roots, points))
    return float(np.mean([error.mean() for error in errors])), float(max(error.max() for error in errors))


def squat_share(model: ControllerModel, variant: Variant) -> float:
    """Return the share of walks along winding and sharp courses with a low head for more than a moment."""
    courses = [course_points(name) for name in ("wave", "square")]
    courses += [sharp_course_points(name) for name in ("zigzag", "reversal")]
    joint = model.joints.index(model.skeleton.names[model.skeleton.roles["head"]])
    low = SQUAT_RATIO * float(model.start["position"][joint, 2])
    shares = []
    for walk in varied_walks(model, variant, courses, SQUAT_SEEDS):
        heights = model.output_layout.view(walk.trace.frames.output, "pose.position")[:, joint, 2]
        shares.append(float(np.mean(heights[SQUAT_MARGIN_FRAMES:-SQUAT_MARGIN_FRAMES] < low)))
    return float(np.mean(np.array(shares) > SQUAT_SHARE))


def diversity(model: ControllerModel, variant: Variant) -> float:
    """Return the mean pairwise distance, cm, of a cycle in the middle of a straight walk between twenty seeds."""
    cycles = []
    for walk in varied_walks(model, variant, [straight(STRAIGHT_M)], range(1, SEEDS + 1)):
        found = walking_cycles(walk.decode_walk(), model.joints, 2 * SPEED_BAND_M_S)
        if found:
            cycles.append(found[len(found) // 2])
    return mean_pairwise_distance(np.array(cycles))


def captured_diversity(model: ControllerModel, setup: Setup) -> float:
    """Return the mean pairwise distance, cm, between cycles of an actor's straight walks at the speed.

    It is the mean over actors with at least three such cycles, weighted by their numbers.
    """
    by_actor: dict[str, list[Array]] = {}
    for walk in captured_walks(setup):
        clip = fit_clip(walk.clip, model.skeleton)
        by_actor.setdefault(walk.actor, []).extend(walking_cycles(clip, model.joints, SPEED_BAND_M_S))
    actors = [np.array(cycles) for cycles in by_actor.values() if len(cycles) >= MIN_CYCLES]
    counts = [len(cycles) for cycles in actors]
    spread = np.average([mean_pairwise_distance(cycles) for cycles in actors], weights=counts)
    return float(spread)


def walking_cycles(clip: Clip, joints: tuple[str, ...], speed_band: float) -> list[Array]:
    """Return the straight cycles of a clip near the speed: joints (32, P, 3) in the root's frame, meters.

    Args:
        clip: the motion.
        joints: names of the joints (P).
        speed_band: largest deviation from the speed, m/s.
    """
    labels, track = label_clip(clip), root_track(clip, ROOT_SMOOTHING_S)
    positions, _ = pose_features(clip, joints, track)
    starts = np.flatnonzero(np.diff(labels.phase) < -0.5) + 1
    found = []
    for start, stop in pairwise(starts):
        seconds = (stop - start) / clip.rate
        speed = np.linalg.norm(track.positions[stop] - track.positions[start]) / seconds
        turn = abs(track.yaws[stop] - track.yaws[start])
        if abs(speed - SPEED_M_S) > speed_band or turn > STRAIGHT_CYCLE_RAD or not 0.8 < seconds < 1.6:
            continue
        at = np.linspace(start, stop, CYCLE_SAMPLES, endpoint=False).round().astype(int)
        found.append(positions[at])
    return found


def mean_pairwise_distance(cycles: Array) -> float:
    """Return the mean distance, cm, of joints between all pairs of cycles (N, 32, P, 3)."""
    pairs = [
        np.linalg.norm(cycles[first] - cycles[second], axis=-1).mean()
        for first in range(len(cycles))
        for second in range(first)
    ]
    return 100 * float(np.mean(pairs))


def response(model: ControllerModel, variant: Variant) -> float:
    """Return the time from standing to nine tenths of a run's speed, seconds, the median of twenty phases."""
    frames = round(LEAD_S * model.rate), round(TRIAL_S * model.rate)
    speeds = np.repeat([0.0, RUN_M_S], frames)
    commands = RolloutCommands(np.repeat(speeds[:, None], SEEDS, axis=1), np.zeros((len(speeds), SEEDS)))
    runtime = standing_runtime(model, SEEDS)
    runtime.variation = BatchVariation(model, [variant.of(seed) for seed in range(1, SEEDS + 1)])
    positions = roll_out_commands(model, commands, runtime).positions
    half = round(model.rate / 4)
    padded = np.pad(positions, ((half, half), (0, 0), (0, 0)), mode="edge")
    reached = np.linalg.norm(padded[2 * half :] - padded[: -2 * half], axis=-1) * model.rate / (2 * half)
    ran = reached[frames[0] :] >= REACHED * RUN_M_S
    times = np.where(ran.any(axis=0), ran.argmax(axis=0) / model.rate, np.inf)
    return float(np.median(times))
