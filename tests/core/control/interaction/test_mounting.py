"""Climbing an object: up to its top, where the phase rests, and on with the next task."""

from typing import Any

import numpy as np
import pytest

from footfall.core.control.interaction.task import InteractionTask
from footfall.core.errors import FootfallError
from footfall.core.features.interaction import ACTIONS, GOAL_ACTIONS, goal_actions_of
from footfall.tests.core.control.interaction.test_sequencer import OUT, Puppet, block, happened, play

LADDER = block("ladder", "climb", (0.5, 0.3, 2.0), (0.0, 2.0, 0.0))


def test_a_new_action_leaves_the_columns_of_older_controllers_where_they_are() -> None:
    older = ("idle", "walk", "run", "sit", "open", "carry", "climb", "lie", "push")
    added = ("mount", "sit_ground", "lean")
    assert (ACTIONS[:-3], ACTIONS[-3:]) == (older, added)
    assert (GOAL_ACTIONS[:-3], GOAL_ACTIONS[-3:]) == (goal_actions_of(older), added)


@pytest.fixture
def climbing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The puppet's phase goes round in two seconds, and its feet are on a rung."""
    step = Puppet.step

    def paced(self: Puppet, x: np.ndarray, phase: Any, memory: tuple[()]) -> tuple[np.ndarray, tuple[()]]:
        y, memory = step(self, x, phase, memory)
        OUT.view(y, "phase.rate")[:] = 0.5
        OUT.view(y, "pose.position")[..., 2] += 0.6
        return y, memory

    monkeypatch.setattr(Puppet, "step", paced)


@pytest.mark.usefixtures("climbing")
def test_a_character_climbs_to_the_top_stays_and_goes_on() -> None:
    there = np.array([2.0, 0.0, 0.0])
    done = play([LADDER], InteractionTask("mount", 0, duration=1.0), InteractionTask("walk", position=there))
    assert happened(done)[:3] == [("began", 0), ("reached", 0), ("began", 1)]
    reached, left = done.events[1].frame, done.events[2].frame
    assert left - reached == 60
    at_top = [float(frame.phase[0]) for frame in done.frames[reached + 1 : left]]
    np.testing.assert_allclose(at_top, at_top[0], atol=1e-9)


def test_what_is_neither_a_ladder_nor_steps_is_refused() -> None:
    with pytest.raises(FootfallError, match="'chair' cannot be climbed"):
        play([block("chair", "seat", (0.5, 0.5, 0.5), (0.0, 2.0, 0.0))], InteractionTask("mount", 0))
