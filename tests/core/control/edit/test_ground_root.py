"""The root of a motion over the ground, and poses in its frame."""

import numpy as np
import pytest

from footfall.core.control.edit.ground_root import GroundRoot
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
