import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_a_clip_gets_its_label_file(footfall: Run, marching_bvh: Path, tmp_path: Path) -> None:
    result = footfall("label", marching_bvh, "--out", tmp_path / "labels", "--json")
    assert result.returncode == 0, result.stderr
    document = json.loads(result.stdout)
    assert [entry["frames"] for entry in document["labelled"]] == [240]
    with np.load(tmp_path / "labels" / "marching.labels.npz") as labels:
        frames, joints = labels["contacts"].shape
        assert (frames, joints) == (240, len(labels["contact_joints"]))
        assert labels["frame_rate"] == pytest.approx(60.0)
        assert labels["phase"].shape == (240,) and labels["phase"].min() >= 0 and labels["phase"].max() < 1
        assert labels["gaits"].shape == (240, len(labels["gait_names"]))
        np.testing.assert_allclose(labels["gaits"].sum(axis=1), 1.0, atol=1e-5)


def test_folders_keep_their_shape_and_damaged_clips_are_named(
    footfall: Run, marching_bvh: Path, tmp_path: Path
) -> None:
    clips = marching_bvh.parent
    (clips / "more").mkdir()
    shutil.copy(marching_bvh, clips / "more" / "again.BVH")
    (clips / "more" / "broken.bvh").write_text("HIERARCHY\nROOT")
    result = footfall("label", clips, "--out", tmp_path / "labels", "--jobs", 2, "--json")
    assert result.returncode == 1
    assert len(result.stderr.splitlines()[-1].split("broken.bvh")) == 2 and "Traceback" not in result.stderr
    document = json.loads(result.stdout)
    assert [Path(entry["labels"]).relative_to(tmp_path / "labels").as_posix() for entry in document["labelled"]] == [
        "marching.labels.npz",
        "more/again.labels.npz",
    ]
    assert [Path(entry["clip"]).name for entry in document["failed"]] == ["broken.bvh"]
    assert all(Path(entry["labels"]).is_file() for entry in document["labelled"])


@pytest.mark.parametrize("make", [False, True])
def test_nothing_to_label_is_one_sentence(footfall: Run, tmp_path: Path, make: bool) -> None:
    if make:
        (tmp_path / "nowhere").mkdir()
    result = footfall("label", tmp_path / "nowhere", "--out", tmp_path)
    assert result.returncode == 1 and result.stdout == ""
    assert result.stderr.startswith("footfall: There is no ") and len(result.stderr.splitlines()) == 1


def test_two_clips_of_one_name_are_refused_before_any_work(footfall: Run, marching_bvh: Path, tmp_path: Path) -> None:
    twin = tmp_path / "marching.bvh"
    shutil.copy(marching_bvh, twin)
    result = footfall("label", marching_bvh, twin, "--out", tmp_path / "labels")
    assert result.returncode == 1 and "would both be labelled" in result.stderr
    assert not (tmp_path / "labels").exists()
