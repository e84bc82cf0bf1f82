"""Bodies that reach for things: exactly where they can, as far as they can where they cannot."""

import numpy as np
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


def test_hands_turn_as_they_are_told() -> None:
    hand = CLIP.skeleton.joint("hand.L")
    turned = multiply(rotation_about_up(np.array(0.5)), CLIP.world[1][:, hand])
    made = solve_full_body_ik(CLIP, [EffectorGoal("hand.L", at(CLIP, "hand.L"), ONES, turned)])
    np.testing.assert_allclose(np.abs(np.sum(made.world[1][:, hand] * turned, axis=-1)), 1.0, atol=1e-6)


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
