"""Rules that all actions share: objects that are there, and characters that are told again, sent back and led on."""

import numpy as np
import pytest

from footfall.core.control.interaction.actions.base import told_to_begin
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.interaction.task_run import TaskRun
from footfall.core.control.runtime.goal_command import GoalCommand
from footfall.tests.core.control.interaction.test_sequencer import BOX
from footfall.tests.support.task_runs import put, task_run

TASK = InteractionTask("carry", 0, position=np.array([3.0, 0.0, 0.7]))
BEGINS = np.array([0.0, 1.0])
COMMAND = GoalCommand("carry", np.array([0.0, 2.0, 0.0]), np.array([0.0, -1.0]))


def at_place(offset: tuple[float, float] = (0.0, 0.0)) -> TaskRun:
    run = task_run(TASK, BOX)
    put(run, BEGINS + offset)
    return run


@pytest.mark.parametrize(("turns", "faced"), [(False, (0.0, 1.0)), (True, (1.0, 0.0))])
def test_one_that_was_told_in_vain_goes_ninety_centimeters_back(turns: bool, faced: tuple[float, float]) -> None:
    run = at_place()
    run.tellings = 3
    command = told_to_begin(COMMAND, run, BEGINS, turns)
    assert command.action == "walk" and run.returns == 1
    np.testing.assert_allclose(command.position, [0.0, 0.1, 0.0], atol=1e-9)
    np.testing.assert_allclose(command.direction, faced, atol=1e-9)
    assert command.flow_field is not None
