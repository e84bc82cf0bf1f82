from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from footfall.core.evaluation.motion_detail import hip_sway, joint_rotation_speed, mean_jerk, mean_lean, toe_lift
from footfall.core.motion import Clip
from footfall.core.motion.rotations import from_axis_angle, multiply
from footfall.tests.support.walker import Walker

ALL = np.ones(300, dtype=bool)


def test_one_joint_turning_among_nine_makes_a_ninth_of_its_speed(gliding: Callable[..., Clip]) -> None:
    clip = gliding(np.zeros((300, 2)))
    knee = clip.skeleton.joint("shin.L")
    clip.rotations[:, knee] = from_axis_angle([1.0, 0.0, 0.0], 0.9 * np.arange(300) / 60)
    assert joint_rotation_speed(clip, ALL) == pytest.approx(0.1)


def test_what_is_faster_than_a_cutoff_does_not_count(gliding: Callable[..., Clip]) -> None:
    clip, time = gliding(np.zeros((300, 2))), np.arange(300) / 60
    knee = clip.skeleton.joint("shin.L")
    steps = 0.5 * np.sin(2 * np.pi * 1.0 * time)
    noise = 0.02 * np.sin(2 * np.pi * 22.0 * time)
    clip.rotations[:, knee] = from_axis_angle([1.0, 0.0, 0.0], steps)
    clean = joint_rotation_speed(clip, ALL)
    clip.rotations[:, knee] = from_axis_angle([1.0, 0.0, 0.0], steps + noise)
    assert joint_rotation_speed(clip, ALL) > 1.1 * clean
    assert joint_rotation_speed(clip, ALL, cutoff=10.0) == pytest.approx(clean, rel=0.03)


def test_toe_lift_is_the_98th_minus_the_5th_percentile_of_the_height() -> None:
    toes = np.zeros((101, 2, 3))
    toes[:, 0, 2] = np.linspace(0.0, 0.10, 101)
    toes[:, 1, 2] = np.linspace(0.0, 0.20, 101)
    assert toe_lift(toes, np.ones(101, dtype=bool)) == pytest.approx(0.93 * 0.15)


@pytest.mark.parametrize("radius", [None, 5.0])
def test_hip_sway_is_nearly_twice_the_amplitude_on_a_line_and_on_a_wide_bend(radius: float | None) -> None:
    time = np.arange(900) / 60
    sway = 0.03 * np.sin(2 * np.pi * time)
    if radius is None:
        roots = np.column_stack([1.2 * time, sway])
    else:
        angle = 1.2 * time / radius
        roots = (radius + sway)[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    assert hip_sway(roots, 60.0, np.ones(900, dtype=bool)) == pytest.approx(0.06, rel=0.08)


def test_the_bends_of_a_wave_do_not_pass_for_sway() -> None:
    time = np.arange(1500) / 60
    sway = 0.02 * np.sin(2 * np.pi * time)
    waving = np.column_stack([1.2 * time, np.sin(2 * np.pi * 1.2 * time / 12) + sway])
    measured = hip_sway(waving, 60.0, np.ones(1500, dtype=bool))
    assert measured == pytest.approx(0.04, rel=0.15)


def test_there_is_no_sway_to_read_on_a_tight_circle() -> None:
    angle = 0.6 * np.arange(900) / 60
    circling = 2.0 * np.column_stack([np.cos(angle), np.sin(angle)])
    assert hip_sway(circling, 60.0, np.ones(900, dtype=bool)) is None


def test_a_straight_glide_has_neither_sway_nor_jerk(gliding: Callable[..., Clip]) -> None:
    clip = gliding(np.column_stack([np.arange(300) / 60, np.zeros(300)]))
    assert hip_sway(clip.positions[:, 0, :2], 60.0, ALL) == pytest.approx(0.0, abs=1e-9)
    assert mean_jerk(clip, ALL) == pytest.approx(0.0, abs=1e-6)


def test_the_jerk_of_a_cubic_is_its_third_derivative(gliding: Callable[..., Clip]) -> None:
    time = np.arange(300) / 60
    assert mean_jerk(gliding(np.column_stack([0.5 * time**3, np.zeros(300)])), ALL) == pytest.approx(3.0, rel=1e-6)


def test_a_pelvis_that_lies_flat_leans_by_ninety_degrees() -> None:
    walk = Walker(seconds=2.0).clip()
    everything = np.ones(len(walk), dtype=bool)
    upright = mean_lean(walk, "hips", everything)
    flat = replace(walk, rotations=walk.rotations.copy())
    flat.rotations[:, 0] = multiply(flat.rotations[:, 0], from_axis_angle(np.array([1.0, 0.0, 0.0]), np.pi / 2))
    fallen = mean_lean(flat, "hips", everything)
    assert upright is not None and upright < 0.2
    assert fallen == pytest.approx(np.pi / 2, abs=0.2)
    assert mean_lean(walk, "tail", everything) is None
