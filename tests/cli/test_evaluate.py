import json
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from footfall.core.labelling import Labels
from footfall.core.motion.bvh import write_bvh
from footfall.core.motion.roles import PAW_CONTACTS
from footfall.core.rig.rig_map import RigMap, save_rig_map
from footfall.tests.support.dog import BEAT_HZ, STRIDE_M, dog, trot

QUADRUPED = Path(__file__).parents[2] / "presets" / "controllers" / "quadruped.safetensors"
Run = Callable[..., subprocess.CompletedProcess[str]]


def test_the_metrics_of_a_clip_beside_its_path(footfall: Run, marching_bvh: Path, tmp_path: Path) -> None:
    (tmp_path / "points.csv").write_text("0.05, -1\n0.05, 10\n")
    result = footfall("evaluate", marching_bvh, "--path", tmp_path / "points.csv", "--speed", 1.0, "--json")
    assert result.returncode == 0, result.stderr
    document = json.loads(result.stdout)
    assert document["cross_track_mean_cm"] == pytest.approx(5.0, abs=0.01)
    assert document["speed_m_s"] == pytest.approx(1.0, abs=0.01)
    assert document["toe_lift_cm"] > 5
    assert document["labels"] == "re-detected"


def test_a_clip_is_its_own_mocap_row(footfall: Run, marching_bvh: Path) -> None:
    result = footfall("evaluate", marching_bvh, "--mocap", marching_bvh.parent, "--json")
    assert result.returncode == 0, result.stderr
    document = json.loads(result.stdout)
    assert document["motion_detail_ratio"] == pytest.approx(1.0)
    assert document["mocap"]["clips"] == 1


def test_labels_of_a_file_can_be_used(footfall: Run, marching_bvh: Path, tmp_path: Path) -> None:
    assert footfall("label", marching_bvh, "--out", tmp_path).returncode == 0
    result = footfall("evaluate", marching_bvh, "--labels", tmp_path / "marching.labels.npz", "--json")
    assert json.loads(result.stdout)["labels"] == "given"


@pytest.mark.parametrize(
    ("points", "complaint"),
    [
        ("0,0\nnan,1\n", "line 2"),
        ("0,0\n", "at least two points"),
        ("1,1\n1,1\n", "no length"),
        ("1;2\n3;4\n", "expected two columns"),
    ],
)
def test_a_bad_path_is_one_sentence(
    footfall: Run, marching_bvh: Path, tmp_path: Path, points: str, complaint: str
) -> None:
    (tmp_path / "points.csv").write_text(points)
    result = footfall("evaluate", marching_bvh, "--path", tmp_path / "points.csv", "--json")
    assert (result.returncode, result.stdout) == (1, "")
    assert complaint in result.stderr and len(result.stderr.splitlines()) == 1


@pytest.fixture
def trotting_bvh(tmp_path: Path) -> Path:
    """A trot along its way, of bones whose names say nothing; a rig map beside it does."""
    clip, _ = trot(dog(), 181, travels=True)
    names = tuple(f"bone_{joint}" for joint in range(len(clip.skeleton)))
    roles = {role: names[joint] for role, joint in clip.skeleton.roles.items() if role != "chest"}
    folder = tmp_path / "dogs"
    folder.mkdir()
    save_rig_map(RigMap("Dog", roles), folder / "rig.toml")
    write_bvh(folder / "trot.bvh", replace(clip, skeleton=replace(clip.skeleton, names=names)))
    return folder / "trot.bvh"


def test_an_animal_is_labelled_and_measured_by_the_rig_map_beside_it(
    footfall: Run, trotting_bvh: Path, tmp_path: Path
) -> None:
    result = footfall("label", trotting_bvh, "--preset", "quadruped", "--out", tmp_path / "labels")
    assert result.returncode == 0, result.stderr
    contacts = Labels.load(tmp_path / "labels" / "trot.labels.npz").foot_contacts.held
    assert contacts.shape == (181, 4) and 0.35 < contacts.mean() < 0.6
    assert (contacts[:, 0] == contacts[:, 3]).mean() > 0.9, "diagonal pairs"
    result = footfall("evaluate", trotting_bvh, "--json")
    assert result.returncode == 0, result.stderr
    document = json.loads(result.stdout)
    assert document["speed_m_s"] == pytest.approx(2 * BEAT_HZ * STRIDE_M, rel=0.05)
    assert document["skate_mean_cm_s"] < 3.0 and document["toe_lift_cm"] > 4.0


def test_a_path_of_no_length_is_one_sentence_for_an_animal(footfall: Run, tmp_path: Path) -> None:
    points = tmp_path / "points.csv"
    points.write_text("1,1\n1,1\n", encoding="utf-8")
    result = footfall("walk", "--path", points, "--controller", QUADRUPED, "--out", tmp_path / "walk.bvh")
    assert result.returncode == 1 and len(result.stderr.splitlines()) == 1
    assert "the path has no length" in result.stderr


def test_captured_dogs_are_labelled_and_measured_by_the_map_that_ships(
    footfall: Run, shared_data: Path, tmp_path: Path
) -> None:
    clip = shared_data / "mocap" / "tencent_dog" / "quadruped" / "dog_quad_walkrun_001.bvh"
    if not clip.is_file():
        pytest.skip(f"'{clip}' is not there")
    result = footfall("label", clip, "--preset", "quadruped", "--out", tmp_path)
    assert result.returncode == 0, result.stderr
    labels = Labels.load(tmp_path / f"{clip.stem}.labels.npz")
    assert labels.contact_joints == PAW_CONTACTS and 0.2 < labels.foot_contacts.held.mean() < 0.7
    result = footfall("evaluate", clip, "--labels", tmp_path / f"{clip.stem}.labels.npz", "--json")
    assert result.returncode == 0, result.stderr
    document = json.loads(result.stdout)
    assert document["speed_m_s"] > 0.8 and document["findings"] == [], "people's measures are not an animal's"
