"""Actions as specifications, and the recording that the sequencer leaves to refinement."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from footfall.core.actions import motion_of
from footfall.core.control.interaction.actions import ACTION_SPECS
from footfall.core.control.interaction.actions.carry import was_lowest
from footfall.core.control.interaction.sequencer import InteractionSequencer
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.interaction.task_run import TaskRun
from footfall.core.errors import FootfallError
from footfall.core.features.interaction import GOAL_ACTIONS
from footfall.core.motion.root_frame import yaw_of
from footfall.core.motion.rotations import rotate
from footfall.core.scene.collider import Collider
from footfall.core.scene.interaction_object import InteractionObject
from footfall.tests.core.control.interaction.test_sequencer import BOX, STOOL, Model, block, play


def test_every_goal_action_has_a_specification_of_its_name() -> None:
    assert {motion_of(name) for name in ACTION_SPECS} == set(GOAL_ACTIONS)
    assert all(spec.name == name for name, spec in ACTION_SPECS.items())


def before_seat(seat: InteractionObject, ahead: float, across: float = 0.0) -> TaskRun:
    """Return the task of sitting of a character with its back to a seat, some meters ahead of its middle."""
    model: Any = Model()
    played = InteractionSequencer(model, [seat], [InteractionTask("sit", 0)], np.zeros(2))
    run = TaskRun(played.runtime, played.recording, played.scene, 0)
    assert seat.seat is not None
    front = rotate(seat.rotation, np.append(seat.seat.direction, 0.0))[:2]
    run.runtime.state.position[0] = seat.position[:2] + ahead * front + across * np.array([front[1], -front[0]])
    run.runtime.state.yaw[0] = yaw_of(front)
    return run


def armchair() -> InteractionObject:
    """Return a seat 60 cm wide with armrests."""
    lower = np.array([[-0.3, -0.3, 0.0], [-0.4, -0.3, 0.0], [0.3, -0.3, 0.0]])
    upper = np.array([[0.3, 0.3, 0.45], [-0.3, 0.3, 0.65], [0.4, 0.3, 0.65]])
    return replace(STOOL, name="armchair", collider=Collider(lower, upper))


@pytest.mark.parametrize(("ahead", "across", "enters"), [(0.5, 0.0, True), (0.5, 0.1, True), (0.05, 0.6, False)])
def test_an_armchair_is_entered_between_its_armrests(ahead: float, across: float, enters: bool) -> None:
    assert ACTION_SPECS["sit"].enters_object(before_seat(armchair(), ahead, across)) == enters
    assert ACTION_SPECS["sit"].enters_object(before_seat(STOOL, ahead, across)), "a stool is entered from its side, too"


@pytest.mark.parametrize(
    ("heights", "released"),
    [
        ([0.9, 0.5, 0.2, 0.25], True),
        ([0.9, 0.5, 0.2, 0.21], False),
        ([0.9, 0.88, 0.93], False),
        ([1.4, 1.0, 0.7, 0.8], False),
    ],
)
def test_a_box_is_let_go_of_where_a_bent_body_is_lowest(heights: list[float], released: bool) -> None:
    """The box is to be put down on the floor; its heights are the latest."""
    done = play([BOX], InteractionTask("carry", 0, position=np.zeros(3)), frames=1)
    run = TaskRun(done.runtime, done.recording, done.scene, 0)
    done.recording.object_states.extend((replace(BOX, position=np.array([0.0, 0.0, z])),) for z in heights)
    assert not was_lowest(run), "it was not told to put it down"
    run.there_frame = len(done.recording.object_states)
    assert was_lowest(run) == released


def test_a_seat_on_a_platform_is_refused() -> None:
    stool = replace(STOOL, position=STOOL.position + np.array([0.0, 0.0, 0.2]))
    x, y = STOOL.position[:2]
    pallet = block("pallet", "obstacle", (0.25, 0.25, 0.1), (x, y, 0.1))
    task = InteractionTask("sit", 0)
    ACTION_SPECS["sit"].validate(task, [stool, pallet])  # feet are beside it
    dais = block("dais", "obstacle", (1.5, 1.5, 0.1), (x, y, 0.1))
    with pytest.raises(FootfallError, match=f"'{stool.name}' stands on 'dais': move it down to the floor"):
        ACTION_SPECS["sit"].validate(task, [stool, dais])
    rug = block("rug", "obstacle", (1.5, 1.5, 0.01), (x, y, 0.01))
    ACTION_SPECS["sit"].validate(task, [replace(STOOL, position=STOOL.position + np.array([0.0, 0.0, 0.02])), rug])
