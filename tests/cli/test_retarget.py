"""``footfall retarget``: clips onto another skeleton, from the command line."""

import json
from pathlib import Path

import numpy as np
import pytest

from footfall.cli import main
from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.bvh import read_bvh, write_bvh
from footfall.tests.support.walker import Walker, person


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    path = tmp_path / "clips" / "walk.bvh"
    path.parent.mkdir()
    write_bvh(path, Walker(seconds=2.0).clip())
    return path


@pytest.fixture
def giant(tmp_path: Path) -> Path:
    path, skeleton = tmp_path / "giant.bvh", person(1.5)
    rest = np.tile([1.0, 0.0, 0.0, 0.0], (2, len(skeleton), 1))
    write_bvh(path, Clip(skeleton, 30.0, np.zeros((2, 3)), rest))
    return path


def test_a_clip_becomes_that_of_another_skeleton(
    walk: Path, giant: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert main(["retarget", str(walk), "--onto", str(giant), "--out", str(tmp_path / "out.bvh"), "--json"]) == 0
    row = json.loads(capsys.readouterr().out)["clips"][0]
    made, source = read_bvh(tmp_path / "out.bvh"), read_bvh(walk)
    assert (row["frames"], row["alignment_error_deg"], row["misaligned_roles"]) == (len(source), 0.0, [])
    np.testing.assert_allclose(made.positions, source.positions * 1.5, atol=0.02)  # feet stand stiller


def test_a_folder_of_clips_keeps_its_shape(walk: Path, giant: Path, tmp_path: Path):
    (walk.parent / "day2").mkdir()
    (walk.parent / "day2" / "again.bvh").write_bytes(walk.read_bytes())
    assert main(["retarget", str(walk.parent), "--onto", str(giant), "--out", str(tmp_path / "out")]) == 0
    assert (tmp_path / "out" / "walk.bvh").exists() and (tmp_path / "out" / "day2" / "again.bvh").exists()


def test_several_clips_do_not_go_into_one_file(
    walk: Path, giant: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (walk.parent / "again.bvh").write_bytes(walk.read_bytes())
    assert main(["retarget", str(walk.parent), "--onto", str(giant), "--out", str(tmp_path / "out.bvh")]) != 0
    assert "must name a folder" in capsys.readouterr().err


def test_a_skeleton_without_legs_is_refused_in_a_sentence(
    walk: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    source = read_bvh(walk)
    bare = Skeleton(("hips", "crane", "hook"), (-1, 0, 1), np.eye(3), np.eye(3))
    other = tmp_path / "other.bvh"
    write_bvh(other, Clip(bare, source.rate, source.root_positions, source.rotations[:, :3]))
    assert main(["retarget", str(walk), "--onto", str(other), "--out", str(tmp_path / "out.bvh")]) != 0
    assert "map the roles" in capsys.readouterr().err
