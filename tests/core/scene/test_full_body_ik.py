"""Bodies that reach for things: exactly where they can, as far as they can where they cannot."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.core.motion import Clip
from footfall.core.motion.rotations import (
    Array,
    exp,
    inverse,
    length,
    log,
    multiply,
    rotation_about_up,
)
from footfall.core.scene.full_body_ik import (
    EffectorGoal,
    solve_full_body_ik,
)
from footfall.tests.support.properties import examples
from footfall.tests.support.walker import Walker

CLIP = Walker(seconds=1.0).clip()
ONES = np.ones(len(CLIP))


def at(clip: Clip, role: str) -> Array:
    return clip.positions[:, clip.skeleton.joint(role)]


def lengths(clip: Clip) -> Array:
    parents = list(clip.skeleton.parents[1:])
    return np.linalg.norm(clip.positions[:, 1:] - clip.positions[:, parents], axis=-1)


near = st.floats(-0.15, 0.15)


@given(near, near, near)
@settings(max_examples=examples(15))
def test_hands_reach_what_is_near_and_feet_stay(x: float, y: float, z: float) -> None:
    wanted = {role: at(CLIP, role) + np.array([x, y, z]) for role in ("hand.L", "hand.R")}
    made = solve_full_body_ik(CLIP, [EffectorGoal(role, places, ONES) for role, places in wanted.items()])
    for role, places in wanted.items():
        np.testing.assert_allclose(at(made, role), places, atol=0.01)
    for role in ("foot.L", "foot.R"):
        np.testing.assert_allclose(at(made, role), at(CLIP, role), atol=1e-3)
    np.testing.assert_allclose(lengths(made), lengths(CLIP), atol=1e-6)


def test_hips_go_where_they_shall_and_feet_stay() -> None:
    wanted = at(CLIP, "hips") + np.array([0.0, -0.1, -0.4])
    made = solve_full_body_ik(CLIP, [EffectorGoal("hips", wanted, ONES)])
    np.testing.assert_allclose(at(made, "hips"), wanted, atol=1e-6)
    for role in ("foot.L", "foot.R"):
        np.testing.assert_allclose(at(made, role), at(CLIP, role), atol=1e-3)


def test_a_hand_that_nobody_asks_for_goes_along_with_the_hips() -> None:
    down = np.array([0.0, 0.0, -0.2])
    free = EffectorGoal("hand.L", at(CLIP, "hand.L"), 0 * ONES)
    made = solve_full_body_ik(CLIP, [EffectorGoal("hips", at(CLIP, "hips") + down, ONES), free])
    np.testing.assert_allclose(at(made, "hand.L"), at(CLIP, "hand.L") + down, atol=1e-6)
    np.testing.assert_allclose(at(made, "foot.L"), at(CLIP, "foot.L"), atol=1e-3)


def test_a_body_bends_for_what_its_arms_are_too_short_for() -> None:
    wanted = at(CLIP, "hand.R") + 0.45 * (at(CLIP, "toe.R") - at(CLIP, "foot.R")) / 0.15 + [0.0, 0.0, -0.35]
    made = solve_full_body_ik(CLIP, [EffectorGoal("hand.R", wanted, ONES)])
    before = np.linalg.norm(at(CLIP, "hand.R") - wanted, axis=-1)
    after = np.linalg.norm(at(made, "hand.R") - wanted, axis=-1)
    assert after.mean() < 0.2 * before.mean()
    assert np.linalg.norm(at(made, "head") - at(CLIP, "head"), axis=-1).mean() > 0.02
    np.testing.assert_allclose(lengths(made), lengths(CLIP), atol=1e-6)


def test_what_has_no_weight_changes_nothing() -> None:
    made = solve_full_body_ik(CLIP, [EffectorGoal("hand.L", at(CLIP, "hand.L") + 1.0, 0 * ONES)])
    np.testing.assert_allclose(made.positions, CLIP.positions, atol=1e-6)


@pytest.mark.parametrize("share", [0.25, 0.5])
def test_weights_are_shares_of_the_way(share: float) -> None:
    made = solve_full_body_ik(CLIP, [EffectorGoal("hips", at(CLIP, "hips") + np.array([0.2, 0.0, -0.1]), share * ONES)])
    moved = at(made, "hips") - at(CLIP, "hips")
    np.testing.assert_allclose(moved, np.tile(share * np.array([0.2, 0.0, -0.1]), (len(CLIP), 1)), atol=0.05)


def test_hands_turn_as_they_are_told() -> None:
    hand = CLIP.skeleton.joint("hand.L")
    turned = multiply(rotation_about_up(np.array(0.5)), CLIP.world[1][:, hand])
    made = solve_full_body_ik(CLIP, [EffectorGoal("hand.L", at(CLIP, "hand.L"), ONES, turned)])
    np.testing.assert_allclose(np.abs(np.sum(made.world[1][:, hand] * turned, axis=-1)), 1.0, atol=1e-6)


def test_what_moves_smoothly_goes_on_moving_smoothly() -> None:
    ramp = np.clip(np.arange(len(CLIP)) / len(CLIP), 0, 1)[:, None]
    made = solve_full_body_ik(CLIP, [EffectorGoal("hand.L", at(CLIP, "hand.L") + ramp * [0.1, 0.1, 0.3], ONES)])
    steps = np.linalg.norm(np.diff(made.positions, axis=0), axis=-1).max()
    assert steps < np.linalg.norm(np.diff(CLIP.positions, axis=0), axis=-1).max() + 0.03


def test_frames_that_do_not_follow_each_other_are_solved_one_by_one() -> None:
    wanted = at(CLIP, "hand.R") + np.linspace(0.0, 0.7, len(CLIP))[:, None] * [0.3, 0.8, -0.6]
    goals = [EffectorGoal("hand.R", wanted, ONES), EffectorGoal("hips", at(CLIP, "hips"), ONES)]
    made = solve_full_body_ik(CLIP, goals, consecutive=False)
    chosen = np.array([50, 3, 31, 12])
    clip = replace(CLIP, root_positions=CLIP.root_positions[chosen], rotations=CLIP.rotations[chosen])
    few = [EffectorGoal(goal.role, goal.positions[chosen], goal.weights[chosen]) for goal in goals]
    np.testing.assert_array_equal(solve_full_body_ik(clip, few, consecutive=False).positions, made.positions[chosen])


def test_a_hand_that_is_turned_by_half_a_turn_goes_one_way_round() -> None:
    """Goals pass half a turn while the hand is led to them; the shorter way changes there."""
    joint, count = CLIP.skeleton.joint("hand.L"), len(CLIP)
    angles = np.linspace(0.7 * np.pi, 1.3 * np.pi, count)
    axis = np.array([1.0, 0.0, 0.0])
    turned = multiply(exp(angles[:, None] * axis), CLIP.world[1][:, joint])
    goal = EffectorGoal("hand.L", at(CLIP, "hand.L"), np.linspace(0.0, 1.0, count), turned)
    made = solve_full_body_ik(CLIP, [goal])
    steps = multiply(made.world[1][1:, joint], inverse(made.world[1][:-1, joint]))
    own = multiply(CLIP.world[1][1:, joint], inverse(CLIP.world[1][:-1, joint]))
    assert length(log(steps)).max() < length(log(own)).max() + 2.5 * 1.3 * np.pi / count
    np.testing.assert_allclose(length(log(multiply(made.world[1][-1, joint], inverse(turned[-1])))), 0.0, atol=1e-6)


def test_feet_with_a_goal_go_there() -> None:
    wanted = at(CLIP, "foot.R") + np.array([0.03, 0.05, 0.06])
    made = solve_full_body_ik(CLIP, [EffectorGoal("foot.R", wanted, ONES)])
    np.testing.assert_allclose(at(made, "foot.R"), wanted, atol=2e-3)
    np.testing.assert_allclose(at(made, "foot.L"), at(CLIP, "foot.L"), atol=1e-3)
