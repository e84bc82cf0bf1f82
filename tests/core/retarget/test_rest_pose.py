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
    bone_vector,
    heading_between,
    make_known_pose,
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


@given(yaws)
@example(SAME_FACING_RAD * 0.99)
@example(np.pi)
def test_bodies_that_stand_differ_by_a_turn_about_the_world_s_up_alone(yaw: float) -> None:
    found = heading_between(person(), turned(person(), rotation_about_up(yaw)))
    if abs(yaw) < SAME_FACING_RAD - 1e-9:
        np.testing.assert_array_equal(found, IDENTITY)
    elif abs(yaw) > SAME_FACING_RAD + 1e-9:
        assert angle(multiply(found, rotation_about_up(yaw))) < 1e-7


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
