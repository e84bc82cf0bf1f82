"""Bodies stand level on each other, trunk and soles, whatever their rest poses do."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.motion import Skeleton
from footfall.core.motion.rotations import (
    IDENTITY,
    Array,
    from_axis_angle,
    inverse,
    multiply,
    rotate,
    rotation_about_up,
)
from footfall.core.retarget.calibration import Calibration, calibrate
from footfall.core.retarget.rest_pose import is_standing, with_rest_pose
from footfall.core.retarget.retarget import map_rotations
from footfall.core.retarget.standing_rest import same_body, splayed_sides, standing_rest, trunk_lean
from footfall.tests.support.walker import Walker, person

X, Y, Z = np.eye(3)
SPLAY = np.radians(20.0)


def posed(turns: dict[str, Array], skeleton: Skeleton | None = None) -> Array:
    """World rotations (J, 4): joints by role turned with all that hangs on them."""
    body = skeleton or person()
    own = {body.roles[role]: turn for role, turn in turns.items()}
    pose = np.tile(IDENTITY, (len(body), 1))
    for joint, parent in enumerate(body.parents):
        above = pose[parent] if parent >= 0 else IDENTITY
        pose[joint] = multiply(above, own[joint]) if joint in own else above
    return pose


def renamed(skeleton: Skeleton) -> Skeleton:
    return replace(skeleton, names=tuple(f"bone {joint}" for joint in range(len(skeleton))), roles=skeleton.roles)


def splayed(angle: float = SPLAY) -> Skeleton:
    """A person with splayed legs at rest, soles splayed with them, as in CMU's ASF files."""
    turns = {f"thigh.{side}": from_axis_angle(Y, -sign * angle) for side, sign in (("L", 1.0), ("R", -1.0))}
    return renamed(with_rest_pose(person(), posed(turns)))


def lying() -> tuple[Skeleton, Array]:
    """A person whose bones all lie along X at rest but for the one from hips to spine; and the way back (J, 4)."""
    random = np.random.default_rng(5)
    pose = np.array([from_axis_angle(Y, np.pi / 2 + angle) for angle in random.uniform(-0.3, 0.3, len(person()))])
    pose[person().roles["hips"]] = from_axis_angle(X, 1.2)
    return renamed(with_rest_pose(person(), pose)), inverse(pose)


def standing(calibration: Calibration, stance: Array | None = None) -> Array:
    """World rotations (J, 4) of the target as the source stands."""
    count = len(calibration.source)
    return map_rotations(calibration, (np.tile(IDENTITY, (count, 1)) if stance is None else stance)[None])[0]


def off_level(skeleton: Skeleton, world: Array, role: str, level: Array) -> float:
    """The angle, degrees, of a joint's up from the vertical, from where it is level (4) from the rest pose."""
    joint = skeleton.roles[role]
    up = rotate(multiply(world[joint], inverse(level)), Z)
    return float(np.degrees(np.arccos(np.clip(up[2], -1.0, 1.0))))


@pytest.mark.parametrize("side", "LR")
def test_soles_of_splayed_legs_stand_level_on_a_rig(side: str) -> None:
    source = splayed()
    sign = 1.0 if side == "L" else -1.0
    unsplayed = posed({f"thigh.{one}": from_axis_angle(Y, (1 if one == "L" else -1) * SPLAY) for one in "LR"})
    found = calibrate(source, renamed(person()))
    stands = standing(found, unsplayed)
    assert off_level(found.target, stands, f"foot.{side}", IDENTITY) < 0.1
    assert sign * rotate(stands[found.target.roles[f"foot.{side}"]], X)[0] > 0 or side == "R"
    assert splayed_sides(source) == ("L", "R") and "splayed" in found.assumptions[0] and not found.doubts


def test_flat_feet_in_motion_say_how_far_soles_are_splayed() -> None:
    """The feet of one subject are splayed by 15 degrees where the legs are by 20."""
    source, flat = splayed(), np.radians(15.0)
    stance = posed({f"thigh.{side}": from_axis_angle(Y, sign * SPLAY) for side, sign in (("L", 1), ("R", -1))})
    for side, sign in (("L", 1.0), ("R", -1.0)):
        for part in ("foot", "toe"):
            stance[source.roles[f"{part}.{side}"]] = from_axis_angle(Y, sign * flat)
    found = calibrate(source, renamed(person()), source_stance=stance)
    for side in "LR":
        assert off_level(found.target, standing(found, stance), f"foot.{side}", IDENTITY) < 0.1
    assert found.assumptions == ()


def test_a_controller_s_standing_pose_says_how_its_soles_pitch() -> None:
    """People whose toes point up by three degrees where they stand, stand level on a rig; a clip shows no pitch."""
    source = leaning(3.0)
    stance = posed({f"foot.{side}": from_axis_angle(X, np.radians(3.0)) for side in "LR"}, source)
    found = calibrate(source, person(1.1), source_stance=stance, controller="SOURCE")
    for side in "LR":
        assert off_level(found.target, standing(found, stance), f"foot.{side}", IDENTITY) < 0.1
    clip = calibrate(source, person(1.1), source_stance=stance)
    assert off_level(clip.target, standing(clip, stance), "foot.L", IDENTITY) == pytest.approx(3.0, abs=0.1)
    one_heel_up = posed({"foot.L": from_axis_angle(X, -0.15)}, source)
    one = calibrate(source, person(1.1), source_stance=one_heel_up, controller="SOURCE")
    assert off_level(one.target, standing(one), "foot.R", IDENTITY) < 0.1, "feet that differ show none"


@pytest.mark.parametrize("role", ["hips", "chest", "neck", "head", "foot.L", "foot.R"])
@pytest.mark.parametrize("yaw", [0.0, 1.0])
def test_limbs_along_one_axis_stand_level_both_ways(role: str, yaw: float) -> None:
    """As ACCAD's, whose bone from the hips to the spine points elsewhere, too."""
    strange, stance = lying()
    turned = multiply(rotation_about_up(yaw), stance)
    assert not is_standing(strange)
    there = calibrate(strange, person(1.1), source_stance=turned)
    assert off_level(there.target, standing(there, turned), role, IDENTITY) < 0.1
    back = calibrate(person(1.1), strange, target_stance=turned)
    world = standing(back)
    assert off_level(strange, world, role, stance[strange.roles[role]]) < 0.1
    assert there.doubts == back.doubts == ()


def test_one_body_follows_itself_whatever_its_rest_pose_is() -> None:
    strange, _ = lying()
    found = calibrate(strange, replace(strange, names=person().names))
    np.testing.assert_allclose(np.abs(np.concatenate(found.rotation_offsets)[:, 0]), 1.0, atol=1e-9)
    assert same_body(strange, strange) and not same_body(strange, person())


def leaning(degrees: float) -> Skeleton:
    """A person whose spine leans ahead at rest by an angle."""
    pose = posed({"spine": from_axis_angle(X, np.radians(degrees))})
    bent = with_rest_pose(person(), pose)
    return renamed(bent)


@pytest.mark.parametrize("degrees", [-15.0, -9.0, 25.0])
def test_a_controller_s_people_stand_upright_on_a_rig(degrees: float) -> None:
    """Whatever the places of the joints of its skeleton are."""
    skeleton = leaning(degrees)
    lean = trunk_lean(skeleton)
    assert lean is not None and abs(lean) > 0.05
    pose = standing_rest(skeleton, lean=0.0)
    assert pose is not None
    assert trunk_lean(with_rest_pose(skeleton, pose)) == pytest.approx(0.0, abs=1e-3)
    upright = np.tile(IDENTITY, (len(skeleton), 1))
    upright[:] = pose
    found = calibrate(skeleton, person(), controller="SOURCE")
    world = standing(found, upright)
    for role in ("hips", "chest", "head"):
        assert off_level(found.target, world, role, IDENTITY) < 0.1, role
    plain = standing_rest(skeleton)
    assert plain is not None and np.allclose(plain, IDENTITY), "a clip's rest pose is believed"


def test_a_controller_s_own_posture_is_a_rig_s_rest_pose() -> None:
    skeleton = leaning(-9.0)
    posture = {"hips": -6.0, "head": 5.0}
    stance = np.tile(IDENTITY, (len(skeleton), 1))
    for role, degrees in posture.items():
        stance[skeleton.roles[role]] = from_axis_angle(-X, np.radians(degrees))
    pose = standing_rest(skeleton, stance, lean=0.0)
    assert pose is not None
    for role in posture:
        np.testing.assert_allclose(pose[skeleton.roles[role]], stance[skeleton.roles[role]], atol=1e-9)


def test_a_walk_keeps_its_soles_on_splayed_legs_and_back() -> None:
    walk, target = Walker(seconds=1.0).clip(), splayed()
    there = calibrate(walk.skeleton, target)
    back = calibrate(target, walk.skeleton)
    world = map_rotations(back, map_rotations(there, walk.world[1]))
    for role in ("foot.L", "foot.R", "hips", "chest"):
        joint = walk.skeleton.roles[role]
        apart = np.abs(np.sum(world[:, joint] * walk.world[1][:, joint], axis=-1))
        assert np.degrees(2 * np.arccos(np.clip(apart.min(), -1.0, 1.0))) < 0.1, role
