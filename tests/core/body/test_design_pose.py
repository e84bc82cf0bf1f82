"""The pose in which bodies are made, whichever way a skeleton faces and holds its arms at rest."""

import numpy as np
import pytest

from footfall.core.body.design_pose import DesignPose, relaxed_rotations
from footfall.core.motion import Skeleton
from footfall.core.motion.kinematics import world_positions
from footfall.core.motion.rotations import from_axis_angle, rotate, rotation_about_up
from footfall.core.retarget.rest_pose import make_known_pose, with_rest_pose
from footfall.tests.addon.support.cmu_person import cmu_person
from footfall.tests.support.dog import dog


def turned(skeleton: Skeleton, degrees: float) -> Skeleton:
    """The same person, facing another way at rest."""
    turn = rotation_about_up(np.radians(degrees))
    return Skeleton(
        skeleton.names, skeleton.parents, rotate(turn, skeleton.offsets), rotate(turn, skeleton.tips), skeleton.roles
    )


@pytest.mark.parametrize("degrees", [0.0, 90.0, 200.0])
def test_it_looks_along_minus_y_with_its_toes_over_the_ground(degrees: float) -> None:
    pose = DesignPose.of(turned(cmu_person(), degrees))
    assert pose is not None
    across = pose.at("thigh.L") - pose.at("thigh.R")
    np.testing.assert_allclose(across / np.linalg.norm(across), [1.0, 0.0, 0.0], atol=1e-6)
    assert pose.at("toe.L")[1] < pose.at("foot.L")[1] - 0.1
    assert 0.02 < pose.at("toe.L")[2] < 0.05
    np.testing.assert_allclose(pose.at("neck")[:2], pose.at("hips")[:2], atol=0.02)


def test_arms_at_rest_may_point_anywhere() -> None:
    person = cmu_person()
    from_t, from_a = DesignPose.of(person), DesignPose.of(with_rest_pose(person, make_known_pose(person, "A")))
    assert from_t is not None and from_a is not None
    np.testing.assert_allclose(from_t.at("hand.L"), from_a.at("hand.L"), atol=0.02)
    assert from_t.at("hand.L")[2] < from_t.at("upper_arm.L")[2] - 0.3


def test_the_joints_of_the_trunk_share_every_height() -> None:
    pose = DesignPose.of(cmu_person())
    assert pose is not None
    low, high = pose.at("hips")[2], pose.head_top
    for height in np.linspace(low - 0.2, high, 40):
        assert sum(pose.spine_weights(height).values()) == pytest.approx(1.0)
    assert set(pose.spine_weights(low - 0.2)) == {pose.skeleton.joint("hips")}
    assert set(pose.spine_weights(high)) == {pose.skeleton.joint("head")}


def test_arms_of_a_relaxed_person_hang() -> None:
    person = cmu_person()
    rotations = relaxed_rotations(person)
    assert rotations is not None
    places = world_positions(person, np.zeros(3), rotations)
    for side in "LR":
        reach = places[person.joint(f"hand.{side}")] - places[person.joint(f"upper_arm.{side}")]
        assert reach[2] / np.linalg.norm(reach) < -0.95


def test_animals_and_bodies_that_do_not_stand_at_rest_have_none() -> None:
    person = cmu_person()
    lying = np.tile(from_axis_angle(np.array([1.0, 0.0, 0.0]), 0.0), (len(person), 1))
    lying[person.joint("thigh.L")] = from_axis_angle(np.array([1.0, 0.0, 0.0]), np.pi / 2)
    assert DesignPose.of(dog()) is None and relaxed_rotations(dog()) is None
    assert DesignPose.of(with_rest_pose(person, lying)) is None
