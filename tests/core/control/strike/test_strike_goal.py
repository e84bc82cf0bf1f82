"""Goal trajectory of attacks: straight to the target, up to the reach, and blended as in the thesis."""

import numpy as np

from footfall.core.control.strike import strike_goal
from footfall.core.control.strike.strike_goal import blend_trajectories, goal_trajectory

SECONDS = np.arange(1, 6) / 6
HERE, AHEAD = np.zeros((1, 2)), np.zeros(1)


def test_it_goes_straight_to_the_target_and_stops_at_its_distance() -> None:
    target = np.array([[-1.0, 0.0, 1.4]])
    positions, yaws = goal_trajectory(HERE, AHEAD, target, np.array([0.6]), SECONDS)
    np.testing.assert_allclose(positions[0, 0], [-strike_goal.TUNING.speed / 6, 0.0], atol=1e-12)
    np.testing.assert_allclose(positions[0, -1], [-0.4, 0.0], atol=1e-12)
    np.testing.assert_allclose(yaws, np.pi / 2)


def test_too_near_a_target_it_steps_back() -> None:
    positions, yaws = goal_trajectory(HERE, AHEAD, np.array([[0.0, 0.5, 1.4]]), np.array([0.6]), SECONDS)
    np.testing.assert_allclose(positions[0, -1], [0.0, -0.1], atol=1e-12)
    np.testing.assert_allclose(yaws, 0.0)


def test_velocities_are_blended_by_the_root_of_the_time_and_directions_by_its_square() -> None:
    still = np.zeros((1, 5, 2)), np.zeros((1, 5))
    goal = np.cumsum(np.full((1, 5, 2), 0.1), axis=1), np.full((1, 5), np.pi / 2)
    positions, directions = blend_trajectories(HERE, still, goal)
    share = np.arange(1, 6) / 5
    np.testing.assert_allclose(positions[0, :, 0], np.cumsum(0.1 * share**0.5))
    turned = np.arctan2(-directions[0, :, 0], directions[0, :, 1])
    np.testing.assert_allclose(turned, np.arctan2(share**2, 1 - share**2))
