"""Actors whose rest pose is no standing pose, as in ACCAD's files, where all limbs lie along one axis."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.bvh import read_bvh
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
