"""The bi-directional control scheme in closed form."""

import numpy as np

from footfall.core.control.runtime.bidirectional import (
    blend_trajectories,
    goal_centric_samples,
    goal_shares,
    led_velocities,
)
from footfall.core.features.interaction import ACTIONS, FUTURE_OFFSETS_FRAMES, GOAL_ACTIONS, TimeSeries, output_layout
from footfall.core.motion.root_frame import facing_direction

LAYOUT = output_layout(("hips", "head"))
COUNT = len(FUTURE_OFFSETS_FRAMES)


def samples(position: tuple[float, ...], yaw: float, actions: int = len(ACTIONS)) -> TimeSeries:
    positions = np.tile(np.array(position), (1, COUNT, 1))
    return TimeSeries(positions, np.tile(facing_direction(np.array(yaw)), (1, COUNT, 1)), np.zeros((1, COUNT, actions)))


def test_lambda_is_each_samples_weight_to_the_power_of_its_own_squared_distance() -> None:
    """A sample at its goal is goal-centric alone; one a meter away by its weight, two meters by its fourth power."""
    goals = np.zeros((1, COUNT, 2))
    ahead = goals.copy()
    ahead[0, 1, 0], ahead[0, 2, 1] = 1.0, 2.0
    expected = np.ones(COUNT)
    expected[1], expected[2] = 2 / 7, (3 / 7) ** 4
    np.testing.assert_allclose(goal_shares(ahead, goals)[0], expected)


def test_a_blend_is_egocentric_at_0_goal_centric_at_1_and_halfway_between() -> None:
    ahead = samples((0.0, 2.0), 0.0)
    positions, directions = np.full((1, COUNT, 2), 4.0), np.tile([1.0, 0.0], (1, COUNT, 1))
    shares = np.array([[0.0, 1.0, 0.5, 0.0, 0.0, 0.0]])
    blended = blend_trajectories(ahead, positions, directions, shares)
    np.testing.assert_allclose(blended.positions[0, :3], [[0, 2], [4, 4], [2, 3]], atol=1e-12)
    np.testing.assert_allclose(blended.directions[0, :3], [[0, 1], [1, 0], [0.5**0.5, 0.5**0.5]], atol=1e-12)


def test_goal_centric_samples_are_in_the_frame_of_the_goal() -> None:
    y = np.zeros((1, LAYOUT.size), dtype=np.float32)
    LAYOUT.view(y, "goal_trajectory.position")[..., 1] = 0.5
    LAYOUT.view(y, "goal_trajectory.direction")[..., 1] = 1.0
    yaw = 0.8
    positions, directions = goal_centric_samples(LAYOUT, y, samples((3.0, 1.0, 0.4), yaw, len(GOAL_ACTIONS)))
    np.testing.assert_allclose(positions[0, 0], [3.0, 1.0] + 0.5 * facing_direction(np.array(yaw)), atol=1e-6)
    np.testing.assert_allclose(directions[0, 0], facing_direction(np.array(yaw)), atol=1e-6)


def test_velocities_are_led_to_the_pose_ahead_by_the_time_of_a_frame() -> None:
    """The root goes 2 m ahead and turns half around: a joint 0.3 m ahead of it ends 1.7 m ahead of where it was."""
    rate = 60.0
    velocity, pose = np.array([[[0.5, 0.0, 0.0]]]), np.array([[[0.0, 0.0, 1.0]]])
    future = np.array([[[0.0, 0.3, 0.6]]])
    root = np.array([[1.0, 1.0]]), np.array([0.7])
    ahead = root[0] + 2.0 * facing_direction(root[1]), root[1] + np.pi
    led = led_velocities(velocity, pose, future, root, ahead, rate)
    share, seconds = 1 / rate, 61 / rate
    expected = (1 - share) * velocity[0, 0] + share * np.array([0.0, 1.7, -0.4]) / seconds
    np.testing.assert_allclose(led[0, 0], expected, atol=1e-12)


def test_a_pose_that_is_where_it_will_be_only_slows_down() -> None:
    pose = np.random.default_rng(0).normal(size=(2, 3, 3))
    root = np.zeros((2, 2)), np.zeros(2)
    led = led_velocities(np.ones((2, 3, 3)), pose, pose, root, root, 50.0)
    np.testing.assert_allclose(led, np.full((2, 3, 3), 0.98))
