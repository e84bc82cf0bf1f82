"""Standing still, trembling, squatting, and the shift of weight before a step."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.evaluation.bending import flexion_angles, hinge_axes
from footfall.core.evaluation.standing import (
    first_lift,
    foot_speeds,
    hips_sink,
    measure_standing,
    resting_frames,
    weight_shift,
)
from footfall.core.motion import Clip
from footfall.core.motion.bvh import read_bvh
from footfall.core.motion.rotations import from_axis_angle
from footfall.tests.support.walker import Walker


def test_a_statue_stands_with_straight_knees_and_does_not_move(gliding: Callable[..., Clip]) -> None:
    report = measure_standing(gliding(np.zeros((120, 2))))
    assert report is not None
    assert report.seconds == 2.0 and report.foot_moving_share == 0
    assert (report.knee_deg, report.head_speed_cm_s, report.hips_sink_cm) == pytest.approx((0, 0, 0), abs=1e-6)


def test_rocking_and_feet_that_move_are_seen(gliding: Callable[..., Clip]) -> None:
    sway = 0.02 * np.sin(2 * np.pi * np.arange(600) / 60)
    report = measure_standing(gliding(np.column_stack([sway, np.zeros(600)])))
    assert report is not None
    assert report.head_speed_cm_s == pytest.approx(100 * 0.02 * 2 * np.pi * 2 / np.pi, rel=0.03)
    assert report.foot_moving_share == pytest.approx(2 / np.pi * np.arccos(0.08 / (0.04 * np.pi)), abs=0.05)


def test_the_pause_of_a_walk_is_its_rest_and_its_knees_bend() -> None:
    walker = Walker(seconds=14.0, pause=4.0)
    clip = walker.clip()
    resting = resting_frames(clip)
    middle = np.flatnonzero(walker.resting)[60:-60]
    assert resting[middle].all() and resting.sum() < walker.resting.sum() + 60
    report = measure_standing(clip, walker.resting)
    assert report is not None and report.knee_deg > 15 and report.hips_sink_cm > 2
    assert measure_standing(Walker(seconds=3.0).clip()) is None


def test_hips_sink_by_what_they_are_lowered(stick_figure, gliding: Callable[..., Clip]) -> None:
    assert hips_sink(gliding(np.zeros((3, 2)))) == pytest.approx(0, abs=1e-9)


def shifted_start(shift: float) -> Clip:
    """A walk from rest whose hips shift to one side before the first step and stay there."""
    walker = Walker(seconds=12.0, pause=4.0)
    start = int(np.flatnonzero(walker.resting)[-1])
    clip = walker.clip().cut(start - 90, start + 120)
    lift = first_lift(clip)
    assert lift is not None
    frame, side = lift
    ramp = np.clip((np.arange(len(clip)) - frame + 50) / 30, 0, 1) * (shift if side == "L" else -shift)
    return replace(clip, root_positions=clip.root_positions + np.outer(ramp, [1.0, 0.0, 0.0]))


@pytest.mark.parametrize("shift", [0.0, 0.04])
def test_the_weight_shifts_towards_the_stance_foot(shift: float) -> None:
    assert weight_shift(shifted_start(shift)) == pytest.approx(100 * shift, abs=0.5)


def test_a_shift_to_the_swing_foot_is_none() -> None:
    assert weight_shift(shifted_start(-0.04)) == pytest.approx(0, abs=0.5)


def test_without_a_step_there_is_no_shift(gliding: Callable[..., Clip]) -> None:
    assert weight_shift(gliding(np.zeros((60, 2)))) is None


def test_people_stand_still_and_shift_their_weight(shared_data: Path) -> None:
    folder = shared_data / "mocap" / "accad_male1"
    report = measure_standing(read_bvh(folder / "idle" / "Male1_A1_Stand.bvh"))
    assert report is not None
    assert report.knee_deg < 20 and report.head_speed_cm_s < 4 and report.foot_moving_share == 0
    shift = weight_shift(read_bvh(folder / "walk" / "Male1_B1_StandToWalk.bvh"))
    assert shift is not None and 3 < shift < 8


def test_each_knee_and_the_frames_asked_for_are_measured() -> None:
    clip = Walker(seconds=2.0).clip()
    frames = np.zeros(len(clip), dtype=bool)
    frames[10:40] = True
    report = measure_standing(clip, frames)
    bends = flexion_angles(clip, hinge_axes(clip))["knee"][10:40].mean(axis=0)
    assert report is not None
    assert (report.knee_left_deg, report.knee_right_deg, report.knee_deg) == pytest.approx((*bends, bends.mean()))
    assert report.seconds == pytest.approx(0.5)
    assert report.hips_sink_cm == pytest.approx(100 * hips_sink(clip)[10:40].mean())


def test_speeds_are_those_of_feet_and_toes_left_ones_first(gliding: Callable[..., Clip]) -> None:
    clip = gliding(np.column_stack([0.3 * np.arange(120) / 60, np.zeros(120)]), height=1.0)
    speeds = foot_speeds(clip)
    assert speeds.shape == (120, 4)
    np.testing.assert_allclose(speeds[20:-20], 0.3, atol=1e-3)
    turned = replace(clip, rotations=clip.rotations.copy())
    hip = clip.skeleton.joint("thigh.R")
    turned.rotations[:, hip] = from_axis_angle([1.0, 0.0, 0.0], 0.2 * np.sin(np.arange(120) / 10))
    assert np.ptp(foot_speeds(turned)[20:-20], axis=0).round(3).astype(bool).tolist() == [False, False, True, True]
