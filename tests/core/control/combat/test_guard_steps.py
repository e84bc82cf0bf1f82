"""Steps between motions: the body goes over in closed forms, and feet step one after the other."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.combat.guard_steps import settle_into, step_over
from footfall.core.motion import Clip
from footfall.core.motion.blending import smooth_falloff, smooth_step
from footfall.core.motion.rotations import Array, exp, log, multiply, rotation_about_up
from footfall.tests.support.poses import posed

CROUCHED = np.array([0.0, 0.0, 0.9])
STILL = posed(np.tile(CROUCHED, (60, 1)))
FEET = [STILL.skeleton.joint(f"foot.{side}") for side in "LR"]


def moved(clip: Clip, way: tuple[float, float, float] | Array) -> Clip:
    return clip.transformed(np.array([1.0, 0.0, 0.0, 0.0]), np.asarray(way))


def faded(frames: int) -> Array:
    """Share of the second clip in the last third."""
    return smooth_step((np.arange(frames) / (frames - 1) - 2 / 3) * 3)


def test_bodies_that_stand_go_over_by_a_quintic() -> None:
    there = moved(STILL, (0.0, 0.2, 0.0))
    made = settle_into(STILL, there, 0.5)
    assert len(made) == 120 and made.rate == 60.0
    share = 1.0 - smooth_falloff((np.arange(30) + 1) / 30)
    way = 0.2 * (share + faded(30) * (1.0 - share))
    np.testing.assert_allclose(made.root_positions[60:90, 1], way, atol=1e-9)
    np.testing.assert_array_equal(made.root_positions[:60], STILL.root_positions)
    np.testing.assert_array_equal(made.rotations[:60], STILL.rotations)
    np.testing.assert_array_equal(made.root_positions[90:], there.root_positions[30:])
    np.testing.assert_array_equal(made.rotations[90:], there.rotations[30:])


def test_a_body_that_moves_coasts_to_rest() -> None:
    times = np.arange(60)
    turns = rotation_about_up(0.01 * times)
    rotations = STILL.rotations.copy()
    rotations[:, 0] = multiply(turns, rotations[:, 0])
    moving = replace(
        STILL, root_positions=STILL.root_positions + times[:, None] * [0.02, 0.0, 0.0], rotations=rotations
    )
    made = settle_into(moving, STILL, 0.5)
    coasted = 59 + 4.8 * (1.0 - np.exp(-(np.arange(30) + 1) / 4.8))  # 0.08 s are 4.8 frames
    share = 1.0 - smooth_falloff((np.arange(30) + 1) / 30)
    left = coasted * (1.0 - share) * (1.0 - faded(30))
    np.testing.assert_allclose(made.root_positions[60:90, 0], 0.02 * left, atol=1e-9)
    np.testing.assert_allclose(log(made.rotations[60:90, 0])[:, 2], 0.01 * left, atol=1e-9)


def test_a_clip_of_one_frame_rests_where_it_is() -> None:
    made = settle_into(STILL.cut(0, 1), moved(STILL, (0.0, 0.2, 0.0)), 0.5)
    assert len(made) == 61
    assert made.root_positions[1, 1] == pytest.approx(0.2 * (1.0 - smooth_falloff(1 / 30)))


def foot_paths(way: float, seconds: Array, first: bool) -> Array:
    """Path (F, 2), ahead and up, of a foot that steps in the first or the second step."""
    begin, end = (0.05, 0.35) if first else (0.38, 0.68)
    share = smooth_step((seconds - begin) / (end - begin))
    lift = 0.06 * min(abs(way) / 0.25, 1.0) * np.sin(np.pi * share) ** 2
    return np.stack([way * share, lift], axis=1)


@pytest.mark.parametrize("way", [0.1, 0.16, -0.12])
@pytest.mark.parametrize("over", [False, True])
def test_feet_step_one_after_the_other_as_high_as_their_way_is_long(way: float, over: bool) -> None:
    there = moved(STILL, (0.0, way, 0.0))
    made = step_over(STILL, there) if over else settle_into(STILL, there, 0.8)
    assert len(made) == 120
    own = made.positions[60:92, FEET] - STILL.positions[:1, FEET]
    seconds = np.arange(32) / 60.0
    for column, first in ((1, True), (0, False)):  # the right foot, as both have the same way
        np.testing.assert_allclose(own[:, column, 1:], foot_paths(way, seconds, first), atol=1e-6)
        np.testing.assert_allclose(own[:, column, 0], 0.0, atol=1e-6)
    np.testing.assert_array_equal(made.root_positions[108:], there.root_positions[48:])
    np.testing.assert_array_equal(made.rotations[108:], there.rotations[48:])


@pytest.mark.parametrize(("turn", "first"), [(0.3, 1), (-0.3, 0)])
def test_the_foot_with_the_longer_way_steps_first(turn: float, first: int) -> None:
    pivot = STILL.positions[0, FEET[1 - first]] * [1.0, 1.0, 0.0]
    turned = moved(moved(STILL, -pivot).transformed(rotation_about_up(turn), np.zeros(3)), pivot)
    made = settle_into(STILL, turned, 0.8)
    away = np.linalg.norm(made.positions[60:, FEET, :2] - STILL.positions[0, FEET, :2], axis=-1)
    whole = np.linalg.norm(turned.positions[0, FEET[first], :2] - STILL.positions[0, FEET[first], :2])
    assert whole > 0.05
    assert away[21, first] == pytest.approx(whole, abs=1e-6), "it is there after 0.35 s"
    np.testing.assert_allclose(away[:32, 1 - first], 0.0, atol=1e-6)


def test_feet_turn_as_they_step_and_toes_with_them() -> None:
    turn, pivot = 0.3, STILL.positions[0, FEET[0]] * [1.0, 1.0, 0.0]
    turned = moved(moved(STILL, -pivot).transformed(rotation_about_up(turn), np.zeros(3)), pivot)
    made = settle_into(STILL, turned, 0.8)
    yaws = log(multiply(made.world[1][60:92, FEET[1]], exp(-log(STILL.world[1][:32, FEET[1]]))))[:, 2]
    np.testing.assert_allclose(yaws, turn * foot_paths(1.0, np.arange(32) / 60.0, True)[:, 0], atol=1e-6)
    toe = made.skeleton.joint("toe.R")
    np.testing.assert_allclose(made.rotations[60:, toe], turned.rotations[:, toe], atol=1e-9)


def test_steps_of_a_shorter_transition_are_quicker() -> None:
    there = moved(STILL, (0.0, 0.1, 0.0))
    made = settle_into(STILL, there, 0.4)
    own = made.positions[60:76, FEET[1], 1:] - STILL.positions[0, FEET[1], 1:]
    np.testing.assert_allclose(own, foot_paths(0.1, np.arange(16) / 30.0, True), atol=1e-6)


def test_a_step_over_into_a_shorter_clip_takes_all_of_it() -> None:
    there = moved(STILL, (0.0, 0.1, 0.0))
    made = step_over(STILL, there.cut(0, 20))
    assert len(made) == 80
    np.testing.assert_allclose(made.positions[-1], there.positions[0], atol=1e-9)
