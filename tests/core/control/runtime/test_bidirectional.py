"""The bi-directional control scheme in closed form."""

import numpy as np

from footfall.core.control.runtime.bidirectional import (
    blend_trajectories,
    goal_centric_samples,
)
from footfall.core.features.interaction import ACTIONS, FUTURE_OFFSETS_FRAMES, GOAL_ACTIONS, TimeSeries, output_layout
from footfall.core.motion.root_frame import facing_direction

LAYOUT = output_layout(("hips", "head"))
COUNT = len(FUTURE_OFFSETS_FRAMES)


def samples(position: tuple[float, ...], yaw: float, actions: int = len(ACTIONS)) -> TimeSeries:
    positions = np.tile(np.array(position), (1, COUNT, 1))
    return TimeSeries(positions, np.tile(facing_direction(np.array(yaw)), (1, COUNT, 1)), np.zeros((1, COUNT, actions)))


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
