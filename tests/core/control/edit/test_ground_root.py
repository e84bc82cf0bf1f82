"""The root of a motion over the ground, and poses in its frame."""

import numpy as np
import pytest

from footfall.core.control.edit.ground_root import GroundRoot
from footfall.core.motion.root_frame import facing_direction
from footfall.core.motion.rotations import Array
from footfall.core.terrain.ground import EmptyScene, Plane
from footfall.tests.support.walker import Walker

WALK = Walker(seconds=4.0, turn=0.4, floor=0.7).clip()
ROOT = GroundRoot.of_motion(WALK, Plane(0.7), 60.0)


class Gap(EmptyScene):
    """Ground at 1 m down to one x, none down to another, and at height 0 behind that."""

    def __init__(self, lower: float, upper: float) -> None:
        self.lower, self.upper = lower, upper

    def heights(self, points: Array, frame: float = 0.0) -> Array:
        x = np.asarray(points)[..., 0]
        return np.where(x < self.lower, 0.0, np.where(x > self.upper, 1.0, np.nan))


class Lift(EmptyScene):
    """Ground that rises by 1 cm a frame of the walk."""

    is_static = False

    def heights(self, points: Array, frame: float = 0.0) -> Array:
        return np.full(np.shape(points)[:-1], 0.01 * frame)


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


def test_the_distance_is_that_over_the_ground() -> None:
    """It walks at 1.1 m/s for four seconds; hips that rise and sink are no way."""
    assert ROOT.distances[-1] == pytest.approx(1.1 * 4.0, rel=0.02)
    higher = GroundRoot(ROOT.positions + np.arange(len(ROOT))[:, None] * [0.0, 0.0, 1.0], ROOT.yaws)
    np.testing.assert_allclose(higher.distances, ROOT.distances)
    assert len(ROOT) == len(WALK)


def test_a_distance_between_two_frames_is_come_at_the_later_one() -> None:
    half = (ROOT.distances[30] + ROOT.distances[31]) / 2
    assert ROOT.frame_at(float(half)) == 31


def test_where_there_is_no_ground_it_is_as_high_as_beside_the_gap() -> None:
    hips = WALK.positions[:, WALK.skeleton.joint("hips")]
    gap = slice(100, 120)
    lower, upper = hips[gap, 0].min(), hips[gap, 0].max()
    heights = GroundRoot.of_motion(WALK, Gap(lower, upper), 60.0).positions[:, 2]
    np.testing.assert_allclose(heights[[0, 90, -90, -1]], [1.0, 1.0, 0.0, 0.0], atol=1e-9)
    assert (np.diff(heights) <= 1e-9).all() and 0.2 < heights[110] < 0.8


def test_ground_that_moves_is_asked_at_the_frames_of_the_walk() -> None:
    """A walk of 30 frames a second moves ground by 1 cm a frame: 5 mm in a frame of the motion."""
    heights = GroundRoot.of_motion(WALK, Lift(), 30.0).positions[:, 2]
    np.testing.assert_allclose(heights, 0.005 * np.arange(len(WALK)))


def test_a_pose_in_the_frame_of_the_root_stands_on_the_origin_and_looks_ahead() -> None:
    pose = ROOT.pose_from_world(WALK.cut(120, 121), 120)
    np.testing.assert_allclose(pose.root_positions[0], [0.0, 0.0, WALK.root_positions[120, 2] - 0.7], atol=1e-9)
    across = pose.positions[0, WALK.skeleton.joint("thigh.R")] - pose.positions[0, WALK.skeleton.joint("thigh.L")]
    assert across[0] > 0.19 and abs(across[1]) < 0.03
