"""Elbows that bend where the rig's elbows bend."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.rotations import IDENTITY, Array, from_axis_angle, log, rotate
from footfall.core.retarget.calibration import Calibration, calibrate
from footfall.core.retarget.hinges import align_hinges, anatomical_elbow, hinge_axes, motion_hinge, rest_hinge
from footfall.core.retarget.rest_pose import with_rest_pose
from footfall.core.retarget.retarget import map_rotations, retarget
from footfall.tests.support.walker import person

X, Y, Z = np.eye(3)
ELBOW = ("upper_arm.L", "forearm.L", "hand.L")


def curls(axis: Array, skeleton: Skeleton | None = None) -> Clip:
    """A T-pose whose left forearm swings about an axis."""
    skeleton = skeleton or person()
    rotations = np.tile(IDENTITY, (120, len(skeleton), 1))
    bend = 0.7 * (1 - np.cos(np.linspace(0, 4 * np.pi, 120)))
    rotations[:, skeleton.roles["forearm.L"]] = from_axis_angle(axis, bend)
    return Clip(skeleton, 60.0, np.tile([0.0, 0.0, 1.0], (120, 1)), rotations)


def bent_rig(axis: Array) -> Skeleton:
    """The same person as a rig whose left elbow is bent by ten degrees about an axis at rest."""
    skeleton = person()
    pose = np.tile(IDENTITY, (len(skeleton), 1))
    pose[skeleton.roles["forearm.L"]] = pose[skeleton.roles["hand.L"]] = from_axis_angle(axis, np.radians(10))
    names = tuple(f"bone {joint}" for joint in range(len(skeleton)))
    return replace(with_rest_pose(skeleton, pose), names=names)


def test_a_hinge_is_seen_where_an_elbow_bends():
    hinge = motion_hinge(curls(-Z), ELBOW)
    assert hinge is not None
    np.testing.assert_allclose(hinge["upper_arm.L"], -Z, atol=1e-6)
    assert motion_hinge(replace(curls(Z), rotations=np.tile(IDENTITY, (120, 21, 1))), ELBOW) is None, "it never bends"
    resting = rest_hinge(bent_rig(-Z), ELBOW)
    assert resting is not None
    np.testing.assert_allclose(resting["upper_arm.L"], -Z, atol=1e-6)
    assert rest_hinge(person(), ELBOW) is None, "straight arms show none"


@pytest.mark.parametrize("degrees", [-60.0, 0.0, 35.0])
def test_the_rigs_elbow_bends_about_its_own_hinge(degrees: float):
    axis = rotate(from_axis_angle(X, np.radians(degrees)), -Z)
    clip, rig = curls(axis), bent_rig(-Z)
    plain = calibrate(clip.skeleton, rig)
    better = align_hinges(plain, clip)
    worlds = [map_rotations(calibration, clip.world[1]) for calibration in (plain, better)]
    upper = rig.roles["upper_arm.L"]
    np.testing.assert_allclose(rotate(worlds[1][60, upper], -Z), axis, atol=1e-6)
    if degrees:
        assert np.abs(rotate(worlds[0][60, upper], -Z) - axis).max() > 0.1, "without, it was wrung"
    for made in worlds[1:]:
        np.testing.assert_allclose(
            rotate(made, rig.offsets * 0 + X)[:, upper], rotate(worlds[0], X)[:, upper], atol=1e-6
        )


def test_joints_stay_where_they_are():
    clip, rig = curls(Y), bent_rig(-Z)
    there = retarget(clip, calibrate(clip.skeleton, rig))
    wrist = [skeleton.roles["hand.L"] for skeleton in (clip.skeleton, rig)]
    np.testing.assert_allclose(there.positions[:, wrist[1]], clip.positions[:, wrist[0]], atol=1e-6)


def test_a_named_pose_says_all():
    rig = bent_rig(-Z)
    assert not calibrate(person(), rig, "REST").automatic


def test_straight_arms_of_a_t_pose_bend_ahead():
    elbow = anatomical_elbow(person(), ELBOW)
    assert elbow is not None
    np.testing.assert_allclose(elbow["forearm.L"], -Z, atol=1e-6)
    names = tuple(f"bone {joint}" for joint in range(len(person())))
    rig, axis = replace(person(), names=names), rotate(from_axis_angle(X, np.radians(45)), -Z)
    clip = curls(axis)
    world = map_rotations(align_hinges(calibrate(clip.skeleton, rig), clip), clip.world[1])
    np.testing.assert_allclose(rotate(world[60, rig.roles["upper_arm.L"]], -Z), axis, atol=1e-6)


def test_arms_that_reach_ahead_do_not_show_how_they_bend():
    turn = from_axis_angle(Z, -np.pi / 2)
    pose = np.tile(IDENTITY, (len(person()), 1))
    for part in ELBOW:
        pose[person().roles[part]] = turn
    assert anatomical_elbow(with_rest_pose(person(), pose), ELBOW) is None


def bends(*degrees: float, axes: Array | None = None) -> Clip:
    """A T-pose of 20 frames a second whose left elbow is bent by these angles about +Z, or about axes (F, 3)."""
    rotations = np.tile(IDENTITY, (len(degrees), len(person()), 1))
    about = np.tile(Z, (len(degrees), 1)) if axes is None else axes
    rotations[:, person().roles["forearm.L"]] = from_axis_angle(about, np.radians(degrees))
    return Clip(person(), 20.0, np.zeros((len(degrees), 3)), rotations)


def test_a_clip_s_hinges_are_known_by_both_joints_of_the_limbs_that_bend() -> None:
    found = hinge_axes(bends(*[40.0] * 20))
    assert set(found) == {"upper_arm.L", "forearm.L"}
    roles = {role: joint for role, joint in person().roles.items() if role != "hand.L"}
    clip = bends(*[40.0] * 20)
    assert hinge_axes(replace(clip, skeleton=replace(clip.skeleton, roles=roles))) == {}
    rotations = clip.rotations.copy()
    rotations[:, person().roles["shin.R"]] = from_axis_angle(X, np.full(20, 0.5))
    legs = hinge_axes(replace(clip, rotations=rotations))
    assert set(legs) == {"upper_arm.L", "forearm.L", "thigh.R", "shin.R"}
    np.testing.assert_allclose(legs["thigh.R"], X, atol=1e-9)


def test_a_hinge_is_told_in_the_frames_of_both_joints() -> None:
    clip, turn = bends(*[40.0] * 20), from_axis_angle(X, 0.7)
    rotations = clip.rotations.copy()
    rotations[:, person().roles["upper_arm.L"]] = turn
    rotations[:, 0] = from_axis_angle(Z, 1.1)
    found = hinge_axes(replace(clip, rotations=rotations))
    np.testing.assert_allclose(found["upper_arm.L"], Z, atol=1e-9)
    np.testing.assert_allclose(found["forearm.L"], Z, atol=1e-9)


def roll(calibration: Calibration, role: str) -> float:
    """The angle, radians, by which a joint's constant rotation turns it about the left arm's bone."""
    return float(log(calibration.rotation_offsets[calibration.target.roles[role]][0])[0])


def test_hinges_that_are_known_come_before_those_of_people_and_after_those_at_rest() -> None:
    clip = curls(-Z)
    names = tuple(f"bone {joint}" for joint in range(len(person())))
    told = dict.fromkeys(ELBOW[:2], rotate(from_axis_angle(X, 0.5), -Z))
    straight, bent = (replace(rig, names=names) for rig in (person(), bent_rig(-Z)))
    plain, at_rest = (
        align_hinges(replace(calibrate(clip.skeleton, rig), hinges=told), clip) for rig in (straight, bent)
    )
    assert roll(plain, "upper_arm.L") == pytest.approx(-0.5)
    assert roll(at_rest, "upper_arm.L") == pytest.approx(0.0, abs=1e-6)
    assert roll(align_hinges(calibrate(clip.skeleton, straight), clip), "upper_arm.L") == pytest.approx(0.0, abs=1e-9)


def test_straight_legs_without_hinges_and_joints_that_follow_others_are_left_alone() -> None:
    rotations = np.tile(IDENTITY, (60, len(person()), 1))
    for role in ("shin.L", "forearm.L"):
        axis = X if role == "shin.L" else rotate(from_axis_angle(X, 0.5), -Z)
        rotations[:, person().roles[role]] = from_axis_angle(axis, np.full(60, 0.5))
    clip = Clip(person(), 60.0, np.zeros((60, 3)), rotations)
    plain = calibrate(person(), replace(person(), names=tuple(f"bone {joint}" for joint in range(len(person())))))
    upper, fore = (person().roles[role] for role in ELBOW[:2])
    follows = list(plain.source_joints)
    follows[upper] = ((upper, 0.5), (fore, 0.5))
    made = align_hinges(replace(plain, source_joints=tuple(follows)), clip)
    assert roll(made, "upper_arm.L") == pytest.approx(0.0, abs=1e-9)
    assert roll(made, "forearm.L") == pytest.approx(0.5)
    for role in ("thigh.L", "shin.L"):
        np.testing.assert_allclose(made.rotation_offsets[person().roles[role]], [IDENTITY], atol=1e-9)


def test_a_body_that_lies_curled_has_no_elbows_of_people() -> None:
    pose = np.tile(IDENTITY, (len(person()), 1))
    pose[person().roles["thigh.L"]] = from_axis_angle(X, -1.5)
    assert anatomical_elbow(with_rest_pose(person(), pose), ELBOW) is None
