"""Who sits a few centimetres too low, or too far back, and what a seat and its back make of that."""

import numpy as np
import pytest

from footfall.core.control.refine.interaction_refinement import SITTING
from footfall.core.control.refine.seat_depenetration import FLESH, LEAN, seated_clear
from footfall.core.motion import Clip
from footfall.core.motion.rotations import Array, about_up, rotate
from footfall.core.scene.body_capsules import TRUNK, BodyCapsules
from footfall.core.scene.collider import Collider
from footfall.core.scene.collider_pose import Moving, Placed
from footfall.core.scene.full_body_ik import Goal, reach_goals
from footfall.tests.support.walker import Walker

UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])
SEAT = 0.41
"""Metres: the seat on which the sitter would be right."""


def sitter() -> Clip:
    """Somebody who sits still and looks to +Y, upright, their shins as well."""
    walker = Walker(pause=1.5)
    still = np.flatnonzero(walker.resting)
    clip = walker.clip().cut(still[0], still[-1])
    ones = np.ones(len(clip))
    hips = clip.root_positions - [0.0, 0.35, 0.0]
    hips[:, 2] = SEAT + SITTING * clip.skeleton.leg_length
    feet = [Goal(f"foot.{side}", hips * [1, 1, 0] + [x, 0.4, 0.08], ones) for side, x in (("L", -0.1), ("R", 0.1))]
    return reach_goals(clip, [Goal("hips", hips, ones), *feet])


SITTER = sitter()
BODY = BodyCapsules.of(SITTER.skeleton)
ONES = np.ones(len(SITTER))
HIPS = SITTER.root_positions[0]
BEHIND = HIPS[1] - TRUNK["hips"]
"""Where the back's flesh is, of who sits upright."""


def bench(high: float, *back: tuple[float, float, float]) -> Moving:
    """A bench so much too high, and slabs of a back: from one height to another, so far in the back of who sits."""
    lower, upper = [[-0.4, HIPS[1] - 0.2, SEAT - 0.05]], [[0.4, HIPS[1] + 0.25, SEAT + high]]
    for low, top, deep in back:
        lower.append([-0.4, BEHIND - 0.2, low])
        upper.append([0.4, BEHIND + deep, top])
    return Moving.of(Placed(Collider(np.array(lower), np.array(upper)), np.zeros(3), UPRIGHT), len(SITTER))


def depth(clip: Clip, thing: Moving, *roles: str) -> float:
    return float(BODY.sphere_depths(clip, thing)[:, BODY.spheres_of(roles)].max())


def shift(made: Clip, role: str) -> Array:
    joint = SITTER.skeleton.role(role)
    return made.positions[:, joint] - SITTER.positions[:, joint]


@pytest.mark.parametrize("high", [0.03, 0.04, 0.05])
def test_a_seat_that_is_too_high_raises_who_sits_on_it(high: float) -> None:
    seat = bench(high)
    made = seated_clear(SITTER, [seat], ONES)
    assert depth(SITTER, seat, "hips", "thigh") > high + 0.01
    assert FLESH - 0.005 < depth(made, seat, "hips", "thigh") < FLESH + 0.005, "they sink in, but no deeper"
    up = shift(made, "hips")
    assert np.abs(up[:, :2]).max() < 1e-6 and (up[:, 2] > 0.01).all()
    assert np.ptp(up, axis=0).max() < 1e-9, "who sits still still does"
    for side in "LR":
        np.testing.assert_allclose(shift(made, f"foot.{side}"), 0.0, atol=1e-6)


@pytest.mark.parametrize("deep", [0.03, 0.05])
def test_an_upright_back_pushes_who_sits_forward(deep: float) -> None:
    back = bench(0.0, (SEAT + 0.2, SEAT + 0.7, deep))
    made = seated_clear(SITTER, [back], ONES)
    assert depth(SITTER, back, *TRUNK) > deep - 1e-6 and depth(made, back, *TRUNK) < FLESH + 0.002
    ahead = shift(made, "hips")[:, 1]
    assert (ahead > deep - FLESH - 0.005).all() and (shift(made, "neck")[:, 1] >= ahead - 1e-6).all()
    np.testing.assert_allclose(shift(made, "foot.L"), 0.0, atol=1e-6)


@pytest.mark.parametrize("deep", [0.03, 0.05, 0.08])
def test_a_back_that_leans_in_bends_the_trunk_at_its_foot(deep: float) -> None:
    head = float(SITTER.positions[0, SITTER.skeleton.role("head"), 2])
    # Heads are thinner than hips.
    back = bench(-0.02, (head, head + 0.2, deep + TRUNK["hips"] - TRUNK["head"]))
    made = seated_clear(SITTER, [back], ONES)
    assert depth(SITTER, back, *TRUNK) > deep - 1e-6 and depth(made, back, *TRUNK) < FLESH + 0.002
    np.testing.assert_allclose(shift(made, "hips"), 0.0, atol=1e-9)
    np.testing.assert_allclose(shift(made, "spine"), 0.0, atol=1e-9)
    leant = shift(made, "neck")
    assert (leant[:, 1] > 0.5 * (deep - FLESH)).all() and (leant[:, 1] < LEAN).all()
    assert np.abs(leant[:, 0]).max() < 1e-9 and (leant[:, 2] < 1e-9).all()


def test_who_does_not_sit_is_who_they_were() -> None:
    seat = bench(0.05, (SEAT + 0.2, SEAT + 0.7, 0.05))
    assert seated_clear(SITTER, [seat], 0 * ONES) is SITTER
    assert seated_clear(SITTER, [], ONES) is SITTER
    assert seated_clear(SITTER, [bench(-0.01)], ONES) is SITTER, "flesh gives way"


def test_who_sits_down_is_raised_smoothly_and_only_then() -> None:
    sits = np.where(np.arange(len(SITTER)) < len(SITTER) // 2, 0.0, 1.0)
    up = shift(seated_clear(SITTER, [bench(0.04)], sits), "hips")[:, 2]
    assert up[:10].max() < 1e-6 and up[-10:].min() > 0.01
    assert np.diff(up).min() > -1e-5 and np.diff(up).max() * SITTER.rate < 0.5


@pytest.mark.parametrize("yaw", [0.8, -2.5])
def test_on_a_bench_that_is_turned_it_is_the_same(yaw: float) -> None:
    turn, way = about_up(np.array(yaw)), np.array([2.0, -1.0, 0.0])
    seat = bench(0.03, (SEAT + 0.2, SEAT + 0.7, 0.03))
    there = Moving.of(Placed(seat.collider, way, turn), len(SITTER))
    made = seated_clear(SITTER.placed(turn, way), [there], ONES)
    expected = seated_clear(SITTER, [seat], ONES)
    np.testing.assert_allclose(made.positions, rotate(turn, expected.positions) + way, atol=1e-4)


def test_a_seat_farther_off_changes_nothing_about_ones_own() -> None:
    seat = bench(0.03)
    other = Moving(seat.collider, seat.positions + np.array([3.0, 0.0, 0.0]), seat.rotations)
    alone, both = (seated_clear(SITTER, seats, ONES) for seats in ([seat], [other, seat]))
    np.testing.assert_allclose(both.positions, alone.positions)
