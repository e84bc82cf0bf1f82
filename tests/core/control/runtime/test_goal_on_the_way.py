"""Goals of characters that carry: the destination, or a place on the path around an obstacle."""

from dataclasses import dataclass

import numpy as np
import pytest

from footfall.core.control.runtime.goal_command import GoalCommand
from footfall.core.control.runtime.goal_on_the_way import TUNING as GOAL_ON_THE_WAY_TUNING
from footfall.core.control.runtime.goal_on_the_way import goal_positions
from footfall.core.motion.rotations import Array

HERE = np.array([1.0, 2.0])
GOAL = np.array([1.0, 6.0, 0.7])


@dataclass(frozen=True, eq=False)
class Way(GoalCommand):
    """A command whose path leads off at an angle, radians, from straight ahead, and has a length, meters."""

    angle: float = 0.0
    length: float = 0.0

    def look_ahead(self, position: Array) -> tuple[Array, float]:
        return position + 0.6 * np.array([-np.sin(self.angle), np.cos(self.angle)]), self.length


def command(angle: float, length: float, action: str = "carry") -> GoalCommand:
    return Way(action, GOAL, np.array([0.0, 1.0]), angle=angle, length=length)


@pytest.mark.parametrize(
    ("angle", "length", "action", "steers"),
    [
        (0.3, 5.0, "carry", True),
        (1.5, GOAL_ON_THE_WAY_TUNING.min_path_length - 0.1, "carry", True),
        (1.5, 5.0, "carry", False),
        (1.5, 5.0, "sit", True),
    ],
    ids=["ahead", "near", "alone", "nothing carried"],
)
def test_a_goal_that_lies_ahead_or_near_is_gone_for_itself(
    angle: float, length: float, action: str, steers: bool
) -> None:
    goals = goal_positions([command(angle, length, action)], HERE[None], steers)
    np.testing.assert_array_equal(goals, GOAL[None])


@pytest.mark.parametrize("angle", [1.0, -2.5])
def test_a_goal_behind_something_is_gone_for_by_the_way_round_it(angle: float) -> None:
    both = goal_positions([command(angle, 5.0), command(0.0, 5.0)], np.stack([HERE, HERE]), True)
    way = np.array([-np.sin(angle), np.cos(angle)])
    np.testing.assert_allclose(both[0, :2], HERE + GOAL_ON_THE_WAY_TUNING.place_distance * way, atol=1e-12)
    assert both[0, 2] == GOAL[2]
    np.testing.assert_array_equal(both[1], GOAL)
