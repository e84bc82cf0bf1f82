"""Clips on other people's skeletons: bones point where they pointed, planted feet stay planted on the ground."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.labelling import label_clip
from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.bvh import read_bvh
from footfall.core.motion.proportions import TOE_JOINT_HEIGHT_M, scale_between
from footfall.core.motion.roles import FOOT_CONTACTS
from footfall.core.motion.rotations import Array, from_axis_angle, inverse, multiply, rotate, rotation_about_up
from footfall.core.retarget.calibration import calibrate
from footfall.core.retarget.fit import fit_clip
from footfall.tests.support.walker import Walker, person


def longer(skeleton: Skeleton, seed: int = 0) -> Skeleton:
    """The same skeleton with every bone longer or shorter by up to 15 %, both sides alike."""
    factors = np.random.default_rng(seed).uniform(0.85, 1.15, len(skeleton))
    factors = (factors + factors[list(skeleton.mirror_pairs)]) / 2
    return Skeleton(
        skeleton.names, skeleton.parents, skeleton.offsets * factors[:, None], skeleton.tips * factors[:, None]
    )


def renamed(clip: Clip, **turns: Array) -> Clip:
    """The same motion with Mixamo's names, and with some joints' own axes turned by rotations (4)."""
    parts = {"femur": "UpLeg", "tibia": "Leg", "foot": "Foot", "toes": "ToeBase", "clavicle": "Shoulder"}
    parts |= {"humerus": "Arm", "radius": "ForeArm", "wrist": "Hand"}
    centre = {"hips": "Hips", "lowerback": "Spine", "thorax": "Spine2", "lowerneck": "Neck", "head": "Head"}
    names = tuple(
        f"mixamorig:{centre.get(name) or {'l': 'Left', 'r': 'Right'}[name[0]] + parts[name[1:]]}"
        for name in clip.skeleton.names
    )
    old = clip.skeleton
    turn = np.tile([1.0, 0.0, 0.0, 0.0], (len(old), 1))
    for name, rotation in turns.items():
        turn[old.names.index(name)] = rotation
    offsets, tips, rotations = old.offsets.copy(), rotate(inverse(turn), old.tips), clip.rotations.copy()
    for joint, parent in enumerate(old.parents):
        if joint:
            offsets[joint] = rotate(inverse(turn[parent]), old.offsets[joint])
            rotations[:, joint] = multiply(inverse(turn[parent]), rotations[:, joint])
        rotations[:, joint] = multiply(rotations[:, joint], turn[joint])
    skeleton = Skeleton(names, old.parents, offsets, tips)
    result = Clip(skeleton, clip.rate, clip.root_positions, rotations)
    np.testing.assert_allclose(result.positions, clip.positions, atol=1e-9)
    return result


def direction(clip: Clip, start: str, end: str) -> Array:
    """Unit directions (F, 3) from one role to another."""
    along = clip.positions[:, clip.skeleton.joint(end)] - clip.positions[:, clip.skeleton.joint(start)]
    return along / np.linalg.norm(along, axis=-1, keepdims=True)


def degrees_between(a: Array, b: Array) -> Array:
    return np.degrees(np.arccos(np.clip(np.sum(a * b, axis=-1), -1, 1)))


def speeds(clip: Clip, role: str) -> Array:
    """Horizontal speeds (F - 1) of a role's joint, m/s."""
    steps = np.diff(clip.positions[:, clip.skeleton.joint(role), :2], axis=0)
    return np.linalg.norm(steps, axis=-1) * clip.rate


@pytest.mark.parametrize("scale", [0.5, 0.8, 1.7])
def test_a_smaller_person_walks_the_same_steps_in_small(scale: float) -> None:
    clip = Walker().clip()
    fitted = fit_clip(clip, person(scale))
    assert scale_between(clip.skeleton, person(scale)) == pytest.approx(scale)
    np.testing.assert_allclose(fitted.positions, clip.positions * scale, atol=1e-6)


@pytest.mark.parametrize("floor, ground", [(0.0, 0.0), (0.7, 0.0), (0.0, 2.0), (-1.0, 0.5)])
def test_the_fitted_clip_stands_on_the_asked_ground(floor: float, ground: float) -> None:
    fitted = fit_clip(Walker(floor=floor).clip(), longer(person()), ground)
    toes = fitted.positions[:, [fitted.skeleton.joint("toe.L"), fitted.skeleton.joint("toe.R")], 2]
    expected = ground + TOE_JOINT_HEIGHT_M * fitted.skeleton.leg_length / 0.84
    assert np.percentile(toes, 8) == pytest.approx(expected, abs=0.005)


@pytest.mark.parametrize("seed", range(5))
def test_planted_feet_stay_planted_on_other_bones(seed: int) -> None:
    walker = Walker(turn=0.4)
    fitted = fit_clip(walker.clip(), longer(person(), seed))
    contacts = walker.contacts > 0.5
    flat = {"L": contacts[:, 0] & contacts[:, 1], "R": contacts[:, 2] & contacts[:, 3]}
    for side, down in flat.items():
        inside = down[1:] & down[:-1]
        # The ankle stays to a tenth of a millimeter; the toe as well, since the foot does not turn.
        assert speeds(fitted, f"foot.{side}")[inside].max() < 0.01
        assert speeds(fitted, f"toe.{side}")[inside].max() < 0.01


def test_the_joints_own_axes_do_not_matter() -> None:
    """As in ACCAD's skeleton, whose pelvis at rest looks along X and whose limbs lie along X."""
    clip = Walker(turn=0.3).clip()
    quarter = rotation_about_up(np.pi / 2)
    along_x = from_axis_angle([0.0, 1.0, 0.0], np.pi / 2)
    foreign = renamed(clip, hips=quarter, thorax=along_x, lowerneck=along_x, lhumerus=quarter, lradius=quarter)
    fitted = fit_clip(foreign, person())
    for start, end in [
        ("thigh.R", "thigh.L"),
        ("thigh.L", "shin.L"),
        ("shin.R", "foot.R"),
        ("foot.L", "toe.L"),
        ("upper_arm.R", "upper_arm.L"),
        ("upper_arm.L", "forearm.L"),
        ("forearm.L", "hand.L"),
        ("neck", "head"),
    ]:
        assert degrees_between(direction(clip, start, end), direction(fitted, start, end)).max() < 0.5, (start, end)


def test_a_joint_without_counterpart_goes_with_its_parent() -> None:
    clip = Walker().clip()
    legs = Skeleton(
        clip.skeleton.names[:9], clip.skeleton.parents[:9], clip.skeleton.offsets[:9], clip.skeleton.tips[:9]
    )
    fitted = fit_clip(Clip(legs, clip.rate, clip.root_positions, clip.rotations[:, :9]), person())
    assert calibrate(legs, person()).source_joints[9] == ()
    np.testing.assert_allclose(fitted.positions[:, :9], clip.positions[:, :9], atol=1e-6)
    upright = fitted.positions[:, 12] - fitted.positions[:, 0]
    np.testing.assert_allclose(upright[:, :2], 0.0, atol=1e-9)


def test_missing_bones_are_named() -> None:
    clip = Walker().clip()
    skeleton = clip.skeleton
    roles = {role: joint for role, joint in skeleton.roles.items() if role not in ("foot.L", "shin.R")}
    footless = Clip(
        Skeleton(skeleton.names, skeleton.parents, skeleton.offsets, skeleton.tips, roles),
        clip.rate,
        clip.root_positions,
        clip.rotations,
    )
    for source, target in ((footless, skeleton), (clip, footless.skeleton)):
        with pytest.raises(FootfallError, match=r"foot\.L, shin\.R|shin\.R, foot\.L"):
            fit_clip(source, target)


@pytest.fixture(scope="module")
def mocap(shared_data: Path) -> Path:
    return shared_data / "mocap"


@pytest.fixture(scope="module")
def actor(mocap: Path) -> Skeleton:
    """The CMU skeleton that everybody is fitted to."""
    return read_bvh(mocap / "cmu_asfamc" / "walk" / "35_01.bvh").skeleton


PEOPLE = [
    "cmu_asfamc/walk/16_15.bvh",
    "cmu_asfamc/walk/91_02.bvh",
    "cmu_asfamc/walk/12_01.bvh",
    "cmu_asfamc/run/09_04.bvh",
    "cmu_expmap/walk/walking_22.bvh",
    "cmu_3dsmax/walk/131_01.bvh",
    "cmu_ccbase/walk/06_01.bvh",
    "accad_male1/walk/Male1_B3_Walk.bvh",
    "accad_male1/run/Male1_C01_StandToRun.bvh",
    "hdm05_asfamc/walk/HDM_bd_sneak2StepsLStart_001_120.bvh",
]


@pytest.fixture(scope="module", params=PEOPLE)
def fitted(request: pytest.FixtureRequest, mocap: Path, actor: Skeleton) -> tuple[Clip, Clip]:
    """A clip at 60 Hz, and the same on the actor's skeleton."""
    clip = read_bvh(mocap / request.param).resampled(60.0)
    return clip, fit_clip(clip, actor)


def test_people_s_limbs_point_where_they_pointed(fitted: tuple[Clip, Clip]) -> None:
    clip, other = fitted
    for start, end in [("upper_arm.L", "forearm.L"), ("forearm.R", "hand.R")]:
        assert degrees_between(direction(clip, start, end), direction(other, start, end)).max() < 0.5, (start, end)
    for side in "LR":
        # Soles stay as they were, and the bone from the ankle to the ball lies over each one's sole in its own way.
        foot = f"foot.{side}", f"toe.{side}"
        assert np.ptp(degrees_between(direction(clip, *foot), direction(other, *foot))) < 0.5
        # Legs reach for the ankles' places, so hips of another width turn them a little.
        for start, end in [("thigh", "shin"), ("shin", "foot")]:
            bone = f"{start}.{side}", f"{end}.{side}"
            assert degrees_between(direction(clip, *bone), direction(other, *bone)).mean() < 8, bone
    assert degrees_between(direction(clip, "thigh.R", "thigh.L"), direction(other, "thigh.R", "thigh.L")).max() < 5


def test_people_skate_no_more_than_they_did(fitted: tuple[Clip, Clip]) -> None:
    clip, other = fitted
    contacts = label_clip(clip).contacts > 0.5
    scale = scale_between(clip.skeleton, other.skeleton)
    for column, role in enumerate(FOOT_CONTACTS):
        down = contacts[1:, column] & contacts[:-1, column]
        before, after = speeds(clip, role)[down].mean(), speeds(other, role)[down].mean()
        assert after < before * scale + 0.02, role
