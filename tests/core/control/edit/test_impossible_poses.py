"""Poses that no body can take: what is told of them, and from which limits on."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.edit.ground_root import GroundRoot
from footfall.core.control.edit.key_pose import KeyPose
from footfall.core.control.edit.pose_warping import impossible_poses
from footfall.core.motion import Clip
from footfall.core.motion.rotations import exp, multiply
from footfall.tests.support.walker import person

BODY, RATE, COUNT, FRAME = person(), 60.0, 120, 60
STILL = Clip(
    BODY, RATE, np.tile([0.0, 0.0, 1.0], (COUNT, 1)), np.tile(np.array([1.0, 0.0, 0.0, 0.0]), (COUNT, len(BODY), 1))
)
ROOT = GroundRoot(np.zeros((COUNT, 3)), np.zeros(COUNT))


def moved(speed: float, frame: int = FRAME) -> Clip:
    """The body, which is put aside at a speed, m/s, in the step to one frame."""
    aside = np.where(np.arange(COUNT)[:, None] < frame, 0.0, speed / RATE) * [1.0, 0.0, 0.0]
    return replace(STILL, root_positions=STILL.root_positions + aside)


def key(after: Clip, seconds: float = 0.5, keeps: bool = True) -> KeyPose:
    """A pose that the motion has, in the world, as the root is at its origin."""
    joints = np.full(len(BODY), keeps)
    return KeyPose(FRAME, after.cut(FRAME, FRAME + 1), joints, seconds, seconds)


def told(before: Clip, after: Clip, pose: KeyPose) -> list[str]:
    return [str(message) for message in impossible_poses(before, after, [pose], ROOT)]


@pytest.mark.parametrize(("speed", "roles"), [(3.9, set()), (4.1, {"hips"}), (11.9, {"hips"})])
def test_hips_move_at_four_meters_a_second_at_most(speed: float, roles: set[str]) -> None:
    after = moved(speed)
    found = told(STILL, after, key(after))
    assert {one.split(" moves at ")[0].rpartition(" ")[2] for one in found} == roles
    if roles:
        assert found == [
            f"at the pose at frame 60 hips moves at {speed:.1f} m/s, {speed - 4.0:.1f} more than a body can"
        ]


def test_hands_and_feet_move_at_twelve() -> None:
    after = moved(12.1)
    roles = {one.split(" moves at ")[0].rpartition(" ")[2] for one in told(STILL, after, key(after))}
    assert roles == {"hips", "hand.L", "hand.R", "foot.L", "foot.R"}


def test_what_was_as_fast_without_the_pose_is_not_told() -> None:
    fast = moved(5.0)
    assert not told(fast, fast, key(fast))


@pytest.mark.parametrize(("frame", "seen"), [(30, False), (31, True), (90, True), (91, False)])
def test_speeds_are_those_in_the_window_of_the_pose(frame: int, seen: bool) -> None:
    """Half a second before and after frame 60: the steps from frame 30 to frame 90."""
    after = moved(5.0, frame)
    assert bool(told(STILL, after, key(after))) == seen


def test_a_window_may_reach_beyond_the_motion() -> None:
    after = moved(5.0, 1)
    assert told(STILL, after, key(after, seconds=5.0))


@pytest.mark.parametrize(("centimeters", "seen"), [(0.9, False), (1.1, True)])
def test_a_joint_that_is_off_its_pose_by_more_than_a_centimeter_is_out_of_reach(centimeters: float, seen: bool) -> None:
    pose = key(STILL)
    away = replace(pose.pose, root_positions=pose.pose.root_positions + np.array([0.0, centimeters / 100, 0.0]))
    found = told(STILL, STILL, replace(pose, pose=away))
    assert bool(found) == seen
    assert all(one.startswith("the pose at frame 60 puts") and one.endswith("1 cm out of reach") for one in found)
    assert not told(STILL, STILL, replace(pose, pose=away, joints=np.zeros(len(BODY), dtype=bool)))


def test_joints_that_no_body_is_measured_by_may_be_anywhere() -> None:
    pose = key(STILL)
    rotations = pose.pose.rotations.copy()
    neck = BODY.joint("neck")
    rotations[:, neck] = multiply(exp(np.array([[0.0, 0.6, 0.0]])), rotations[:, neck])
    assert not told(STILL, STILL, replace(pose, pose=replace(pose.pose, rotations=rotations)))
