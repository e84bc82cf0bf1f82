"""Look-ahead points of goals: straight on, or along the flow field that leads to them."""

import numpy as np
import pytest

from footfall.core.control.runtime.goal_command import GoalCommand

GOAL, AHEAD, HERE = np.array([3.0, 4.0, 0.7]), np.array([0.0, 1.0]), np.array([0.0, 1.0])


def test_without_a_flow_field_the_goal_itself_is_looked_at_over_the_ground() -> None:
    point, length = GoalCommand("walk", GOAL, AHEAD).look_ahead(HERE)
    np.testing.assert_array_equal(point, [3.0, 4.0])
    assert length == pytest.approx(np.sqrt(3.0**2 + 3.0**2))


def test_a_command_by_itself_has_no_object_and_is_not_new() -> None:
    command = GoalCommand("walk", GOAL, AHEAD)
    assert command.volume is None and command.path_end_offset == 0.0 and not command.is_new
