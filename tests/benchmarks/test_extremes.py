"""Largest moves, joint speeds, lean and sink, where they were put in."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.benchmarks.measures.extremes import (
    deepest_sink,
    joint_speed_percentile,
    largest_joint_acceleration,
    largest_joint_speed,
    largest_lean,
    largest_moves,
    worst_shaking,
)
from footfall.core.motion import Clip
from footfall.core.motion.rotations import from_axis_angle, multiply
from footfall.tests.support.walker import Walker


def gliding(roots: np.ndarray, rate: float) -> Clip:
    """A body that glides along root positions (F, 2) without moving a joint."""
    pose = Walker(seconds=1.0).clip().cut(0, 1)
    places = np.column_stack([roots, np.full(len(roots), pose.root_positions[0, 2])])
    return Clip(pose.skeleton, rate, places, np.repeat(pose.rotations, len(roots), axis=0), "glide")


def test_a_jump_is_the_largest_move_at_any_rate() -> None:
    roots = np.zeros((60, 2))
    roots[40:, 0] = 0.1
    for rate, centimeters in ((60.0, 10.0), (120.0, 20.0)):
        moves = largest_moves(gliding(roots, rate))
        assert {"hips", "foot.L", "foot.R"} <= set(moves)
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
