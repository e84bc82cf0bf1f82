"""``python -m footfall.benchmarks.judge FILE``: a walking controller in about thirty numbers, within a minute.

Candidates are compared by their closeness to people in standing, starting, stopping, turning and all speeds, not on a
circle at one speed. The finished bake is measured, including the effects of solving.
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

from ..core.control.path.path import Path as WalkPath
from ..core.control.walk.path_walk import make_walk
from ..core.control.walk.plan import WalkRequest
from ..core.errors import FootfallError
from ..core.evaluation import course_points, evaluate
from ..core.evaluation.gait_analysis import GAIT_MEASURES, GaitReport, analyze_gait
from ..core.evaluation.standing import measure_standing
from ..core.evaluation.usual_cadence import is_usual_cadence
from ..core.models.model_file import ControllerModel
from ..tools.build.folders import SHARED
from .baking import WalkTask, bake_all, off_path_cm, straight
from .gait import SPEEDS, walk_speeds
from .measures.extremes import deepest_sink, largest_joint_speed, largest_lean, largest_moves
from .measures.weight_shift import weight_shift
from .realism import SPEEDS_M_S as REALISM_SPEEDS
from .realism import pair_windows, realism_of
from .setup import Setup
from .standing import bake_waits, clip_start, starts_after_rests
from .tables import figure
from .transitions import FAST_RAD_S, SHARP_SEEDS, bake_sharp_paths, bake_turns, fast_share
from .walk_pairs import captured_walks

DATA: Final = SHARED / "data" / "mocap"
STRAIGHT_S: Final = 14.0
"""Time of the walk at each speed."""
WALK_SPEED: Final = 1.2
VARIETY_SEEDS: Final = 10
WALK_SPEEDS: Final = (0.8, 1.8)
"""Range of speeds in which a style must not jump."""
RATE_S: Final = 20.0
"""Duration of the walk for the bake rate."""
OLD_COURSES: Final = ("wave", "square", "circle")
CORNERS: Final = ("reversal", "corner")
MAX_CROSS_TRACK_CM: Final = 2.0
"""Mean distance from the straight above which a speed is broken."""
MAX_SIDE_LEAN_DEG: Final = 3.0
"""Lean to the side above which a speed is broken."""
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
        low: smallest value that reaches the goal, if any.
        high: largest value that reaches the goal, if any.
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
    "single_feature_gap": Goal("single-feature gap under 6 Hz", None, 0.13, "0.119"),
    "extreme_features": Goal("features beyond 0.1 / 0.9", None, 0, "0"),
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
    "knee_acceleration_rad_s2": Goal("largest knee acceleration in a stride at 1.2, rad/s2", None, 300, "150-270"),
    "step_time_asymmetry_percent": Goal("left-right step time at 1.2, %", None, 3, "1-3"),
    "chest_turn_deg": Goal("chest turn at 1.2, deg", 7, 13, "8.8"),
    "arm_swing_deg": Goal("arm swing at 1.2, deg", 12, 50, "20-30"),
    "forward_lean_deg": Goal("trunk ahead at 1.2, deg", -3, 8, "-2-7"),
    "elbow_mean_deg": Goal("elbow at 1.2, mean, deg", 15, 45, "20-40"),
    "speeds_broken": Goal(f"broken speeds of {len(SPEEDS)} (by the next three)", None, 0, "0"),
    "speeds_cadence_outside": Goal("speeds with a cadence that people do not have", None, 0, "0"),
    "speeds_cross_track_cm": Goal("cross-track mean at the worst speed, cm", None, 2, "1.2"),
    "speeds_side_lean_deg": Goal("side lean at the worst speed, deg", None, 3, "0-1.5"),
    "speeds_asymmetry_percent": Goal("left-right step time at the worst speed, %", None, 6, "1-7"),
    "arm_swing_jump_deg": Goal("jump of arm swing between neighboring walking speeds, deg", None, 15, "sd 16"),
    "toe_clearance_jump_cm": Goal("jump of toe clearance between them, cm", None, 1.1, "sd 1.1"),
    "turn_lean_deg": Goal("reversal and 90 degree corner: lean, deg", None, 20, "11-17"),
    "turn_sink_cm": Goal("reversal and corner: sink, cm", None, 5, "3-4"),
    "turn_cross_track_cm": Goal("reversal and corner: cross-track max, cm", None, 10, "3-6"),
    "largest_move_cm": Goal("largest move in a frame on them, of hips or head, cm", None, 4, "2-3"),
    "sharp_lean_deg": Goal(f"{SHARP_SEEDS} sharp random paths of a minute: lean, deg", None, 30, "11-17"),
    "sharp_joint_speed_rad_s": Goal("sharp paths: largest joint speed, rad/s", None, 20, "11-18"),
    "sharp_fast_frames_percent": Goal(f"sharp paths: frames over {FAST_RAD_S:g} rad/s, %", None, 0, "0"),
    "spread_ratio": Goal(f"spread between {VARIETY_SEEDS} seeds / between people", 0.7, 1.3, "1"),
    "courses_cross_track_cm": Goal("wave, square, circle: cross-track mean, cm", None, 1.2, "1.25"),
    "courses_cross_track_max_cm": Goal("wave, square, circle: cross-track max, cm", None, 7.6, "9.1"),
    "courses_skate_cm_s": Goal("the same: skate in contacts found again, cm/s", None, 1.7, "9-11"),
    "bake_frames_s": Goal("bake rate, frames/s (machine!)", None, None, "-"),
}
"""Headline numbers in order, with the goals of the motion review."""


def judge_walker(model: ControllerModel, data: Path = DATA) -> Numbers:
    """Return the headline numbers of a walking controller by the names of :data:`GOALS`; NaN if unmeasured.

    Args:
        model: the controller.
        data: folder of the mocap, required for the single-feature gap.
    """
    numbers: Numbers = dict.fromkeys(GOALS, nan)
    for measure in (judge_standing, judge_speeds, judge_turns, judge_sharp_paths, judge_variety, judge_courses):
        try:
            numbers |= measure(model)
        except (FloatingPointError, ValueError, np.linalg.LinAlgError) as error:
            print(f"{measure.__name__}: {error}", file=sys.stderr)
    if data.is_dir():
        numbers |= judge_realism(model, data)
    numbers["bake_frames_s"] = bake_rate(model)
    return numbers


def judge_standing(model: ControllerModel) -> Numbers:
    """Return the numbers of waits of ten seconds, of the ends of walks, and of starts, over some seeds."""
    clips = bake_waits(model)
    reports = [report for clip in clips if (report := measure_standing(clip)) is not None]
    starts = [start for clip in clips for start in (clip_start(clip), *starts_after_rests(clip))]
    shifts = [shift for start in starts if (shift := weight_shift(start)) is not None]
    knees = [report.knee_deg for report in reports]
    return {
        "standing_knee_deg": _mean(knees),
        "standing_knee_worst_deg": max(knees, default=nan),
        "standing_knee_difference_deg": max(
            [abs(report.knee_left_deg - report.knee_right_deg) for report in reports], default=nan
        ),
        "standing_head_cm_s": _mean([report.head_speed_cm_s for report in reports]),
        "standing_foot_moving_percent": 100 * _mean([report.foot_moving_share for report in reports]),
        "standing_sink_cm": _mean([report.hips_sink_cm for report in reports]),
        "weight_shift_cm": _mean(shifts),
    }


def judge_speeds(model: ControllerModel) -> Numbers:
    """Return the numbers of the straight at every speed."""
    walks = walk_speeds(model, [straight(speed * STRAIGHT_S) for speed in SPEEDS])
    gaits = {speed: gait for speed, (gait, _) in walks.items()}
    off = np.array([cm for _, cm in walks.values()])
    leans = np.abs([_number(gait["side_lean_deg"]) for gait in gaits.values()])
    whole = np.array([is_usual_cadence(speed, gait["cadence_steps_min"]) for speed, gait in gaits.items()])
    usual = gaits[WALK_SPEED]
    same = (
        *("knee_strike_deg", "knee_yield_deg", "step_time_asymmetry_percent", "chest_turn_deg", "arm_swing_deg"),
        *("forward_lean_deg", "elbow_mean_deg", "knee_acceleration_rad_s2"),
    )
    limps = [_number(gait["step_time_asymmetry_percent"]) for gait in gaits.values()]
    return {
        "width_cm": _number(usual["step_width_cm"]),
        "sway_cm": _number(usual["sway_cm"]),
        "bounce_cm": _number(usual["bounce_cm"]),
        **{key: _number(usual[key]) for key in same},
        "speeds_broken": float(np.sum(~(whole & (off <= MAX_CROSS_TRACK_CM) & (leans <= MAX_SIDE_LEAN_DEG)))),
        "speeds_cadence_outside": float(np.sum(~whole)),
        "speeds_cross_track_cm": float(off.max()),
        "speeds_side_lean_deg": float(leans.max()),
        "speeds_asymmetry_percent": float(np.max(limps)),
        "arm_swing_jump_deg": _largest_jump(gaits, "arm_swing_deg"),
        "toe_clearance_jump_cm": _largest_jump(gaits, "toe_clearance_cm"),
    }


def judge_turns(model: ControllerModel) -> Numbers:
    """Return the worst of reversals and right angles over some seeds."""
    turns = bake_turns(model, CORNERS)
    clips = [turned.clip for turned in turns]
    return {
        "turn_lean_deg": max(largest_lean(clip).value for clip in clips),
        "turn_sink_cm": max(deepest_sink(clip).value for clip in clips),
        "turn_cross_track_cm": max(float(off_path_cm(turned.clip, turned.path).max()) for turned in turns),
        "largest_move_cm": max(largest_moves(clip)[role].value for clip in clips for role in ("hips", "head")),
    }


def judge_sharp_paths(model: ControllerModel) -> Numbers:
    """Return the worst of random sharp paths."""
    clips = [turned.clip for turned in bake_sharp_paths(model)]
    return {
        "sharp_lean_deg": max(largest_lean(clip).value for clip in clips),
        "sharp_joint_speed_rad_s": max(largest_joint_speed(clip).value for clip in clips),
        "sharp_fast_frames_percent": 100 * fast_share(clips),
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
    paths = [course_points(name) for name in OLD_COURSES]
    clips = bake_all(model, [WalkTask(path) for path in paths])
    reports = [evaluate(clip, path) for clip, path in zip(clips, paths, strict=True)]
    return {
        "courses_cross_track_cm": _mean([_number(report["cross_track_mean_cm"]) for report in reports]),
        "courses_cross_track_max_cm": max(_number(report["cross_track_max_cm"]) for report in reports),
        "courses_skate_cm_s": _mean([_number(report["skate_mean_cm_s"]) for report in reports]),
    }


def judge_realism(model: ControllerModel, data: Path) -> Numbers:
    """Return the single-feature gap to captured walks of the same bodies, courses and speeds.

    Args:
        model: the controller.
        data: folder of the mocap.
    """
    setup = Setup(data)
    walks = captured_walks(setup, REALISM_SPEEDS, straight_share=0.0)
    report = realism_of(pair_windows(setup, model, walks))
    return {"single_feature_gap": report.gap, "extreme_features": float(report.extreme_count)}


def bake_rate(model: ControllerModel) -> float:
    """Return finished frames per second of a single walk on this machine."""
    start = perf_counter()
    walk = make_walk(model, WalkRequest(WalkPath(straight(RATE_S * WALK_SPEED)), WALK_SPEED))
    return len(walk.clip) / (perf_counter() - start)


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


def print_speeds(model: ControllerModel, write: Callable[[str], object] = print) -> None:
    """Write one line for each speed, with an exclamation mark for a cadence outside the people's range."""
    keys = ("step_width_cm", "bounce_cm", "arm_swing_deg", "toe_clearance_cm", "side_lean_deg", "knee_yield_deg")
    write("   m/s  cadence  cross-track" + "".join(f"  {GAIT_MEASURES[key]}" for key in keys))
    for speed, (gait, off) in walk_speeds(model, [straight(speed * STRAIGHT_S) for speed in SPEEDS]).items():
        mark = " " if is_usual_cadence(speed, gait["cadence_steps_min"]) else "!"
        cells = "".join(f"  {_number(gait[key]):{len(GAIT_MEASURES[key])}.1f}" for key in keys)
        write(f"{mark} {speed:4.1f}  {_number(gait['cadence_steps_min']):7.0f}  {off:11.1f}{cells}")


def _largest_jump(gaits: Mapping[float, GaitReport], key: str) -> float:
    """Return the largest difference of a measure between neighboring walking speeds."""
    values = [_number(gait[key]) for speed, gait in gaits.items() if WALK_SPEEDS[0] <= speed <= WALK_SPEEDS[1]]
    return float(np.abs(np.diff(values)).max())


def _number(value: object) -> float:
    """Return a measure as a number; NaN if unmeasured."""
    return float(value) if isinstance(value, int | float) else nan


def _mean(values: Sequence[float]) -> float:
    """Return the mean; NaN without values."""
    return float(np.mean(values)) if len(values) else nan


def main(arguments: list[str] | None = None) -> int:
    """Judge controllers, and print their numbers."""
    from ..core.models.model_file import load_model

    parser = argparse.ArgumentParser("python -m footfall.benchmarks.judge", description=__doc__)
    parser.add_argument("controllers", nargs="*", type=Path, metavar="FILE", help="default: the one that ships")
    parser.add_argument("--speeds", action="store_true", help="a line for each speed, too")
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR")
    options = parser.parse_args(arguments)
    try:
        for file in options.controllers or [Setup(options.data).model_path()]:
            start = perf_counter()
            model = load_model(file)
            print(file)
            print_judgement(judge_walker(model, options.data))
            if options.speeds:
                print_speeds(model)
            print(f"({perf_counter() - start:.0f} s)", flush=True)
    except FootfallError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
