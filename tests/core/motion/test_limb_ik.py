"""Legs that reach: bones keep their lengths, ankles meet their targets, knees stay knees."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from footfall.core.motion.clip import Clip
from footfall.core.motion.limb_ik import (
    MAX_REACH_RATIO,
    Leg,
    bend_knee_forward,
    solve_leg_ik,
    with_world_rotations,
)
from footfall.core.motion.rotations import (
    Array,
    exp,
    from_axis_angle,
    inverse,
    log,
    rotate,
    rotation_about_up,
)
from footfall.core.motion.skeleton import Skeleton
from footfall.tests.support.leg_poses import ARM, FOREARM, LEFT, SHIN, THIGH, UPPER_ARM, angles, bent, grasped, vectors
from footfall.tests.support.walker import Walker


def reached(clip: Clip, target: Array) -> Clip:
    """The clip with the left ankle brought to the target, by way of world rotations and back."""
    positions, world = (array.copy() for array in clip.world)
    solve_leg_ik(clip.skeleton, positions, world, LEFT, target)
    result = with_world_rotations(clip, clip.root_positions, world)
    np.testing.assert_allclose(result.positions[:, : LEFT.foot + 2], positions[:, : LEFT.foot + 2], atol=1e-9)
    return result


def flexion(clip: Clip) -> Array:
    """The knee's bend (F), radians, about the leg's own lateral axis: positive folds the shin backwards."""
    return log(clip.rotations[:, LEFT.shin])[:, 0]


@given(angles, st.floats(-0.7, 1.5), vectors, vectors)
@example(0.02, 0.0, np.zeros(3), np.zeros(3))
@example(0.5, 0.0, np.zeros(3), np.array([0.0, 0.0, 1.0]))
def test_bones_keep_their_lengths_wherever_the_ankle_goes(knee: float, hip: float, turn: Array, shift: Array) -> None:
    clip = bent(knee, hip, exp(turn * 3))
    result = reached(clip, clip.positions[:, LEFT.foot] + shift)
    for joint in (LEFT.shin, LEFT.foot, LEFT.foot + 1):
        bone = result.positions[0, joint] - result.positions[0, result.skeleton.parents[joint]]
        assert np.linalg.norm(bone) == pytest.approx(np.linalg.norm(result.skeleton.offsets[joint]), abs=1e-9)
    np.testing.assert_allclose(result.positions[:, LEFT.thigh], clip.positions[:, LEFT.thigh], atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(result.rotations, axis=-1), 1.0)


@given(angles, st.floats(-0.7, 1.5), vectors, vectors, st.floats(0.002, MAX_REACH_RATIO))
def test_a_target_within_reach_is_met(knee: float, hip: float, turn: Array, way: Array, share: float) -> None:
    clip = bent(knee, hip, exp(turn * 3))
    length = np.linalg.norm(way)
    way = way / length if length > 1e-3 else np.array([0.0, 0.0, -1.0])
    target = clip.positions[:, LEFT.thigh] + way * share * (THIGH + SHIN)
    result = reached(clip, target)
    np.testing.assert_allclose(result.positions[:, LEFT.foot], target, atol=1e-9)


@given(angles, vectors, st.floats(MAX_REACH_RATIO, 5.0))
def test_a_target_out_of_reach_is_met_in_direction(knee: float, way: Array, share: float) -> None:
    clip = bent(knee)
    way = np.array([way[0], way[1], -1.5])
    way /= np.linalg.norm(way)
    hip = clip.positions[:, LEFT.thigh]
    ankle = reached(clip, hip + way * share * (THIGH + SHIN)).positions[:, LEFT.foot]
    np.testing.assert_allclose(ankle, hip + way * MAX_REACH_RATIO * (THIGH + SHIN), atol=1e-9)


@given(st.floats(0.05, 2.0), st.floats(-0.5, 1.0), vectors, vectors, st.floats(0.1, MAX_REACH_RATIO))
def test_a_knee_never_bends_the_wrong_way(knee: float, hip: float, turn: Array, swing: Array, share: float) -> None:
    clip = bent(knee, hip, exp(turn * 3))
    thigh = clip.positions[:, LEFT.thigh]
    line = clip.positions[:, LEFT.foot] - thigh
    line = line / np.linalg.norm(line)
    # Up to 45 degrees away from where the leg points.
    target = thigh + rotate(exp(swing * np.pi / 4 / np.sqrt(3)), line) * share * (THIGH + SHIN)
    assert flexion(reached(clip, target))[0] > 0


def test_the_foot_keeps_its_world_rotation_and_the_other_leg_its_place() -> None:
    clip = Walker().clip()
    result = reached(clip, clip.positions[:, LEFT.foot] + [0.05, 0.1, 0.02])
    np.testing.assert_allclose(
        np.abs(np.sum(result.world[1][:, LEFT.foot] * clip.world[1][:, LEFT.foot], axis=-1)), 1.0, atol=1e-12
    )
    others = [joint for joint in range(len(clip.skeleton)) if joint not in (LEFT.shin, LEFT.foot, LEFT.toe)]
    np.testing.assert_allclose(result.positions[:, others], clip.positions[:, others], atol=1e-9)


def test_a_leg_without_a_toe_reaches_too() -> None:
    names, parents = ("hips", "lfemur", "ltibia", "lfoot"), (-1, 0, 1, 2)
    offsets = np.array([[0, 0, 0], [0.1, 0, 0], [0, 0, -0.4], [0, 0, -0.4]], dtype=float)
    skeleton = Skeleton(names, parents, offsets, np.zeros((4, 3)))
    leg = Leg.of(skeleton, "L")
    assert leg.toe is None
    clip = Clip(skeleton, 60.0, np.zeros((1, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (1, 4, 1)))
    positions, world = (array.copy() for array in clip.world)
    target = np.array([[0.2, -0.2, -0.6]])
    solve_leg_ik(skeleton, positions, world, leg, target)
    np.testing.assert_allclose(with_world_rotations(clip, clip.root_positions, world).positions[:, 3], target)


@given(vectors, vectors, st.floats(0.2, MAX_REACH_RATIO))
@example(np.zeros(3), np.array([1.0, 0.0, 0.0]), 0.5)
def test_a_wrist_within_reach_is_met(turn: Array, way: Array, share: float) -> None:
    clip = bent(0.5, turn=exp(turn * 3))
    length = np.linalg.norm(way)
    way = way / length if length > 1e-3 else np.array([0.0, 0.0, -1.0])
    target = clip.positions[:, ARM[0]] + way * share * (UPPER_ARM + FOREARM)
    result = grasped(clip, target)
    np.testing.assert_allclose(result.positions[:, ARM[2]], target, atol=1e-9)
    lengths = np.linalg.norm(np.diff(result.positions[0, ARM], axis=0), axis=-1)
    np.testing.assert_allclose(lengths, [UPPER_ARM, FOREARM], atol=1e-9)
    others = [joint for joint in range(len(clip.skeleton)) if joint not in ARM[1:]]
    np.testing.assert_allclose(result.positions[:, others], clip.positions[:, others], atol=1e-9)
    np.testing.assert_allclose(result.world[1][:, ARM[2]], clip.world[1][:, ARM[2]], atol=1e-12)


@pytest.mark.parametrize("heading", [0.0, 1.0, np.pi, -2.0])
@pytest.mark.parametrize("side", ["L", "R"])
def test_a_straight_arm_bends_its_elbow_back(heading: float, side: str) -> None:
    clip = bent(0.0, turn=rotation_about_up(heading))
    shoulder, elbow, wrist = (clip.skeleton.joint(f"{part}.{side}") for part in ("upper_arm", "forearm", "hand"))
    middle = (clip.positions[:, shoulder] + clip.positions[:, wrist]) / 2
    result = grasped(clip, middle, side)
    back = rotate(rotation_about_up(heading), np.array([0.0, 1.0, 0.0]))
    assert (result.positions[0, elbow] - clip.positions[0, elbow]) @ back > 0.1


@pytest.mark.parametrize("axis", [(0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (0.0, 0.6, 0.8)])
def test_an_elbow_that_is_straight_for_a_moment_bends_as_it_does_before_and_after(axis: tuple[float, ...]) -> None:
    clip = Walker(seconds=1.0).clip()
    frames = np.arange(len(clip))
    flexed = 0.9 * np.clip(np.abs(frames - 30) - 3, 0, 15) / 15
    rotations = clip.rotations.copy()
    rotations[:, ARM[1]] = from_axis_angle(np.array(axis), flexed)
    clip = Clip(clip.skeleton, clip.rate, clip.root_positions, rotations, clip.name)
    shoulder, wrist = clip.positions[:, ARM[0]], clip.positions[:, ARM[2]]
    made = grasped(clip, shoulder + 0.85 * (wrist - shoulder))
    line = wrist - shoulder
    off = made.positions[:, ARM[1]] - shoulder
    off -= np.sum(off * line, axis=1, keepdims=True) / np.sum(line * line, axis=1, keepdims=True) * line
    sides = rotate(inverse(clip.world[1][:, ARM[0]]), off / np.linalg.norm(off, axis=1, keepdims=True))
    assert (sides @ sides[10]).min() > np.cos(np.radians(25)), "always to the same side"
    speeds = np.linalg.norm(np.diff(made.positions - clip.positions, axis=0), axis=-1)
    assert speeds.max() < 0.02, "and it does not pop"


@pytest.mark.parametrize("knee", [-0.9, -0.1, 0.0, 1.2])
def test_a_knee_that_bends_backward_bends_forward_instead(knee: float) -> None:
    clip = bent(knee, 0.4, rotation_about_up(np.array(0.7)))
    positions, world = (array.copy() for array in clip.world)
    bend_knee_forward(clip.skeleton, positions, world, LEFT)
    result = with_world_rotations(clip, clip.root_positions, world)
    np.testing.assert_allclose(flexion(result), abs(knee), atol=1e-9)
    np.testing.assert_allclose(result.positions[:, LEFT.foot], clip.positions[:, LEFT.foot], atol=1e-9)
    np.testing.assert_allclose(result.world[1][:, LEFT.foot], clip.world[1][:, LEFT.foot], atol=1e-9)
