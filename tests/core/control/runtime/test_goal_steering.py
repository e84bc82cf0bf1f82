"""Trajectories ahead that are bent toward far goals, and left alone near them."""

import numpy as np
import pytest

from footfall.core.control.runtime.goal_command import GoalCommand
from footfall.core.control.runtime.goal_steering import FADE_RANGE_M, SPEEDS_M_S, steer_trajectory
from footfall.core.control.runtime.time_series import one_hot_action, standing_series
from footfall.core.features.interaction import ACTIONS, FUTURE_OFFSETS_FRAMES, GOAL_ACTIONS, TimeSeries

RATE = 60.0
SECONDS = np.array(FUTURE_OFFSETS_FRAMES) / RATE


def steered(distance: float, action: str = "walk", steering: float = 1.0) -> TimeSeries:
    """Return the trajectory of a character that stands at the origin, with a goal ahead of it."""
    origin, yaw = np.zeros((1, 2)), np.zeros(1)
    standing = standing_series(origin, yaw, one_hot_action("idle", ACTIONS)[None], len(SECONDS))
    command = GoalCommand(action, np.array([0.0, distance, 0.0]), np.array([0.0, 1.0]))
    goals = one_hot_action(action, GOAL_ACTIONS)[None]
    return steer_trajectory(standing, [command], (origin, yaw), np.array([steering]), goals, ACTIONS, RATE)


@pytest.mark.parametrize("action", ["walk", "run"])
def test_a_far_goal_is_gone_to_at_the_speed_of_its_gait(action: str) -> None:
    ahead = steered(5.0, action)
    assert ahead.positions[0, -1, 1] == pytest.approx(SPEEDS_M_S[action] * SECONDS[-1])
    assert ahead.actions[0, -1, ACTIONS.index(action)] == pytest.approx(1.0)


def test_near_goals_and_limited_steering_leave_the_trajectory() -> None:
    for ahead in (steered(FADE_RANGE_M[0] - 0.01), steered(5.0, steering=0.0)):
        np.testing.assert_allclose(ahead.positions, 0.0)
        assert (ahead.actions[0, :, ACTIONS.index("idle")] == 1.0).all()
