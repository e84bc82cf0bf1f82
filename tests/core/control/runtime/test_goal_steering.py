"""Trajectories ahead that are bent toward far goals, and left alone near them."""

import numpy as np
import pytest

from footfall.core.control.runtime.goal_command import GoalCommand
from footfall.core.control.runtime.goal_steering import steer_trajectory
from footfall.core.control.runtime.time_series import one_hot_action, standing_series
from footfall.core.features.interaction import ACTIONS, FUTURE_OFFSETS_FRAMES, GOAL_ACTIONS, TimeSeries

RATE = 60.0
SECONDS = np.array(FUTURE_OFFSETS_FRAMES) / RATE


def steered(distance: float, action: str = "walk", steering: float = 1.0, facing: float = 0.0) -> TimeSeries:
    """Return the trajectory of a character that stands at the origin, with a goal to the north of it."""
    origin, yaw = np.zeros((1, 2)), np.array([facing])
    standing = standing_series(origin, yaw, one_hot_action("idle", ACTIONS)[None], len(SECONDS))
    command = GoalCommand(action, np.array([0.0, distance, 0.0]), np.array([0.0, 1.0]))
    goals = one_hot_action(action, GOAL_ACTIONS)[None]
    return steer_trajectory(standing, [command], (origin, yaw), np.array([steering]), goals, ACTIONS, RATE)


@pytest.mark.parametrize(("action", "speed"), [("walk", 1.15), ("run", 2.8)])
def test_a_far_goal_is_gone_to_at_the_speed_of_its_gait(action: str, speed: float) -> None:
    ahead = steered(5.0, action)
    assert ahead.positions[0, -1, 1] == pytest.approx(speed * SECONDS[-1])
    assert ahead.actions[0, -1, ACTIONS.index(action)] == pytest.approx(1.0)


def test_the_goal_decides_the_more_the_later_the_farther_and_the_freer_the_character_is() -> None:
    walk, half = ACTIONS.index("walk"), 1.5
    late = SECONDS / SECONDS[-1]
    np.testing.assert_allclose(steered(5.0).actions[0, :, walk], late)
    np.testing.assert_allclose(steered(5.0, steering=0.25).actions[0, :, walk], 0.25 * late)
    np.testing.assert_allclose(steered(half).actions[0, :, walk], 0.5 * late)
    np.testing.assert_allclose(steered(2.0).actions[0, :, walk], late)
    np.testing.assert_allclose(steered(5.0).positions[0, :, 1], late * 1.15 * SECONDS)
