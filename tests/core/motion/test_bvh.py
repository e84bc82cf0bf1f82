"""BVH files: what the dialects mean, what damaged ones get, and that nothing is lost on the way out and back."""

import csv
from pathlib import Path

import numpy as np
import pytest

from footfall.core.motion.bvh import read_bvh, read_target, write_bvh
from footfall.core.motion.clip import Clip
from footfall.core.motion.rotations import from_axis_angle, inverse, log, multiply
from footfall.core.motion.skeleton import Skeleton
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


def written_table(path: Path) -> np.ndarray:
    """The values (F, C) of a written file's channels."""
    motion = path.read_text("utf-8").partition("Frame Time:")[2]
    return np.array([line.split() for line in motion.splitlines()[1:]], dtype=float)


def test_written_angles_do_not_jump_where_a_body_turns_over(tmp_path: Path, clip: Clip) -> None:
    turns = np.linspace(0.0, 4 * np.pi, len(clip))
    rotations = clip.rotations.copy()
    rotations[:, 0] = from_axis_angle((0.0, -1.0, 0.0), turns)
    write_bvh(tmp_path / "clip.bvh", Clip(clip.skeleton, clip.rate, clip.root_positions, rotations))
    assert np.abs(np.diff(written_table(tmp_path / "clip.bvh"), axis=0)).max() < 30.0


def test_joints_in_any_order_are_written_with_their_own_motion(tmp_path: Path, clip: Clip) -> None:
    order, skeleton = [0, 1, 4, 7, 2, 5, 8, 3, 6, 9], clip.skeleton  # legs and back side by side
    parents = [order.index(skeleton.parents[joint]) if joint else -1 for joint in order]
    names = [skeleton.names[joint] for joint in order]
    wide = Skeleton(tuple(names), tuple(parents), skeleton.offsets[order], skeleton.tips[order])
    write_bvh(tmp_path / "clip.bvh", Clip(wide, clip.rate, clip.root_positions, clip.rotations[:, order]))
    again = read_bvh(tmp_path / "clip.bvh")
    places = [again.skeleton.names.index(name) for name in skeleton.names]
    np.testing.assert_allclose(again.positions[:, places], clip.positions, atol=1e-5)


def test_every_last_joint_is_written_with_an_end_site(tmp_path: Path, file: Bvh) -> None:
    target = read_target(file())
    target.write(tmp_path / "again.bvh", target.clip)
    text = (tmp_path / "again.bvh").read_text("utf-8")
    lines = [line.strip() for line in text.splitlines()]
    assert sum(line.startswith("End Site") for line in lines) == 3, "LeftFoot, RightFoot and Head"


def test_names_with_braces_are_read_back_as_one_word(tmp_path: Path, clip: Clip) -> None:
    skeleton = clip.skeleton
    names = (*skeleton.names[:-1], "head {top}")
    braced = Skeleton(names, skeleton.parents, skeleton.offsets, skeleton.tips)
    write_bvh(tmp_path / "clip.bvh", Clip(braced, clip.rate, clip.root_positions, clip.rotations))
    again = read_bvh(tmp_path / "clip.bvh").skeleton
    assert again.parents == skeleton.parents and again.names[:-1] == skeleton.names[:-1]
    assert again.names[-1].startswith("head ")


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
