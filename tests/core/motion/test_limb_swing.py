"""Limbs that swing their middle joint, and joints that turn in the world."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.motion.clip import Clip
from footfall.core.motion.limb_ik import (
    rotate_joint,
    swing_limb,
    with_world_rotations,
)
from footfall.core.motion.rotations import (
    Array,
    exp,
    multiply,
    rotate,
)
from footfall.tests.support.leg_poses import ARM, FOREARM, LEFT, THIGH, UPPER_ARM, angles, bent, grasped, vectors

LEFT_LEG = LEFT.thigh, LEFT.shin, LEFT.foot


def swung(clip: Clip, by: Array, joints: tuple[int, int, int] = LEFT_LEG) -> Clip:
    """The clip with a limb swung by its middle joint, by way of world rotations and back."""
    positions, world = (array.copy() for array in clip.world)
    swing_limb(positions, world, joints, by)
    result = with_world_rotations(clip, clip.root_positions, world)
    np.testing.assert_allclose(result.positions[:, joints], positions[:, joints], atol=1e-9)
    return result


def inner_angle(clip: Clip, first: int, middle: int, last: int) -> Array:
    bones = [clip.positions[:, joint] - clip.positions[:, middle] for joint in (first, last)]
    bones = [bone / np.linalg.norm(bone, axis=-1, keepdims=True) for bone in bones]
    return np.sum(bones[0] * bones[1], axis=-1)


@given(angles, st.floats(-0.7, 1.5), vectors, vectors)
def test_a_limb_swings_its_middle_joint_the_way_it_is_asked(knee: float, hip: float, turn: Array, by: Array) -> None:
    clip = bent(knee, hip, exp(turn * 3))
    thigh, shin = clip.positions[0, LEFT.thigh], clip.positions[0, LEFT.shin]
    wanted = shin + 0.3 * by - thigh
    result = swung(clip, 0.3 * by[None])
    now = result.positions[0, LEFT.shin] - thigh
    np.testing.assert_allclose(now, THIGH * wanted / np.linalg.norm(wanted), atol=1e-9)
    across = 0.3 * by - (0.3 * by) @ (shin - thigh) * (shin - thigh) / THIGH**2
    assert (result.positions[0, LEFT.shin] - shin) @ across >= -1e-12
    np.testing.assert_allclose(inner_angle(result, *LEFT_LEG), inner_angle(clip, *LEFT_LEG), atol=1e-9)
    for joint in (LEFT.shin, LEFT.foot):
        bone = result.positions[0, joint] - result.positions[0, result.skeleton.parents[joint]]
        assert np.linalg.norm(bone) == pytest.approx(0.42, abs=1e-9)


@given(vectors, vectors)
def test_a_joint_is_turned_in_the_world_and_all_that_hangs_on_it_too(pose: Array, way: Array) -> None:
    clip = bent(0.5, 0.3, exp(3 * pose))
    turn = exp(2 * way)
    result = rotate_joint(clip, LEFT.thigh, turn[None])
    below = [LEFT.thigh, LEFT.shin, LEFT.foot, LEFT.toe]
    others = [joint for joint in range(len(clip.skeleton)) if joint not in below]
    pivot = clip.positions[:, [LEFT.thigh]]
    np.testing.assert_allclose(
        result.positions[:, below], pivot + rotate(turn, clip.positions[:, below] - pivot), atol=1e-9
    )
    cosines = np.sum(result.world[1][:, below] * multiply(turn, clip.world[1][:, below]), axis=-1)
    np.testing.assert_allclose(np.abs(cosines), 1.0, atol=1e-9)
    np.testing.assert_allclose(result.positions[:, others], clip.positions[:, others], atol=1e-12)
    np.testing.assert_allclose(
        np.delete(result.rotations, LEFT.thigh, axis=1), np.delete(clip.rotations, LEFT.thigh, axis=1)
    )


def test_an_elbow_does_not_turn_over_where_the_wrist_comes_across_it() -> None:
    """A wrist is led in a half circle, through the direction in which the elbow bent."""
    clip = bent(0.5)
    angles = np.linspace(-1.5, 1.5, 181)[:, None]
    clip = replace(
        clip,
        root_positions=np.repeat(clip.root_positions, len(angles), axis=0),
        rotations=np.repeat(clip.rotations, len(angles), axis=0),
    )
    shoulder, down, back = clip.positions[:, ARM[0]], np.array([0.0, 0.0, -1.0]), np.array([0.0, 1.0, 0.0])
    target = shoulder + 0.7 * (UPPER_ARM + FOREARM) * (np.cos(angles) * down + np.sin(angles) * back)
    result = grasped(clip, target)
    moved = np.linalg.norm(np.diff(result.positions[:, ARM[1]], axis=0), axis=1)
    assert moved.max() < 1.5 * UPPER_ARM * float(angles[1, 0] - angles[0, 0]), "it goes round with the wrist"
