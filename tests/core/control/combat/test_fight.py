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
