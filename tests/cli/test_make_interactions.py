"""``footfall make-interactions``, from real clips to a data set."""

import json
from pathlib import Path

import pytest

from footfall.cli import main
from footfall.training.data.dataset import Dataset
from footfall.training.interactions import walk_library


def test_clips_become_takes(
    shared_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(walk_library, "WALK_COUNT", 4)
    clip, out = shared_data / "mocap/cmu_asfamc/sit/14_32.bvh", tmp_path / "takes"
    assert main(["make-interactions", str(clip), "--out", str(out), "--count", "3", "--jobs", "1", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    dataset = Dataset.open(out)
    assert said["count"] == len(dataset.clips) == 3 and said["samples"] > 1000
    assert "CMU" in dataset.clips[0].source and "ACCAD" in dataset.clips[0].source


def test_clips_in_which_nobody_sits(shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clip = shared_data / "mocap/cmu_asfamc/walk/02_01.bvh"
    assert main(["make-interactions", str(clip), "--out", str(tmp_path / "takes"), "--count", "2", "--jobs", "1"]) == 1
    assert "In none of the clips somebody comes and sits down" in capsys.readouterr().err


def test_carrying_needs_taking_and_walking(
    shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sits = shared_data / "mocap/cmu_asfamc/sit/14_32.bvh"
    takes = shared_data / "mocap/accad_male1/carry/Male1_A5_PickUpBox.bvh"
    arguments = [str(sits), "--carry", str(takes), "--out", str(tmp_path / "takes"), "--count", "1", "--jobs", "1"]
    assert main(["make-interactions", *arguments]) == 1
    assert "others in which they walk with it" in capsys.readouterr().err
