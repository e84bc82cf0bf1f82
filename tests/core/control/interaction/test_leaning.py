"""Leaning on objects: the nearest side, how long, what is refused, and palms that refinement puts on the object."""

from typing import Any

import numpy as np
import pytest

from footfall.core.control.interaction.actions import ACTION_SPECS
from footfall.core.control.interaction.sequencer import InteractionSequencer
from footfall.core.control.interaction.task import InteractionTask, require_known_actions
from footfall.core.control.interaction.task_run import MAX_TELLINGS
from footfall.core.control.interaction.wrist_targets import palm_offset, wrists_on_lean_place
from footfall.core.control.refine.interaction_refinement import refine_interaction
from footfall.core.errors import FootfallError
from footfall.core.features.interaction import ACTIONS, goal_actions_of
from footfall.core.scene.lean_place import find_lean_place
from footfall.tests.core.control.interaction.test_sequencer import Model, block, happened, play

TABLE = block("table", "surface", (1.6, 0.8, 0.9), (0.0, 2.0, 0.0))
LEANING = InteractionTask("lean", 0, duration=1.0)


def test_a_character_leans_stays_and_leaves() -> None:
    done = play([TABLE], LEANING, InteractionTask("walk", position=np.array([2.0, 0.0, 0.0])))
    assert done.done and happened(done) == [("began", 0), ("reached", 0), ("began", 1), ("reached", 1)]
    assert done.events[2].frame - done.events[1].frame == 60


def test_it_leans_on_the_nearest_side_at_the_nearest_place() -> None:
    done = play([TABLE], LEANING)
    assert done.recording.approach_sides == [2], "the puppet starts behind the table, whose front is +Y"
    holds = list(ACTION_SPECS["lean"].hand_holds(done.recording, next(done.recording.task_intervals())))
    assert {hold.hand for hold in holds} == {"L", "R"}
    middle = np.mean([hold.wrist for hold in holds], axis=0)
    assert abs(middle[0]) < 1e-9 and -0.8 < middle[1] < -0.3, "before the edge at -Y, in the table's space"


def test_a_character_that_comes_to_the_side_of_its_place_leans_straight_ahead() -> None:
    model: Any = Model()
    sequencer = InteractionSequencer(model, [TABLE], [LEANING], np.zeros(2))
    sequencer.advance(1)
    sequencer.runtime.state.position[0] = [0.5, 0.1]
    assert sequencer.goal_command().position[0] == pytest.approx(0.0), "far from the table"
    sequencer.runtime.state.position[0] = [0.35, 0.9]
    assert sequencer.goal_command().position[0] == pytest.approx(0.35)
    sequencer.runtime.state.position[0] = [0.1, 0.9]
    assert sequencer.goal_command().position[0] == pytest.approx(0.35), "chosen once in an approach"
    sequencer.run.restart_approach()
    assert sequencer.goal_command().position[0] == pytest.approx(0.1)


def test_one_that_stands_beside_its_place_in_vain_goes_to_the_other_side_and_is_told_on_the_way() -> None:
    model: Any = Model()
    sequencer = InteractionSequencer(model, [TABLE], [LEANING], np.zeros(2))
    sequencer.advance(1)
    state, run = sequencer.runtime.state, sequencer.run
    place = find_lean_place(TABLE.facing_side(2).collider)
    assert place is not None
    stand = np.array([0.0, 2.0 - place.middle[1] - place.stand_distance])
    state.position[0] = stand - np.array([0.0, 0.2])
    assert sequencer.goal_command().action == "lean"
    state.position[0], run.tellings = stand + np.array([0.2, 0.1]), MAX_TELLINGS + 1
    command = sequencer.goal_command()
    assert command.action == "walk"
    np.testing.assert_allclose(command.position[:2], stand - np.array([0.2, 0.1]), atol=1e-9)
    state.position[0] = stand + np.array([0.05, 0.0])
    assert sequencer.goal_command().action == "lean"
    assert run.back_frame is None and run.tellings == 0


def test_refinement_puts_both_palms_on_the_top() -> None:
    done = play([TABLE], LEANING)
    refined = refine_interaction(done.recording)
    clip, reached = refined.clip, done.events[1].frame
    place = find_lean_place(TABLE.facing_side(2).collider)
    assert place is not None
    wrists = wrists_on_lean_place(place, palm_offset(clip.skeleton.leg_length))
    for side, wrist in zip("LR", wrists, strict=True):
        placed = TABLE.position + wrist * [-1.0, -1.0, 1.0]
        own = clip.positions[reached + 30, clip.skeleton.joint(f"hand.{side}")]
        assert np.linalg.norm(own - placed) < 0.01


def test_what_cannot_be_leaned_on_is_refused_in_one_sentence() -> None:
    stool = block("stool", "obstacle", (0.4, 0.4, 0.5), (0.0, 2.0, 0.0))
    with pytest.raises(FootfallError, match="'stool' has no side to lean on"):
        play([stool], LEANING)
    hung = block("shelf", "obstacle", (1.0, 0.4, 0.9), (0.0, 2.0, 0.5))
    with pytest.raises(FootfallError, match="'shelf' does not stand on the floor"):
        play([hung], LEANING)
    with pytest.raises(FootfallError, match="There is no object to lean"):
        play([TABLE], InteractionTask("lean"))


def test_controllers_that_were_not_taught_it_refuse_it() -> None:
    known = goal_actions_of(ACTIONS[: ACTIONS.index("lean")])
    with pytest.raises(FootfallError, match="'everyday' was not trained to lean on an object"):
        require_known_actions([LEANING], known, "'everyday'")
