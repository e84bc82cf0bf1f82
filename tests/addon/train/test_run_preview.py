"""A run's controller is previewed, and kept. A script plays the trainer's Python."""

import os
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import bpy
import numpy as np
import pytest

from footfall.blender_addon.controllers import library
from footfall.blender_addon.rig.figure import BodyMesh
from footfall.blender_addon.train import runs
from footfall.blender_addon.train.preview.draw import LOOP_PAUSE_S, RunPreview
from footfall.blender_addon.train.preview.operators import RunPreviewOperator, is_shown, stop_preview
from footfall.blender_addon.train.preview.rollout import MAX_PREVIEW_S, make_preview_walk
from footfall.blender_addon.train.run_export import BEST_MODEL_FILE, PACKAGE_FOLDER, export_controller
from footfall.blender_addon.ui import modal_operator
from footfall.blender_addon.ui.preferences import runs_folder
from footfall.core.errors import FootfallError
from footfall.core.jobs.run_folder import RunFolder
from footfall.core.models.model_file import load_model
from footfall.tests.addon.support.clips import needs_clips
from footfall.tests.addon.support.modal_window import ESCAPE, KEY, TICK, OperatorInWindow, Window
from footfall.tests.addon.support.refusals import refusal_of
from footfall.tests.addon.support.scenes import add_curve

pytestmark = needs_clips

PlayTrainer = Callable[..., bpy.types.AddonPreferences]


@pytest.fixture
def play_trainer(preferences: bpy.types.AddonPreferences, tmp_path: Path, statue: Path) -> PlayTrainer:
    """Enable the add-on with a script as the trainer's Python, which is called with `-m footfall export`."""

    def play(program: str = f'cp "{statue}" "$6"') -> bpy.types.AddonPreferences:
        preferences.runs_folder = tempfile.mkdtemp(dir=tmp_path)
        python = Path(preferences.runs_folder).with_suffix(".sh")
        python.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\n{program}\n')
        python.chmod(0o755)
        preferences.training_python = str(python)
        return preferences

    return play


def make_run(
    statue: Path, name: str = "walker", status: str = "running", best: bool = True, written: bool = False
) -> RunFolder:
    """A run as its trainer would have left it; this process plays the trainer."""
    run = RunFolder(runs_folder() / name)
    run.begin("")
    run.write_state(status)
    if best:
        run.save_best(b"not looked at")
    if written:
        shutil.copy(statue, run.model_path)
    runs.poll_runs(time.time())
    session = bpy.context.window_manager.footfall
    session.active_training_run = [item.name for item in session.training_runs].index(name)
    return run


def finished(steps):
    """What a generator returns."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return done.value


def walker(statue: Path, points=((0, 0, 0), (3, 0, 0), (6, 0, 0))) -> bpy.types.Object:
    """An armature with the statue's skeleton and a path."""
    bpy.ops.footfall.add_character(controller="file", filepath=str(statue))
    armature = bpy.context.object
    armature.footfall.path = add_curve("POLY", points)
    bpy.context.view_layer.objects.active = armature
    return armature


def blocks() -> dict[str, int]:
    """How many data-blocks of each kind there are."""
    kinds = ("objects", "armatures", "meshes", "actions", "materials", "curves", "collections")
    return {kind: len(getattr(bpy.data, kind)) for kind in kinds}


def test_a_network_is_exported_once(play_trainer: PlayTrainer, tmp_path: Path, statue: Path) -> None:
    play_trainer()
    run = make_run(statue)
    (tmp_path / "asked").unlink(missing_ok=True)
    out = finished(export_controller(run))
    assert out == run.path / BEST_MODEL_FILE and out.read_bytes() == statue.read_bytes()
    assert (tmp_path / "asked").read_text() == f"-m {PACKAGE_FOLDER.name} export {run.path} --out {out}\n"
    assert finished(export_controller(run)) == out and len((tmp_path / "asked").read_text().splitlines()) == 1
    later = time.time() + 10
    os.utime(run.best_checkpoint, (later, later))
    assert finished(export_controller(run)) == out and len((tmp_path / "asked").read_text().splitlines()) == 2


def test_what_a_run_has_written_is_taken_as_it_is(play_trainer: PlayTrainer, statue: Path) -> None:
    play_trainer("exit 1")
    run = make_run(statue, status="finished", written=True)
    assert finished(export_controller(run)) == run.model_path


def test_why_nothing_can_be_exported(play_trainer: PlayTrainer, statue: Path) -> None:
    for program, sentence in (
        ("echo 'footfall: The checkpoint is damaged: start anew.'; exit 1", "The checkpoint is damaged: start anew."),
        ("echo 'No module named torch'; exit 1", "'walker' could not be exported: No module named torch"),
    ):
        preferences = play_trainer(program)
        run = make_run(statue)
        with pytest.raises(FootfallError) as refusal:
            finished(export_controller(run))
        assert sentence in str(refusal.value)
    preferences.training_python = ""
    assert "No Python for training is installed" in refusal_of(bpy.ops.footfall.preview_training_run)
    make_run(statue, "empty", best=False)
    assert not bpy.ops.footfall.preview_training_run.poll() and not bpy.ops.footfall.use_controller.poll()


def test_a_cancelled_export_ends_its_process(play_trainer: PlayTrainer, statue: Path) -> None:
    play_trainer("echo $$ > $3.pid; sleep 60")
    steps = export_controller(make_run(statue))
    for _ in range(5):
        next(steps)
    steps.close()
    assert not (runs_folder() / "walker" / BEST_MODEL_FILE).exists()


def test_a_preview_walks_about_the_cursor(play_trainer: PlayTrainer, statue: Path) -> None:
    play_trainer()
    bpy.context.scene.cursor.location = (10.0, 20.0, 1.5)
    before = blocks()
    shares, walking = [], make_preview_walk(bpy.context, "walker", load_model(statue))
    while True:
        try:
            shares.append(next(walking))
        except StopIteration as done:
            preview = done.value
            break
    assert shares == sorted(shares) and 0 <= shares[0] < shares[-1] <= 1
    np.testing.assert_allclose(
        (preview.path_points.min(axis=0) + preview.path_points.max(axis=0)) / 2, [10.0, 20.0, 1.5]
    )
    assert preview.clip.duration <= MAX_PREVIEW_S + 0.1 and "Path deviation" in preview.quality
    assert blocks() == before


def test_a_preview_walks_the_active_armatures_path(play_trainer: PlayTrainer, statue: Path) -> None:
    play_trainer()
    armature = walker(statue, [(0, 0, 2.0), (0, 4, 2.0)])
    before = blocks()
    preview = finished(make_preview_walk(bpy.context, "walker", load_model(statue)))
    np.testing.assert_allclose(preview.path_points[[0, -1]], [[0, 0, 2.0], [0, 4, 2.0]], atol=1e-6)
    assert blocks() == before and armature.animation_data is None and not armature.footfall.bake_records
    armature.footfall.path.data.splines.clear()
    with pytest.raises(FootfallError, match="fewer than two points"):
        finished(make_preview_walk(bpy.context, "walker", load_model(statue)))


def test_the_body_follows_the_clip(play_trainer: PlayTrainer, statue: Path) -> None:
    play_trainer()
    preview = finished(make_preview_walk(bpy.context, "walker", load_model(statue)))
    figure = BodyMesh.of(preview.clip.skeleton)
    for frame in (0, len(preview.clip) - 1):
        places, colours = figure.posed_vertices(preview.clip, frame)
        joints = figure.skin.joints[:, 0]
        assert places.shape == (len(joints), 3) and colours.shape == (len(joints), 4)
        nearest = np.linalg.norm(places - preview.clip.positions[frame][joints], axis=-1)
        assert nearest.max() < 0.8, "every vertex is near the joint that carries it"
        assert (colours > 0).all() and (colours < 1).all(), "a ghost is translucent"
    assert figure.triangles.max() == len(places) - 1
    np.testing.assert_allclose(np.linalg.norm(figure.normals, axis=-1), 1.0, atol=1e-6)


def test_frames_go_round(play_trainer: PlayTrainer, statue: Path) -> None:
    play_trainer()
    showing = RunPreview(finished(make_preview_walk(bpy.context, "walker", load_model(statue))))
    clip = showing.preview_walk.clip
    showing.loop_started_at = 100.0
    assert showing.frame_at(100.0) == 0 and showing.frame_at(101.0) == round(clip.rate)
    assert showing.frame_at(100.0 + clip.duration + LOOP_PAUSE_S / 2) == len(clip) - 1, "it stands for a moment"
    assert showing.frame_at(100.0 + clip.duration + LOOP_PAUSE_S + 0.01) == 0


class Operator(OperatorInWindow, RunPreviewOperator):
    """A preview that has begun."""


def test_it_is_shown_until_escape(play_trainer: PlayTrainer, statue: Path) -> None:
    play_trainer()
    make_run(statue)
    before, window = blocks(), Window()
    operator = Operator(window)
    while not is_shown():
        assert operator.modal(window, TICK) == {"RUNNING_MODAL"}
    assert window.timers == 1 and not modal_operator.ModalWorkOperator.running
    assert not bpy.ops.footfall.preview_training_run.poll(), "one preview at a time"
    assert operator.modal(window, TICK) == {"PASS_THROUGH"}
    assert operator.modal(window, KEY) == {"PASS_THROUGH"}, "one goes on working meanwhile"
    assert operator.modal(window, ESCAPE) == {"FINISHED"}
    assert not is_shown() and window.timers == 0 and window.status[-1] is None
    assert blocks() == before and bpy.ops.footfall.preview_training_run.poll()


def test_escape_before_it_is_shown(play_trainer: PlayTrainer, statue: Path) -> None:
    play_trainer()
    make_run(statue)
    window = Window()
    operator = Operator(window)
    operator.modal(window, TICK)
    assert operator.modal(window, ESCAPE) == {"CANCELLED"}
    assert not is_shown() and window.timers == 0


def test_loading_a_file_ends_it(play_trainer: PlayTrainer, statue: Path) -> None:
    play_trainer()
    make_run(statue)
    window = Window()
    operator = Operator(window)
    while not is_shown():
        operator.modal(window, TICK)
    operator.cancel(window)
    assert not is_shown() and window.timers == 0
    stop_preview()  # once more does nothing


def test_without_a_window_it_says_how_it_walks(play_trainer: PlayTrainer, statue: Path) -> None:
    play_trainer()
    make_run(statue)
    assert bpy.ops.footfall.preview_training_run() == {"FINISHED"} and not is_shown()


def test_a_controller_is_kept_and_chosen(play_trainer: PlayTrainer, statue: Path) -> None:
    play_trainer()
    run = make_run(statue, status="finished", written=True)
    assert bpy.ops.footfall.use_controller() == {"FINISHED"}, "nobody is there to walk by it"
    kept = library.user_controllers_folder() / "walker.safetensors"
    assert kept.read_bytes() == run.model_path.read_bytes()
    armature = walker(statue)
    bpy.ops.ed.undo_push(message="before")
    assert bpy.ops.footfall.use_controller("EXEC_DEFAULT", True) == {"FINISHED"}
    assert [file.name for file in library.user_controllers_folder().iterdir()] == ["walker.safetensors"], (
        "it was kept before"
    )
    assert armature.footfall.controller == "own:walker" == armature.footfall.controller_choice
    shutil.rmtree(run.path)
    assert library.load("own:walker", "")[0] == "walker", "whatever becomes of the run"
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    bpy.ops.ed.undo()
    assert bpy.context.object.footfall.controller == "file"
    kept.unlink()


def test_another_controller_of_its_name_is_kept_beside_it(play_trainer: PlayTrainer, statue: Path) -> None:
    play_trainer()
    library.user_controllers_folder().mkdir(parents=True, exist_ok=True)
    other = library.user_controllers_folder() / "walker.safetensors"
    other.write_bytes(b"another one")
    make_run(statue)
    walker(statue)
    bpy.context.window_manager.footfall.show_curves = True
    assert bpy.ops.footfall.use_controller() == {"FINISHED"}
    assert not bpy.context.window_manager.footfall.show_curves, "they would cover the character"
    assert other.read_bytes() == b"another one" and bpy.context.object.footfall.controller == "own:walker-2"
    shutil.rmtree(library.user_controllers_folder())


def test_a_damaged_controller_is_not_kept(play_trainer: PlayTrainer, statue: Path) -> None:
    play_trainer()
    run = make_run(statue, status="finished")
    run.model_path.write_bytes(b"half a")
    runs.poll_runs(time.time())
    refusal_of(bpy.ops.footfall.use_controller)
    assert not library.user_controllers_folder().exists() or not list(library.user_controllers_folder().iterdir())
