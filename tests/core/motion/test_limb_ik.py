"""Legs that reach: bones keep their lengths, ankles meet their targets, knees stay knees."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from footfall.core.errors import FootfallError
from footfall.core.motion.clip import Clip
from footfall.core.motion.limb_ik import (
    MAX_REACH_RATIO,
    POSITION_TOLERANCE_M,
    Leg,
    rotate_joint,
    soft_reach,
    solve_arm_ik,
    solve_leg_ik,
    swing_limb,
    with_world_rotations,
    within_soft_reach,
)
from footfall.core.motion.rotations import (
    Array,
    exp,
    from_axis_angle,
    inverse,
    log,
    multiply,
    rotate,
    rotation_about_up,
)
from footfall.core.motion.skeleton import Skeleton
from footfall.tests.support.walker import Walker, person

LEFT = Leg.of(person(), "L")
LEFT_LEG = LEFT.thigh, LEFT.shin, LEFT.foot
THIGH, SHIN = 0.42, 0.42
ARM = [person().joint(f"{part}.L") for part in ("upper_arm", "forearm", "hand")]
UPPER_ARM, FOREARM = 0.29, 0.2


def bent(knee: float, hip: float = 0.0, turn: Array | None = None) -> Clip:
    """One frame of the person: the thigh swung forwards by ``hip``, the knee bent by ``knee``, the whole turned."""
    skeleton = person()
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (1, len(skeleton), 1))
    # The person looks along -Y: a negative turn about +X brings the thigh forwards, a positive one folds the knee.
    rotations[0, LEFT.thigh] = from_axis_angle([1.0, 0.0, 0.0], -hip)
    rotations[0, LEFT.shin] = from_axis_angle([1.0, 0.0, 0.0], knee)
    if turn is not None:
        rotations[0, 0] = turn
    return Clip(skeleton, 60.0, np.array([[0.3, -0.2, 1.0]]), rotations)


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


angles = st.floats(0.02, 2.4)
vectors = st.tuples(*[st.floats(-1.0, 1.0)] * 3).map(np.array)


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


def test_a_knee_does_not_pop_where_the_reach_ends() -> None:
    """An ankle that goes away evenly, by 5 mm a frame, straightens the knee without a jump in its speed."""
    far = np.arange(0.97, 1.03, 0.005)
    flexion = 2 * np.arccos(soft_reach(far, 1.0))
    hard = 2 * np.arccos(np.minimum(far, MAX_REACH_RATIO))
    assert np.abs(np.diff(flexion, n=2)).max() < 0.5 * np.abs(np.diff(hard, n=2)).max()


@given(st.floats(0.0, 3.0), st.floats(0.1, 2.0))
def test_a_soft_reach_is_never_longer_than_the_way(distance: float, length: float) -> None:
    reach = float(soft_reach(np.array(distance), length))
    assert reach <= min(distance, MAX_REACH_RATIO * length) + 1e-12
    assert reach > min(distance, MAX_REACH_RATIO * length) - 1e-3 * length


@pytest.mark.parametrize("degrees", [-9.0, -3.0, 0.0, 3.0])
def test_an_overstretched_knee_bends_forward_as_well(degrees: float) -> None:
    """Blends of poses leave knees bent backward by a few degrees; brought nearer, the ankle takes them forward."""
    clip = bent(np.radians(degrees), 0.0)
    nearer = clip.positions[:, LEFT.foot] + [0.0, 0.0, 0.05]
    assert flexion(reached(clip, nearer))[0] > 0.3


def test_ankles_out_of_reach_are_drawn_to_their_hips_and_others_stay() -> None:
    hips, ankles = np.zeros((3, 3)), np.array([[0.0, 0.3, -0.5], [0.0, 0.0, -1.2], [0.0, 0.0, 0.0]])
    drawn = within_soft_reach(hips, ankles, 1.0)
    np.testing.assert_array_equal(drawn[[0, 2]], ankles[[0, 2]])
    np.testing.assert_allclose(drawn[1], [0.0, 0.0, -soft_reach(np.array(1.2), 1.0)])


@given(st.floats(0.05, 2.0), st.floats(-0.5, 1.0), vectors, vectors, st.floats(0.1, MAX_REACH_RATIO))
def test_a_knee_never_bends_the_wrong_way(knee: float, hip: float, turn: Array, swing: Array, share: float) -> None:
    clip = bent(knee, hip, exp(turn * 3))
    thigh = clip.positions[:, LEFT.thigh]
    line = clip.positions[:, LEFT.foot] - thigh
    line = line / np.linalg.norm(line)
    # Up to 45 degrees away from where the leg points.
    target = thigh + rotate(exp(swing * np.pi / 4 / np.sqrt(3)), line) * share * (THIGH + SHIN)
    assert flexion(reached(clip, target))[0] > 0


def test_the_bend_of_the_knee_is_that_of_the_triangle() -> None:
    clip = bent(0.3)
    hip = clip.positions[:, LEFT.thigh]
    for distance in (0.3, 0.5, 0.7, 0.83):
        expected = np.pi - np.arccos((THIGH**2 + SHIN**2 - distance**2) / (2 * THIGH * SHIN))
        assert flexion(reached(clip, hip - [0.0, 0.0, distance]))[0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("heading", [0.0, 1.0, np.pi, -2.0])
def test_a_straight_leg_bends_forwards(heading: float) -> None:
    clip = bent(0.0, turn=rotation_about_up(heading))
    result = reached(clip, clip.positions[:, LEFT.foot] + [0.0, 0.0, 0.2])
    forward = rotate(rotation_about_up(heading), np.array([0.0, -1.0, 0.0]))
    assert (result.positions[0, LEFT.shin] - clip.positions[0, LEFT.shin]) @ forward > 0.2


def test_a_leg_that_is_at_its_target_stays() -> None:
    clip = bent(0.8, 0.3, exp(np.array([0.2, -0.1, 1.0])))
    result = reached(clip, clip.positions[:, LEFT.foot])
    # The share of forwards that keeps straight knees from popping does not turn a bent one that lies in its plane.
    np.testing.assert_allclose(result.positions, clip.positions, atol=1e-9)


def test_the_foot_keeps_its_world_rotation_and_the_other_leg_its_place() -> None:
    clip = Walker().clip()
    result = reached(clip, clip.positions[:, LEFT.foot] + [0.05, 0.1, 0.02])
    np.testing.assert_allclose(
        np.abs(np.sum(result.world[1][:, LEFT.foot] * clip.world[1][:, LEFT.foot], axis=-1)), 1.0, atol=1e-12
    )
    others = [joint for joint in range(len(clip.skeleton)) if joint not in (LEFT.shin, LEFT.foot, LEFT.toe)]
    np.testing.assert_allclose(result.positions[:, others], clip.positions[:, others], atol=1e-9)


def test_a_moving_target_moves_the_knee_without_jumps() -> None:
    clip = Walker(rate=120.0).clip()
    result = reached(clip, clip.positions[:, LEFT.foot] + [0.0, 0.0, 0.03])
    before, after = (np.diff(c.positions[:, LEFT.shin], n=2, axis=0) for c in (clip, result))
    assert np.abs(after).max() < 2 * np.abs(before).max()


def test_bones_of_unequal_length_cannot_fold_to_a_point() -> None:
    skeleton = person()
    offsets = skeleton.offsets.copy()
    offsets[LEFT.foot] *= 0.5
    skeleton = Skeleton(skeleton.names, skeleton.parents, offsets, skeleton.tips)
    clip = Clip(skeleton, 60.0, np.zeros((1, 3)), bent(0.7).rotations)
    ankle = reached(clip, clip.positions[:, LEFT.thigh]).positions[:, LEFT.foot]
    assert np.linalg.norm(ankle - clip.positions[:, LEFT.thigh]) == pytest.approx(0.21, rel=0.01)


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


def test_a_leg_without_a_shin_is_refused() -> None:
    skeleton = Skeleton(("hips", "lfemur", "lfoot"), (-1, 0, 1), np.zeros((3, 3)), np.zeros((3, 3)))
    with pytest.raises(FootfallError, match=r"shin\.L"):
        Leg.of(skeleton, "L")


def test_world_rotations_come_back() -> None:
    clip = Walker(turn=0.5).clip()
    again = with_world_rotations(clip, clip.root_positions, clip.world[1])
    angle = np.linalg.norm(log(multiply(inverse(again.rotations), clip.rotations)), axis=-1)
    assert angle.max() < 1e-7


def test_a_limb_that_has_arrived_stays_to_the_last_bit() -> None:
    """Also where it is straighter than any reach would leave it."""
    clip = bent(0.0, 0.4)
    for shift in (0.0, 0.9 * POSITION_TOLERANCE_M):
        positions, world = (array.copy() for array in clip.world)
        solve_leg_ik(clip.skeleton, positions, world, LEFT, positions[:, LEFT.foot] + [shift, 0.0, 0.0])
        solve_arm_ik(clip.skeleton, positions, world, "L", positions[:, ARM[2]] + [0.0, shift, 0.0])
        np.testing.assert_array_equal(world, clip.world[1])
        np.testing.assert_allclose(positions, clip.positions, atol=1e-15)


def test_only_the_frames_that_are_not_there_yet_move() -> None:
    clip = Walker(seconds=1.0).clip()
    target = clip.positions[:, LEFT.foot].copy()
    target[20:30, 2] += 0.02
    result = reached(clip, target)
    moved = np.abs(result.positions - clip.positions).max(axis=(1, 2)) > 1e-9
    np.testing.assert_array_equal(np.flatnonzero(moved), np.arange(20, 30))
    np.testing.assert_allclose(result.positions[:, LEFT.foot], target, atol=1e-9)


def grasped(clip: Clip, target: Array, side: str = "L") -> Clip:
    """The clip with a wrist brought to the target, by way of world rotations and back."""
    positions, world = (array.copy() for array in clip.world)
    solve_arm_ik(clip.skeleton, positions, world, side, target)
    result = with_world_rotations(clip, clip.root_positions, world)
    np.testing.assert_allclose(result.positions, positions, atol=1e-9)
    return result


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


def test_a_wrist_out_of_reach_is_met_in_direction() -> None:
    clip = bent(0.5)
    shoulder, way = clip.positions[:, ARM[0]], np.array([0.6, -0.8, 0.0])
    wrist = grasped(clip, shoulder + 2 * way).positions[:, ARM[2]]
    np.testing.assert_allclose(wrist, shoulder + way * MAX_REACH_RATIO * (UPPER_ARM + FOREARM), atol=1e-6)


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


def test_an_arm_without_a_hand_is_refused() -> None:
    with pytest.raises(FootfallError, match=r"upper_arm\.R"):
        legs = Skeleton(("hips", "lfemur", "ltibia", "lfoot"), (-1, 0, 1, 2), np.zeros((4, 3)), np.zeros((4, 3)))
        solve_arm_ik(legs, np.zeros((1, 4, 3)), np.zeros((1, 4, 4)), "R", np.zeros((1, 3)))


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


def test_what_is_at_right_angles_to_a_bone_swings_it_by_its_tangent() -> None:
    clip = bent(0.4)
    result = swung(clip, np.array([[0.0, -0.42, 0.0]]))
    np.testing.assert_allclose(
        result.positions[0, LEFT.shin] - clip.positions[0, LEFT.thigh], [0.0, -THIGH / 2**0.5, -THIGH / 2**0.5]
    )
    for joint in (LEFT.thigh, LEFT.shin):
        turn = multiply(result.world[1][0, joint], inverse(clip.world[1][0, joint]))
        np.testing.assert_allclose(log(turn), [-np.pi / 4, 0.0, 0.0], atol=1e-9)


def test_who_is_not_to_swing_stays_and_others_do_frame_by_frame() -> None:
    clip = Walker(seconds=0.5).clip()
    by = np.zeros((len(clip), 3))
    by[10:, 0] = 0.05
    result = swung(clip, by, (ARM[0], ARM[1], ARM[2]))
    moved = np.abs(result.positions - clip.positions).max(axis=2) > 1e-9
    np.testing.assert_array_equal(np.flatnonzero(moved.any(axis=1)), np.arange(10, len(clip)))
    np.testing.assert_array_equal(np.flatnonzero(moved.any(axis=0)), ARM[1:])


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


def test_every_frame_has_its_own_turn_and_none_is_none() -> None:
    clip = Walker(seconds=0.5, turn=0.6).clip()
    amounts = np.linspace(0.0, 1.2, len(clip))
    result = rotate_joint(clip, clip.skeleton.joint("spine"), rotation_about_up(amounts))
    spine = clip.skeleton.joint("spine")
    turn = multiply(result.world[1][:, spine], inverse(clip.world[1][:, spine]))
    turn *= np.where(turn[:, :1] < 0, -1.0, 1.0)
    np.testing.assert_allclose(log(turn), amounts[:, None] * [0.0, 0.0, 1.0], atol=1e-9)
    np.testing.assert_allclose(result.positions[0], clip.positions[0], atol=1e-12)
    np.testing.assert_allclose(result.positions[:, :9], clip.positions[:, :9], atol=1e-12, err_msg="legs")


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
