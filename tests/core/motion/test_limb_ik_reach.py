"""The reach of limbs: the soft end of a leg's extension, limbs that swing, and joints that turn in the world."""

import numpy as np

from footfall.core.motion.clip import Clip
from footfall.core.motion.limb_ik import (
    rest_forward_direction,
    rotate_joint,
    swing_limb,
)
from footfall.core.motion.rotations import IDENTITY, from_axis_angle, multiply, rotate
from footfall.core.motion.skeleton import Skeleton

from .conftest import person


def arm_in_the_plane() -> tuple[np.ndarray, np.ndarray]:
    """A limb of three joints along X, bent to Y, and a further joint that is none of it."""
    positions = np.array([[[1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 1.0, 0.0], [9.0, 9.0, 9.0]]])
    return positions, np.tile([1.0, 0.0, 0.0, 0.0], (1, 4, 1))


def test_a_limb_swings_as_it_is_bent_toward_where_its_middle_is_displaced() -> None:
    positions, rotations = arm_in_the_plane()
    swing_limb(positions, rotations, (0, 1, 2), np.array([[-1.0, 2.0, 0.0]]))
    np.testing.assert_allclose(positions[0], [[1, 0, 0], [1, 1, 0], [0, 1, 0], [9, 9, 9]], atol=1e-12)
    quarter = from_axis_angle([0.0, 0.0, 1.0], np.pi / 2)
    np.testing.assert_allclose(rotations[0], np.stack([quarter, quarter, IDENTITY, IDENTITY]), atol=1e-12)


def test_a_body_faces_along_its_toes_or_across_its_hips() -> None:
    skeleton = person()
    np.testing.assert_array_equal(rest_forward_direction(skeleton), [0.0, -1.0, 0.0])
    turned = Skeleton(skeleton.names, skeleton.parents, skeleton.offsets[:, [1, 0, 2]], skeleton.tips[:, [1, 0, 2]])
    np.testing.assert_array_equal(rest_forward_direction(turned), [1.0, 0.0, 0.0])
    names, parents = (*skeleton.names, "ltoes"), (*skeleton.parents, 3)
    for toe, forward in (((0.3, 0.4, -0.5), [0.6, 0.8, 0.0]), ((0.0, 0.0, -0.1), [0.0, -1.0, 0.0])):
        toed = Skeleton(names, parents, np.vstack([skeleton.offsets, toe]), np.vstack([skeleton.tips, np.zeros(3)]))
        np.testing.assert_allclose(rest_forward_direction(toed), forward)


def test_a_joint_turns_in_the_world_with_all_below_it(clip: Clip) -> None:
    joint = clip.skeleton.joint("thigh.L")
    turn = from_axis_angle([0.0, 0.6, 0.8], np.linspace(-1.0, 1.0, len(clip)))
    turned = rotate_joint(clip, joint, turn)
    np.testing.assert_allclose(
        np.abs(np.sum(turned.world[1][:, joint] * multiply(turn, clip.world[1][:, joint]), axis=-1)), 1.0
    )
    foot = clip.skeleton.joint("foot.L")
    away = clip.positions[:, foot] - clip.positions[:, joint]
    np.testing.assert_allclose(turned.positions[:, foot], clip.positions[:, joint] + rotate(turn, away), atol=1e-12)
    np.testing.assert_allclose(turned.positions[:, clip.skeleton.joint("head")], clip.positions[:, -1], atol=1e-12)
