"""Actors whose rest pose is no standing pose, as in ACCAD's files, where all limbs lie along one axis."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.bvh import read_bvh
from footfall.core.motion.heel import flat_foot_frames
from footfall.core.motion.limb_ik import with_world_rotations
from footfall.core.motion.rotations import Array, from_axis_angle, inverse, multiply, normalize, rotate
from footfall.core.retarget.calibration import calibrate
from footfall.core.retarget.fit import fit_clip
from footfall.core.retarget.rest_pose import is_standing, with_rest_pose
from footfall.core.retarget.rest_pose_from_motion import standing_pose, standing_scatter
from footfall.core.retarget.retarget import retarget
from footfall.tests.support.walker import Walker, person

X, Y, Z = np.eye(3)


def lying(clip: Clip) -> tuple[Clip, Array]:
    """The same motion on a skeleton whose bones lie about in its zero pose, and that pose (J, 4)."""
    skeleton = clip.skeleton
    random = np.random.default_rng(4)
    axes = normalize(random.normal(size=(len(skeleton), 3)))
    pose = np.array([from_axis_angle(axis, random.uniform(0.5, 1.5)) for axis in axes])
    other = with_rest_pose(skeleton, pose)
    names = tuple(f"b{joint}" for joint in range(len(skeleton)))
    other = Skeleton(names, other.parents, other.offsets, other.tips, other.roles)
    world = multiply(clip.world[1], inverse(pose))
    local = multiply(inverse(world[:, np.maximum(skeleton.parents, 0)]), world)
    local[:, 0] = world[:, 0]
    return Clip(other, clip.rate, clip.root_positions, local), pose


def stance_of(clip: Clip) -> Array:
    return standing_pose([standing_scatter(clip)])


def test_somebody_who_stands_is_found_standing():
    walk = Walker(seconds=5.0, pause=2.0, heading=0.7).clip()
    strange, pose = lying(walk)
    stance = stance_of(strange)
    upright = multiply(stance, pose)  # from how the plain skeleton stands at rest
    for name in ("hips", "thorax", "lfoot", "rfoot"):
        joint = walk.skeleton.names.index(name)
        assert rotate(upright[joint], Z) @ Z > (0.9 if "foot" in name else 0.99), name  # feet roll while they stand
    assert not is_standing(strange.skeleton) and is_standing(with_rest_pose(strange.skeleton, stance))


def test_clips_add_up():
    walks = [lying(Walker(seconds=2.0, speed=speed).clip())[0] for speed in (0.9, 1.2)]
    both = standing_pose([standing_scatter(walk) for walk in walks])
    assert both.shape == (len(walks[0].skeleton), 4)
    np.testing.assert_allclose(np.linalg.norm(both, axis=-1), 1.0)


def test_who_stands_upright_stands_upright_on_another_skeleton():
    walk = Walker(seconds=5.0, pause=2.0).clip()
    strange, _ = lying(walk)
    made = retarget(strange, calibrate(strange.skeleton, person(), source_stance=stance_of(strange)))
    for name in ("hips", "thorax", "lfoot", "rfoot", "ltibia"):
        joint = walk.skeleton.names.index(name)
        away = np.sum(rotate(made.world[1][:, joint], Z) * rotate(walk.world[1][:, joint], Z), axis=-1)
        assert away.min() > (0.9 if "foot" in name else 0.98), name


def test_a_zero_pose_that_stands_is_believed():
    walk = Walker(seconds=2.0).clip()
    tipped = np.tile(from_axis_angle(X, 0.3), (len(walk.skeleton), 1))
    plain, told = (calibrate(walk.skeleton, person(1.1), source_stance=stance) for stance in (None, tipped))
    np.testing.assert_array_equal(np.concatenate(plain.rotation_offsets), np.concatenate(told.rotation_offsets))


@pytest.mark.parametrize("source", ["accad_male1", "cmu_ccbase"])
def test_real_actors_whose_limbs_lie_along_one_axis_walk_upright(shared_data: Path, source: str):
    clips = [read_bvh(file).resampled(60.0) for file in sorted((shared_data / "mocap" / source / "walk").glob("*.bvh"))]
    assert not is_standing(clips[0].skeleton)
    target = read_bvh(shared_data / "mocap/cmu_asfamc/walk/02_01.bvh").skeleton
    stance = standing_pose(standing_scatter(clip) for clip in clips)
    for clip in clips:
        made = fit_clip(clip, calibrate(clip.skeleton, target, source_stance=stance))
        for role in ("hips", "chest"):
            up = rotate(made.world[1][:, made.skeleton.roles[role]], Z)[:, 2]
            assert up.mean() > 0.9, (clip.name, role)


def still(*knees: tuple[float, float], frames: int = 60) -> Clip:
    """A person that keeps still, with both knees bent by angles, over flat feet; one pose after the other."""
    skeleton = person()
    world = np.tile([1.0, 0.0, 0.0, 0.0], (frames * len(knees), len(skeleton), 1))
    for number, angles in enumerate(knees):
        part = slice(number * frames, (number + 1) * frames)
        for side, angle in zip("LR", angles, strict=True):
            world[part, skeleton.joint(f"thigh.{side}")] = from_axis_angle(X, -angle)
            world[part, skeleton.joint(f"shin.{side}")] = from_axis_angle(X, angle)
    roots = np.tile([0.0, 0.0, 1.0], (len(world), 1))
    return with_world_rotations(Clip(skeleton, 60.0, roots, world), roots, world)


def weights_of(clip: Clip) -> dict[str, float]:
    """The sums of the frames' weights by role: the traces of the scatters of unit quaternions."""
    traces = np.trace(standing_scatter(clip), axis1=1, axis2=2)
    return {role: float(traces[joint]) for role, joint in clip.skeleton.roles.items()}


def test_frames_weigh_by_the_feet_that_stand_under_straight_legs() -> None:
    flat = flat_foot_frames(still((0.0, 0.0)), person().joint("foot.L"), person().joint("toe.L"))
    rest = 60 - len(flat)
    assert 20 < len(flat) <= 60
    both, left, none = (weights_of(still(knees)) for knees in ((0.0, 0.0), (0.0, 0.5), (0.5, 0.5)))
    for role in ("hips", "foot.L", "toe.R", "head"):
        assert both[role] == pytest.approx(len(flat) + rest * 1e-5)
    for role, weight in (("foot.L", 0.05), ("toe.L", 0.05), ("foot.R", 1e-3), ("toe.R", 1e-3)):
        assert left[role] == pytest.approx(weight * len(flat) + rest * 1e-5)
    for role in ("hips", "shin.L", "thigh.R"):
        assert left[role] == pytest.approx(60 * 1e-5)
    assert none["foot.L"] == none["toe.R"] == pytest.approx(1e-3 * len(flat) + rest * 1e-5)


def test_a_body_without_toes_weighs_all_frames_alike() -> None:
    clip = still((0.0, 0.0))
    roles = {role: joint for role, joint in clip.skeleton.roles.items() if role != "toe.L"}
    found = weights_of(replace(clip, skeleton=replace(clip.skeleton, roles=roles)))
    assert found["hips"] == found["foot.L"] == pytest.approx(60 * 1e-5)
    assert found["foot.R"] > 1.0


def test_the_mean_of_rotations_is_the_one_between_them_on_the_upper_hemisphere() -> None:
    turns = [from_axis_angle(Z, np.array([angle])) for angle in (0.2, 0.6)]
    turns[1] = -turns[1]
    scatters = [np.einsum("ja,jb->jab", turn, turn) for turn in turns]
    np.testing.assert_allclose(standing_pose(scatters), from_axis_angle(Z, np.array([0.4])), atol=1e-12)
    np.testing.assert_allclose(standing_pose(scatters[:1]), turns[0], atol=1e-12)
    far = from_axis_angle(Z, np.array([-3.0]))
    np.testing.assert_allclose(standing_pose([np.einsum("ja,jb->jab", far, far)]), far, atol=1e-12)
