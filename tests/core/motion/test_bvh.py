"""BVH files: what the dialects mean, what damaged ones get, and that nothing is lost on the way out and back."""

import csv
from pathlib import Path

import numpy as np
import pytest

from footfall.core.motion.bvh import read_bvh, write_bvh
from footfall.core.motion.clip import Clip
from footfall.core.motion.rotations import from_axis_angle, inverse, log, multiply
from footfall.tests.support.small_bvh import Bvh


def about(axis: str, degrees: float) -> np.ndarray:
    """A turn about an axis of a Y-up file, in Blender's world: its Y is our Z, its Z our -Y."""
    world = {"X": (1.0, 0.0, 0.0), "Y": (0.0, 0.0, 1.0), "Z": (0.0, -1.0, 0.0)}[axis]
    return from_axis_angle(world, np.deg2rad(degrees))


def product(*turns: np.ndarray) -> np.ndarray:
    result = turns[0]
    for turn in turns[1:]:
        result = multiply(result, turn)
    return result


def angle_between(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.linalg.norm(log(multiply(inverse(a), b)), axis=-1).max())


def test_positions_are_meters_in_blenders_world(file: Bvh) -> None:
    clip = read_bvh(file())
    assert clip.name == "clip"
    assert clip.rate == 120.0
    np.testing.assert_allclose(clip.root_positions, [[0.01, -0.02, 0.9], [0.01, -0.03, 0.9]])
    left_foot = clip.skeleton.joint("foot.L")
    np.testing.assert_allclose(clip.positions[0, left_foot], [0.11, -0.02, 0.0], atol=1e-12)
    np.testing.assert_allclose(clip.skeleton.tips[left_foot], [0.0, -0.15, -0.05])


def test_channels_are_read_in_each_joints_own_order(file: Bvh) -> None:
    clip = read_bvh(file())
    expected = {
        "Hips": about("Y", 90),
        "LeftUpLeg": product(about("Z", 10), about("X", 20), about("Y", 30)),
        "LeftLeg": about("X", 40),
        "LeftFoot": product(about("Y", 50), about("X", 60), about("Z", 70)),
        "Head": product(about("Y", 80), about("X", -10)),
        "RightFoot": about("X", 0),
    }
    for name, rotation in expected.items():
        assert angle_between(clip.rotations[1, clip.skeleton.names.index(name)], rotation) < 1e-12


@pytest.mark.parametrize(
    ("meters", "size"),
    [(0.01, 1.0), (1.0, 0.01), (0.001, 10.0), (0.0254, 1 / 2.54), (0.0254 / 0.45, 0.45 / 2.54)],
    ids=["centimeters", "meters", "millimeters", "inches", "CMU units"],
)
def test_the_unit_is_found_from_the_bodys_size(tmp_path: Path, clip: Clip, meters: float, size: float) -> None:
    big = Clip(clip.skeleton.scaled(size), clip.rate, clip.root_positions * size, clip.rotations)
    write_bvh(tmp_path / "clip.bvh", big)
    np.testing.assert_allclose(read_bvh(tmp_path / "clip.bvh").skeleton.offsets, clip.skeleton.offsets, atol=1e-6)
    assert read_bvh(tmp_path / "clip.bvh", unit=meters).skeleton.leg_length == pytest.approx(0.8, abs=1e-6)


def test_z_up_files_are_taken_as_they_are(file: Bvh) -> None:
    turned = [
        ("OFFSET 0 -45 0", "OFFSET 0 0 -45"),
        ("OFFSET 0 70 0", "OFFSET 0 0 70"),
        ("1 90 2", "1 -2 90"),
        ("1 90 3", "1 -3 90"),
    ]
    clip = read_bvh(file(*turned))
    np.testing.assert_allclose(clip.root_positions, [[0.01, -0.02, 0.9], [0.01, -0.03, 0.9]])
    np.testing.assert_allclose(clip.positions[0, clip.skeleton.joint("foot.L")], [0.11, -0.02, 0.0], atol=1e-12)
    forced = read_bvh(file(*turned), up="Y")
    np.testing.assert_allclose(forced.root_positions[0], [0.01, -0.9, -0.02])


def test_root_channels_are_absolute_unless_the_offset_is_missing_from_them(file: Bvh) -> None:
    root = "ROOT Hips\n{\n  OFFSET 0 %s 0"
    absolute = read_bvh(file((root % 0, root % 88)))
    np.testing.assert_allclose(absolute.root_positions[0], [0.01, -0.02, 0.9])
    relative = read_bvh(file((root % 0, root % 88), ("1 90 2", "1 2 2"), ("1 90 3", "1 2 3")))
    np.testing.assert_allclose(relative.root_positions[0], [0.01, -0.02, 0.9])


def test_other_joints_positions_become_constant_offsets(file: Bvh) -> None:
    head = ("CHANNELS 2 Yrotation Xrotation", "CHANNELS 5 Xposition Yposition Zposition Yrotation Xrotation")
    moving = read_bvh(file(head, ("0 0 0  0 0\n", "0 0 0  0 71 0 0 0\n"), ("80 -10", "0 73 0 80 -10")))
    np.testing.assert_allclose(moving.skeleton.offsets[moving.skeleton.joint("head")], [0.0, 0.0, 0.72], atol=1e-12)
    relative = read_bvh(file(head, ("0 0 0  0 0\n", "0 0 0  0 1 0 0 0\n"), ("80 -10", "0 3 0 80 -10")))
    np.testing.assert_allclose(relative.skeleton.offsets[relative.skeleton.joint("head")], [0.0, 0.0, 0.72], atol=1e-12)


def test_a_bone_above_the_hips_is_folded_into_them(file: Bvh) -> None:
    above = "ROOT Reference\n{\nOFFSET 0 0 0\nCHANNELS 1 Yrotation\nJOINT Prop\n{\nOFFSET 1 2 3\n}\nJOINT Hips"
    folded = read_bvh(
        file(("ROOT Hips", above), ("}\nMOTION", "}\n}\nMOTION"), ("1 90 2", "0 1 90 2"), ("1 90 3", "90 1 90 3"))
    )
    plain = read_bvh(file())
    assert folded.skeleton.names == plain.skeleton.names
    # The bone above turns by 90 degrees in the second frame, and the hips keep their own way on it.
    assert angle_between(folded.rotations[1, 0], product(about("Y", 90), about("Y", 90))) < 1e-12
    np.testing.assert_allclose(folded.root_positions[1], [0.03, 0.01, 0.9], atol=1e-12)


def test_a_written_clip_reads_back_as_it_was(tmp_path: Path, clip: Clip) -> None:
    write_bvh(tmp_path / "clip.bvh", clip)
    again = read_bvh(tmp_path / "clip.bvh")
    assert again.rate == clip.rate
    assert again.skeleton.names == clip.skeleton.names
    assert again.skeleton.parents == clip.skeleton.parents
    np.testing.assert_allclose(again.root_positions, clip.root_positions, atol=1e-6)
    np.testing.assert_allclose(again.skeleton.offsets, clip.skeleton.offsets, atol=1e-6)
    np.testing.assert_allclose(again.skeleton.tips, clip.skeleton.tips, atol=1e-6)
    assert angle_between(again.rotations, clip.rotations) < 1e-5
    assert [path.name for path in tmp_path.iterdir()] == ["clip.bvh"]


SOURCES = {
    "accad_male1": 0.01,
    "cmu_asfamc": 0.01,
    "hdm05_asfamc": 0.01,
    "cmu_ccbase": 0.01,
    "cmu_daz": 0.01,
    "cmu_3dsmax": 0.0254 / 0.45,
    "cmu_expmap": 0.01,
    "cmu_deepmimic": 0.01,
    "animated_drawings": 0.0254,
    "kaykit_cc0": 0.01,
    "quaternius_animals_cc0": 0.01,
}


@pytest.mark.parametrize("source", SOURCES)
def test_real_clips_stand_upright_in_meters(shared_data: Path, tmp_path: Path, source: str) -> None:
    folder = shared_data / "mocap" / source
    with (folder / "INDEX.csv").open(newline="") as file:
        row = next(csv.DictReader(file))
    clip = read_bvh(folder / row["file"])
    assert len(clip) == int(row["frames"])
    assert clip.rate == pytest.approx(float(row["fps"]), rel=2e-4)
    z = clip.positions[..., 2]
    height = np.median(z[:, 0] - z.min(axis=1))
    if source == "animated_drawings":
        row["root_height_median"] = "23"  # a small person, Z up; the index has measured along Y
    assert height == pytest.approx(float(row["root_height_median"]) * SOURCES[source], abs=0.02)
    write_bvh(tmp_path / "again.bvh", clip)
    again = read_bvh(tmp_path / "again.bvh", unit=0.01, up="Y")
    np.testing.assert_allclose(again.root_positions, clip.root_positions, atol=1e-6)
    assert angle_between(again.rotations, clip.rotations) < 1e-5


def test_a_clip_with_a_root_bone_matches_its_siblings(shared_data: Path) -> None:
    folder = shared_data / "mocap" / "cmu_ccbase" / "walk"
    odd, usual = read_bvh(folder / "07_01.bvh"), read_bvh(folder / "07_02.bvh")
    assert odd.skeleton.matches(usual.skeleton)
    assert odd.root_positions[:, 2].mean() == pytest.approx(usual.root_positions[:, 2].mean(), abs=0.1)
