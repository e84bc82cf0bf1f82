"""Rest poses: what a skeleton at rest says about the body, however it was drawn and wherever it lies."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from footfall.core.motion import Skeleton
from footfall.core.motion.rotations import (
    IDENTITY,
    Array,
    exp,
    from_axis_angle,
    inverse,
    log,
    multiply,
    rotate,
    rotation_about_up,
)
from footfall.core.retarget.rest_pose import (
    SAME_FACING_RAD,
    KnownPose,
    body_rotation,
    bone_frame,
    bone_vector,
    heading_between,
    is_standing,
    make_known_pose,
    rest_position,
    up_axis,
    with_rest_pose,
)
from footfall.tests.support.walker import person

X, Y, Z = np.eye(3)
DOWN = np.sqrt(0.5)

yaws = st.floats(-np.pi, np.pi)
quarters = st.tuples(st.sampled_from([X, Y, Z]), st.integers(0, 3), st.sampled_from([X, Y, Z]), st.integers(0, 3)).map(
    lambda drawn: multiply(
        from_axis_angle(drawn[0], drawn[1] * np.pi / 2), from_axis_angle(drawn[2], drawn[3] * np.pi / 2)
    )
)
"""Turns that bring axes to axes, as importers' conventions differ by."""


def turned(skeleton: Skeleton, turn: Array) -> Skeleton:
    """The body with another rest pose: all of it turned."""
    return with_rest_pose(skeleton, np.tile(turn, (len(skeleton), 1)))


def posed(**turns: Array) -> Array:
    """World rotations (J, 4) of the person, some joints by name turned with all that hangs on them."""
    skeleton = person()
    result = np.tile(IDENTITY, (len(skeleton), 1))
    for joint, (name, parent) in enumerate(zip(skeleton.names, skeleton.parents, strict=True)):
        above = result[parent] if joint else IDENTITY
        result[joint] = multiply(above, turns[name]) if name in turns else above
    return result


def bone(skeleton: Skeleton, role: str) -> Array:
    """Where a role's bone points at rest (3)."""
    along = bone_vector(skeleton, skeleton.roles[role], role)
    return along / np.linalg.norm(along)


def angle(rotation: Array) -> float:
    return float(np.linalg.norm(log(rotation)))


def test_a_joint_s_place_is_the_sum_of_the_offsets_to_it() -> None:
    skeleton = person()
    np.testing.assert_allclose(rest_position(skeleton, skeleton.roles["foot.L"]), [0.1, 0.0, -0.94])
    np.testing.assert_allclose(rest_position(skeleton, skeleton.roles["hand.R"]), [-0.68, 0.0, 0.5])
    np.testing.assert_array_equal(rest_position(skeleton, 0), 0.0)


def test_a_bone_points_to_the_next_role() -> None:
    skeleton = person()
    np.testing.assert_allclose(bone(skeleton, "shin.L"), -Z)
    np.testing.assert_allclose(bone(skeleton, "upper_arm.R"), -X)
    # The chest has clavicles too, and the hips have legs: bones go up the trunk all the same.
    np.testing.assert_allclose(bone(skeleton, "chest"), Z)
    np.testing.assert_allclose(bone(skeleton, "hips"), Z)
    # Ends point to their tips, and to the mean of their children where no next role is known.
    np.testing.assert_allclose(bone(skeleton, "toe.L"), -Y)
    np.testing.assert_allclose(bone_vector(skeleton, skeleton.roles["chest"], ""), [0.0, 0.0, (0.12 + 2 * 0.11) / 3])


def test_a_bone_points_over_joints_between_and_not_to_a_joint_at_its_own_place() -> None:
    names = ("hips", "thigh", "roll", "pivot", "shin", "foot")
    offsets = np.array([[0, 0, 0], [0.1, 0, 0], [0, 0, -0.2], [0, -0.1, -0.2], [0, 0, 0], [0, 0, -0.4]])
    roles = {"hips": 0, "thigh.L": 1, "shin.L": 4, "foot.L": 5}
    skeleton = Skeleton(names, (-1, 0, 1, 2, 3, 4), offsets, np.zeros((6, 3)), roles)
    np.testing.assert_array_equal(bone_vector(skeleton, 1, "thigh.L"), [0, 0, -0.2])
    offsets[2] = 0.0
    np.testing.assert_array_equal(bone_vector(skeleton, 1, "thigh.L"), [0, -0.1, -0.2])


@given(st.lists(st.tuples(*[st.floats(-1, 1)] * 3), min_size=21, max_size=21))
def test_another_zero_pose_is_the_same_body(turns: list[tuple[float, float, float]]) -> None:
    pose = exp(2 * np.array(turns))
    skeleton = person()
    other = with_rest_pose(skeleton, pose)
    np.testing.assert_allclose(np.linalg.norm(other.offsets, axis=-1), np.linalg.norm(skeleton.offsets, axis=-1))
    np.testing.assert_allclose(with_rest_pose(other, inverse(pose)).tips, skeleton.tips, atol=1e-12)
    parents = np.maximum(skeleton.parents, 0)
    np.testing.assert_allclose(other.offsets, rotate(pose[parents], skeleton.offsets), atol=1e-12)


@given(quarters, st.tuples(*[st.floats(-0.3, 0.3)] * 3).map(np.array))
@example(IDENTITY, np.zeros(3))
def test_a_body_has_axes_of_its_own(quarter: Array, lean: Array) -> None:
    """Its left, its back and its up go with it; and up is the axis of the world that is nearest."""
    turn = multiply(exp(lean), quarter)
    lying = turned(person(), turn)
    np.testing.assert_allclose(
        rotate(np.stack([body_rotation(lying)] * 3), np.eye(3)), rotate(np.stack([turn] * 3), np.eye(3)), atol=1e-9
    )
    np.testing.assert_allclose(up_axis(lying), np.round(rotate(quarter, Z)), atol=1e-12)


def test_a_body_without_a_trunk_has_axes_too() -> None:
    whole = person()
    roles = {role: joint for role, joint in whole.roles.items() if role[:5] in ("thigh", "shin.", "foot.", "hips")}
    legs = Skeleton(whole.names, whole.parents, whole.offsets, whole.tips, roles)
    np.testing.assert_allclose(body_rotation(legs), IDENTITY, atol=1e-12)


@given(yaws)
@example(SAME_FACING_RAD * 0.99)
@example(np.pi)
def test_bodies_that_stand_differ_by_a_turn_about_the_world_s_up_alone(yaw: float) -> None:
    found = heading_between(person(), turned(person(), rotation_about_up(yaw)))
    if abs(yaw) < SAME_FACING_RAD - 1e-9:
        np.testing.assert_array_equal(found, IDENTITY)
    elif abs(yaw) > SAME_FACING_RAD + 1e-9:
        assert angle(multiply(found, rotation_about_up(yaw))) < 1e-7


def test_a_body_that_stands_crooked_is_not_straightened() -> None:
    bent = turned(person(), from_axis_angle(X, 0.3))
    np.testing.assert_array_equal(heading_between(person(), bent), IDENTITY)


@given(quarters, quarters, yaws)
@example(IDENTITY, from_axis_angle(X, np.pi / 2), np.pi / 4)
def test_bodies_laid_down_by_importers_are_laid_alike(theirs: Array, mine: Array, yaw: float) -> None:
    """And no heading is wrong by more than the tolerance of equal facing."""
    source = turned(person(), theirs)
    target = turned(person(), multiply(mine, rotation_about_up(yaw)))
    brought = multiply(heading_between(source, target), body_rotation(target))
    assert angle(multiply(inverse(body_rotation(source)), brought)) < SAME_FACING_RAD + 1e-7
    left_and_up = rotate(np.stack([brought] * 2), np.stack([X, Z]))
    np.testing.assert_allclose(left_and_up[1], rotate(theirs, Z), atol=1e-9)


@given(quarters, yaws)
def test_whoever_stands_stands_wherever_an_importer_lays_them(quarter: Array, yaw: float) -> None:
    assert is_standing(turned(person(), multiply(quarter, rotation_about_up(yaw))))


@pytest.mark.parametrize(
    "turns, standing",
    [
        ({}, True),
        # Whatever the arms do.
        ({"lhumerus": from_axis_angle(Y, 1.5), "rhumerus": from_axis_angle(Y, -1.5)}, True),
        ({"lradius": from_axis_angle(Z, -2.0)}, True),
        ({"lfemur": from_axis_angle(X, 0.3)}, True),
        ({"lfemur": from_axis_angle(X, -1.2)}, False),
        ({"rtibia": from_axis_angle(X, 1.2)}, False),
        # Tiptoes stand, heels alone do not.
        ({"rfoot": from_axis_angle(X, 0.9)}, True),
        ({"rfoot": from_axis_angle(X, -0.9)}, False),
        ({"lfoot": rotation_about_up(np.pi)}, False),
        ({"lowerback": from_axis_angle(X, 1.6), "thorax": from_axis_angle(X, -2.4)}, False),
        ({"thorax": rotation_about_up(np.pi / 2)}, False),
    ],
)
def test_who_stands_and_who_does_not(turns: dict[str, Array], standing: bool) -> None:
    assert is_standing(with_rest_pose(person(), posed(**turns))) == standing


@pytest.mark.parametrize("pose, arms", [("T", X), ("A", (X - Z) * DOWN)])
@given(st.lists(st.floats(-0.6, 0.6), min_size=8, max_size=8), yaws)
@example([0.0] * 8, 0.0)
def test_known_poses_are_known_from_any_other(pose: KnownPose, arms: Array, angles: list[float], yaw: float) -> None:
    """Arms out to the sides or halfway down, legs straight down; sole and trunk stay."""
    names = [f"{side}{part}" for side in "lr" for part in ("humerus", "radius", "femur", "tibia")]
    turns = {name: from_axis_angle(Y, angle) for name, angle in zip(names, angles, strict=True)}
    zero = multiply(rotation_about_up(yaw), posed(**turns))
    # Feet that stand flat, so that the body stands.
    for side in "lr":
        for joint in (f"{side}foot", f"{side}toes"):
            zero[person().names.index(joint)] = rotation_about_up(yaw)
    skeleton = with_rest_pose(person(), zero)
    known = with_rest_pose(skeleton, make_known_pose(skeleton, pose))
    axes = body_rotation(skeleton)
    mirrored = arms * [-1, 1, 1]
    for part in ("upper_arm", "forearm"):
        np.testing.assert_allclose(bone(known, f"{part}.L"), rotate(axes, arms), atol=1e-9)
        np.testing.assert_allclose(bone(known, f"{part}.R"), rotate(axes, mirrored), atol=1e-9)
    for role in ("thigh.L", "shin.L", "thigh.R", "shin.R"):
        np.testing.assert_allclose(bone(known, role), -rotate(axes, Z), atol=1e-9)
    for role in ("foot.L", "toe.R", "chest", "neck", "shoulder.L"):
        np.testing.assert_allclose(bone(known, role), bone(skeleton, role), atol=1e-9)


def test_what_hangs_on_a_limb_goes_with_it_and_what_hangs_on_a_foot_stays() -> None:
    """A finger and a twist bone in the arm's pose; a bone of the heel where it was, as the rest of its foot."""
    body = person()
    hand, foot, forearm = (body.roles[role] for role in ("hand.L", "foot.L", "forearm.L"))
    names, parents = (*body.names, "finger", "heel", "twist"), (*body.parents, hand, foot, forearm)
    more = np.array([[0.1, 0, 0], [0, 0.05, -0.04], [0.1, 0, 0]])
    offsets, tips = np.concatenate([body.offsets, more]), np.concatenate([body.tips, more])
    skeleton = Skeleton(names, parents, offsets, tips, body.roles)
    bent = np.tile(IDENTITY, (len(skeleton), 1))
    for role in ("thigh.L", "shin.L"):
        bent[body.roles[role]] = from_axis_angle(X, 0.3)
    skeleton = with_rest_pose(skeleton, bent)
    pose = make_known_pose(skeleton, "A")
    finger, heel, twist = range(len(body), len(body) + 3)
    np.testing.assert_allclose(rotate(pose[[hand, finger, twist]], X), [(X - Z) * DOWN] * 3, atol=1e-9)
    np.testing.assert_allclose(pose[[foot, heel]], [IDENTITY] * 2, atol=1e-9)


def test_hips_chest_and_legs_say_how_they_are_turned_about_their_bones() -> None:
    skeleton, turn = person(), exp(np.array([0.4, -0.8, 1.9]))
    known = [role for role in skeleton.roles if bone_frame(skeleton, role) is not None]
    assert known == ["hips", "chest", *(f"{part}.{side}" for part in ("thigh", "shin", "foot") for side in "LR")]
    for role in known:
        before, after = bone_frame(skeleton, role), bone_frame(turned(skeleton, turn), role)
        assert before is not None and after is not None
        np.testing.assert_allclose(rotate(before, X), bone(skeleton, role), atol=1e-9)
        assert angle(multiply(inverse(multiply(turn, before)), after)) < 1e-7
    left = bone_frame(skeleton, "hips")
    assert left is not None
    np.testing.assert_allclose(rotate(left, Y), X, atol=1e-9)


def test_what_is_not_known_may_be_as_it_likes() -> None:
    for turns, missing in (
        ({"lfoot": from_axis_angle(X, -0.9)}, "toe.L"),
        ({"thorax": rotation_about_up(np.pi / 2)}, "upper_arm.R"),
    ):
        crooked = with_rest_pose(person(), posed(**turns))
        roles = {role: joint for role, joint in crooked.roles.items() if role != missing}
        assert not is_standing(crooked)
        assert is_standing(Skeleton(crooked.names, crooked.parents, crooked.offsets, crooked.tips, roles)), missing


@pytest.mark.parametrize("missing", [("neck",), ("neck", "head"), ("neck", "head", "chest")])
def test_the_top_of_a_trunk_is_neck_or_head_or_chest(missing: tuple[str, ...]) -> None:
    """A bent neck shows by which of them the trunk ends."""
    bent = with_rest_pose(person(), posed(lowerneck=from_axis_angle(X, 0.8)))
    roles = {role: joint for role, joint in bent.roles.items() if role not in missing}
    up = rotate(body_rotation(Skeleton(bent.names, bent.parents, bent.offsets, bent.tips, roles)), Z)
    ends = {1: ("head",), 2: ("chest",), 3: ("hips",)}[len(missing)]
    top = rest_position(bent, bent.roles[ends[0]]) + (0.0 if ends[0] != "hips" else 1.0) * Z - [0.0, 0.0, -0.1]
    np.testing.assert_allclose(up, top / np.linalg.norm(top), atol=1e-9)
