"""Motions that go through poses: exact at their frames, untouched far from them, with feet that stay."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.core.control.edit.ground_root import GroundRoot
from footfall.core.control.edit.key_pose import KeyPose, kept_joints
from footfall.core.control.edit.pose_warping import impossible_poses, warp_through_poses
from footfall.core.errors import FootfallError
from footfall.core.motion import Clip
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.limb_ik import rotate_joint
from footfall.core.motion.paws import paw_tracks
from footfall.core.motion.rotations import Array, exp, inverse, length, multiply
from footfall.core.terrain.ground import Plane
from footfall.tests.support.dog import dog, trot
from footfall.tests.support.properties import examples
from footfall.tests.support.walker import Walker

WALKER = Walker(seconds=6.0)
WALK, CONTACTS = WALKER.clip(), FootContacts(WALKER.contacts)
BODY, ROOT = WALK.skeleton, GroundRoot.of_motion(WALK, Plane(), 60.0)
FRAME = 180


def turned(frame: int, role: str, turn: tuple[float, float, float]) -> Clip:
    """Return the walk's pose at a frame with a joint turned in the world, radians."""
    pose, joint = WALK.cut(frame, frame + 1), BODY.joint(role)
    parent = pose.world[1][:, BODY.parents[joint]]
    rotations = pose.rotations.copy()
    turning = multiply(inverse(parent), multiply(exp(np.array([turn])), parent))
    rotations[:, joint] = multiply(turning, rotations[:, joint])
    return replace(pose, rotations=rotations)


def kept(pose: Clip, frame: int = FRAME, *roles: str, blend: float = 0.5) -> KeyPose:
    joints = kept_joints(BODY, [BODY.joint(role) for role in roles] or range(len(BODY)))
    return KeyPose(frame, ROOT.pose_from_world(pose, frame), joints, blend, blend)


def ankles(clip: Clip, side: str) -> Array:
    return clip.positions[:, BODY.joint(f"foot.{side}")]


turns = st.tuples(*[st.floats(-0.8, 0.8)] * 3)


@given(st.sampled_from(["upper_arm.L", "forearm.R", "spine", "head"]), turns, st.integers(40, 300))
@settings(max_examples=examples(20), deadline=None)
def test_the_motion_goes_through_the_pose_and_feet_stay_where_they_were(
    role: str, turn: tuple[float, float, float], frame: int
) -> None:
    pose = turned(frame, role, turn)
    made = warp_through_poses(WALK, CONTACTS, [kept(pose, frame)], ROOT)
    np.testing.assert_allclose(made.positions[frame], pose.positions[0], atol=1e-6)
    for side in "LR":
        np.testing.assert_allclose(ankles(made, side), ankles(WALK, side), atol=1e-4)
    far = np.abs(np.arange(len(WALK)) - frame) > 31
    np.testing.assert_allclose(made.positions[far], WALK.positions[far], atol=1e-6)


def test_joints_that_are_not_kept_are_those_of_the_motion() -> None:
    pose = turned(FRAME, "upper_arm.L", (0.0, 0.0, 0.9))
    other = replace(pose, rotations=pose.rotations.copy())
    joint = BODY.joint("upper_arm.R")
    other.rotations[:, joint] = multiply(exp(np.array([[0.7, 0.0, 0.0]])), other.rotations[:, joint])
    made = warp_through_poses(WALK, CONTACTS, [kept(other, FRAME, "upper_arm.L")], ROOT)
    np.testing.assert_allclose(made.rotations[FRAME, joint], WALK.rotations[FRAME, joint], atol=1e-6)
    left = BODY.joint("hand.L")
    np.testing.assert_allclose(made.positions[FRAME, left], pose.positions[0, left], atol=1e-6)


def standing_frame(side: str) -> int:
    """Return the middle of a contact of a foot near the middle of the walk."""
    runs = CONTACTS.runs(side)
    start, stop = runs[len(runs) // 2]
    return int(start + stop) // 2


def test_a_foot_that_stands_is_moved_for_as_long_as_it_stands_and_the_other_is_not() -> None:
    frame = standing_frame("L")
    pose = WALK.cut(frame, frame + 1)
    aside = turned(frame, "thigh.L", (0.0, 0.25, 0.0))
    made = warp_through_poses(WALK, CONTACTS, [kept(aside, frame)], ROOT)
    shift = ankles(made, "L") - ankles(WALK, "L")
    start, stop = next(run for run in CONTACTS.runs("L") if run[0] <= frame < run[1])
    wanted = aside.positions[0, BODY.joint("foot.L")] - pose.positions[0, BODY.joint("foot.L")]
    assert np.linalg.norm(wanted[:2]) > 0.1
    reachable = slice(start + 10, stop - 10)
    np.testing.assert_allclose(shift[reachable], np.broadcast_to(wanted, shift[reachable].shape), atol=5e-3)
    for other_start, other_stop in CONTACTS.runs("L"):
        if other_start != start:
            np.testing.assert_allclose(shift[other_start:other_stop], 0.0, atol=1e-4)
    np.testing.assert_allclose(ankles(made, "R"), ankles(WALK, "R"), atol=1e-3)


def test_hips_that_are_lowered_bend_the_knees() -> None:
    pose = WALK.cut(FRAME, FRAME + 1)
    low = replace(pose, root_positions=pose.root_positions - [0.0, 0.0, 0.15])
    key = kept(low, FRAME, "spine")
    made = warp_through_poses(WALK, CONTACTS, [key], ROOT)
    assert made.root_positions[FRAME, 2] == pytest.approx(low.root_positions[0, 2], abs=1e-6)
    for side in "LR":
        np.testing.assert_allclose(ankles(made, side), ankles(WALK, side), atol=1e-4)
    np.testing.assert_allclose(made.root_positions[-1], WALK.root_positions[-1], atol=1e-9, err_msg="travel is kept")


def test_two_poses_near_each_other_are_both_met() -> None:
    poses = {FRAME: turned(FRAME, "upper_arm.L", (0.0, 0.0, 0.8)), FRAME + 12: turned(FRAME + 12, "head", (0, 0, 0.6))}
    made = warp_through_poses(WALK, CONTACTS, [kept(pose, frame) for frame, pose in poses.items()], ROOT)
    for frame, pose in poses.items():
        np.testing.assert_allclose(made.positions[frame], pose.positions[0], atol=1e-6)


def test_what_no_body_can_do_is_said_with_by_how_much() -> None:
    pose = WALK.cut(FRAME, FRAME + 1)
    away = kept(replace(pose, root_positions=pose.root_positions + np.array([3.0, 0.0, 0.0])), blend=2 / 60)
    made = warp_through_poses(WALK, CONTACTS, [away], ROOT)
    said = [str(message) for message in impossible_poses(WALK, made, [away], ROOT)]
    assert any(
        f"To reach the key pose at frame {FRAME}, hips must move at" in one and "faster than a body can" in one
        for one in said
    )
    arm = kept(turned(FRAME, "upper_arm.L", (0.0, 0.0, 0.5)))
    assert not list(impossible_poses(WALK, warp_through_poses(WALK, CONTACTS, [arm], ROOT), [arm], ROOT))


def test_two_poses_at_one_frame_and_poses_out_of_the_motion_are_refused() -> None:
    pose = WALK.cut(FRAME, FRAME + 1)
    with pytest.raises(FootfallError, match="Two key poses share a frame"):
        warp_through_poses(WALK, CONTACTS, [kept(pose), kept(pose)], ROOT)
    late = KeyPose(len(WALK), pose, np.ones(len(BODY), dtype=bool), 0.5, 0.5)
    with pytest.raises(FootfallError, match="is outside the motion of 361 frames: move the pose, or remove it"):
        warp_through_poses(WALK, CONTACTS, [late], ROOT)
    early = replace(late, frame=-1)
    with pytest.raises(FootfallError, match="The key pose at frame -1 is outside the motion of 361 frames"):
        warp_through_poses(WALK, CONTACTS, [early, kept(pose)], ROOT)


TROT, STANDS = trot(dog(), 240, travels=True)


@pytest.mark.parametrize("role", ["head", "chest", "front_shin.L", "thigh.R"])
def test_a_quadruped_goes_through_its_pose_and_its_paws_stay(role: str) -> None:
    body, root = TROT.skeleton, GroundRoot.of_motion(TROT, Plane(), 60.0)
    pose = rotate_joint(TROT.cut(120, 121), body.joint(role), exp(np.array([[0.0, 0.0, 0.25]])))
    joints = kept_joints(body, [body.joint(role)])
    key = KeyPose(120, root.pose_from_world(pose, 120), joints, 0.4, 0.4)
    made = warp_through_poses(TROT, FootContacts(STANDS.astype(float)), [key], root)
    assert length(made.positions[120] - pose.positions[0])[joints].max() < 1e-6
    off = multiply(made.world[1][120], inverse(pose.world[1][0]))[joints]
    assert np.degrees(2 * np.arccos(np.minimum(np.abs(off[:, 0]), 1.0))).max() < 0.01
    held = STANDS[1:] & STANDS[:-1]
    slides = 60 * length(np.diff(paw_tracks(made), axis=0))[held]
    assert slides.max() < 0.01
    far = np.abs(np.arange(240) - 120) > 60
    np.testing.assert_allclose(made.positions[far], TROT.positions[far], atol=1e-6)
    assert not any(impossible_poses(TROT, made, [key], root))
