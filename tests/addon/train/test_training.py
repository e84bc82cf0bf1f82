"""The training list and watching runs, without a trainer."""

import json
import os
import signal
import sys
import time
from pathlib import Path

import bpy

from footfall.blender_addon.train import runs
from footfall.blender_addon.ui.preferences import runs_folder
from footfall.core.jobs.run_folder import RunFolder
from footfall.core.jobs.source_table import SkippedClip, SourceRow, write_table
from footfall.core.labelling import Labels
from footfall.core.motion.bvh import read_bvh
from footfall.tests.addon.support.armatures import animate, import_bvh, make_armature
from footfall.tests.addon.support.clips import WALK, needs_clips
from footfall.tests.addon.support.empty_blender import enable_add_on
from footfall.tests.addon.support.refusals import refusal_of

pytestmark = needs_clips


def shown() -> dict[str, bpy.types.PropertyGroup]:
    runs.poll_runs(time.time())
    return {item.name: item for item in bpy.context.window_manager.footfall.training_runs}


def wait_for(name: str, statuses: set[str], seconds: float = 60.0) -> bpy.types.PropertyGroup:
    until = time.time() + seconds
    while (run := shown()[name]).status not in statuses:
        assert time.time() < until, f"still {run.status}"
        time.sleep(0.2)
    return run


def test_actions_are_collected_and_taken_off(preferences: bpy.types.AddonPreferences) -> None:
    other = make_armature()
    animate(other)
    armature = import_bvh(WALK)
    armature.animation_data.action.copy().name = "second take"
    assert not bpy.ops.footfall.start_training.poll(), "nothing to learn from"
    assert bpy.ops.footfall.add_clips() == {"FINISHED"}
    assert bpy.ops.footfall.add_clips(all_actions=True) == {"FINISHED"}
    training = bpy.context.scene.footfall
    names = [item.action.name for item in training.clips]
    assert names == [armature.animation_data.action.name, "second take"], names
    training.active_clip = 1
    assert bpy.ops.footfall.remove_clip() == {"FINISHED"}
    assert len(training.clips) == 1 and "second take" in bpy.data.actions


def test_every_actor_keeps_the_own_actions(preferences: bpy.types.AddonPreferences) -> None:
    small, tall = import_bvh(WALK, scale=0.008), import_bvh(WALK, scale=0.01)
    bpy.ops.footfall.add_clips(all_actions=True)
    takes = {(item.armature, item.action) for item in bpy.context.scene.footfall.clips}
    assert takes == {(armature, armature.animation_data.action) for armature in (small, tall)}


def test_a_trainer_that_fails_is_shown_with_its_words(preferences: bpy.types.AddonPreferences) -> None:
    import_bvh(WALK)
    bpy.ops.footfall.detect_labels()
    bpy.ops.footfall.add_clips()
    bpy.context.scene.footfall.run_name = "first try/1"
    assert "No Python for training is installed" in refusal_of(bpy.ops.footfall.start_training)
    preferences.training_python = "/does/not/exist"
    assert "does not exist" in refusal_of(bpy.ops.footfall.start_training)
    assert not list(runs_folder().iterdir()), "nothing was left behind"
    preferences.training_python = sys.executable  # Blender's own Python has no torch
    assert bpy.ops.footfall.start_training() == {"FINISHED"}
    assert bpy.context.window_manager.footfall.show_curves, "its curves are to be seen"
    run = RunFolder(runs_folder() / "first_try_1")
    clip = next((run.path / "clips").rglob("*.bvh"))
    labels = Labels.load(clip.with_suffix(".labels.npz"))
    assert len(labels) == len(read_bvh(clip)) == len(read_bvh(WALK)) and labels.frame_rate == 120
    said = wait_for("first_try_1", {"failed"}).message
    assert "lacks the package '" in said, said
    assert "lacks the package" in run.log_path.read_text(), "all its words are in the log"
    assert bpy.ops.footfall.resume_training.poll() and not bpy.ops.footfall.stop_training.poll()


def test_a_run_that_was_ended_before_it_could_begin_is_found_and_begun(
    preferences: bpy.types.AddonPreferences, tmp_path: Path
) -> None:
    preferences.runs_folder = str(tmp_path / "early runs")
    folder, asked = RunFolder(runs_folder() / "early"), tmp_path / "asked.txt"
    folder.path.mkdir()
    if os.name != "posix":
        return
    python = tmp_path / "python"  # one that is killed while it imports
    slow = tmp_path / "slow"  # where this is there it takes its time
    python.write_text(f"#!/bin/sh\necho $4 >> '{asked}'\n[ -e '{slow}' ] && exec sleep 600\nkill -9 $$\n")
    python.chmod(0o755)
    runs.launch(python, folder, ["--clips"])
    assert "exit code -9" in wait_for("early", {"failed"}).message
    runs.clear()
    assert shown()["early"].status == "interrupted", "found again after a restart"
    slow.touch()
    runs.resume(python, folder)
    runs.clear()
    assert shown()["early"].status == "starting", "another Blender's, which nobody shall start once more"
    os.kill(json.loads((folder.path / "request.json").read_bytes())["pid"], signal.SIGKILL)
    wait_for("early", {"interrupted"})
    slow.unlink()
    folder.begin("")
    folder.write_state("stopped")
    runs.resume(python, folder)
    until = time.time() + 60.0
    while len(words := asked.read_text().split()) < 3:
        assert time.time() < until
        time.sleep(0.1)
    assert words == ["--clips", "--clips", "--resume"], words


def sources_are_shown(folder: RunFolder) -> None:
    session = bpy.context.window_manager.footfall
    assert not session.training_sources, "no data set yet"
    folder.dataset_path.mkdir(parents=True)
    lost = SkippedClip("dog/trot.bvh", "It stands on four legs.")
    write_table(
        folder.dataset_path, (SourceRow("actor", "Us", 2, 0.5, 3.2, "foot.L"), SourceRow("dog", "Us", left_out=(lost,)))
    )
    shown()
    rows = [
        (row.name, row.clips, round(row.alignment_error, 1), row.role, row.skipped) for row in session.training_sources
    ]
    assert rows == [("actor", 2, 3.2, "foot.L", 0), ("dog", 0, 0.0, "", 1)], rows
    assert session.training_sources[1].reasons == "trot.bvh: It stands on four legs."
    (folder.dataset_path / "sources.json").write_text("[1]")
    shown()
    assert not session.training_sources and "train again" in session.runs_error


def test_a_run_is_watched_stopped_and_found_again(preferences: bpy.types.AddonPreferences, tmp_path: Path) -> None:
    preferences.runs_folder = str(tmp_path / "runs")
    folder = RunFolder(runs_folder() / "elsewhere")
    folder.begin("")  # this very process plays the trainer
    folder.write_state("building")
    folder.append_progress({"step": 3, "total": 12, "clip": "a.bvh"})
    run = shown()["elsewhere"]
    assert (run.status, run.fraction, run.progress) == ("building", 0.25, "Reading clip 3 of 12")
    folder.write_state("running")
    runs.poll_runs(time.time())
    run = shown()["elsewhere"]
    assert (run.fraction, run.progress) == (0.0, "running"), "what is read is no training"
    folder.append_progress({"fraction": 0.99, "loss": 0.5, "validation_loss": None, "eta": 0.0})
    runs.poll_runs(time.time())
    assert shown()["elsewhere"].progress == "Finishing the training"
    folder.append_progress({"fraction": 0.5, "loss": 0.25, "validation_loss": None, "eta": 600.0})
    folder.append_progress({"rollout": {"skate_cm_s": 0.75, "alive_s": 60.0, "ended": "arrived"}})
    assert runs.poll_runs(time.time()) == runs.BUSY_POLL_S
    run = shown()["elsewhere"]
    assert (run.status, run.fraction, run.progress, run.losses) == ("running", 0.5, "10 min left", "loss 0.2500")
    assert run.test_walk == "foot sliding 0.75 cm/s, survived 60 s, arrived"
    assert runs.curves_of("elsewhere").losses["loss"].values == [0.5, 0.25]
    assert bpy.ops.footfall.stop_training() == {"FINISHED"} and folder.stop_requested()
    runs.clear()
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    if not hasattr(bpy.types.WindowManager, "footfall"):
        enable_add_on().runs_folder = str(folder.path.parent)
    assert shown()["elsewhere"].fraction == 0.5, "found again after a restart"
    folder.model_path.write_bytes(b"")
    folder.write_state("finished")
    assert shown()["elsewhere"].fraction == 1.0 and not bpy.ops.footfall.stop_training.poll()
    sources_are_shown(folder)
    from footfall.blender_addon.controllers import library

    assert "run:elsewhere" in [item[0] for item in library.enum_items(None, None)]
