"""Largest moves, joint speeds, lean and sink, where they were put in."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from footfall.core.evaluation.extremes import (
    MOVE_ROLES,
    Extreme,
    deepest_sink,
    joint_accelerations,
    joint_speed_percentile,
    joint_speeds,
    largest_joint_acceleration,
    largest_joint_speed,
    largest_lean,
    largest_moves,
    worst_shaking,
)
from footfall.core.evaluation.motion_detail import body_joints
from footfall.core.motion import Clip
from footfall.core.motion.rotations import from_axis_angle, multiply
from footfall.tests.support.walker import Walker


def test_a_jump_is_the_largest_move_at_any_rate(gliding: Callable[..., Clip]) -> None:
    roots = np.zeros((60, 2))
    roots[40:, 0] = 0.1
    for rate, centimeters in ((60.0, 10.0), (120.0, 20.0)):
        moves = largest_moves(gliding(roots, rate))
        assert set(moves) == {"hips", "foot.L", "foot.R"}
        assert (moves["hips"].value, moves["hips"].frame) == (pytest.approx(centimeters), 40)


def test_a_knee_that_snaps_is_the_fastest_joint() -> None:
    clip = Walker(seconds=3.0).clip()
    rotations = clip.rotations.copy()
    knee = clip.skeleton.joint("shin.L")
    rotations[100, knee] = multiply(rotations[100, knee], from_axis_angle([1.0, 0.0, 0.0], 1.0))
    snapped = replace(clip, rotations=rotations)
    fastest = largest_joint_speed(snapped)
    assert fastest.role == "shin.L" and fastest.frame in (100, 101) and 50 < fastest.value < 70
    assert largest_joint_acceleration(snapped).frame in (100, 101, 102)
    assert joint_speed_percentile(snapped) < fastest.value / 3
    assert largest_joint_speed(clip.cut(0, 1)).value == 0


def test_lean_and_sink_are_those_of_the_worst_frame() -> None:
    clip = Walker(seconds=4.0).clip()
    assert largest_lean(clip).value == pytest.approx(0, abs=1e-6)
    rotations, roots = clip.rotations.copy(), clip.root_positions.copy()
    spine = clip.skeleton.joint("spine")
    rotations[120, spine] = multiply(from_axis_angle([1.0, 0.0, 0.0], 0.5), rotations[120, spine])
    roots[60:90, 2] -= 0.1
    folded = replace(clip, rotations=rotations, root_positions=roots)
    assert largest_lean(folded).frame == 120 and largest_lean(folded).value > 15
    sink = deepest_sink(folded)
    assert sink.value == pytest.approx(10, abs=0.2) and 65 < sink.frame < 85
    assert deepest_sink(folded, roots[0, 2] + 0.05).value == pytest.approx(15, abs=0.2)


def test_a_tremble_is_a_share_of_the_power_where_it_is() -> None:
    clip = Walker(speed=1.0, seconds=6.0).clip()
    assert worst_shaking(clip).value < 0.01
    roots, seconds = clip.root_positions.copy(), np.arange(len(clip)) / clip.rate
    roots[:, 0] += 0.01 * np.sin(2 * np.pi * 12 * seconds) * ((seconds > 2) & (seconds < 4))
    shaking = worst_shaking(replace(clip, root_positions=roots))
    speed = 0.01 * np.sin(2 * np.pi * 12 / 60) * 60  # of central differences
    power = speed**2 / 2
    assert shaking.value == pytest.approx(power / (power + 1.0), abs=0.02) and 120 < shaking.frame < 240


def turning_knee(gliding: Callable[..., Clip], angles: np.ndarray) -> Clip:
    """A figure that stands, whose right knee is at angles (F), radians."""
    clip = gliding(np.zeros((len(angles), 2)))
    clip.rotations[:, clip.skeleton.joint("shin.R")] = from_axis_angle([1.0, 0.0, 0.0], angles)
    return clip


def test_joint_speeds_and_their_changes_have_the_frames_that_they_lead_to(gliding: Callable[..., Clip]) -> None:
    angles = np.zeros(100)
    angles[41:] = np.cumsum(np.where(np.arange(59) < 5, 0.02, 0.0))
    clip = turning_knee(gliding, angles)
    knee = body_joints(clip).index(clip.skeleton.joint("shin.R"))
    speeds, changes = joint_speeds(clip), joint_accelerations(clip)
    assert speeds.shape == (99, 9) and changes.shape == (98, 9)
    np.testing.assert_allclose(speeds[40:45, knee], 0.02 * 60)
    np.testing.assert_allclose(np.delete(speeds, knee, axis=1), 0.0, atol=1e-9)
    np.testing.assert_allclose(changes[[39, 44], knee], 0.02 * 60 * 60)
    fastest, jolt = largest_joint_speed(clip), largest_joint_acceleration(clip)
    assert (fastest.value, fastest.role) == (pytest.approx(1.2), "shin.R") and 41 <= fastest.frame <= 45
    assert (jolt.value, jolt.role) == (pytest.approx(72.0), "shin.R") and jolt.frame in (41, 46)
    assert joint_speed_percentile(clip, 100.0) == pytest.approx(1.2)
    assert joint_speed_percentile(clip, 50.0) == pytest.approx(0.0)
    assert joint_speed_percentile(clip.cut(0, 1)) == 0.0
    assert largest_joint_acceleration(clip.cut(0, 2)) == Extreme(0.0, 0, "hips")


def test_moves_are_of_the_joints_that_are_there_and_lead_to_their_frame(gliding: Callable[..., Clip]) -> None:
    roots = np.zeros((20, 2))
    roots[7:, 1] = 0.03
    moves = largest_moves(gliding(roots))
    assert moves["foot.R"] == Extreme(pytest.approx(3.0), 7, "foot.R")
    assert largest_moves(gliding(roots[:1])) == {}
    assert set(largest_moves(Walker(seconds=0.5).clip())) == set(MOVE_ROLES)


def test_the_fastest_frame_is_the_one_that_the_fastest_step_leads_to(gliding: Callable[..., Clip]) -> None:
    steps = np.zeros(60)
    steps[20:26] = [0.01, 0.02, 0.05, 0.03, 0.02, 0.01]
    fastest = largest_joint_speed(turning_knee(gliding, np.cumsum(steps)))
    assert fastest == Extreme(pytest.approx(0.05 * 60), 22, "shin.R")
    jolt = largest_joint_acceleration(turning_knee(gliding, np.cumsum(steps)))
    assert jolt == Extreme(pytest.approx(0.03 * 60 * 60), 22, "shin.R")


def test_below_five_centimeters_a_second_shaking_is_a_share_of_that(gliding: Callable[..., Clip]) -> None:
    """At 15 Hz, central differences of 60 frames a second are 60 times the amplitude: 5 cm/s at most, half in power."""
    roots = np.zeros((600, 2))
    roots[:, 0] = 0.05 / 60 * np.sin(2 * np.pi * 15 * np.arange(600) / 60)
    assert worst_shaking(gliding(roots)).value == pytest.approx(0.5, abs=0.05)
