"""Forward kinematics against closed forms."""

import numpy as np

from footfall.core.motion.clip import Clip
from footfall.core.motion.kinematics import forward_kinematics, world_positions
from footfall.core.motion.rotations import IDENTITY, multiply, rotation_about_up
from footfall.core.motion.skeleton import Skeleton

from .conftest import person


def test_at_rest_joints_lie_at_the_sum_of_their_offsets() -> None:
    skeleton = person()
    rest = np.tile(IDENTITY, (len(skeleton), 1))
    positions, _ = forward_kinematics(skeleton, np.array([1.0, 2.0, 3.0]), rest)
    np.testing.assert_allclose(positions[skeleton.joint("foot.L")], [1.1, 2.0, 2.15])
    np.testing.assert_allclose(positions[skeleton.joint("head")], [1.0, 2.0, 3.65])


def test_a_two_bone_arm_in_the_plane() -> None:
    links = np.array([[0.0, 0, 0], [2.0, 0, 0], [1.0, 0, 0]])
    arm = Skeleton(("base", "elbow", "end"), (-1, 0, 1), links, np.zeros((3, 3)))
    a, b = np.random.default_rng(0).uniform(-3, 3, (2, 50))
    rotations = np.stack([rotation_about_up(a), rotation_about_up(b), rotation_about_up(0 * a)], axis=1)
    positions, turned = forward_kinematics(arm, np.zeros((50, 3)), rotations)
    expected = [2 * np.cos(a) + np.cos(a + b), 2 * np.sin(a) + np.sin(a + b), 0 * a]
    np.testing.assert_allclose(positions[:, 2], np.transpose(expected), atol=1e-12)
    np.testing.assert_allclose(turned[:, 1], multiply(rotation_about_up(a), rotation_about_up(b)))


def test_positions_follow_from_world_rotations(clip: Clip) -> None:
    positions, rotations = clip.world
    found = world_positions(clip.skeleton, clip.root_positions, rotations)
    np.testing.assert_allclose(found, positions, atol=1e-12)
    np.testing.assert_allclose(
        world_positions(clip.skeleton, clip.root_positions[5], rotations[5]), found[5], atol=1e-12
    )
