"""The root of a motion over the ground, and poses in its frame."""

import numpy as np
import pytest

from footfall.core.control.edit.ground_root import GroundRoot
from footfall.core.motion.root_frame import facing_direction
from footfall.core.terrain.ground import EmptyScene, Plane
from footfall.tests.support.walker import Walker

WALK = Walker(seconds=4.0, turn=0.4, floor=0.7).clip()
ROOT = GroundRoot.of_motion(WALK, Plane(0.7), 60.0)


def test_the_root_is_on_the_ground_below_the_hips() -> None:
    hips = WALK.positions[:, WALK.skeleton.joint("hips")]
    np.testing.assert_allclose(ROOT.positions[:, :2], hips[:, :2], atol=1e-9)
    np.testing.assert_allclose(ROOT.positions[:, 2], 0.7)
    assert np.allclose(GroundRoot.of_motion(WALK, EmptyScene(), 60.0).positions[:, 2], 0.0)


@pytest.mark.parametrize("frame", [0, 77, 240])
def test_a_pose_comes_back_from_the_frame_of_the_root(frame: int) -> None:
    pose = WALK.cut(100, 101)
    back = ROOT.pose_to_world(ROOT.pose_from_world(pose, frame), frame)
    np.testing.assert_allclose(back.positions, pose.positions, atol=1e-9)
    np.testing.assert_allclose(np.abs(np.sum(back.world[1] * pose.world[1], axis=-1)), 1.0, atol=1e-9)


def test_a_pose_goes_with_the_root_to_another_frame() -> None:
    in_root = ROOT.pose_from_world(WALK.cut(60, 61), 60)
    there = ROOT.pose_to_world(in_root, 200)
    np.testing.assert_allclose(there.root_positions[0, :2], ROOT.positions[200, :2], atol=1e-9)
    across = there.positions[0, WALK.skeleton.joint("thigh.R")] - there.positions[0, WALK.skeleton.joint("thigh.L")]
    assert abs(float(across[:2] @ facing_direction(ROOT.yaws[200]))) < 0.1 * np.linalg.norm(across), "it faces ahead"


def test_frames_are_found_by_the_distance_that_the_root_has_come() -> None:
    assert ROOT.distances[0] == 0.0 and ROOT.frame_at(0.0) == 0
    for frame in (30, 150):
        assert ROOT.frame_at(float(ROOT.distances[frame])) == frame
    assert ROOT.frame_at(1e3) == len(ROOT) - 1
