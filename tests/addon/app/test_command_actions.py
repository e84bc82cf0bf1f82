"""The commands label, fit terrain and train, as far as they need no trainer, and what all commands share.

Argument: a BVH file of a walk by CMU.
"""

import contextlib
import io
import json
import sys
from pathlib import Path

import bpy

import footfall
from footfall.blender_addon.app import command_line
from footfall.blender_addon.app.command_line.progress import Progress
from footfall.core.labelling import Labels
from footfall.core.terrain.patches import build_patches
from footfall.core.terrain.terrain_file import TerrainFile
from footfall.tests.addon.support.armatures import import_bvh
from footfall.tests.addon.support.clips import WALK, needs_clips
from footfall.tests.addon.support.command_call import called

pytestmark = needs_clips


def test_actions_are_labelled_and_their_labels_written(tmp_path: Path) -> None:
    armature = import_bvh(WALK)
    armature.animation_data.action.copy().name = "second/take"
    name, folder = armature.animation_data.action.name, tmp_path / "labels"
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "takes.blend"))
    code, told, _ = called("label", "--all", "--labels-out", folder, "--save")
    assert code == 0 and [item["action"] for item in told["items"]] == [name, "second/take"], told
    item = told["items"][0]
    assert item["foot_strikes"]["L"] > 1 and item["foot_strikes"]["R"] > 1 and item["armature"] == armature.name
    assert all(set(spot) == {"frame", "name", "doubt", "text"} for spot in item["issues"])
    assert len(Labels.load(Path(item["labels"]))) == item["frames"]
    assert told["items"][1]["labels"] == str(folder / "second_take.labels.npz")
    report = json.loads((folder / "report.json").read_text())
    assert [entry["clip"] for entry in report["labeled"]] == [name, "second/take"] and not report["failed"]
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "takes.blend"))
    assert bpy.data.actions[name].footfall.segments


def test_some_actions_are_labelled_by_another_preset() -> None:
    armature = import_bvh(WALK)
    name = armature.animation_data.action.name
    code, told, _ = called("label", "--action", name, "nothing", "--preset", "interaction")
    assert code == 1 and [item["status"] for item in told["items"]] == ["done", "failed"]
    assert "No action with this name" in told["errors"][0]
    assert "hand.L" in {sensor.name for sensor in armature.animation_data.action.footfall.contacts}
    code, told, _ = called("label", "--all", "--preset", "octopus")
    assert code == 1 and "no labeling preset 'octopus'" in told["errors"][0]


def test_ground_is_fitted_to_actions(tmp_path: Path) -> None:
    patches = build_patches(tmp_path / "patches", count=40).folder
    action, folder = import_bvh(WALK).animation_data.action, tmp_path / "terrain"
    fit = ("fit-terrain", "--all", "--terrain", "rough", "--count", "2", "--out", folder)
    code, told, _ = called(*fit)
    assert code == 1 and "no terrain patches" in told["errors"][0]
    code, told, _ = called(*fit, "--patches", patches)
    (item,) = told["items"]
    file = TerrainFile.load(Path(item["terrain"]))
    first = int(action.frame_range[0])
    assert code == 0 and [[row["start"], row["stop"]] for row in item["parts"]] == (file.frames + first).tolist()
    assert all(len(row["patches"]) == 3 and row["patches"][-1] == "original" for row in item["parts"])
    assert not action.footfall.segments, "nothing in the file changes"


def test_training_that_cannot_be_is_refused(tmp_path: Path) -> None:
    code, told, _ = called("train")
    assert code == 1 and "No Python for training" in told["errors"][0]
    assert "does not exist" in called("train", "--python", tmp_path / "none")[1]["errors"][0]
    own, run = ("--python", sys.executable), tmp_path / "run"  # Blender's own Python has no torch
    assert "is empty" in called("train", *own)[1]["errors"][0]
    import_bvh(WALK)
    for arguments, words in (
        (("--action", "nothing"), "No action 'nothing'"),
        (("--all", "--preset", "huge"), "no training preset 'huge'"),
        (("--all", "--base", "nobody"), "no controller 'nobody'"),
        (("--resume", run), "folder to resume does not exist"),
    ):
        code, told, _ = called("train", *own, *arguments)
        assert code == 1 and words in told["errors"][0], told
    code, told, _ = called("train", *own, "--all", "--run", run)
    (item,) = told["items"]
    assert code == 1 and "lacks the package" in item["error"] and item["run"] == str(run), told
    assert (item["run_status"], item["controller"]) == ("failed", None) and Path(item["log"]).is_file()
    code, told, _ = called("train", *own, "--all", "--run", run)
    assert code == 1 and "already exists" in told["errors"][0]
    code, told, _ = called("train", *own, "--all", "--run", tmp_path / "left", "--detach")
    assert (code, told["items"][0]["run_status"]) == (0, "starting")


def test_progress_is_told_once_a_second() -> None:
    moments = iter([0.0, 0.5, 1.0, 1.9, 2.0])
    with contextlib.redirect_stderr(io.StringIO()) as words:
        progress = Progress(lambda: next(moments))
        for fraction in (0.1, 0.2, 0.3, 0.4):
            progress(fraction, "'Hero' is baked")
    assert words.getvalue().splitlines() == [
        "footfall:  20 %, 'Hero' is baked, 4 s left",
        "footfall:  40 %, 'Hero' is baked, 3 s left",
    ]


def test_the_command_is_known_once_and_taken_back() -> None:
    """Blender refuses a command that is known twice; it says so, and there is no other way to ask it."""
    footfall.unregister()
    assert command_line.CommandHandle.handle is None
    command_line.unregister()
    for _ in range(2):
        footfall.register()
        first = command_line.CommandHandle.handle
        command_line.register()
        assert command_line.CommandHandle.handle not in (None, first)
        footfall.unregister()
        assert command_line.CommandHandle.handle is None
    footfall.register()
