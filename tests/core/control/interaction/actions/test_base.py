"""Rules that all actions share: objects that are there, and characters that are told again, sent back and led on."""

import numpy as np
import pytest

from footfall.core.control.interaction.actions import ACTION_SPECS
from footfall.core.control.interaction.actions.base import told_to_begin
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.interaction.task_run import TaskRun
from footfall.core.control.runtime.goal_command import GoalCommand
from footfall.core.errors import FootfallError
from footfall.tests.core.control.interaction.test_sequencer import BOX
from footfall.tests.support.task_runs import frame_of, put, record, stand_still, task_run

TASK = InteractionTask("carry", 0, position=np.array([3.0, 0.0, 0.7]))
BEGINS = np.array([0.0, 1.0])
COMMAND = GoalCommand("carry", np.array([0.0, 2.0, 0.0]), np.array([0.0, -1.0]))


def at_place(offset: tuple[float, float] = (0.0, 0.0)) -> TaskRun:
    run = task_run(TASK, BOX)
    put(run, BEGINS + offset)
    return run


@pytest.mark.parametrize("index", [-1, 1, 5])
def test_an_object_that_is_not_there_is_told(index: int) -> None:
    with pytest.raises(FootfallError, match="There is no object to carry: choose one"):
        ACTION_SPECS["carry"].validate(InteractionTask("carry", index), [BOX])
    ACTION_SPECS["walk"].validate(InteractionTask("walk", index), [BOX])


def test_one_that_stands_at_its_place_is_told_once() -> None:
    run = at_place()
    assert not told_to_begin(COMMAND, run, BEGINS).is_new
    stand_still(run)
    assert told_to_begin(COMMAND, run, BEGINS).is_new
    record(run, frame_of(run))
    assert not told_to_begin(COMMAND, run, BEGINS).is_new


def test_one_that_has_begun_is_left_alone() -> None:
    run = at_place()
    stand_still(run)
    record(run, frame_of(run, {"carry": 0.31}))
    assert told_to_begin(COMMAND, run, BEGINS) is COMMAND


@pytest.mark.parametrize(("turns", "faced"), [(False, (0.0, 1.0)), (True, (1.0, 0.0))])
def test_one_that_was_told_in_vain_goes_ninety_centimeters_back(turns: bool, faced: tuple[float, float]) -> None:
    run = at_place()
    run.tellings = 3
    command = told_to_begin(COMMAND, run, BEGINS, turns)
    assert command.action == "walk" and run.returns == 1
    np.testing.assert_allclose(command.position, [0.0, 0.1, 0.0], atol=1e-9)
    np.testing.assert_allclose(command.direction, faced, atol=1e-9)
    assert command.flow_field is not None


def test_one_that_begins_at_its_object_goes_back_nowhere() -> None:
    run = at_place()
    run.tellings = 3
    command = told_to_begin(COMMAND, run, COMMAND.position[:2])
    np.testing.assert_allclose(command.position, COMMAND.position, atol=1e-9)


@pytest.mark.parametrize(("away", "again"), [(0.09, True), (0.11, False)])
def test_one_that_aims_is_told_again_ten_centimeters_from_its_place(away: float, again: bool) -> None:
    run = at_place((0.2, 0.0))
    run.tellings = 3
    command = told_to_begin(COMMAND, run, BEGINS, aims=True)
    assert command.action == "walk"
    np.testing.assert_allclose(command.position, [-0.2, 1.0, 0.0], atol=1e-9)
    np.testing.assert_array_equal(command.direction, COMMAND.direction)
    put(run, BEGINS + np.array([away, 0.0]))
    command = told_to_begin(COMMAND, run, BEGINS, aims=True)
    assert (command is COMMAND) == again == (run.back_frame is None)


def test_by_default_an_action_enters_its_object_holds_nothing_and_rests_nowhere() -> None:
    spec, run = ACTION_SPECS["walk"], task_run(InteractionTask("walk", position=np.zeros(3)))
    frame = frame_of(run)
    assert spec.give_up(run) and spec.enters_object(run)
    assert not spec.senses_object_alone(run) and not spec.push_object(run, frame)
    assert list(spec.hand_holds(run.recording, (0, 1, 0))) == []
    assert spec.seat_contact(run.recording, (0, 1, 0)) is None
    assert spec.misplacement(run.recording, (0, 1, 0), np.zeros((1, 2))) is None
    assert spec.sides(run) == (0,) and not (spec.uses_hands or spec.is_seated or spec.ends_in_motion or spec.turns_away)
