"""Look-ahead points of goals: straight on, or along the flow field that leads to them."""

from typing import cast

import numpy as np
import pytest

from footfall.core.control.navigation.flow_field import FlowField
from footfall.core.control.runtime.goal_command import GoalCommand
from footfall.core.motion.rotations import Array

GOAL, AHEAD, HERE = np.array([3.0, 4.0, 0.7]), np.array([0.0, 1.0]), np.array([0.0, 1.0])


class Around:
    """A flow field that leads round a corner, five meters long."""

    def look_ahead(self, position: Array) -> tuple[Array, float]:
        return position + np.array([1.0, 0.0]), 5.0


def test_without_a_flow_field_the_goal_itself_is_looked_at_over_the_ground() -> None:
    point, length = GoalCommand("walk", GOAL, AHEAD).look_ahead(HERE)
    np.testing.assert_array_equal(point, [3.0, 4.0])
    assert length == pytest.approx(np.sqrt(3.0**2 + 3.0**2))


@pytest.mark.parametrize("offset", [0.0, 0.4, -0.3])
def test_the_way_to_a_goal_beyond_its_flow_field_is_longer_by_the_distance_between_them(offset: float) -> None:
    field = cast("FlowField", Around())
    point, length = GoalCommand("sit", GOAL, AHEAD, flow_field=field, path_end_offset=offset).look_ahead(HERE)
    np.testing.assert_array_equal(point, [1.0, 1.0])
    assert length == pytest.approx(5.0 + offset)


def test_a_command_by_itself_has_no_object_and_is_not_new() -> None:
    command = GoalCommand("walk", GOAL, AHEAD)
    assert command.volume is None and command.path_end_offset == 0.0 and not command.is_new
