"""Exact strikes: time that is warped within its limit, and what cannot be met told with by how much."""

import numpy as np
import pytest

from footfall.core.control.strike import exact_strike
from footfall.core.control.strike.exact_strike import ExactStrike, solve_strikes
from footfall.core.control.strike.strike_order import StrikeOrder, require_orders
from footfall.core.control.strike.strike_rollout import Attack, StrikeMotion
from footfall.core.errors import FootfallError
from footfall.core.labelling.semantics.blow_targets import blow_targets
from footfall.core.labelling.semantics.blows import Blow, LimbMotion
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
    assert solved.warp <= exact_strike.TUNING.max_warp
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


def test_a_target_out_of_reach_is_reported_with_the_distance() -> None:
    _, (solved,) = solve_strikes(motion(BLOW.apex, TARGET + np.array([0.0, -1.5, 0.0])))
    with pytest.raises(FootfallError, match=r"hand\.R at frame \d+ falls \d+\.\d cm short of its target: bring"):
        raise solved.problem() or AssertionError


def test_a_frame_beyond_the_largest_warp_is_reported_with_the_amount() -> None:
    _, (solved,) = solve_strikes(motion(60, TARGET))
    late = BLOW.apex - 60
    with pytest.raises(FootfallError, match=rf"comes {late} frames too late: move it later by that number of frames"):
        raise solved.problem() or AssertionError


@pytest.mark.parametrize(
    ("orders", "sentence"),
    [
        ([], "There are no strikes"),
        ([StrikeOrder(10, TARGET, "tail")], "'tail' is not a hand or foot to strike with: choose one of hand.L"),
        ([StrikeOrder(10, np.full(3, np.nan), "hand.L")], "at frame 10 has no valid position"),
        (
            [StrikeOrder(9, TARGET, "hand.L"), StrikeOrder(9, TARGET, "hand.R")],
            "The strikes at frames 9 and 9 are out of order, or at the same frame",
        ),
    ],
)
def test_orders_that_cannot_be_are_refused(orders: list[StrikeOrder], sentence: str) -> None:
    with pytest.raises(FootfallError, match=sentence):
        require_orders(orders)


def attack(frame: int, late: int) -> Attack:
    blow = Blow(BLOW.effector, max(frame + late - 20, 0), frame + late, frame + late + 20)
    return Attack(StrikeOrder(frame, TARGET, BLOW.effector), blow, np.zeros(3), 0.5, 0.0)


@pytest.mark.parametrize(
    ("warp", "miss", "exact", "sentence"),
    [
        (0.15, 0.02, True, None),
        (0.151, 0.0, True, "comes 4 frames too late: move it later by that number of frames"),
        (0.0, 0.0201, True, r"falls 2\.0 cm short of its target: bring the target closer"),
        (0.0, 0.1234, False, r"falls 12\.3 cm short of its target"),
        (0.0, 0.02, False, "reaches its target only with feet or joints out of place: bring the target closer"),
    ],
)
def test_inexact_strikes_are_reported(warp: float, miss: float, exact: bool, sentence: str | None) -> None:
    problem = ExactStrike(attack(90, 4), BLOW, warp, miss, exact).problem()
    if sentence is None:
        assert problem is None
        return
    with pytest.raises(FootfallError, match=rf"^The strike with hand\.R at frame 90 {sentence}"):
        raise problem or AssertionError
