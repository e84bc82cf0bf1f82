"""Calibrations: rest poses, headings and importers' axes do not matter to what a motion becomes."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from footfall.core.errors import FootfallError
from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.kinematics import local_rotations
from footfall.core.motion.rotations import (
    IDENTITY,
    Array,
    exp,
    from_axis_angle,
    inverse,
    multiply,
    rotate,
    rotation_about_up,
)
from footfall.core.retarget.calibration import (
    CalibrationMethod,
    calibrate,
    calibrate_with_yaw,
)
from footfall.core.retarget.rest_pose import SAME_FACING_RAD, make_known_pose, with_rest_pose
from footfall.core.retarget.retarget import map_rotations, retarget
from footfall.tests.support.boxer import ROLES, bend_axis, boxer
from footfall.tests.support.properties import examples
from footfall.tests.support.walker import Walker, person

X, Y, Z = np.eye(3)
WALK = Walker(seconds=0.5, rate=30.0, turn=0.5, heading=1.0).clip()

yaws = st.floats(-np.pi, np.pi)
other_ways = st.floats(SAME_FACING_RAD + 1e-6, 2 * np.pi - SAME_FACING_RAD - 1e-6)
quarters = st.tuples(st.sampled_from([X, Y, Z]), st.integers(0, 3), st.sampled_from([X, Y, Z]), st.integers(0, 3)).map(
    lambda drawn: multiply(
        from_axis_angle(drawn[0], drawn[1] * np.pi / 2), from_axis_angle(drawn[2], drawn[3] * np.pi / 2)
    )
)
"""Turns that bring axes to axes, as importers' conventions differ by."""


def rig(pose: Array | None = None) -> Skeleton:
    """The person as a rig with names of its own, at rest in the pose of these world rotations (J, 4)."""
    body = person()
    names = tuple(f"bone {joint}" for joint in range(len(body)))
    return replace(body if pose is None else with_rest_pose(body, pose), names=names, roles=body.roles)


def all_turned(turn: Array) -> Array:
    """A pose (J, 4): all of the body turned."""
    return np.tile(turn, (len(person()), 1))


def arms(angle: float, elbow: float = 0.0) -> Array:
    """A pose (J, 4): arms lowered by an angle from the T-pose, elbows bent forwards by another."""
    body, pose = person(), all_turned(IDENTITY)
    for side, sign in (("L", 1.0), ("R", -1.0)):
        lowered = from_axis_angle(Y, sign * angle)
        pose[body.roles[f"upper_arm.{side}"]] = lowered
        for part in ("forearm", "hand"):
            pose[body.roles[f"{part}.{side}"]] = multiply(lowered, from_axis_angle(Z, -sign * elbow))
    return pose


def with_rest(clip: Clip, pose: Array) -> Clip:
    """The same motion on a skeleton whose rest pose has these world rotations (J, 4)."""
    body = with_rest_pose(clip.skeleton, pose)
    result = Clip(body, clip.rate, clip.root_positions, local_rotations(body, multiply(clip.world[1], inverse(pose))))
    np.testing.assert_allclose(result.positions, clip.positions, atol=1e-9)
    return result


def there_and_back(clip: Clip, target: Skeleton, method: CalibrationMethod = "AUTOMATIC") -> tuple[Clip, Clip]:
    """The clip on another skeleton, and from there on its own again."""
    there = retarget(clip, calibrate(clip.skeleton, target, method))
    return there, retarget(there, calibrate(target, clip.skeleton, method))


@given(st.floats(-0.5, 1.5), st.floats(0.0, 1.2))
@example(np.pi / 4, 0.0)
def test_a_rig_in_an_a_pose_moves_as_one_in_a_t_pose(angle: float, elbow: float) -> None:
    there, back = there_and_back(WALK, rig(arms(angle, elbow)))
    np.testing.assert_allclose(there.positions, WALK.positions, atol=1e-6)
    np.testing.assert_allclose(back.positions, WALK.positions, atol=1e-6)


@given(quarters, quarters)
@example(from_axis_angle(X, np.pi / 2), IDENTITY)
@example(IDENTITY, from_axis_angle(X, -np.pi / 2))
def test_whoever_was_laid_down_by_an_importer_moves_as_everybody(theirs: Array, mine: Array) -> None:
    there, back = there_and_back(with_rest(WALK, all_turned(theirs)), rig(all_turned(mine)))
    np.testing.assert_allclose(there.positions, WALK.positions, atol=1e-6)
    np.testing.assert_allclose(back.positions, WALK.positions, atol=1e-6)


@given(other_ways)
def test_whichever_way_a_rig_looks_at_rest_it_walks_where_the_clip_walks(yaw: float) -> None:
    there, back = there_and_back(WALK, rig(all_turned(rotation_about_up(yaw))))
    np.testing.assert_allclose(there.positions, WALK.positions, atol=1e-6)
    np.testing.assert_allclose(back.positions, WALK.positions, atol=1e-6)


@given(yaws, st.tuples(*[st.floats(-0.3, 0.3)] * 3).map(np.array))
@example(SAME_FACING_RAD / 2, np.zeros(3))
@settings(max_examples=examples(15))
def test_a_rig_follows_alike_wherever_it_has_been_turned_to(yaw: float, lean: Array) -> None:
    """To the last digit, also by angles within the tolerance of equal facing, and in any pose."""
    turn = rotation_about_up(yaw)
    for pose, method in ((None, "AUTOMATIC"), (all_turned(exp(lean)), "AUTOMATIC"), (arms(0.7), "A_POSE")):
        plain = calibrate(WALK.skeleton, rig(), method, pose)
        shown = None if pose is None else multiply(multiply(turn, pose), inverse(turn))
        other = calibrate_with_yaw(WALK.skeleton, rig(all_turned(turn)), yaw, method, shown)
        np.testing.assert_allclose(
            retarget(WALK, other).positions, retarget(WALK, plain).positions, atol=1e-9, err_msg=method
        )
        assert other.residuals == pytest.approx(plain.residuals, abs=1e-6)


@pytest.mark.parametrize("outwards", [0.0, 0.6, -0.3])
def test_toes_point_where_they_pointed_however_a_rig_s_feet_are_turned_at_rest(outwards: float) -> None:
    body, pose = person(), all_turned(IDENTITY)
    for side, sign in (("L", 1.0), ("R", -1.0)):
        for part in ("foot", "toe"):
            pose[body.roles[f"{part}.{side}"]] = rotation_about_up(sign * outwards)
    target = rig(pose)
    there, back = there_and_back(WALK, target)
    np.testing.assert_allclose(there.positions, WALK.positions, atol=1e-6)
    np.testing.assert_allclose(back.positions, WALK.positions, atol=1e-6)
    for toe in (body.roles["toe.L"], body.roles["toe.R"]):
        tips = [rotate(clip.world[1][:, toe], clip.skeleton.tips[toe]) for clip in (there, WALK)]
        np.testing.assert_allclose(tips[0], tips[1], atol=1e-6)


@pytest.mark.parametrize("method, pose", [("T_POSE", "T"), ("A_POSE", "A")])
@given(st.floats(-0.5, 1.4), st.floats(0.0, 1.2), other_ways)
@settings(max_examples=examples(20))
def test_a_named_pose_is_the_one_that_the_rig_rests_in(
    method: CalibrationMethod, pose: str, angle: float, elbow: float, yaw: float
):
    """Whatever the actor's zero pose does with its arms, and wherever the rig looks."""
    clip = with_rest(WALK, arms(angle, elbow))
    resting = multiply(rotation_about_up(yaw), make_known_pose(person(), "T" if pose == "T" else "A"))
    calibration = calibrate(clip.skeleton, rig(resting), method)
    np.testing.assert_allclose(retarget(clip, calibration).positions, WALK.positions, atol=1e-6)
    assert calibration.max_residual < 1e-4 and not calibration.automatic


@pytest.mark.parametrize("method, angle", [("REST", 0.0), ("T_POSE", 0.0), ("A_POSE", np.pi / 4)])
def test_a_rig_may_show_the_pose_instead_of_resting_in_it(method: CalibrationMethod, angle: float) -> None:
    """Its rest pose is no standing pose; posed by its owner it stands as the actor does."""
    shown = exp(np.random.default_rng(0).normal(size=(len(person()), 3)) * 0.4)
    target = rig(multiply(inverse(shown), arms(angle)))
    calibration = calibrate(WALK.skeleton, target, method, shown)
    np.testing.assert_allclose(retarget(WALK, calibration).positions, WALK.positions, atol=1e-6)
    assert calibration.max_residual < 1e-4


def test_what_is_taken_as_it_is_keeps_its_difference() -> None:
    """An A-pose that is said to be a T-pose leaves arms halfway down, and says so."""
    calibration = calibrate(WALK.skeleton, rig(arms(np.pi / 4)), "REST")
    upper = calibration.target.roles["upper_arm.L"]
    bone = calibration.target.offsets[calibration.target.roles["forearm.L"]]
    world = map_rotations(calibration, all_turned(IDENTITY)[None])[0]
    np.testing.assert_allclose(rotate(world[upper], bone), 0.29 * (X - Z) * np.sqrt(0.5), atol=1e-9)
    arms_only = {f"{part}.{side}": 45.0 for side in "LR" for part in ("upper_arm", "forearm")}
    assert {role: degrees for role, degrees in calibration.residuals.items() if degrees > 1e-4} == pytest.approx(
        arms_only
    )
    assert calibration.max_residual == pytest.approx(45.0)
    assert set(calibration.bad_roles()) == set(arms_only)


def without(skeleton: Skeleton, *roles: str) -> Skeleton:
    return replace(skeleton, roles={role: joint for role, joint in skeleton.roles.items() if role not in roles})


@pytest.mark.parametrize("yaw", [0.0, 2.0])
def test_a_joint_without_counterpart_goes_with_its_parent(yaw: float) -> None:
    """As it did in the pose that the rig shows."""
    whole = rig(all_turned(rotation_about_up(yaw)))
    forearm, hand, neck, head = (whole.roles[role] for role in ("forearm.L", "hand.L", "neck", "head"))
    bent = all_turned(IDENTITY)
    bent[hand] = from_axis_angle(X, 0.4)
    calibration = calibrate(WALK.skeleton, without(whole, "hand.L", "head"), target_pose=bent)
    assert [calibration.source_joints[joint] for joint in (hand, head)] == [(), ()]
    world = map_rotations(calibration, WALK.world[1])
    bend = multiply(inverse(world[:, forearm]), world[:, hand])
    np.testing.assert_allclose(bend, [bent[hand]] * len(WALK), atol=1e-9)
    np.testing.assert_allclose(world[:, head], world[:, neck], atol=1e-9)


def test_missing_legs_and_hips_are_named() -> None:
    for source, target in ((without(rig(), "shin.R"), rig()), (rig(), without(person(), "shin.R"))):
        with pytest.raises(FootfallError, match=r"shin\.R"):
            calibrate(source, target)
    with pytest.raises(FootfallError, match="hips"):
        calibrate(person(), without(rig(), "hips"))


def in_palm(skeleton: Skeleton, world: Array, role: str) -> Array:
    """The direction of a right hand's finger bone in its palm: along the hand, across the knuckles, off the palm."""
    hand = skeleton.joint("hand.R")
    first, last = (rotate(world[hand], skeleton.offsets[skeleton.joint(f"{part}.R")]) for part in ("index", "pinky"))
    along = (first + last) / np.linalg.norm(first + last)
    off = np.cross(along, last - first)
    off /= np.linalg.norm(off)
    joint = skeleton.joint(role)
    bone = rotate(world[joint], skeleton.bone_vectors[joint])
    return np.array([along, np.cross(off, along), off]) @ (bone / np.linalg.norm(bone))


@pytest.mark.parametrize("roll", [0.0, 1.2, -1.5])
@pytest.mark.parametrize("bent", [0.0, 0.5])
def test_fingers_close_to_the_palm_however_palm_and_fingers_lie_at_rest(roll: float, bent: float) -> None:
    clip = boxer()
    source, pose = clip.skeleton, np.tile(IDENTITY, (len(clip.skeleton), 1))
    for role in ROLES:
        joint, number = source.joint(role), int(role.partition("_")[2][:1] or 1)
        pose[joint] = from_axis_angle(bend_axis(role), bent * number)
    below = [joint for joint in range(len(source)) if source.parents[joint] >= source.joint("hand.R")]
    own = [source.joint("hand.R"), *(joint for joint in below if source.names[joint].endswith("R"))]
    pose[own] = multiply(from_axis_angle(X, roll), pose[own])
    posed = with_rest_pose(source, pose)
    rig = replace(posed, names=tuple(f"bone {joint}" for joint in range(len(posed))), roles=source.roles)
    world = map_rotations(calibrate(source, rig), clip.world[1])
    for frame in (0, 175, 180):
        for role in ("index.R", "index_2.R", "pinky_3.R"):
            np.testing.assert_allclose(
                in_palm(rig, world[frame], role), in_palm(source, clip.world[1][frame], role), atol=1e-6
            )


def test_fingers_follow_names_where_one_skeleton_has_their_roles_and_none_where_neither_has() -> None:
    clip = boxer()
    plain = replace(clip.skeleton, roles={})
    assert "index_2.R" not in calibrate(plain, rig()).target.roles
    found = calibrate(clip.skeleton, plain)
    joint = plain.names.index("index_2_R")
    assert found.source_joints[joint] == ((joint, 1.0),) and found.target.roles["index_2.R"] == joint
    assert calibrate(clip.skeleton, rig()).target.matches(rig())
