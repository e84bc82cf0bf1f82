"""Actions as specifications, and the recording that the sequencer leaves to refinement."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from footfall.core.control.interaction.actions import ACTION_SPECS
from footfall.core.control.interaction.actions.base import ActionSpec, HandHold
from footfall.core.control.interaction.actions.carry import was_lowest
from footfall.core.control.interaction.recording import InteractionRecording
from footfall.core.control.interaction.sequencer import InteractionSequencer
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.interaction.task_run import TaskRun
from footfall.core.control.refine.interaction_refinement import refine_interaction
from footfall.core.control.runtime.interaction_runtime import GoalCommand, InteractionFrame
from footfall.core.errors import FootfallError
from footfall.core.features.interaction import GOAL_ACTIONS
from footfall.core.motion.root_frame import yaw_of
from footfall.core.motion.rotations import rotate
from footfall.core.scene.collider import Collider
from footfall.core.scene.interaction_object import InteractionObject
from footfall.tests.core.control.interaction.test_sequencer import BOX, SKELETON, STOOL, Model, block, play

DESK = np.array([3.0, 0.5, 0.75])


class Touch(ActionSpec):
    """An action of its own: stand, and lay the left hand on an object's origin for the whole task."""

    name = "idle"
    needs_object = True
    uses_hands = True

    def require_affordance(self, task: InteractionTask, target: InteractionObject) -> None:
        if target.kind != "surface":
            raise FootfallError(f"'{target.name}' is no surface.")

    def goal_command(self, run: TaskRun) -> GoalCommand:
        return GoalCommand(self.name, run.task_object.position, run.task_object.front_direction)

    def update(self, run: TaskRun, frame: InteractionFrame) -> bool:
        return run.stay(run.is_still)

    def hand_holds(self, recording: InteractionRecording, interval: tuple[int, int, int]) -> Iterator[HandHold]:
        start, stop, _ = interval
        yield HandHold("L", start, stop, np.zeros(3))


def test_every_goal_action_has_a_specification_of_its_name() -> None:
    assert set(ACTION_SPECS) == set(GOAL_ACTIONS)
    assert all(spec.name == name for name, spec in ACTION_SPECS.items())


def test_a_new_action_needs_its_specification_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ACTION_SPECS, "idle", Touch())
    surface = block("rail", "surface", (0.02, 0.02, 0.02), (-0.3, 0.4, 1.0))
    done = play([surface], InteractionTask("idle", 0, duration=1.0))
    assert [event.kind for event in done.events] == ["began", "reached"]
    hand = refine_interaction(done.recording).clip.positions[:, SKELETON.joint("hand.L")]
    assert np.linalg.norm(hand[10:-1] - surface.position, axis=1).max() < 0.02
    with pytest.raises(FootfallError, match="'stool' is no surface"):
        play([STOOL], InteractionTask("idle", 0))


def test_refinement_leaves_the_recording_as_it_is() -> None:
    recording = play([BOX], InteractionTask("carry", 0, position=DESK)).recording
    states, contacts = list(recording.object_states), recording.contacts
    result = refine_interaction(recording)
    assert all(now is then for now, then in zip(recording.object_states, states, strict=True))
    np.testing.assert_array_equal(recording.contacts, contacts)
    assert result.objects is not recording.object_states


def test_a_recording_knows_the_intervals_of_its_tasks() -> None:
    there = np.array([2.0, 0.0, 0.0])
    recording = play(
        [STOOL], InteractionTask("sit", 0, duration=1.0), InteractionTask("walk", position=there)
    ).recording
    (first, left, sitting), (began, last, walking) = recording.task_intervals()
    assert (first, sitting, walking, last) == (0, 0, 1, len(recording)) and left == began
    reached = recording.event_frame("reached", 0)
    assert reached is not None and first < reached < left and recording.event_frame("took", 0) is None


def test_an_object_that_the_user_moves_has_always_been_there() -> None:
    done = play([STOOL], InteractionTask("sit", 0), frames=60)
    moved = replace(STOOL, position=STOOL.position + np.array([0.3, 0.0, 0.0]))
    done.move_object(0, moved)
    assert done.objects == done.current_objects == (moved,)
    assert all(state == (moved,) for state in done.recording.object_states)


def test_an_object_that_was_taken_stays_where_the_character_has_it() -> None:
    done = play([BOX], InteractionTask("carry", 0, position=DESK))
    assert done.recording.is_carried(0)
    now = done.current_objects
    done.move_object(0, replace(BOX, position=np.zeros(3)))
    assert done.current_objects is now


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


@pytest.mark.parametrize(("ahead", "enters"), [(0.4, True), (-0.4, False)])
def test_a_seat_is_entered_from_before_it_alone(ahead: float, enters: bool) -> None:
    """A character with its back to the front of a seat may stand behind it."""
    assert ACTION_SPECS["sit"].enters_object(before_seat(STOOL, ahead)) == enters


def armchair() -> InteractionObject:
    """Return a seat 60 cm wide with armrests."""
    lower = np.array([[-0.3, -0.3, 0.0], [-0.4, -0.3, 0.0], [0.3, -0.3, 0.0]])
    upper = np.array([[0.3, 0.3, 0.45], [-0.3, 0.3, 0.65], [0.4, 0.3, 0.65]])
    return replace(STOOL, name="armchair", collider=Collider(lower, upper))


@pytest.mark.parametrize(("ahead", "across", "enters"), [(0.5, 0.0, True), (0.5, 0.1, True), (0.05, 0.6, False)])
def test_an_armchair_is_entered_between_its_armrests(ahead: float, across: float, enters: bool) -> None:
    assert ACTION_SPECS["sit"].enters_object(before_seat(armchair(), ahead, across)) == enters
    assert ACTION_SPECS["sit"].enters_object(before_seat(STOOL, ahead, across)), "a stool is entered from its side, too"


@pytest.mark.parametrize(("weight", "enters"), [(0.0, False), (0.7, True)])
def test_one_that_has_begun_to_sit_is_not_pushed_from_its_seat(
    weight: float, enters: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = before_seat(STOOL, -0.1, 0.3)
    run.is_aligned = True
    monkeypatch.setattr(TaskRun, "action_weight", weight)
    assert ACTION_SPECS["sit"].enters_object(run) == enters


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
    with pytest.raises(FootfallError, match=f"Move '{stool.name}' down to the floor, off 'dais'"):
        ACTION_SPECS["sit"].validate(task, [stool, dais])
    rug = block("rug", "obstacle", (1.5, 1.5, 0.01), (x, y, 0.01))
    ACTION_SPECS["sit"].validate(task, [replace(STOOL, position=STOOL.position + np.array([0.0, 0.0, 0.02])), rug])
