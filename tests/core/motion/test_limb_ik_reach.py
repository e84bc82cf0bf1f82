"""The reach of limbs: the soft end of a leg's extension, limbs that swing, and joints that turn in the world."""

import numpy as np
import pytest

from footfall.core.motion.clip import Clip
from footfall.core.motion.limb_ik import (
    MAX_REACH_RATIO,
    SOFT_REACH_RATIO,
    Leg,
    rest_forward_direction,
    rotate_joint,
    soft_reach,
    swing_limb,
    with_world_rotations,
    within_soft_reach,
)
from footfall.core.motion.rotations import IDENTITY, from_axis_angle, multiply, rotate
from footfall.core.motion.skeleton import Skeleton
from footfall.tests.support.walker import Walker

from .conftest import person


def test_a_leg_reaches_as_far_as_it_is_told_until_it_is_nearly_straight() -> None:
    np.testing.assert_array_equal(soft_reach(np.array([0.0, 1.0, 1.994]), 2.0), [0.0, 1.0, 1.994])


def test_beyond_it_comes_ever_more_slowly_to_its_end() -> None:
    """The margin is 0.27 % of the leg; an ankle that is a margin beyond is at 1 - 1/e of it."""
    margin = 2.0 * (MAX_REACH_RATIO - SOFT_REACH_RATIO)
    reached = soft_reach(1.994 + margin * np.array([0.0, 1.0, 2.0, 1e4]), 2.0)
    np.testing.assert_allclose(reached, 1.994 + margin * (1 - np.exp([-0.0, -1.0, -2.0, -np.inf])), rtol=1e-12)
    assert reached[-1] == pytest.approx(2.0 * 0.9997)


def test_it_slows_down_without_a_jump() -> None:
    distance = np.linspace(1.99, 2.02, 3001)
    steps = np.diff(soft_reach(distance, 2.0)) / np.diff(distance)
    assert steps.min() >= 0.0 and steps.max() == pytest.approx(1.0)
    assert np.abs(np.diff(steps)).max() < 0.003


def test_ankles_are_drawn_to_their_hips_along_their_lines() -> None:
    hip = np.array([[1.0, 2.0, 3.0]] * 3)
    away = np.array([[0.0, 0.0, -1.0], [0.0, 3.0, -4.0], [0.0, 0.0, 0.0]])
    drawn = within_soft_reach(hip, hip + away, 2.0) - hip
    np.testing.assert_allclose(drawn[[0, 2]], away[[0, 2]], atol=1e-12)
    np.testing.assert_allclose(drawn[1], soft_reach(np.array([5.0]), 2.0) * [0.0, 0.6, -0.8], atol=1e-12)


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


def test_a_leg_is_thigh_and_shin_and_has_a_toe_if_there_is_one() -> None:
    leg = Leg.of(person(), "R")
    assert (leg.thigh, leg.shin, leg.foot, leg.toe) == (4, 5, 6, None)
    assert leg.length(person()) == pytest.approx(0.8)


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


def test_world_rotations_of_any_length_make_a_clip() -> None:
    walk = Walker(seconds=1.0).clip()
    made = with_world_rotations(walk, walk.root_positions + np.array([1.0, 0.0, 0.0]), 3.0 * walk.world[1])
    np.testing.assert_allclose(made.positions, walk.positions + np.array([1.0, 0.0, 0.0]), atol=1e-9)
    assert (made.name, made.rate) == (walk.name, walk.rate)
