"""The user's own interactions: labels and fitted objects reach the trainer, and its controller does errands."""

import shutil
import time
from collections.abc import Sequence
from pathlib import Path

import bpy
import numpy as np

from footfall.blender_addon.controllers import library
from footfall.blender_addon.train import runs, training_choice
from footfall.blender_addon.train.clips import write_clips
from footfall.blender_addon.ui.preferences import runs_folder
from footfall.core.jobs.run_folder import RunFolder
from footfall.core.labelling import Labels
from footfall.core.labelling.shown_interactions import action_ranges
from footfall.core.motion.bvh import read_bvh
from footfall.core.scene.clip_objects import load_clip_objects, objects_path
from footfall.tests.addon.interaction.test_object_fits import beside, block
from footfall.tests.addon.support.armatures import import_bvh
from footfall.tests.addon.support.clips import LIFT, SIT, WALK, needs_clips
from footfall.tests.addon.support.refusals import refusal_of, refused

pytestmark = needs_clips
SIT_RANGE = (130, 830)
"""Frames, the scene's, that are labelled as sitting."""


def written(folder: Path) -> Sequence[Path]:
    writing = write_clips(bpy.context.scene, folder, interactions=True)
    while True:
        try:
            next(writing)
        except StopIteration as done:
            return done.value


def sits_on_a_block() -> bpy.types.Object:
    """A labelled action of sitting, on the list, with its seat."""
    seat = block((0.5, 0.5, 0.42))
    armature = beside(str(SIT), seat)
    bpy.ops.footfall.detect_labels()
    last = int(armature.animation_data.action.frame_range[1])
    bpy.ops.footfall.set_action(action="idle", start=1, end=last)
    bpy.ops.footfall.set_action(action="sit", start=SIT_RANGE[0], end=SIT_RANGE[1])
    assert bpy.ops.footfall.fit_prop(interaction="sit") == {"FINISHED"}
    bpy.ops.footfall.add_clips()
    return seat


def test_labels_and_seats_that_the_user_set_are_written(tmp_path: Path) -> None:
    seat = sits_on_a_block()
    seat.location.x += 0.04  # put by hand
    bpy.context.view_layer.update()
    (folder,) = written(tmp_path / "clips")
    (file,) = folder.rglob("*.bvh")
    clip, labels = read_bvh(file), Labels.load(file.with_suffix(".labels.npz"))
    first = int(bpy.context.scene.footfall.clips[0].action.frame_range[0])
    assert action_ranges(labels, "sit") == [(SIT_RANGE[0] - first, SIT_RANGE[1] + 1 - first)]
    assert {"hand.L", "hips"} <= set(labels.contact_joints), "hands and hips have contacts"
    assert labels.action_phase.max() == 1.0, "sitting down is a transition"
    (one,) = load_clip_objects(objects_path(file), len(clip))
    assert (one.action, one.name) == ("sit", seat.name)
    hips = clip.positions[SIT_RANGE[0] : SIT_RANGE[1], clip.skeleton.joint("hips")]
    near = np.linalg.norm(hips[:, :2] - one.positions[0, :2], axis=1)
    assert near.min() < 0.1, "it stands under the hips of the file's motion"
    assert abs(one.positions[0, 0] - seat.matrix_world.translation.x) < 0.06


def test_what_was_adapted_to_a_seat_goes_along_and_the_seat_with_it(tmp_path: Path) -> None:
    seat = sits_on_a_block()
    seat.location.z -= 0.06
    bpy.context.view_layer.update()
    bpy.ops.footfall.adapt_motion()
    (folder,) = written(tmp_path / "clips")
    having = {file.stem for file in folder.rglob("*.bvh") if objects_path(file).exists()}
    assert len(list(folder.rglob("*.bvh"))) == 2 and len(having) == 1
    assert "_on_" in having.pop()


def test_a_box_is_written_with_the_hands(tmp_path: Path) -> None:
    beside(str(LIFT), block((0.45, 0.3, 0.3)))
    assert bpy.ops.footfall.fit_prop(interaction="carry") == {"FINISHED"}
    bpy.ops.footfall.add_clips()
    last = int(bpy.context.scene.footfall.clips[0].action.frame_range[1])
    bpy.ops.footfall.detect_labels()
    bpy.ops.footfall.set_action(action="carry", start=60, end=last)
    (folder,) = written(tmp_path / "clips")
    (file,) = folder.rglob("*.bvh")
    clip = read_bvh(file)
    (one,) = load_clip_objects(objects_path(file), len(clip))
    hands = clip.positions[:, [clip.skeleton.joint("hand.L"), clip.skeleton.joint("hand.R")]].mean(axis=1)
    moving = np.flatnonzero(np.abs(np.diff(one.positions, axis=0)).max(axis=1) > 1e-6)
    off = hands[moving] - one.positions[moving]
    assert len(moving) > 20 and np.linalg.norm(off, axis=1).max() < 0.45


def test_clips_that_show_neither_are_refused_before_anything_starts(
    preferences: bpy.types.AddonPreferences, tmp_path: Path
) -> None:
    preferences.runs_folder, preferences.training_python = str(tmp_path / "runs"), shutil.which("python3") or ""
    import_bvh(str(WALK))
    bpy.ops.footfall.add_clips()
    settings = bpy.context.scene.footfall
    settings.training_preset_choice = "nsm"
    assert training_choice.is_of_interactions(settings.training_preset)
    words = refusal_of(bpy.ops.footfall.start_training)
    assert "None of the 1 training clips shows sitting, carrying, lying or climbing" in words, words
    assert list(runs_folder().iterdir()) == [], "nothing is left behind"
    settings.fit_terrain = True
    assert "switch off Fit Terrain" in refusal_of(bpy.ops.footfall.start_training)


def test_a_controller_of_interactions_does_errands(preferences: bpy.types.AddonPreferences, tmp_path: Path) -> None:
    preferences.runs_folder = str(tmp_path / "runs")
    run = RunFolder(runs_folder() / "sitting")
    run.begin("[training]\ntakes = 6\n")
    run.write_state("building")
    run.append_progress({"stage": "takes", "step": 2, "total": 6, "clip": "take-00001"})
    runs.poll_runs(time.time())
    (item,) = bpy.context.window_manager.footfall.training_runs
    assert (item.status, item.progress) == ("building", "Making take 2 of 6 from the clips")
    shutil.copy(library.shipped_interaction_controllers()[0], run.model_path)
    run.write_state("finished")
    runs.poll_runs(time.time())
    assert "run:sitting" not in [item[0] for item in library.enum_items(None, None)], "it only does interactions"
    armature = import_bvh(str(WALK))
    before = armature.footfall.controller
    assert bpy.ops.footfall.use_controller() == {"FINISHED"}
    kept = Path(armature.footfall.interaction_controller_file)
    assert kept.read_bytes() == run.model_path.read_bytes() and armature.footfall.controller == before
    assert library.load_interaction_controller(str(kept))[0] == "sitting"
    assert "own:sitting" not in [item[0] for item in library.enum_items(None, None)]
    assert "is for interactions" in refusal_of(bpy.ops.footfall.preview_training_run)


def test_a_seat_of_another_length_is_refused(tmp_path: Path) -> None:
    beside(str(LIFT), block((0.45, 0.3, 0.3)))
    bpy.ops.footfall.fit_prop(interaction="carry")
    bpy.ops.footfall.add_clips()
    action = bpy.context.scene.footfall.clips[0].action
    bpy.context.scene.render.fps = 2 * bpy.context.scene.render.fps
    action.use_frame_range, action.frame_end = True, action.frame_range[1] - 10
    words = refused(written, tmp_path / "clips")
    assert "fit it again with Sit On, Carry or Open Door" in words, words
