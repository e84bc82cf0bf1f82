"""Fights: which targets are met without a walk, and the time that walks and attacks have."""

from collections.abc import Generator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from footfall.cli.walk import shipped_controller
from footfall.core.control.combat import fight
from footfall.core.control.combat.exact_strike import ExactStrike
from footfall.core.control.combat.fight import Fighter
from footfall.core.control.combat.guard_steps import step_over
from footfall.core.control.combat.strike_error import StrikeError
from footfall.core.control.combat.strike_order import StrikeOrder
from footfall.core.control.combat.strike_rollout import Attack, StrikeMotion
from footfall.core.control.path.path import Path
from footfall.core.errors import FootfallError
from footfall.core.labelling.semantics.blows import Blow
from footfall.core.models.model_file import load_model
from footfall.core.motion import Clip
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.root_frame import facing_direction
from footfall.core.motion.rotations import Array
from footfall.tests.support.cutter import fist
from footfall.tests.support.steps import run

FIGHTER = Fighter(fist(), load_model(shipped_controller()))
SKELETON = FIGHTER.strikes.skeleton
STILL = Clip(SKELETON, 60.0, np.tile([0.0, 0.0, 0.9], (400, 1)), np.tile([1.0, 0, 0, 0], (400, len(SKELETON), 1)))
REACH = 0.65 * SKELETON.leg_length / 0.84
"""Distance from which a fist of this body reaches."""
WALK_FRAMES = 90


def order(frame: int, distance: float, degrees: float = 0.0, effector: str = "hand.R") -> StrikeOrder:
    """A strike at a target so far beyond a fist's reach, degrees to the left."""
    return StrikeOrder(frame, np.append((REACH + distance) * facing_direction(np.radians(degrees)), 1.4), effector)


class Staged:
    """Walks of 90 frames and what they pause, and attacks that come late, and are warped, as they are told."""

    def __init__(self) -> None:
        self.walks: list[tuple[Path, float, int]] = []
        self.groups: list[tuple[Array, float, list[StrikeOrder], int]] = []
        self.warp, self.error = 0.0, False

    def walk(
        self, model: object, path: Path, pause: float, begun: int
    ) -> Generator[int, None, tuple[Clip, Array, float]]:
        self.walks.append((path, pause, begun))
        yield begun + 45
        return self.clip(WALK_FRAMES + round(pause * 60.0)), path.points[-1], float(path.yaws[-1])

    def attacks(
        self, model: object, position: Array, yaw: float, orders: list[StrikeOrder], begun: int, outstretched: bool
    ) -> Generator[int, None, StrikeMotion]:
        self.groups.append((position, yaw, orders, begun))
        yield begun + 10
        if self.error:
            raise StrikeError("at {frame}", frame=orders[-1].frame)
        clip = self.clip(orders[-1].frame + 60)
        made = tuple(
            Attack(one, Blow(one.effector, one.frame - 9, one.frame, one.frame + 9), np.zeros(3), 0.5, 0.0)
            for one in orders
        )
        return StrikeMotion(clip, FootContacts(np.ones((len(clip), 4))), made, position, yaw)

    def solved(self, motion: StrikeMotion) -> tuple[Clip, tuple[ExactStrike, ...]]:
        raised = replace(motion.clip, root_positions=motion.clip.root_positions + np.array([0.0, 0.0, 0.01]))
        return raised, tuple(ExactStrike(one, one.blow, self.warp, 0.0, True) for one in motion.attacks)

    @staticmethod
    def clip(frames: int) -> Clip:
        return STILL.at(np.zeros(frames))


@pytest.fixture
def staged(monkeypatch: pytest.MonkeyPatch) -> Staged:
    made = Staged()
    monkeypatch.setattr(fight, "walk_in_steps", made.walk)
    monkeypatch.setattr(fight, "roll_out", made.attacks)
    monkeypatch.setattr(fight, "solve_strikes", made.solved)
    return made


def fought(orders: list[StrikeOrder], end: Array | None = None, exact: bool = True) -> fight.Fight:
    return FIGHTER.fight(orders, np.zeros(2), end, exact)


def test_controllers_of_other_bodies_or_rates_are_refused() -> None:
    walks = FIGHTER.walks
    tall = replace(walks, skeleton=walks.skeleton.scaled(1.1))
    renamed = replace(walks, skeleton=replace(walks.skeleton, names=("pelvis", *walks.skeleton.names[1:])))
    for other in (tall, replace(walks, rate=30.0), renamed):
        with pytest.raises(FootfallError, match="attacks and the one that walks have different bodies: train"):
            Fighter(FIGHTER.strikes, other)


@pytest.mark.parametrize("distance", [-0.49, 0.0, 0.49])
def test_a_first_target_that_is_almost_reached_is_struck_from_the_start(staged: Staged, distance: float) -> None:
    made = fought([order(40, distance, 30.0)])
    assert made.walks == 0 and not staged.walks
    ((position, yaw, (told,), begun),) = staged.groups
    assert position.tolist() == [0.0, 0.0] and begun == 0 and told.frame == 40
    assert yaw == pytest.approx(np.radians(30.0))
    assert made.clip.name == "fight" and len(made.strikes) == 1


@pytest.mark.parametrize("distance", [0.51, 3.0])
def test_one_farther_away_is_walked_up_to(staged: Staged, distance: float) -> None:
    made = fought([order(400, distance)])
    assert made.walks == 1
    (path, pause, begun), (_, waited, _) = staged.walks
    np.testing.assert_allclose(path.points[-1], [0.0, distance], atol=1e-6)
    assert pause == 0.0 and begun == 0
    spare = 400 - (48 + 24) - WALK_FRAMES
    assert waited == pytest.approx(spare / 60.0), "it stands before it walks, not after"
    ((_, yaw, (told,), frames),) = staged.groups
    assert frames == WALK_FRAMES + spare and told.frame == 400 - frames == 72
    assert yaw == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize(("spare", "walks"), [(0, 1), (1, 1), (2, 2)])
def test_a_walk_is_made_again_where_there_is_more_than_a_frame_to_spare(staged: Staged, spare: int, walks: int) -> None:
    fought([order(48 + 24 + WALK_FRAMES + spare, 2.0)])
    assert len(staged.walks) == walks


@pytest.mark.parametrize(("late", "words"), [(1, "1 frame"), (30, "30 frames")])
def test_a_strike_that_comes_before_the_end_of_its_walk_is_told(staged: Staged, late: int, words: str) -> None:
    frame = 48 + 24 + WALK_FRAMES - late
    with pytest.raises(StrikeError, match=rf"by frame {frame}\. Move the strike of hand\.R {words} later"):
        fought([order(frame, 2.0)])


@pytest.mark.parametrize(
    ("distance", "degrees", "together"),
    [
        (0.34, 0.0, True),
        (0.36, 0.0, False),
        (-0.34, 0.0, True),
        (-0.36, 0.0, False),
        (0.0, 74.0, True),
        (0.0, -74.0, True),
        (0.0, 76.0, False),
        (0.0, -76.0, False),
    ],
)
def test_targets_near_the_reach_and_before_it_are_met_without_a_walk(
    staged: Staged, distance: float, degrees: float, together: bool
) -> None:
    made = fought([order(40, 0.0), order(800, distance, degrees)])
    assert made.walks == (0 if together else 1)
    assert [len(orders) for _, _, orders, _ in staged.groups] == ([2] if together else [1, 1])
    assert [one.attack.order.effector for one in made.strikes] == ["hand.R", "hand.R"]


def test_a_target_is_beside_the_one_before_it_not_beside_the_first(staged: Staged) -> None:
    fought([order(40, 0.0), order(120, 0.0, 60.0), order(200, 0.0, 120.0)])
    assert [len(orders) for _, _, orders, _ in staged.groups] == [3]


def test_a_later_walk_begins_when_what_was_before_is_made(staged: Staged) -> None:
    made = fought([order(40, 0.0), order(800, 2.0)])
    (path, pause, begun), (_, waited, _) = staged.walks
    assert begun == 100 and pause == pytest.approx(0.8)
    first = WALK_FRAMES + 48
    assert waited == pytest.approx(0.8 + (800 - 72 - 100 - first) / 60.0)
    np.testing.assert_allclose(path.points[0], [0.0, 0.0], atol=1e-6)
    assert [begun for *_, begun in staged.groups] == [0, 800 - 72]
    assert len(made.clip) == 800 + 60


def test_it_walks_away_at_last(staged: Staged) -> None:
    made = fought([order(40, 0.0)], np.array([0.0, -3.0]))
    ((path, pause, begun),) = staged.walks
    assert made.walks == 1 and begun == 100 and pause == pytest.approx(0.8)
    np.testing.assert_allclose(path.points[-1], [0.0, -3.0], atol=1e-6)
    assert len(made.clip) == 100 + WALK_FRAMES + 48


def test_the_share_that_is_done_is_of_the_frames_that_are_usual(staged: Staged) -> None:
    shares, _ = run(FIGHTER.fight_in_steps([order(40, 0.0)], np.zeros(2)))
    assert shares == [10 / 130]
    shares, _ = run(FIGHTER.fight_in_steps([order(40, 0.0)], np.zeros(2), np.array([0.0, -3.0])))
    assert shares == [10 / 370, 145 / 370]
    shares, _ = run(FIGHTER.fight_in_steps([order(40, 0.0), order(41, 0.0)], np.zeros(2), np.array([0.0, -3.0])))
    assert shares == [10 / 371, 146 / 371]


def test_no_more_than_99_hundredths_are_told_before_all_is_done(
    staged: Staged, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fight, "RECOVERY_FRAMES", -35)
    assert run(FIGHTER.fight_in_steps([order(40, 0.0)], np.zeros(2)))[0] == [0.99]


def test_strikes_are_solved_or_the_networks_own(staged: Staged) -> None:
    for exact, height in ((True, 0.91), (False, 0.9)):
        assert fought([order(40, 0.0)], exact=exact).clip.root_positions[-1, 2] == pytest.approx(height)


def test_a_strike_that_is_not_exact_is_told_at_frames_of_the_fight(staged: Staged) -> None:
    staged.warp = 1.0
    with pytest.raises(StrikeError, match=r"hand\.R at frame 400 comes 0 frames too early: move it"):
        fought([order(400, 2.0)])
    assert fought([order(400, 2.0)], exact=False).walks == 1


def test_an_attack_that_is_not_made_is_told_at_frames_of_the_fight(staged: Staged) -> None:
    staged.error = True
    with pytest.raises(StrikeError, match="at 400"):
        fought([order(400, 2.0)])


@pytest.mark.parametrize(("frames", "first"), [(500, 328), (300, 299)])
def test_a_target_that_moves_goes_on_while_it_is_walked_up_to(staged: Staged, frames: int, first: int) -> None:
    places = order(400, 2.0).target + np.linspace(0.0, 0.01, frames)[:, None] * [0.0, 0.0, 1.0]
    fought([StrikeOrder(400, places, "hand.R")])
    ((_, _, (told,), begun),) = staged.groups
    assert begun == 328
    np.testing.assert_array_equal(told.target, places[first:])


def test_the_place_to_strike_from_is_on_the_straight_way_to_the_target(staged: Staged) -> None:
    fought([StrikeOrder(700, np.array([3.0, 4.0, 0.9]), "foot.L")])
    reach = 0.85 * SKELETON.leg_length / 0.84
    np.testing.assert_allclose(staged.walks[0][0].points[-1], (5.0 - reach) * np.array([0.6, 0.8]), atol=1e-6)


def test_a_target_above_the_start_is_struck_from_behind_it(staged: Staged) -> None:
    fought([StrikeOrder(700, np.array([0.0, 0.0, 1.4]), "hand.R")])
    np.testing.assert_allclose(staged.walks[0][0].points[-1], [0.0, -REACH], atol=1e-6)


def test_motions_are_stepped_over(staged: Staged) -> None:
    made = fought([order(40, 0.0)], np.array([0.0, -3.0]))
    raised = staged.clip(100)
    raised = replace(raised, root_positions=raised.root_positions + np.array([0.0, 0.0, 0.01]))
    np.testing.assert_allclose(
        made.clip.root_positions, step_over(raised, staged.clip(WALK_FRAMES + 48)).root_positions, atol=1e-12
    )


def test_limbs_strike_where_they_come_nearest_if_they_cannot_reach_out(
    staged: Staged, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = []

    def attacks(*given: Any) -> Generator[int, None, StrikeMotion]:
        told.append(given[-1])
        staged.error = given[-1]
        return (yield from staged.attacks(*given))

    monkeypatch.setattr(fight, "roll_out", attacks)
    assert len(fought([order(60, 0.0)]).strikes) == 1 and told == [True, False]
    with pytest.raises(StrikeError, match="at 60"):
        staged_always = Staged()
        staged_always.error = True
        monkeypatch.setattr(fight, "roll_out", staged_always.attacks)
        fought([order(60, 0.0)])
    assert len(staged_always.groups) == 2
