"""The ground that a walking character sees: beside its way, in pits and cracks, and where there is none."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.path.terrain_profile import TUNING as TERRAIN_PROFILE_TUNING
from footfall.core.control.runtime.locomotion_runtime import LocomotionCommand, LocomotionRuntime
from footfall.core.features.locomotion import FUTURE_OFFSETS_FRAMES, LATERAL_SAMPLE_OFFSET_M
from footfall.core.motion.rotations import Array
from footfall.core.terrain.ground import Ground
from footfall.tests.core.control.conftest import GAITS, answering
from footfall.tests.support.terrain_scenes import relief

STAND, WALK, COUNT = np.eye(4)[0], np.eye(4)[1], len(FUTURE_OFFSETS_FRAMES)


def stepped(ground: Ground, yaw: float = 0.0, level: float = 0.0) -> LocomotionRuntime:
    """A character that has made a step on the spot at a yaw; the ground is told to be at a level."""
    crowd = LocomotionRuntime(answering(), np.zeros((1, 2)), [yaw], [level], [ground])
    ahead = np.zeros((1, COUNT, 2)), np.full((1, COUNT), yaw), np.tile(WALK, (1, COUNT, 1))
    crowd.step(LocomotionCommand(*ahead, np.full((1, COUNT + 1), level)), WALK[None])
    return crowd


def across(crowd: LocomotionRuntime) -> Array:
    """Heights (3) left of, under and right of the character, meters."""
    return crowd.past_heights[0, -1]


@pytest.mark.parametrize("yaw", [0.0, 0.9, np.pi / 2, -2.0])
def test_ground_is_seen_left_and_right_of_the_way_at_the_same_distance(yaw: float) -> None:
    right = np.array([np.cos(yaw), np.sin(yaw)])
    slope = stepped(relief(lambda places: 0.5 * places @ right), yaw)
    along = stepped(relief(lambda places: 0.5 * places @ [-right[1], right[0]]), yaw)
    rise = 0.5 * LATERAL_SAMPLE_OFFSET_M
    np.testing.assert_allclose(across(slope), [-rise, 0.0, rise], atol=1e-9)
    np.testing.assert_allclose(across(along), 0.0, atol=1e-9)


def test_a_pit_beside_the_way_is_as_deep_as_a_step_down_and_one_under_it_is_stepped_over() -> None:
    pit = relief(lambda places: np.full(places.shape[:-1], -5.0))
    np.testing.assert_allclose(
        across(stepped(pit)), [-TERRAIN_PROFILE_TUNING.max_step_down, 0.0, -TERRAIN_PROFILE_TUNING.max_step_down]
    )
    low = relief(lambda places: np.full(places.shape[:-1], 0.01 - TERRAIN_PROFILE_TUNING.max_step_down))
    np.testing.assert_allclose(across(stepped(low)), 0.01 - TERRAIN_PROFILE_TUNING.max_step_down)


class TestRest:
    """A character comes to rest by its weight of moving, unless it is about to leave or has come to sit."""

    @staticmethod
    def settles(gaits: Array, ahead: Array) -> bool:
        """True if a character whose network holds its hips aside is led back, with gaits now and ahead (S, G)."""
        model = answering(gaits=(*GAITS, "sit"))
        answer = model.y_mean.copy()
        model.output_layout.view(answer, "pose.position")[:, 0] += 0.1
        ground = relief(lambda at: 0 * at[..., 0])
        crowd = LocomotionRuntime(replace(model, y_mean=answer), np.zeros((1, 2)), [0.0], [0.0], [ground])
        places = np.zeros((1, COUNT, 2)), np.zeros((1, COUNT)), ahead[None]
        crowd.step(LocomotionCommand(*places, np.zeros((1, COUNT + 1))), gaits[None], np.zeros(1))
        return float(crowd.state.pose[0, 0, 0]) < 0.099

    def test_a_pose_settles_but_where_the_character_leaves_or_sits(self) -> None:
        stand, walk, sit = np.eye(5)[[0, 1, 4]]
        stays = np.tile(stand, (COUNT, 1))
        assert self.settles(stand, stays)
        assert not self.settles(sit, stays)
        assert not self.settles(0.9 * stand + 0.1 * sit, stays)
        leaves, later = stays.copy(), stays.copy()
        leaves[2:], later[3:] = walk, walk
        assert not self.settles(stand, leaves), "half a second ahead"
        assert self.settles(stand, later)


def test_ground_that_moves_takes_root_past_and_expected_trajectory_along() -> None:
    """A quarter turn to the left about (1, 0), then a shift: (0, 0) comes to (1, -1) and then to (1.5, -1)."""
    crowd = stepped(relief(lambda places: 0 * places[..., 0]))
    before = crowd.past_heights.copy()
    crowd.move_with_ground(0, np.pi / 2, np.array([1.0, 0.0]), np.array([0.5, 0.0]), 0.2)
    state = crowd.state
    np.testing.assert_allclose(state.position, [[1.5, -1.0]])
    for places in (state.past_positions, state.expected_positions):
        np.testing.assert_allclose(places[0], np.tile([1.5, -1.0], (places.shape[1], 1)))
    for yaws in (state.yaw, state.past_yaws, state.expected_yaws):
        np.testing.assert_allclose(yaws, np.pi / 2)
    np.testing.assert_allclose(crowd.past_heights, before + 0.2)


def test_arms_of_a_character_that_is_to_go_slowly_come_to_rest() -> None:
    model = answering()
    answer = model.y_mean.copy()
    arm = model.joints.index("lwrist")
    model.output_layout.view(answer, "pose.position")[arm, 2] += 0.3
    shown = []
    for speed in (0.0, 1.5):
        ground = relief(lambda at: 0 * at[..., 0])
        crowd = LocomotionRuntime(replace(model, y_mean=answer), np.zeros((1, 2)), [0.0], [0.0], [ground])
        ahead = np.zeros((1, COUNT, 2))
        ahead[0, :, 1] = speed * np.array(FUTURE_OFFSETS_FRAMES) / 60
        command = LocomotionCommand(ahead, np.zeros((1, COUNT)), np.tile(WALK, (1, COUNT, 1)), np.zeros((1, COUNT + 1)))
        crowd.step(command, WALK[None])
        shown.append(crowd.state.pose[0, arm, 2] - model.start["position"][arm, 2])
    assert shown[0] < 0.29 and shown[1] == pytest.approx(0.3, abs=1e-6)
