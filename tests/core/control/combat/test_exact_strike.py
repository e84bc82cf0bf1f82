"""Exact strikes: time that is warped within its limit, and what cannot be met told with by how much."""

import numpy as np
import pytest

from footfall.core.control.combat.exact_strike import MAX_WARP, ExactStrike, solve_strikes, warped
from footfall.core.control.combat.strike_order import StrikeOrder, require_orders
from footfall.core.control.combat.strike_rollout import Attack, StrikeMotion
from footfall.core.errors import FootfallError
from footfall.core.labelling.semantics.blow_targets import blow_targets
from footfall.core.labelling.semantics.blows import LimbMotion
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.weapons import striking_places
from footfall.tests.support.poses import puncher
from footfall.tests.support.swordsman import swordsman

PUNCH = puncher(0.18)
(BLOW,) = LimbMotion.of(PUNCH, 0.0).blows
TARGET = blow_targets(PUNCH, [BLOW])[0]


def motion(frame: int, target: np.ndarray) -> StrikeMotion:
    """The punch as the attack for an order."""
    order = StrikeOrder(frame, target, BLOW.effector)
    attack = Attack(order, BLOW, TARGET - target, 0.5, float(np.linalg.norm(target - TARGET)))
    contacts = FootContacts(np.ones((len(PUNCH), 4)))
    return StrikeMotion(PUNCH, contacts, (attack,), np.zeros(2), 0.0)


@pytest.mark.parametrize("late", [-3, 0, 2])
def test_the_hand_is_at_the_target_on_the_frame(late: int) -> None:
    target = TARGET + np.array([0.08, -0.02, -0.1])
    made = motion(BLOW.apex + late, target)
    clip, (solved,) = solve_strikes(made)
    assert solved.problem() is None
    assert solved.warp <= MAX_WARP
    hand, frame = clip.positions[:, clip.skeleton.joint(BLOW.effector)], BLOW.apex + late
    np.testing.assert_allclose(hand[frame], target, atol=1e-3)
    assert np.linalg.norm(hand[frame - 8 : frame + 9] - target, axis=-1).argmin() == 8
    assert len(clip) == len(PUNCH)
    for role in ("foot.L", "foot.R"):
        foot = clip.skeleton.joint(role)
        np.testing.assert_allclose(clip.positions[:, foot], PUNCH.positions[:1, foot].repeat(len(clip), 0), atol=5e-3)


@pytest.mark.parametrize("late", [-2, 0, 3])
def test_the_tip_of_a_blade_is_at_the_target_on_the_frame(late: int) -> None:
    cut = swordsman(0.08)
    (blow,) = LimbMotion.of(cut, 0.0).blows
    target, frame = striking_places(cut, "hand.R")[blow.apex] + np.array([0.1, -0.05, -0.08]), blow.apex + late
    attack = Attack(StrikeOrder(frame, target, "hand.R"), blow, np.array([0.1, 0.0, 0.0]), 0.5, 0.1)
    contacts = FootContacts(np.ones((len(cut), 4)))
    clip, (solved,) = solve_strikes(StrikeMotion(cut, contacts, (attack,), np.zeros(2), 0.0))
    assert solved.problem() is None
    tips = striking_places(clip, "hand.R")
    np.testing.assert_allclose(tips[frame], target, atol=1e-3)
    np.testing.assert_allclose(clip.rotations[frame, -1], cut.rotations[blow.apex, -1], atol=1e-6)


def test_a_target_out_of_reach_is_told_by_how_much() -> None:
    _, (solved,) = solve_strikes(motion(BLOW.apex, TARGET + np.array([0.0, -1.5, 0.0])))
    with pytest.raises(FootfallError, match=r"hand\.R at frame \d+ falls \d+\.\d cm short of its target: bring"):
        raise solved.problem() or AssertionError


def test_a_frame_that_time_cannot_be_warped_to_is_told_by_how_much() -> None:
    _, (solved,) = solve_strikes(motion(60, TARGET))
    late = BLOW.apex - 60
    with pytest.raises(FootfallError, match=rf"comes {late} frames too late: give it that much more time"):
        raise solved.problem() or AssertionError


@pytest.mark.parametrize(("late", "words"), [(1, "1 frame too late"), (-1, "1 frame too early")])
def test_one_frame_is_told_as_one(late: int, words: str) -> None:
    solved = ExactStrike(motion(BLOW.apex - late, TARGET).attacks[0], BLOW, 2 * MAX_WARP, 0.0, False)
    assert f"comes {words}: " in str(solved.problem())


def test_time_as_it_is_changes_nothing() -> None:
    assert warped(PUNCH, np.arange(len(PUNCH), dtype=float)) is PUNCH
    slow = warped(PUNCH, np.arange(len(PUNCH)) / 2)
    np.testing.assert_allclose(slow.positions[::2], PUNCH.positions[: len(slow.positions[::2])], atol=1e-9)


@pytest.mark.parametrize(
    ("orders", "sentence"),
    [
        ([], "There is no strike to make"),
        ([StrikeOrder(10, TARGET, "tail")], "There is no end effector 'tail': choose one of hand.L"),
        ([StrikeOrder(10, np.full(3, np.nan), "hand.L")], "at frame 10 has no valid position"),
        ([StrikeOrder(9, TARGET, "hand.L"), StrikeOrder(9, TARGET, "hand.R")], "frames 9 and 9 are not one after"),
    ],
)
def test_orders_that_cannot_be_are_refused(orders: list[StrikeOrder], sentence: str) -> None:
    with pytest.raises(FootfallError, match=sentence):
        require_orders(orders)


def test_a_target_that_moves_stays_where_it_was_last() -> None:
    order = StrikeOrder(5, np.array([[0.0, 0.0, 1.0], [0.5, 0.0, 1.0]]), "hand.L")
    np.testing.assert_allclose(order.target_at(0), [0.0, 0.0, 1.0])
    np.testing.assert_allclose(order.target_at(7), [0.5, 0.0, 1.0])
