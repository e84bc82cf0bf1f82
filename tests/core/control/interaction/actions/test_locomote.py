"""Walking to a place and idling there."""

import numpy as np

from footfall.core.control.interaction.actions import ACTION_SPECS
from footfall.core.control.interaction.task import InteractionTask
from footfall.tests.support.task_runs import put, task_run

PLACE = np.array([3.0, 4.0, 0.0])


def test_a_given_direction_is_faced() -> None:
    run = task_run(InteractionTask("walk", position=PLACE, direction=np.array([0.0, -1.0])))
    np.testing.assert_array_equal(ACTION_SPECS["walk"].goal_command(run).direction, [0.0, -1.0])


def test_without_a_place_it_idles_where_it_began() -> None:
    run = task_run(InteractionTask("idle"), at=(1.0, 2.0))
    put(run, (1.1, 2.0))
    command = ACTION_SPECS["idle"].goal_command(run)
    assert command.action == "idle"
    np.testing.assert_allclose(command.position, [1.0, 2.0, 0.0])
