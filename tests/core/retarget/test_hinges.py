"""Elbows that bend where the rig's elbows bend."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.rotations import IDENTITY, Array, from_axis_angle, rotate
from footfall.core.retarget.calibration import calibrate
from footfall.core.retarget.hinges import align_hinges, anatomical_elbow, motion_hinge, rest_hinge
from footfall.core.retarget.rest_pose import with_rest_pose
from footfall.core.retarget.retarget import map_rotations
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


def test_straight_arms_of_a_t_pose_bend_ahead():
    elbow = anatomical_elbow(person(), ELBOW)
    assert elbow is not None
    np.testing.assert_allclose(elbow["forearm.L"], -Z, atol=1e-6)
    names = tuple(f"bone {joint}" for joint in range(len(person())))
    rig, axis = replace(person(), names=names), rotate(from_axis_angle(X, np.radians(45)), -Z)
    clip = curls(axis)
    world = map_rotations(align_hinges(calibrate(clip.skeleton, rig), clip), clip.world[1])
    np.testing.assert_allclose(rotate(world[60, rig.roles["upper_arm.L"]], -Z), axis, atol=1e-6)


def bends(*degrees: float, axes: Array | None = None) -> Clip:
    """A T-pose of 20 frames a second whose left elbow is bent by these angles about +Z, or about axes (F, 3)."""
    rotations = np.tile(IDENTITY, (len(degrees), len(person()), 1))
    about = np.tile(Z, (len(degrees), 1)) if axes is None else axes
    rotations[:, person().roles["forearm.L"]] = from_axis_angle(about, np.radians(degrees))
    return Clip(person(), 20.0, np.zeros((len(degrees), 3)), rotations)
