"""Exact strikes: time that is warped within its limit, and what cannot be met told with by how much."""

import numpy as np
import pytest

from footfall.core.control.combat.exact_strike import MAX_WARP, ExactStrike, solve_strikes, warped, warped_times
from footfall.core.control.combat.strike_order import StrikeOrder, require_orders
from footfall.core.control.combat.strike_rollout import Attack, StrikeMotion
from footfall.core.errors import FootfallError
from footfall.core.labelling.semantics.blow_targets import blow_targets
from footfall.core.labelling.semantics.blows import Blow, LimbMotion
from footfall.core.motion.blending import smooth_falloff
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


def attack(frame: int, late: int) -> Attack:
    blow = Blow(BLOW.effector, max(frame + late - 20, 0), frame + late, frame + late + 20)
    return Attack(StrikeOrder(frame, TARGET, BLOW.effector), blow, np.zeros(3), 0.5, 0.0)


def shifts(*attacks: Attack) -> np.ndarray:
    """Frames by which time is shifted."""
    contacts = FootContacts(np.ones((len(PUNCH), 4)))
    return warped_times(StrikeMotion(PUNCH, contacts, attacks, np.zeros(2), 0.0)) - np.arange(len(PUNCH))


@pytest.mark.parametrize(("late", "width"), [(2, 25), (-2, 25), (3, 38), (0, 8)])
def test_time_is_shifted_as_slowly_as_its_speed_may_change(late: int, width: int) -> None:
    expected = late * smooth_falloff(np.abs(np.arange(len(PUNCH)) - 150) / width)
    np.testing.assert_allclose(shifts(attack(150, late)), expected, atol=1e-12)


def test_the_shift_of_an_apex_ends_at_the_apexes_beside_it() -> None:
    frames = np.arange(len(PUNCH))
    made = shifts(attack(100, 2), attack(110, -2), attack(200, 2))
    widths = [(25, 10), (10, 25), (25, 25)]
    expected = np.zeros(len(PUNCH))
    for frame, late, (before, after) in zip((100, 110, 200), (2, -2, 2), widths, strict=True):
        expected += late * smooth_falloff(np.abs(frames - frame) / np.where(frames < frame, before, after))
    np.testing.assert_allclose(made, expected, atol=1e-12)


def test_the_shift_ends_at_the_ends_of_the_motion_and_time_never_goes_back() -> None:
    made = shifts(attack(5, 3), attack(355, -3))
    assert made[0] == made[-1] == 0.0
    assert made[5] == pytest.approx(3.0) and made[355] == pytest.approx(-3.0)
    assert (np.diff(made + np.arange(len(PUNCH))) >= 0.0).all()
    back = shifts(attack(100, 9), attack(104, -9))
    assert back[104] == pytest.approx(5.0), "it stands still"


@pytest.mark.parametrize(("frame", "in_time"), [(0, False), (1, True), (len(PUNCH) - 2, True), (len(PUNCH) - 1, False)])
def test_frames_at_the_ends_of_the_motion_cannot_be_met(frame: int, in_time: bool) -> None:
    clip, (solved,) = solve_strikes(motion(frame, TARGET))
    assert np.isfinite(solved.miss) == in_time
    if not in_time:
        assert not solved.is_exact and solved.warp == np.inf and solved.blow.apex == frame
    assert len(clip) == len(PUNCH)


@pytest.mark.parametrize(
    ("warp", "miss", "exact", "sentence"),
    [
        (0.15, 0.02, True, None),
        (0.151, 0.0, True, "comes 4 frames too late: give it that much more time"),
        (0.0, 0.0201, True, r"falls 2\.0 cm short of its target: bring the target closer"),
        (0.0, 0.1234, False, r"falls 12\.3 cm short of its target"),
        (0.0, 0.02, False, "reaches its target only with feet or joints out of place: bring the target closer to"),
    ],
)
def test_what_is_not_exact_is_told(warp: float, miss: float, exact: bool, sentence: str | None) -> None:
    problem = ExactStrike(attack(90, 4), BLOW, warp, miss, exact).problem()
    if sentence is None:
        assert problem is None
        return
    with pytest.raises(FootfallError, match=rf"^The strike of hand\.R at frame 90 {sentence}"):
        raise problem or AssertionError


def test_an_attack_in_time_that_is_warped_by_its_neighbors_is_early_by_nothing() -> None:
    problem = ExactStrike(attack(90, 0), BLOW, 0.2, 0.0, False).problem()
    assert "comes 0 frames too early: move it by some frames" in str(problem)


def test_a_strike_that_is_not_exact_leaves_the_motion_as_it_was() -> None:
    clip, (solved,) = solve_strikes(motion(BLOW.apex, TARGET + np.array([0.0, -1.5, 0.0])))
    assert not solved.is_exact
    np.testing.assert_array_equal(clip.rotations, PUNCH.rotations)


def test_time_goes_on_as_it_does_after_the_last_frame() -> None:
    last, contacts = len(PUNCH) - 1, FootContacts(np.ones((len(PUNCH), 4)))
    made = StrikeMotion(PUNCH, contacts, (attack(last - 4, 0),), np.zeros(2), 0.0)
    _, (solved,) = solve_strikes(made)
    assert solved.warp == 0.0
