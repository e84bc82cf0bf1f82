"""``footfall make-interactions``, from real clips to a data set."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.cli import main
from footfall.core.labelling import label_clip
from footfall.core.labelling.presets import find_preset
from footfall.core.rig.clip_file import read_clip
from footfall.training.data.dataset import Dataset


@pytest.mark.slow
def test_clips_become_takes(shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clip, out = shared_data / "mocap/cmu_asfamc/sit/14_32.bvh", tmp_path / "takes"
    assert main(["make-interactions", str(clip), "--out", str(out), "--count", "3", "--jobs", "1", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    dataset = Dataset.open(out)
    assert said["count"] == len(dataset.clips) == 3 and said["samples"] > 1000
    assert "CMU" in dataset.clips[0].source and "ACCAD" in dataset.clips[0].source


def test_clips_in_which_nobody_sits(shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clip = shared_data / "mocap/cmu_asfamc/walk/02_01.bvh"
    assert main(["make-interactions", str(clip), "--out", str(tmp_path / "takes"), "--count", "2", "--jobs", "1"]) == 1
    assert "No clip shows walking up and sitting down" in capsys.readouterr().err


def test_carrying_needs_taking_and_walking(
    shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sits = shared_data / "mocap/cmu_asfamc/sit/14_32.bvh"
    takes = shared_data / "mocap/accad_male1/carry/Male1_A5_PickUpBox.bvh"
    arguments = [str(sits), "--carry", str(takes), "--out", str(tmp_path / "takes"), "--count", "1", "--jobs", "1"]
    assert main(["make-interactions", *arguments]) == 1
    assert "picking up an object and walking with it" in capsys.readouterr().err


def test_clips_of_lying_lead_down_and_up_again(
    shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sits = shared_data / "mocap/cmu_asfamc/sit/14_32.bvh"
    crouches = shared_data / "mocap/accad_male1/crouch/Male1_A7_Crouch.bvh"
    arguments = [str(sits), "--lie", str(crouches), "--out", str(tmp_path / "takes"), "--count", "1", "--jobs", "1"]
    assert main(["make-interactions", *arguments]) == 1
    assert "do not lead from standing to lying and back" in capsys.readouterr().err


@pytest.mark.slow
def test_labels_beside_a_clip_are_what_counts(
    shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clip = tmp_path / "14_31.bvh"
    shutil.copyfile(shared_data / "mocap/cmu_asfamc/sit/14_31.bvh", clip)
    read = read_clip(clip)
    labels = label_clip(read, find_preset("interaction"))
    actions = np.tile(np.eye(len(labels.action_names))[0], (len(labels), 1))
    actions[round(10.4 * read.rate) : round(14.8 * read.rate)] = np.eye(len(labels.action_names))[3]
    assert labels.action_names[3] == "sit"
    replace(labels, actions=actions).save(tmp_path / "14_31.labels.npz")
    out = tmp_path / "takes"
    assert main(["make-interactions", str(clip), "--out", str(out), "--count", "2", "--jobs", "1", "--json"]) == 0
    printed = capsys.readouterr()
    (reading,) = json.loads(printed.out)["clips"]
    assert (reading["read_by"], reading["sits"]) == ("labels", 1), "of the two that are detected the user left one"
    assert "14_31.bvh: by its labels: 1 sits" in printed.err


def test_fbx_files_are_for_blender(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "sit.fbx"
    file.write_bytes(b"Kaydara FBX Binary")
    assert main(["make-interactions", str(file), "--out", str(tmp_path / "takes"), "--count", "1"]) == 1
    assert "blender --command footfall train --clips" in capsys.readouterr().err


def test_a_data_set_of_walks_is_not_built_by_a_preset_of_takes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["make-dataset", str(tmp_path), "--out", str(tmp_path / "out"), "--preset", "nsm"]) == 1
    assert "footfall make-interactions" in capsys.readouterr().err
