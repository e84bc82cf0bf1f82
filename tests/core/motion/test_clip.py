"""Clips: cutting, resampling and mirroring keep the motion what it is."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.motion.bvh import read_bvh
from footfall.core.motion.clip import Clip, lateral_axis
from footfall.core.motion.rotations import from_euler, inverse, log, multiply, rotation_about_up

from .conftest import person

R_QUARTER = rotation_about_up(np.array(np.pi / 2))


def apart(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.linalg.norm(log(multiply(inverse(a), b)), axis=-1).max())


def test_cutting(clip: Clip) -> None:
    part = clip.cut(10, 40)
    assert len(part) == 30
    assert part.duration == pytest.approx(29 / 60)
    np.testing.assert_array_equal(part.root_positions, clip.root_positions[10:40])


def analytic(rate: float) -> Clip:
    """One second of smooth motion sampled at any rate."""
    time = np.arange(int(rate) + 1) / rate
    angles = np.sin(2 * time)[:, None, None] * np.ones((1, 10, 3)) * [0.5, 0.3, 0.8]
    roots = np.stack([np.sin(3 * time), time**2, 1 + 0.1 * np.cos(5 * time)], axis=-1)
    return Clip(person(), rate, roots, from_euler(angles, "ZYX"))


@pytest.mark.parametrize(("before", "after"), [(120, 60), (120, 30), (60, 24), (30, 60), (24, 60), (100, 60)])
def test_resampling_meets_the_motion_at_the_new_times(before: float, after: float) -> None:
    resampled, exact = analytic(before).resampled(after), analytic(after)
    assert resampled.rate == after
    assert len(resampled) == len(exact)
    np.testing.assert_allclose(resampled.root_positions, exact.root_positions, atol=1e-4)
    assert apart(resampled.rotations, exact.rotations) < 2e-3


def test_resampling_does_not_mind_the_signs_of_quaternions(clip: Clip) -> None:
    flipped = Clip(
        clip.skeleton,
        clip.rate,
        clip.root_positions,
        clip.rotations * np.where(np.arange(121) % 2, -1, 1)[:, None, None],
    )
    assert apart(flipped.resampled(47.0).rotations, clip.resampled(47.0).rotations) < 1e-9


def test_mirrored_motion_is_the_mirror_image(clip: Clip) -> None:
    mirrored = clip.mirrored()
    expected = (clip.positions * [-1, 1, 1])[:, list(clip.skeleton.mirror_pairs)]
    np.testing.assert_allclose(mirrored.positions, expected, atol=1e-12)
    assert mirrored.name == "made up (mirrored)"


def test_the_lateral_axis_is_found_from_the_pairs() -> None:
    skeleton = person()
    assert lateral_axis(skeleton) == 0
    turned = type(skeleton)(
        skeleton.names, skeleton.parents, skeleton.offsets[:, [1, 0, 2]], skeleton.tips[:, [1, 0, 2]]
    )
    assert lateral_axis(turned) == 1


# The largest error in centimeters comes from how unlike a skeleton's two sides are, not from mirroring.
REAL = {
    "cmu_asfamc/walk/02_01.bvh": 2.0,
    "hdm05_asfamc/walk": 3.0,
    "accad_male1/walk/Male1_B3_Walk.bvh": 3.0,
    "cmu_daz/walk/08_08.bvh": 1.0,
    "cmu_deepmimic/crouch/139_16.bvh": 0.1,
    "animated_drawings/walk/zombie.bvh": 0.1,
}


@pytest.mark.parametrize("name", REAL)
def test_real_walks_swap_their_feet_in_the_mirror(shared_data: Path, name: str) -> None:
    place = shared_data / "mocap" / name
    clip = read_bvh(place if place.is_file() else min(place.glob("*.bvh"))).cut(0, 300)
    mirrored, axis = clip.mirrored(), lateral_axis(clip.skeleton)
    flip = np.where(np.arange(3) == axis, -1.0, 1.0)
    for ours, theirs in (("L", "R"), ("R", "L")):
        foot = mirrored.positions[:, clip.skeleton.joint(f"foot.{ours}")]
        image = clip.positions[:, clip.skeleton.joint(f"foot.{theirs}")] * flip
        assert np.linalg.norm(foot - image, axis=-1).max() * 100 < REAL[name]
    np.testing.assert_allclose(mirrored.mirrored().positions, clip.positions, atol=1e-9)


def test_a_clip_of_world_rotations_is_the_clip_that_has_them(clip: Clip) -> None:
    positions, rotations = clip.world
    # Of any length: a network's quaternions are not quite of one.
    made = Clip.from_world_rotations(clip.skeleton, clip.rate, clip.root_positions, 1.3 * rotations, "made")
    np.testing.assert_allclose(made.rotations, clip.rotations, atol=1e-12)
    np.testing.assert_allclose(made.positions, positions, atol=1e-12)
    np.testing.assert_allclose(made.world[1], rotations, atol=1e-12)
    assert made.name == "made" and made.rate == clip.rate
    # What is made of it has a world of its own.
    np.testing.assert_allclose(made.cut(3, 7).positions, positions[3:7], atol=1e-12)
    moved = made.transformed(R_QUARTER, np.array([1.0, 0.0, 0.0]))
    np.testing.assert_allclose(moved.positions[..., 2], positions[..., 2], atol=1e-12)
