"""Which joints are kept with those that were posed, and the windows in which a motion comes to a pose."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.edit.key_pose import (
    USUAL_SHIFT_M_S2,
    USUAL_TURN_RAD_S2,
    WINDOW_RANGE_S,
    KeyPose,
    kept_joints,
    key_weights,
    usual_window,
)
from footfall.core.motion.blending import smooth_falloff
from footfall.core.motion.rotations import exp, multiply
from footfall.tests.support.walker import Walker

FALLOFF_CURVATURE = 5.774
WALK = Walker(seconds=3.0).clip()
BODY = WALK.skeleton


def key(frame: int, blend_in: float = 0.5, blend_out: float = 0.5) -> KeyPose:
    return KeyPose(frame, WALK.cut(frame, frame + 1), np.ones(len(BODY), dtype=bool), blend_in, blend_out)


def test_a_posed_forearm_keeps_what_it_hangs_on_and_what_hangs_on_it() -> None:
    kept = {BODY.names[joint] for joint in np.flatnonzero(kept_joints(BODY, [BODY.joint("forearm.L")]))}
    roles = {name for name, joint in BODY.roles.items() if BODY.names[joint] in kept}
    assert {"hips", "spine", "upper_arm.L", "forearm.L", "hand.L"} <= roles
    assert not roles & {"upper_arm.R", "head", "thigh.L", "foot.R"}


def test_posed_hips_keep_the_whole_body() -> None:
    assert kept_joints(BODY, [0]).all()


def test_a_weight_is_one_at_its_pose_and_zero_at_the_others() -> None:
    weights = key_weights([key(40), key(50), key(120)], len(WALK), WALK.rate)
    np.testing.assert_array_equal(weights[[40, 50, 120]], np.eye(3))
    assert weights[45].sum() == pytest.approx(1.0), "between two near poses there is nothing of the motion"
    np.testing.assert_array_equal(weights[[9, 81, 89, 151]], 0.0)


def test_windows_are_as_long_on_each_side_as_told() -> None:
    weights = key_weights([key(90, 1.0, 0.25)], len(WALK), WALK.rate)[:, 0]
    assert np.flatnonzero(weights)[[0, -1]].tolist() == [31, 104]
    assert weights[60] == pytest.approx(float(smooth_falloff(np.array(0.5))))


def test_a_usual_window_adds_no_more_acceleration_than_people_have() -> None:
    joints = np.ones(len(BODY), dtype=bool)
    for angle in (0.5, 1.5, 3.0):
        rotations = WALK.rotations[90:91].copy()
        rotations[:, 5] = multiply(exp(np.array([[angle, 0.0, 0.0]])), rotations[:, 5])
        window = usual_window(WALK, replace(WALK.cut(90, 91), rotations=rotations), joints, 90)
        times = np.linspace(0.0, window, 2001)
        added = np.abs(np.diff(angle * smooth_falloff(times / window), 2)).max() / (times[1] ** 2)
        assert WINDOW_RANGE_S[0] <= window <= WINDOW_RANGE_S[1]
        assert added <= USUAL_TURN_RAD_S2 * 1.01
    shifted = replace(WALK.cut(90, 91), root_positions=WALK.root_positions[90:91] + np.array([0.3, 0.0, 0.0]))
    assert usual_window(WALK, shifted, joints, 90) == pytest.approx(np.sqrt(FALLOFF_CURVATURE * 0.3 / USUAL_SHIFT_M_S2))


def test_a_window_of_usual_length_is_that_of_the_joints_that_are_kept() -> None:
    """A turn by 1 rad takes as long as the falloff whose curvature, 5.774 rad / s^2, comes up to 25."""
    rotations = WALK.rotations[90:91].copy()
    rotations[:, 5] = multiply(exp(np.array([[1.0, 0.0, 0.0]])), rotations[:, 5])
    pose = replace(WALK.cut(90, 91), rotations=rotations)
    kept = np.arange(len(BODY)) == 5
    assert usual_window(WALK, pose, kept, 90) == pytest.approx(np.sqrt(5.774 / 25.0))
    assert usual_window(WALK, pose, ~kept, 90) == 0.25
    shifted = replace(WALK.cut(90, 91), root_positions=WALK.root_positions[90:91] + np.array([0.0, 0.0, 0.2]))
    assert usual_window(WALK, shifted, kept, 90) == pytest.approx(np.sqrt(5.774 * 0.2 / 4.0))


def test_a_posed_head_keeps_what_it_hangs_on_but_not_the_arms() -> None:
    names = {BODY.names[joint] for joint in np.flatnonzero(kept_joints(BODY, [BODY.joint("head")]))}
    assert names == {"hips", "lowerback", "thorax", "lowerneck", "head"}


def test_a_posed_thigh_keeps_its_leg_and_the_hips() -> None:
    names = {BODY.names[joint] for joint in np.flatnonzero(kept_joints(BODY, [BODY.joint("thigh.L")]))}
    assert names == {"hips", "lfemur", "ltibia", "lfoot", "ltoes"}
    assert np.flatnonzero(kept_joints(BODY, [])).tolist() == [0]


def test_a_pose_keeps_the_joints_that_it_is_told() -> None:
    one = replace(key(40), joints=np.arange(len(BODY)) == 3)
    assert one.keeps(3) and not one.keeps(2)


def test_a_window_ends_at_the_next_pose_on_each_side() -> None:
    weights = key_weights([key(40, 0.5, 0.5), key(60, 0.5, 0.5)], len(WALK), WALK.rate)
    np.testing.assert_array_equal(np.flatnonzero(weights[:, 0])[[0, -1]], [11, 59])
    np.testing.assert_array_equal(np.flatnonzero(weights[:, 1])[[0, -1]], [41, 89])
    assert weights[45, 0] == pytest.approx(float(smooth_falloff(np.array(0.25))))
    assert weights[45, 1] == pytest.approx(float(smooth_falloff(np.array(0.75))))
