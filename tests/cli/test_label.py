import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall import cli
from footfall.cli.label import label_file
from footfall.core.labelling import Labels
from footfall.core.labelling.presets import BIPED_PRESET, format_preset, load_preset
from footfall.core.motion import Clip
from footfall.core.motion.bvh import write_bvh

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_a_clip_gets_its_label_file(footfall: Run, marching_bvh: Path, tmp_path: Path) -> None:
    result = footfall("label", marching_bvh, "--out", tmp_path / "labels", "--json")
    assert result.returncode == 0, result.stderr
    document = json.loads(result.stdout)
    assert [entry["frames"] for entry in document["labeled"]] == [240]
    with np.load(tmp_path / "labels" / "marching.labels.npz") as labels:
        frames, joints = labels["contacts"].shape
        assert (frames, joints) == (240, len(labels["contact_joints"]))
        assert labels["frame_rate"] == pytest.approx(60.0)
        assert labels["phase"].shape == (240,) and labels["phase"].min() >= 0 and labels["phase"].max() < 1
        assert labels["gaits"].shape == (240, len(labels["gait_names"]))
        np.testing.assert_allclose(labels["gaits"].sum(axis=1), 1.0, atol=1e-5)
        np.testing.assert_allclose(labels["actions"].sum(axis=1), 1.0, atol=1e-5)
        assert labels["confidence"].shape == (240, joints) and labels["confidence"].max() < 1
        assert tuple(labels["local_phase_joints"]) == BIPED_PRESET.local_phases
        assert labels["local_phases"].shape == (240, len(BIPED_PRESET.local_phases), 2) and labels["local_phases"].any()


def test_the_report_names_the_places_to_look_at(footfall: Run, marching_bvh: Path, tmp_path: Path) -> None:
    out = tmp_path / "labels"
    footfall("label", marching_bvh, "--out", out)
    report = json.loads((out / "report.json").read_text())
    (entry,) = report["labeled"]
    assert report["preset"] == "Biped" and report["failed"] == []
    assert (
        entry["frames"] == 240
        and not entry["is_corrected"]
        and sum(entry["gaits"].values()) == pytest.approx(1, abs=1e-3)
    )
    assert [set(spot) for spot in entry["issues"]] == [{"frame", "kind", "name", "doubt", "text"}] * len(
        entry["issues"]
    )
    assert len(entry["issues"]) <= 12
    text = (out / "report.md").read_text()
    assert f"`{marching_bvh}`" in text and all(spot["text"] in text for spot in entry["issues"])


def test_a_preset_decides_whose_contacts_are_found(footfall: Run, marching_bvh: Path, tmp_path: Path) -> None:
    heels = replace(BIPED_PRESET, sensors=BIPED_PRESET.sensors[::2], feet={"L": ("foot.L",), "R": ("foot.R",)})
    file = tmp_path / "heels.toml"
    file.write_text(format_preset(heels), encoding="utf-8")
    result = footfall("label", marching_bvh, "--out", tmp_path / "labels", "--preset", file)
    assert result.returncode == 0, result.stderr
    assert Labels.load(tmp_path / "labels" / "marching.labels.npz").contact_joints == ("foot.L", "foot.R")
    result = footfall("label", marching_bvh, "--out", tmp_path / "labels", "--preset", "octopus")
    assert result.returncode == 1 and "octopus" in result.stderr and "biped" in result.stderr


def corrected(file: Path) -> Labels:
    """A label file after somebody has set both toes down for the first half second."""
    labels = Labels.load(file)
    contacts, confidence = labels.contacts.copy(), labels.confidence.copy()
    contacts[:30, [1, 3]], confidence[:30, [1, 3]] = 1.0, 1.0
    labels = replace(labels, contacts=contacts, confidence=confidence)
    labels.save(file)
    return labels


def test_corrected_labels_are_kept_unless_it_is_said_otherwise(
    footfall: Run, marching_bvh: Path, tmp_path: Path
) -> None:
    out = tmp_path / "labels"
    file = out / "marching.labels.npz"
    footfall("label", marching_bvh, "--out", out)
    corrected(file)
    result = footfall("label", marching_bvh, "--out", out)
    assert result.returncode == 0 and "corrections were kept" in result.stdout
    assert Labels.load(file).has_corrections and "corrections were kept" in (out / "report.md").read_text()
    result = footfall("label", marching_bvh, "--out", out, "--overwrite")
    assert result.returncode == 0 and not Labels.load(file).has_corrections


def test_thresholds_are_learned_from_corrections_and_saved(footfall: Run, marching_bvh: Path, tmp_path: Path) -> None:
    out, unfit, ours = tmp_path / "labels", tmp_path / "unfit.toml", tmp_path / "presets" / "ours.toml"
    strict = [replace(one, speed=one.speed / 4, height=one.height / 4) for one in BIPED_PRESET.sensors]
    unfit.write_text(format_preset(replace(BIPED_PRESET, sensors=tuple(strict))), encoding="utf-8")
    file = out / "marching.labels.npz"
    footfall("label", marching_bvh, "--out", out)
    right = Labels.load(file)
    replace(right, confidence=np.ones_like(right.confidence)).save(file)
    shutil.copy(marching_bvh, marching_bvh.with_name("another.bvh"))

    clips = marching_bvh.parent
    result = footfall("label", clips, "--out", out, "--preset", unfit, "--learn", out, "--save-preset", ours, "--json")
    assert result.returncode == 0, result.stderr
    document = json.loads(result.stdout)
    learned = load_preset(ours)
    assert document["learned"]["from"] == ["marching"] and document["learned"]["preset"] == str(ours)
    changed = {new.name: (old, new) for old, new in zip(strict, learned.sensors, strict=True) if old != new}
    assert document["learned"]["changes"].keys() == changed.keys() >= {"toe.L", "toe.R"}
    old, new = changed["toe.L"]
    assert f"height {old.height:.3g} -> {new.height:.3g} m" in document["learned"]["changes"]["toe.L"]
    assert "Learned from 1 corrected clip\n" in (out / "report.md").read_text()
    assert [entry["is_corrected"] for entry in document["labeled"]] == [False, True]

    again = footfall("label", clips / "another.bvh", "--out", tmp_path / "more", "--preset", ours)
    assert again.returncode == 0, again.stderr
    one, other = (Labels.load(folder / "another.labels.npz") for folder in (out, tmp_path / "more"))
    np.testing.assert_array_equal(one.contacts, other.contacts)


def test_learning_says_what_it_misses(footfall: Run, marching_bvh: Path, tmp_path: Path) -> None:
    out = tmp_path / "labels"
    footfall("label", marching_bvh, "--out", out)
    result = footfall("label", marching_bvh, "--out", out, "--learn", out)
    assert result.returncode == 1 and "None of the 1 label files" in result.stderr
    corrected(out / "marching.labels.npz").save(out / "stray.labels.npz")
    result = footfall("label", marching_bvh, "--out", out, "--learn", out)
    assert result.returncode == 1 and "stray.bvh" in result.stderr
    result = footfall("label", marching_bvh, "--out", out, "--save-preset", tmp_path / "ours.toml")
    assert result.returncode == 2 and "--learn" in result.stderr


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
    assert [Path(entry["labels"]).relative_to(tmp_path / "labels").as_posix() for entry in document["labeled"]] == [
        "marching.labels.npz",
        "more/again.labels.npz",
    ]
    assert [Path(entry["clip"]).name for entry in document["failed"]] == ["broken.bvh"]
    assert all(Path(entry["labels"]).is_file() for entry in document["labeled"])
    assert json.loads((tmp_path / "labels" / "report.json").read_text()) == document
    assert "broken.bvh" in (tmp_path / "labels" / "report.md").read_text()


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
    assert result.returncode == 1 and "would both be written to" in result.stderr
    assert not (tmp_path / "labels").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no names that are no text")
def test_odd_files_do_not_end_the_work_on_others(
    marching: Clip, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A name that is no UTF-8 lost the report of all clips; a clip that jumps in every frame ended the batch."""
    clips = tmp_path / "clips"
    clips.mkdir()
    write_bvh(clips / "sound.bvh", marching)
    (clips / "odd.bvh").write_text("HIERARCHY\n")
    write_bvh(clips / os.fsdecode(b"bad\xff.bvh"), marching)
    apart = 5.0 * (np.arange(240) // 24 % 2)[:, None] * np.array([1.0, 0.0, 0.0])
    jumping = replace(marching, rate=240.0, root_positions=marching.root_positions + apart)
    write_bvh(clips / "jumping.bvh", jumping)
    assert cli.main(["label", str(clips), "--out", str(tmp_path / "out"), "--jobs", "1"]) == 1
    said = capsys.readouterr()
    assert "jumping moves impossibly fast between most of its 240 frames" in said.err
    assert "(1 more of 4 clips failed, too)" in said.err
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    assert sorted(Path(one["clip"]).name for one in report["labeled"]) == [os.fsdecode(b"bad\xff.bvh"), "sound.bvh"]
    assert sorted(Path(one["clip"]).name for one in report["failed"]) == ["jumping.bvh", "odd.bvh"]
    assert r"bad\udcff.bvh" in (tmp_path / "out" / "report.md").read_text()


def test_an_unforeseen_error_is_an_entry_of_its_clip(marching_bvh: Path, tmp_path: Path) -> None:
    unknown = {"\x1b[2J": "an argument that no reader has"}
    entry = label_file(marching_bvh, tmp_path / "marching.labels.npz", BIPED_PRESET, False, unknown)
    assert "for an unknown reason (TypeError: " in entry["error"] and "\x1b" not in entry["error"]


def test_a_name_too_long_for_labels_does_not_end_a_batch(footfall: Run, marching_bvh: Path, tmp_path: Path) -> None:
    folder, out = tmp_path / "batch", tmp_path / "labels"
    folder.mkdir()
    for name in ("a", "m" * 249, "z"):
        shutil.copy(marching_bvh, folder / f"{name}.bvh")
    result = footfall("label", folder, "--out", out, "--jobs", 1)
    assert result.returncode == 1
    assert "name is too long" in result.stderr
    report = json.loads((out / "report.json").read_text())
    assert [Path(entry["clip"]).stem for entry in report["labeled"]] == ["a", "z"]
    assert len(report["failed"]) == 1 and {path.name for path in out.glob("*.npz")} == {
        "a.labels.npz",
        "z.labels.npz",
    }


def test_the_report_says_how_a_clip_was_read(footfall: Run, marching_bvh: Path, tmp_path: Path) -> None:
    text = marching_bvh.read_text().replace("Frames: 240", "Frames: 239")
    (tmp_path / "one_more.bvh").write_text(text)
    result = footfall("label", tmp_path / "one_more.bvh", "--out", tmp_path / "labels")
    said = "The file declares 239 frames but contains 240: all frames were read"
    assert result.returncode == 0 and said in result.stdout
    (entry,) = json.loads((tmp_path / "labels" / "report.json").read_text())["labeled"]
    assert entry["reading"] == [{"text": said, "doubt": 0.0}]
    assert f"- `{tmp_path / 'one_more.bvh'}`: {said}" in (tmp_path / "labels" / "report.md").read_text()


def test_the_up_axis_and_the_unit_can_be_given(footfall: Run, marching_bvh: Path, tmp_path: Path) -> None:
    result = footfall("label", marching_bvh, "--out", tmp_path / "labels", "--up", "sideways")
    assert result.returncode == 2 and "y-down" in result.stderr
    result = footfall("label", marching_bvh, "--out", tmp_path / "labels", "--unit", "ell")
    assert result.returncode == 2 and "a number of meters" in result.stderr
    result = footfall("label", marching_bvh, "--out", tmp_path / "labels", "--up", "Y", "--unit", "cm")
    assert result.returncode == 0, result.stderr
