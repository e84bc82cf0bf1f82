from collections.abc import Callable

import numpy as np
import pytest

from footfall.core.evaluation.motion_detail import (
    hip_sway,
    joint_rotation_speed,
    mean_jerk,
    smooth_root_path,
    toe_lift,
)
from footfall.core.motion import Clip
from footfall.core.motion.rotations import from_axis_angle

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


def test_the_jerk_of_a_cubic_is_its_third_derivative(gliding: Callable[..., Clip]) -> None:
    time = np.arange(300) / 60
    assert mean_jerk(gliding(np.column_stack([0.5 * time**3, np.zeros(300)])), ALL) == pytest.approx(3.0, rel=1e-6)


def test_a_smoothed_path_keeps_a_line_and_a_bend_and_loses_steps() -> None:
    time = np.arange(600) / 60
    line = np.column_stack([1.2 * time, 0.5 * time])
    np.testing.assert_allclose(smooth_root_path(line, 60.0)[40:-40], line[40:-40], atol=1e-9)
    np.testing.assert_allclose(smooth_root_path(line, 60.0), line, atol=1e-5)
    parabola = np.column_stack([time, 0.1 * time**2])
    np.testing.assert_allclose(smooth_root_path(parabola, 60.0)[200:400], parabola[200:400], atol=1e-6)
    # Twice filtered, a sine of a frequency keeps 1 - (1 - g)^2 of what one filter keeps of it, g.
    sine = np.column_stack([time, np.sin(2 * np.pi * 0.5 * time)])
    kept = 1 - (1 - np.exp(-((2 * np.pi * 0.5 * 0.45) ** 2) / 2)) ** 2
    np.testing.assert_allclose(smooth_root_path(sine, 60.0)[250:350, 1], kept * sine[250:350, 1], atol=1e-3)
    np.testing.assert_array_equal(smooth_root_path(line[:1], 60.0), line[:1])
