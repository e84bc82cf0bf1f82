"""Hands that play a ball: arms that go over to holding it, and hands that come back from it with inertia."""

import numpy as np
import pytest

from footfall.core.control.walk.ball_flight import _hermite
from footfall.core.control.walk.ball_hands import (
    ARM_PARTS,
    _blend_rotations,
    _is_below,
    _needed_drop,
    _with_inertia,
    blend_arms,
    blend_take,
    lead_hands,
)
from footfall.core.motion import Clip
from footfall.core.motion.limb_ik import Leg
from footfall.core.motion.rotations import exp, log, multiply
from footfall.tests.support.walker import Walker

CLIP = Walker(seconds=2.0).clip()
BODY, COUNT = CLIP.skeleton, len(CLIP)


def test_a_curve_comes_from_a_place_and_a_velocity_to_rest_at_zero() -> None:
    """In the middle of its time: half of the place, and an eighth of the velocity's way."""
    place, velocity = np.array([1.0, 0.0, -2.0]), np.array([0.0, 4.0, 8.0])
    curve = _hermite(place, velocity, np.array([0.0, 0.25, 0.5, 9.0]), 0.5)
    np.testing.assert_allclose(curve[0], place)
    np.testing.assert_allclose(curve[1], place / 2 + velocity * 0.5 / 8)
    np.testing.assert_allclose(curve[2:], 0.0, atol=1e-12)
    near = _hermite(place, velocity, np.array([0.0, 1e-6]), 0.5)
    np.testing.assert_allclose((near[1] - near[0]) / 1e-6, velocity, atol=1e-3)


def test_a_hand_comes_back_from_a_ball_as_a_critically_damped_spring_does() -> None:
    """Known in frames 10 to 19, at a speed of 0.6 m/s in the end and 0.3 m off."""
    rate, known = 60.0, (np.arange(60) >= 10) & (np.arange(60) < 20)
    offsets = np.zeros((60, 3))
    offsets[:, 0] = 0.3 + 0.01 * (np.arange(60) - 19)
    made = _with_inertia(offsets, known, rate)
    np.testing.assert_array_equal(made[10:20], offsets[10:20])
    after, before = np.arange(1, 41) / rate, np.arange(10, 0, -1) / rate
    np.testing.assert_allclose(made[20:, 0], np.exp(-14 * after) * (0.3 + after * (0.6 + 14 * 0.3)))
    np.testing.assert_allclose(made[:10, 0], np.exp(-14 * before) * (0.21 + before * (-0.6 + 14 * 0.21)))
    np.testing.assert_array_equal(made[:, 1:], 0.0)


def test_a_touch_of_one_frame_has_no_speed() -> None:
    offsets, known = np.zeros((20, 3)), np.arange(20) == 0
    offsets[0, 2] = 0.2
    after = np.arange(1, 20) / 60.0
    made = _with_inertia(offsets, known, 60.0)
    np.testing.assert_allclose(made[1:, 2], 0.2 * np.exp(-14 * after) * (1 + 14 * after))


def test_between_two_touches_each_one_fades_out_until_the_other() -> None:
    """As 1 less the quintic, which is a half in the middle of eleven frames."""
    offsets, known = np.zeros((20, 3)), np.ones(20, dtype=bool)
    offsets[:, 1], known[5:14] = 0.2, False
    made = _with_inertia(offsets, known, 60.0)
    middle = 5 / 60.0
    assert made[9, 1] == pytest.approx(2 * 0.5 * 0.2 * np.exp(-14 * middle) * (1 + 14 * middle))
    np.testing.assert_allclose(made[5:14, 1], made[5:14, 1][::-1])


def test_rotations_between_two_motions_are_shares_of_the_turn_from_one_to_the_other() -> None:
    first, second = exp(np.tile([0.0, 0.0, 0.2], (5, 1))), exp(np.tile([0.0, 0.0, 1.2], (5, 1)))
    for weights in (np.array([0.0, 0.25, 0.5, 0.75, 1.0]), np.array([1.0, 0.9, 0.6, 0.3, 0.0])):
        made = _blend_rotations(first, second, weights)
        np.testing.assert_allclose(log(made)[:, 2], 0.2 + weights, atol=1e-9)
        np.testing.assert_array_equal(made[weights == 1.0], second[weights == 1.0])


def test_a_transition_goes_on_along_its_arc_where_another_becomes_the_shorter_one() -> None:
    """The second motion turns away from 3.0 to 3.4 rad: more than half a turn, without a flip."""
    first = exp(np.zeros((6, 3)))
    second = exp(np.linspace(2.9, 3.4, 6)[:, None] * [0.0, 0.0, 1.0])
    weights = np.linspace(0.1, 0.9, 6)
    made = _blend_rotations(first, second, weights)
    wanted = exp((weights * np.linspace(2.9, 3.4, 6))[:, None] * [0.0, 0.0, 1.0])
    np.testing.assert_allclose(np.abs(np.sum(made * wanted, axis=1)), 1.0, atol=1e-9)


def test_arms_hold_a_ball_and_nothing_else_does() -> None:
    holding = exp(np.full((len(BODY), 3), 0.3))
    weights = np.where(np.arange(COUNT) < 60, 0.0, 1.0)
    made = blend_arms(CLIP, holding, weights)
    arms = [BODY.roles[f"{part}.{side}"] for side in "LR" for part in ARM_PARTS if f"{part}.{side}" in BODY.roles]
    others = [joint for joint in range(len(BODY)) if joint not in arms]
    np.testing.assert_array_equal(made.rotations[:, others], CLIP.rotations[:, others])
    np.testing.assert_array_equal(made.rotations[:60], CLIP.rotations[:60])
    np.testing.assert_allclose(made.rotations[60:, arms], np.tile(holding[arms], (COUNT - 60, 1, 1)))


def test_hands_are_displaced_where_they_touch_and_by_themselves() -> None:
    contacts, moved = np.zeros((COUNT, 2), dtype=bool), np.full((COUNT, 2, 3), [0.0, 0.04, 0.05])
    contacts[40:60, 1] = True
    made = lead_hands(CLIP, moved, contacts)
    left, right = (made.positions[:, BODY.joint(f"hand.{side}")] for side in "LR")
    np.testing.assert_array_equal(left, CLIP.positions[:, BODY.joint("hand.L")])
    own = CLIP.positions[:, BODY.joint("hand.R")]
    np.testing.assert_allclose(right[40:60], own[40:60] + np.array([0.0, 0.04, 0.05]), atol=1e-6)
    np.testing.assert_allclose(right[-1], own[-1], atol=1e-4)


def test_a_body_follows_a_take_over_its_own_feet() -> None:
    """The take leans by 0.2 rad; in its middle the trunk does, and the feet stay throughout."""
    rotations, spine = CLIP.rotations[30:90].copy(), BODY.joint("spine")
    rotations[:, spine] = multiply(rotations[:, spine], exp(np.tile([0.2, 0.0, 0.0], (60, 1))))
    take = type(CLIP)(BODY, CLIP.rate, CLIP.root_positions[30:90], rotations)
    made = blend_take(CLIP, take, 30, (0.25, 0.25))
    np.testing.assert_allclose(made.rotations[60, spine], rotations[30, spine], atol=1e-9)
    outside = np.r_[0:30, 90:COUNT]
    np.testing.assert_array_equal(made.rotations[outside], CLIP.rotations[outside])
    for side in "LR":
        foot = BODY.joint(f"foot.{side}")
        np.testing.assert_allclose(made.positions[:, foot], CLIP.positions[:, foot], atol=1e-4)


@pytest.mark.parametrize("start", [COUNT, COUNT + 5])
def test_a_take_beyond_the_end_changes_nothing(start: int) -> None:
    assert blend_take(CLIP, CLIP, start, (0.2, 0.2)) is CLIP


def test_a_joint_is_below_itself_and_what_it_hangs_on() -> None:
    hips, thigh, foot = (BODY.joint(role) for role in ("hips", "thigh.L", "foot.L"))
    assert all(_is_below(BODY, joint, top) for joint, top in ((foot, foot), (foot, thigh), (thigh, hips)))
    assert not any(_is_below(BODY, joint, top) for joint, top in ((thigh, foot), (BODY.joint("foot.R"), thigh)))


def test_hips_sink_by_what_legs_that_are_all_but_straight_do_not_reach() -> None:
    """Legs of 0.84 m are straightened to 98 % of it; hips that a take raises by 30 cm in the middle of two seconds."""
    roots, rotations = np.repeat(CLIP.root_positions[:1], 121, axis=0), np.repeat(CLIP.rotations[:1], 121, axis=0)
    there, legs = Clip(BODY, CLIP.rate, roots, rotations), [Leg.of(BODY, side) for side in "LR"]
    drop = _needed_drop(BODY, roots + np.array([0.0, 0.0, 0.3]), rotations, there, legs, CLIP.rate)
    away = np.array([there.positions[60, leg.thigh] - there.positions[60, leg.foot] for leg in legs])
    highest = np.sqrt((0.98 * 0.84) ** 2 - np.sum(away[:, :2] ** 2, axis=1))
    assert drop[60] == pytest.approx((away[:, 2] + 0.3 - highest).max())
    assert drop[0] == drop[-1] == 0.0 and drop[60] > 0.1
    assert not _needed_drop(BODY, roots, rotations, there, legs, CLIP.rate).any()
