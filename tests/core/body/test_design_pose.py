"""The pose in which bodies are made, whichever way a skeleton faces and holds its arms at rest."""

import numpy as np
import pytest

from footfall.core.body.design_pose import DesignPose, relaxed_rotations, upright_rotations
from footfall.core.motion import Skeleton
from footfall.core.motion.kinematics import world_positions
from footfall.core.motion.rotations import IDENTITY, from_axis_angle, inverse, multiply, rotate, rotation_about_up
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


def adult(toes: bool = True, tip: float = 0.18) -> DesignPose:
    """An adult in round numbers: soles at 0, hips at 0.9, shoulders at 1.4, the neck at 1.5 and the head at 1.6 m."""
    none = (0.0, 0.0, 0.0)
    joints: list[tuple[str, str, tuple[float, float, float], tuple[float, float, float]]] = [
        ("hips", "", none, none),
        ("spine", "hips", (0.0, 0.0, 0.2), none),
        ("twin", "spine", (0.0, 0.0, 0.0), none),
        ("chest", "twin", (0.0, 0.0, 0.2), none),
        ("neck", "chest", (0.0, 0.0, 0.2), none),
        ("head", "neck", (0.0, 0.0, 0.1), (0.0, 0.0, tip)),
    ]
    for side, sign in (("L", 1.0), ("R", -1.0)):
        joints += [
            (f"upper_arm.{side}", "chest", (sign * 0.2, 0.0, 0.1), none),
            (f"forearm.{side}", f"upper_arm.{side}", (sign * 0.3, 0.0, 0.0), none),
            (f"hand.{side}", f"forearm.{side}", (sign * 0.25, 0.0, 0.0), (sign * 0.18, 0.0, 0.0)),
            (f"thigh.{side}", "hips", (sign * 0.1, 0.0, 0.012), none),
            (f"shin.{side}", f"thigh.{side}", (0.0, 0.0, -0.42), none),
            (f"foot.{side}", f"shin.{side}", (0.0, 0.0, -0.42), none),
            (f"toe.{side}", f"foot.{side}", (0.0, -0.13, -0.037), (0.0, -0.07, 0.0)),
        ]
    names = [name for name, *_ in joints]
    parents = tuple(names.index(parent) if parent else -1 for _, parent, *_ in joints)
    offsets, tips = (np.array([joint[column] for joint in joints], dtype=float) for column in (2, 3))
    roles = {name: number for number, name in enumerate(names) if name != "twin" and (toes or "toe" not in name)}
    pose = DesignPose.of(Skeleton(tuple(names), parents, offsets, tips, roles))
    assert pose is not None
    return pose


@pytest.mark.parametrize("size", [0.5, 2.0])
def test_a_small_person_is_an_adult_in_little(size: float) -> None:
    skeleton = adult().skeleton
    other = Skeleton(skeleton.names, skeleton.parents, size * skeleton.offsets, size * skeleton.tips, skeleton.roles)
    pose = DesignPose.of(other)
    assert pose is not None and pose.scale == pytest.approx(size)
    assert pose.head_top == pytest.approx(size * adult().head_top)


@pytest.mark.parametrize("degrees", [-20.0, 25.0])
def test_a_bent_trunk_is_made_upright_under_a_level_head(degrees: float) -> None:
    person, lean = adult().skeleton, from_axis_angle(np.eye(3)[0], np.radians(degrees))
    stance = np.tile(IDENTITY, (len(person), 1))
    for name in ("spine", "twin", "chest"):
        stance[person.names.index(name)] = lean
    pose = DesignPose.of(with_rest_pose(person, stance))
    assert pose is not None
    np.testing.assert_allclose(pose.at("neck"), [0.0, 0.0, 1.5], atol=1e-9)
    for role, turn in (("hips", IDENTITY), ("chest", inverse(lean)), ("neck", IDENTITY), ("head", IDENTITY)):
        np.testing.assert_allclose(pose.rotations[pose.skeleton.joint(role)], turn, atol=1e-9, err_msg=role)
    np.testing.assert_allclose(pose.at("head"), [0.0, 0.0, 1.6], atol=1e-9)


@pytest.mark.parametrize("role", ["neck", "head", "hand.L", "shin.R", "foot.L"])
def test_a_skeleton_without_a_joint_of_a_person_is_none(role: str) -> None:
    person = adult().skeleton
    roles = {name: joint for name, joint in person.roles.items() if name != role}
    partial = Skeleton(person.names, person.parents, person.offsets, person.tips, roles)
    assert DesignPose.of(partial) is None and relaxed_rotations(partial) is None


@pytest.mark.parametrize("degrees", [0.0, 130.0])
def test_a_lying_skeleton_is_raised_to_a_t_pose_that_looks_ahead(degrees: float) -> None:
    person = adult().skeleton
    curled = np.tile(rotation_about_up(np.radians(degrees)), (len(person), 1))
    for role in ("thigh.L", "thigh.R"):
        curled[person.joint(role)] = from_axis_angle(np.eye(3)[0], -np.pi / 2)
    lowered = make_known_pose(person, "A")
    lying, stance = with_rest_pose(person, curled), multiply(lowered, inverse(curled))
    rotations = upright_rotations(lying, stance)
    assert rotations is not None
    places = world_positions(lying, np.zeros(3), rotations)
    for role, way in (("hand.L", [0.55, 0.0, 0.0]), ("hand.R", [-0.55, 0.0, 0.0])):
        shoulder = places[person.joint(role.replace("hand", "upper_arm"))]
        np.testing.assert_allclose(places[person.joint(role)] - shoulder, way, atol=1e-9)
    toes = places[person.joint("toe.L")] - places[person.joint("foot.L")]
    np.testing.assert_allclose(toes, [0.0, -0.13, -0.037], atol=1e-9)
    np.testing.assert_allclose(places[person.joint("head")] - places[0], [0.0, 0.0, 0.7], atol=1e-9)


def test_only_lying_skeletons_with_a_standing_pose_are_raised() -> None:
    person = adult().skeleton
    rest = np.tile(IDENTITY, (len(person), 1))
    assert upright_rotations(person, rest) is None, "it stands at rest"
    curled = rest.copy()
    curled[person.joint("thigh.L")] = from_axis_angle(np.eye(3)[0], -np.pi / 2)
    lying = with_rest_pose(person, curled)
    assert upright_rotations(lying, rest) is None, "the stance is none"
    assert upright_rotations(lying, inverse(curled)) is not None
    assert upright_rotations(dog(), np.tile(IDENTITY, (len(dog()), 1))) is None
