"""Characters that stand where they are to act: told anew, and sent back to come again after that."""

from typing import Any

import numpy as np
import pytest

from footfall.core.control.interaction.actions.base import BACK_M, told_to_begin
from footfall.core.control.interaction.actions.carry import START_DISTANCE_M
from footfall.core.control.interaction.sequencer import InteractionSequencer
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.interaction.task_run import GOING_BACK_S, LINGERING_S, MAX_TELLINGS, TELLING_S
from footfall.core.control.runtime.assistance import Assistance
from footfall.core.features.interaction import ACTIONS
from footfall.tests.core.control.interaction.test_sequencer import BOX, OUT, REST, Model, Puppet

CARRY = InteractionTask("carry", 0, position=np.array([2.0, 0.0, 0.7]))


class Waiting(Puppet):
    """A puppet that stands, does not reach for the box, and never begins."""

    def step(self, x: Any, phase: Any, memory: tuple[()]) -> tuple[np.ndarray, tuple[()]]:
        y, memory = super().step(x, phase, memory)
        OUT.view(y, "trajectory.action")[..., ACTIONS.index("carry")] = 0.0
        OUT.view(y, "root.velocity")[:] = OUT.view(y, "contact")[:, :3] = 0.0
        OUT.view(y, "pose.position")[:] = REST
        return y, memory


class WaitingModel(Model):
    def network(self) -> Puppet:
        return Waiting()


def standing(assistance: Assistance | None = None, away: float = 0.0) -> InteractionSequencer:
    """Return a puppet that stands where a box is taken, or some meters from there, and waits."""
    model: Any = WaitingModel()
    place = BOX.position[:2] + np.array([0.0, -START_DISTANCE_M - away])
    return InteractionSequencer(model, [BOX], [CARRY], place, assistance=assistance or Assistance())


def commands(done: InteractionSequencer, seconds: float) -> list[Any]:
    """Return the commands of the next seconds."""
    result = []
    for _ in range(round(60 * seconds)):
        result.append(done.goal_command())
        done.advance(1)
    return result


def test_a_character_that_stands_at_a_box_is_told_anew_every_two_seconds() -> None:
    told = [frame for frame, one in enumerate(commands(standing(), MAX_TELLINGS * TELLING_S)) if one.is_new]
    assert len(told) == MAX_TELLINGS and told[0] < 30
    assert np.diff(told) / 60 == pytest.approx(TELLING_S, abs=0.05)


def test_after_that_it_goes_back_and_comes_again() -> None:
    series = commands(standing(), MAX_TELLINGS * TELLING_S + GOING_BACK_S + 1.5)
    actions = np.array([one.action for one in series])
    back = np.flatnonzero(actions == "walk")
    assert back[0] / 60 == pytest.approx(MAX_TELLINGS * TELLING_S, abs=0.6)
    assert np.ptp(back) == len(back) - 1 == pytest.approx(60 * GOING_BACK_S, abs=2)
    away = BOX.position[:2] - series[back[0]].position[:2]
    np.testing.assert_allclose(away, [0.0, START_DISTANCE_M + BACK_M], atol=1e-9)
    assert set(actions[back[-1] + 1 :]) == {"carry"} and series[back[-1] + 1].is_new


def test_one_that_is_to_sit_comes_again_from_the_side_and_not_squarely() -> None:
    waits = standing()
    front = waits.goal_command()
    waits.run.back_frame = len(waits.recording)
    begins = waits.run.position + np.array([0.1, 0.0])
    back, turned = (told_to_begin(front, waits.run, begins, turns) for turns in (False, True))
    np.testing.assert_allclose(turned.position, back.position)
    away = (begins - front.position[:2]) / np.linalg.norm(begins - front.position[:2])
    assert back.direction @ away == pytest.approx(-1.0) and turned.direction @ away == pytest.approx(0.0, abs=1e-9)


def test_one_that_stands_farther_off_is_told_once_it_comes_no_nearer() -> None:
    told = [frame for frame, one in enumerate(commands(standing(away=0.5), 4.0)) if one.is_new]
    assert told and 1.9 < told[0] / 60 < 2.2
    assert not any(one.is_new for one in commands(standing(away=1.5), 4.0))


def test_without_that_rule_the_command_is_the_action_all_the_time() -> None:
    series = commands(standing(Assistance(tells_actions=False)), 8.0)
    assert {one.action for one in series} == {"carry"}
    assert not any(one.is_new for one in series)


class Stepping(Waiting):
    """A puppet that steps to and fro."""

    frame = 0

    def step(self, x: Any, phase: Any, memory: tuple[()]) -> tuple[np.ndarray, tuple[()]]:
        y, memory = super().step(x, phase, memory)
        OUT.view(y, "root.velocity")[..., 0] = 1.2 * np.cos(0.2 * self.frame)
        self.frame += 1
        return y, memory


def test_one_that_steps_to_and_fro_before_its_place_goes_back_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WaitingModel, "network", lambda _: Stepping())
    actions = [one.action for one in commands(standing(away=0.3), LINGERING_S + 1.0)]
    assert actions.index("walk") / 60 == pytest.approx(LINGERING_S, abs=0.1)
