"""``python -m footfall.benchmarks.judge FILE``: a walking controller in about thirty numbers, within a minute.

Candidates are compared by how near they are to people over standing, starting, stopping, turning and all speeds, not on
a circle at one speed. All is measured on the finished bake, so that what solving adds counts, too.
"""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, nan
from pathlib import Path
from time import perf_counter
from typing import Final

import numpy as np

from ..core.control.path.path_events import Wait
from ..core.control.path.velocity_profile import STAND_BEFORE_S
from ..core.errors import FootfallError
from ..core.evaluation import course_points, evaluate
from ..core.evaluation.extremes import deepest_sink, joint_speeds, largest_joint_speed, largest_lean, largest_moves
from ..core.evaluation.gait_analysis import GaitReport, analyze_gait
from ..core.evaluation.sharp_courses import random_sharp_path, sharp_course_points
from ..core.evaluation.standing import measure_standing, resting_frames, weight_shift
from ..core.evaluation.usual_cadence import is_usual_cadence
from ..core.models.model_file import ControllerModel
from ..core.motion import Clip
from ..core.motion.signals import runs_of
from .baking import WalkTask, bake_all, off_path_cm, straight
from .document import figure

SPEEDS: Final = (0.4, 0.8, 1.2, 1.4, 1.6, 1.8, 1.9, 2.0, 2.1, 2.3, 2.6, 3.0, 4.0)
STRAIGHT_S: Final = 14.0
"""Time of the walk at each speed."""
WALK_SPEED: Final = 1.2
WAIT_S: Final = 10.0
SEEDS: Final = 4
VARIETY_SEEDS: Final = 10
SHARP_S: Final = 60.0
SHARP_SEEDS: Final = 5
WALK_SPEEDS: Final = (0.8, 1.8)
"""Speeds between which a style may not jump."""
RATE_S: Final = 20.0
"""Time of the walk by which the bake rate is measured."""
OLD_COURSES: Final = ("wave", "square", "circle")
CORNERS: Final = ("reversal", "corner")
PEOPLE_SPREAD: Final[Mapping[str, float]] = {
    "cadence_steps_min": 8.0,
    "step_width_cm": 2.4,
    "bounce_cm": 1.1,
    "sway_cm": 0.9,
    "pelvis_turn_deg": 3.7,
    "chest_turn_deg": 3.5,
    "pelvis_drop_deg": 2.7,
    "arm_swing_deg": 16.5,
    "elbow_mean_deg": 6.0,
    "knee_strike_deg": 6.0,
    "toe_clearance_cm": 1.1,
}
"""Standard deviations between nine captured people at 1.0 to 1.4 m/s (CMU, ACCAD, O3DE), by the same code."""

Numbers = dict[str, float]


@dataclass(frozen=True, slots=True)
class Goal:
    """A headline number with its goal.

    Attributes:
        title: name and unit for readers.
        low: smallest value that reaches the goal; nothing if none is too small.
        high: largest value that reaches the goal.
        people: the people's row, as text.
    """

    title: str
    low: float | None
    high: float | None
    people: str

    def is_reached(self, value: float) -> bool:
        """Return whether a value reaches the goal."""
        return isfinite(value) and (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    @property
    def text(self) -> str:
        """The goal for readers; a dash without one."""
        if self.low is not None and self.high is not None:
            return f"{self.low:g} to {self.high:g}"
        return "-" if self.high is None else f"at most {self.high:g}"


GOALS: Final[Mapping[str, Goal]] = {
    "standing_knee_deg": Goal("standing 10 s: knee flexion, deg", 2, 8, "3-6"),
    "standing_knee_worst_deg": Goal("standing: knee of the worst seed, deg", 2, 8, "3-6"),
    "standing_knee_difference_deg": Goal("standing: left and right knee apart, deg", None, 5, "0-3"),
    "standing_head_cm_s": Goal("standing: head speed, cm/s", None, 4, "1-3"),
    "standing_foot_moving_percent": Goal("standing: frames in which a foot moves, %", None, 5, "0"),
    "standing_sink_cm": Goal("standing: hips below straight legs, cm", None, 1.5, "0.6-1"),
    "weight_shift_cm": Goal("weight shift before the first step, cm", 3, 6, "3-6"),
    "width_cm": Goal("step width at 1.2 m/s, cm", 8, 11, "9.9"),
    "sway_cm": Goal("sway at 1.2, cm", 3.3, 4.7, "4.1"),
    "bounce_cm": Goal("bounce at 1.2, cm", 2.7, 3.8, "3.1"),
    "knee_strike_deg": Goal("knee at strike at 1.2, deg", 3, 8, "3-8 (captures 5-15)"),
    "knee_yield_deg": Goal("knee yield after strike at 1.2, deg", 14, 18, "16"),
    "step_time_asymmetry_percent": Goal("left-right step time at 1.2, %", None, 3, "1-3"),
    "chest_turn_deg": Goal("chest turn at 1.2, deg", 7, 13, "8.8"),
    "arm_swing_deg": Goal("arm swing at 1.2, deg", 12, 50, "20-30"),
    "speeds_broken": Goal(f"broken speeds of {len(SPEEDS)} (by the next three)", None, 0, "0"),
    "speeds_cadence_outside": Goal("speeds with a cadence that people do not have", None, 0, "0"),
    "speeds_cross_track_cm": Goal("cross-track mean at the worst speed, cm", None, 2, "1.2"),
    "speeds_side_lean_deg": Goal("side lean at the worst speed, deg", None, 3, "0-1.5"),
    "speeds_asymmetry_percent": Goal("left-right step time at the worst speed, %", None, 6, "1-7"),
    "arm_swing_jump_deg": Goal("jump of arm swing between neighboring walking speeds, deg", None, 15, "sd 16"),
    "toe_clearance_jump_cm": Goal("jump of toe clearance between them, cm", None, 1.1, "sd 1.1"),
    "turn_lean_deg": Goal("reversal and 90 degree corner: lean, deg", None, 20, "17"),
    "turn_sink_cm": Goal("reversal and corner: sink, cm", None, 5, "4"),
    "turn_cross_track_cm": Goal("reversal and corner: cross-track max, cm", None, 10, "9"),
    "largest_move_cm": Goal("largest move in a frame on them, of hips or head, cm", None, 4, "3"),
    "sharp_lean_deg": Goal(f"{SHARP_SEEDS} sharp random paths of a minute: lean, deg", None, 30, "17"),
    "sharp_joint_speed_rad_s": Goal("sharp paths: largest joint speed, rad/s", None, 20, "-"),
    "sharp_fast_frames_percent": Goal("sharp paths: frames over 20 rad/s, %", None, 0, "0"),
    "spread_ratio": Goal(f"spread between {VARIETY_SEEDS} seeds / between people", 0.7, 1.3, "1"),
    "courses_cross_track_cm": Goal("wave, square, circle: cross-track mean, cm", None, 1.2, "1.25"),
    "courses_cross_track_max_cm": Goal("wave, square, circle: cross-track max, cm", None, 7.6, "9.1"),
    "courses_skate_cm_s": Goal("the same: skate in contacts found again, cm/s", None, 1.7, "9-11"),
    "bake_frames_s": Goal("bake rate, frames/s (machine!)", None, None, "-"),
}
"""Headline numbers in order, with the goals of the motion review."""


def judge_walker(model: ControllerModel) -> Numbers:
    """Return the headline numbers of a walking controller by the names of :data:`GOALS`; NaN where nothing is measured.

    Args:
        model: the controller.
    """
    numbers: Numbers = dict.fromkeys(GOALS, nan)
    for measure in (judge_standing, judge_speeds, judge_turns, judge_sharp_paths, judge_variety, judge_courses):
        try:
            numbers |= measure(model)
        except (FloatingPointError, ValueError, np.linalg.LinAlgError) as error:
            print(f"{measure.__name__}: {error}", file=sys.stderr)
    numbers["bake_frames_s"] = bake_rate(model)
    return numbers


def judge_standing(model: ControllerModel) -> Numbers:
    """Return the numbers of waits of ten seconds, of the ends of walks, and of starts, over some seeds."""
    clips = bake_all(model, [WalkTask(straight(6.0), seed=seed, waits=(Wait(3.0, WAIT_S),)) for seed in range(SEEDS)])
    reports = [report for clip in clips if (report := measure_standing(clip)) is not None]
    shifts = [shift for clip in clips for start in starts_of(clip) if (shift := weight_shift(start)) is not None]
    return {
        "standing_knee_deg": _mean([report.knee_deg for report in reports]),
        "standing_knee_worst_deg": max([report.knee_deg for report in reports], default=nan),
        "standing_knee_difference_deg": max(
            [abs(report.knee_left_deg - report.knee_right_deg) for report in reports], default=nan
        ),
        "standing_head_cm_s": _mean([report.head_speed_cm_s for report in reports]),
        "standing_foot_moving_percent": 100 * _mean([report.foot_moving_share for report in reports]),
        "standing_sink_cm": _mean([report.hips_sink_cm for report in reports]),
        "weight_shift_cm": _mean(shifts),
    }


def starts_of(clip: Clip) -> list[Clip]:
    """Return the starts in a baked walk: from its first frame, and from a second before each rest ends."""
    ends = [int(stop) for start, stop in runs_of(resting_frames(clip)) if stop < len(clip) and start > 0]
    around = round(clip.rate)
    return [clip.cut(0, round((STAND_BEFORE_S + 2) * clip.rate))] + [
        clip.cut(end - around, end + 2 * around) for end in ends
    ]


def judge_speeds(model: ControllerModel) -> Numbers:
    """Return the numbers of the straight at every speed."""
    walks = walk_speeds(model)
    gaits = {speed: gait for speed, (gait, _) in walks.items()}
    off = {speed: cm for speed, (_, cm) in walks.items()}
    outside = {speed for speed, gait in gaits.items() if not is_usual_cadence(speed, gait["cadence_steps_min"])}
    leans = {speed: _absolute(gait["side_lean_deg"]) for speed, gait in gaits.items()}
    broken = {speed for speed in SPEEDS if speed in outside or not off[speed] <= 2 or not leans[speed] <= 3}
    usual = gaits[WALK_SPEED]
    same = ("knee_strike_deg", "knee_yield_deg", "step_time_asymmetry_percent", "chest_turn_deg", "arm_swing_deg")
    return {
        "width_cm": _number(usual["step_width_cm"]),
        "sway_cm": _number(usual["sway_cm"]),
        "bounce_cm": _number(usual["bounce_cm"]),
        **{key: _number(usual[key]) for key in same},
        "speeds_broken": float(len(broken)),
        "speeds_cadence_outside": float(len(outside)),
        "speeds_cross_track_cm": float(np.max(list(off.values()))),
        "speeds_side_lean_deg": float(np.max(list(leans.values()))),
        "speeds_asymmetry_percent": float(
            np.max([_number(gait["step_time_asymmetry_percent"]) for gait in gaits.values()])
        ),
        "arm_swing_jump_deg": _largest_jump(gaits, "arm_swing_deg"),
        "toe_clearance_jump_cm": _largest_jump(gaits, "toe_clearance_cm"),
    }


def walk_speeds(
    model: ControllerModel, speeds: Sequence[float] = SPEEDS, seconds: float = STRAIGHT_S, seed: int = 0
) -> dict[float, tuple[GaitReport, float]]:
    """Return gait and mean distance from the path, cm, on the straight, by speed.

    Args:
        model: the controller.
        speeds: commanded speeds, m/s.
        seconds: time of each walk.
        seed: of the walks.
    """
    paths = [straight(speed * seconds) for speed in speeds]
    clips = bake_all(model, [WalkTask(path, speed, seed) for path, speed in zip(paths, speeds, strict=True)])
    return {
        speed: (analyze_gait(clip), float(off_path_cm(clip, path).mean()))
        for speed, clip, path in zip(speeds, clips, paths, strict=True)
    }


def judge_turns(model: ControllerModel) -> Numbers:
    """Return the worst of reversals and right angles over some seeds."""
    tasks = [WalkTask(sharp_course_points(name), seed=seed) for name in CORNERS for seed in range(SEEDS)]
    clips = bake_all(model, tasks)
    moves = [largest_moves(clip)[role].value for clip in clips for role in ("hips", "head")]
    return {
        "turn_lean_deg": max(largest_lean(clip).value for clip in clips),
        "turn_sink_cm": max(deepest_sink(clip).value for clip in clips),
        "turn_cross_track_cm": max(
            float(off_path_cm(clip, task.points).max()) for clip, task in zip(clips, tasks, strict=True)
        ),
        "largest_move_cm": max(moves),
    }


def judge_sharp_paths(model: ControllerModel) -> Numbers:
    """Return the worst of random sharp paths."""
    paths = [random_sharp_path(seed, SHARP_S * WALK_SPEED) for seed in range(SHARP_SEEDS)]
    clips = bake_all(model, [WalkTask(path, seed=seed) for seed, path in enumerate(paths)])
    fast = np.concatenate([(joint_speeds(clip) > 20.0).any(axis=1) for clip in clips])
    return {
        "sharp_lean_deg": max(largest_lean(clip).value for clip in clips),
        "sharp_joint_speed_rad_s": max(largest_joint_speed(clip).value for clip in clips),
        "sharp_fast_frames_percent": 100 * float(fast.mean()),
    }


def judge_variety(model: ControllerModel) -> Numbers:
    """Return the spread of the gait between seeds as a ratio of that between people, mean over measures."""
    path = straight(WALK_SPEED * STRAIGHT_S)
    clips = bake_all(model, [WalkTask(path, WALK_SPEED, seed) for seed in range(VARIETY_SEEDS)])
    gaits = [analyze_gait(clip) for clip in clips]
    ratios = [
        float(np.std([_number(gait[key]) for gait in gaits], ddof=1)) / people for key, people in PEOPLE_SPREAD.items()
    ]
    return {"spread_ratio": _mean(ratios)}


def judge_courses(model: ControllerModel) -> Numbers:
    """Return path error and skate on the old courses."""
    paths = {name: course_points(name) for name in OLD_COURSES}
    clips = bake_all(model, [WalkTask(path) for path in paths.values()])
    reports = [evaluate(clip, path) for clip, path in zip(clips, paths.values(), strict=True)]
    return {
        "courses_cross_track_cm": _mean([_number(report["cross_track_mean_cm"]) for report in reports]),
        "courses_cross_track_max_cm": max(_number(report["cross_track_max_cm"]) for report in reports),
        "courses_skate_cm_s": _mean([_number(report["skate_mean_cm_s"]) for report in reports]),
    }


def bake_rate(model: ControllerModel) -> float:
    """Return finished frames a second of a single walk on this machine."""
    start = perf_counter()
    (clip,) = bake_all(model, [WalkTask(straight(RATE_S * WALK_SPEED))])
    return len(clip) / (perf_counter() - start)


def print_judgement(numbers: Mapping[str, float], write: Callable[[str], object] = print) -> None:
    """Write one line for each number, with its goal and the people's row."""
    width = max(len(goal.title) for goal in GOALS.values())
    write(f"  {'what':{width}}  {'measured':>9}  {'goal':14}  people")
    aims = {key: goal for key, goal in GOALS.items() if goal.text != "-"}
    reached = {key for key, goal in aims.items() if goal.is_reached(numbers[key])}
    for key, goal in GOALS.items():
        mark = "!" if key in aims and key not in reached else " "
        write(f"{mark} {goal.title:{width}}  {figure(numbers[key]):>9}  {goal.text:14}  {goal.people}")
    write(f"{len(reached)} of {len(aims)} goals reached")


def _largest_jump(gaits: Mapping[float, GaitReport], key: str) -> float:
    """Return the largest difference of a measure between neighboring walking speeds."""
    values = [_number(gait[key]) for speed, gait in gaits.items() if WALK_SPEEDS[0] <= speed <= WALK_SPEEDS[1]]
    return float(np.abs(np.diff(values)).max())


def _number(value: object) -> float:
    """Return a measure as a number; NaN where nothing was measured."""
    return float(value) if isinstance(value, int | float) else nan


def _absolute(value: float | None) -> float:
    """Return the absolute value; NaN where nothing was measured."""
    return abs(_number(value))


def _mean(values: Sequence[float]) -> float:
    """Return the mean; NaN of nothing."""
    return float(np.mean(values)) if len(values) else nan


def main(arguments: list[str] | None = None) -> int:
    """Judge controllers, and print their numbers."""
    from ..core.models.model_file import load_model
    from .setup import Setup

    parser = argparse.ArgumentParser("python -m footfall.benchmarks.judge", description=__doc__)
    parser.add_argument("controllers", nargs="*", type=Path, metavar="FILE", help="default: the one that ships")
    options = parser.parse_args(arguments)
    try:
        for file in options.controllers or [Setup(Path()).model_path()]:
            start = perf_counter()
            model = load_model(file)
            print(file)
            print_judgement(judge_walker(model))
            print(f"({perf_counter() - start:.0f} s)", flush=True)
    except FootfallError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
