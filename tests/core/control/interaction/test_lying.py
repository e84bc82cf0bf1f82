"""Lying down: where, how long, and what is refused."""

import numpy as np
import pytest

from footfall.core.control.interaction.task import InteractionTask, require_known_actions
from footfall.core.errors import FootfallError
from footfall.core.features.interaction import ACTIONS, FIRST_ACTION_COUNT, goal_actions_of
from footfall.tests.core.control.interaction.test_sequencer import STOPS, block, happened, play

PLACE, AHEAD = np.array([0.0, 2.0, 0.0]), np.array([0.0, 1.0])


def test_a_character_lies_down_at_a_place_stays_and_leaves() -> None:
    there = np.array([2.0, 0.0, 0.0])
    done = play(
        [],
        InteractionTask("lie", position=PLACE, direction=AHEAD, duration=1.0),
        InteractionTask("walk", position=there),
    )
    assert done.done and happened(done) == [("began", 0), ("reached", 0), ("began", 1), ("reached", 1)]
    reached, left = done.events[1].frame, done.events[2].frame
    assert left - reached == 60
    assert np.linalg.norm(done.frames[reached].position[0] - PLACE[:2]) < STOPS["lie"]


def test_lying_down_needs_a_place_with_room_for_a_body() -> None:
    with pytest.raises(FootfallError, match="There is no target at which to lie down"):
        play([], InteractionTask("lie"))
    table = block("table", "obstacle", (0.6, 0.6, 0.7), (0.0, 1.2, 0.0))
    with pytest.raises(FootfallError, match="'table' leaves no room to lie down"):
        play([table], InteractionTask("lie", position=PLACE, direction=AHEAD))
    done = play([table], InteractionTask("lie", position=PLACE, direction=np.array([1.0, 0.0])), frames=60)
    assert happened(done) == [("began", 0)], "turned, there is room"


def test_what_a_controller_was_not_taught_is_refused_in_one_sentence() -> None:
    known = goal_actions_of(ACTIONS[:FIRST_ACTION_COUNT])
    require_known_actions([InteractionTask("carry")], known)
    with pytest.raises(FootfallError) as error:
        require_known_actions([InteractionTask("sit"), InteractionTask("push")], known, "'everyday'")
    assert str(error.value) == (
        "'everyday' was not trained to push: choose another controller, or train one with such clips"
    )
