"""Standing still, trembling, squatting, and the shift of weight before a step."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from footfall.benchmarks.measures.weight_shift import weight_shift
from footfall.core.evaluation.standing import (
    hips_sink,
    measure_standing,
    resting_frames,
)
from footfall.core.motion import Clip
from footfall.core.motion.bvh import read_bvh
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


def test_people_stand_still_and_shift_their_weight(shared_data: Path) -> None:
    folder = shared_data / "mocap" / "accad_male1"
    report = measure_standing(read_bvh(folder / "idle" / "Male1_A1_Stand.bvh"))
    assert report is not None
    assert report.knee_deg < 20 and report.head_speed_cm_s < 4 and report.foot_moving_share == 0
    shift = weight_shift(read_bvh(folder / "walk" / "Male1_B1_StandToWalk.bvh"))
    assert shift is not None and 3 < shift < 8
