"""Starting, stopping and resuming training runs, and using their controllers."""

import json
import shutil
import time
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Final

import bpy

from ...core.errors import FootfallError
from ...core.jobs.atomic import write_atomically
from ...core.jobs.file_names import safe_file_name
from ...core.jobs.run_folder import ACTIVE_STATUSES, RunFolder
from ...core.message import Message
from ...core.models.model_file import load_model
from ..controllers import library
from ..label.terrain.patches import open_patches
from ..ui.modal_operator import ModalWorkOperator, WorkSteps
from ..ui.operator_base import FootfallOperator, active_armature
from ..ui.preferences import runs_folder
from . import runs, training_choice
from .active_run import ActiveRunOperator
from .clip_operators import why_nothing_listed
from .clips import count_clips, count_folders, listed_actions, listed_folders, unused_path, write_clips
from .environment import require_training_python
from .run_export import export_controller

CLIPS_SUBFOLDER: Final = "clips"


def terrain_arguments(fit: bool) -> list[str]:
    """Return the trainer's arguments about terrain; raise :class:`FootfallError` if there are no patches to fit."""
    if not fit:
        return []
    folder = json.dumps(str(open_patches().folder), ensure_ascii=False)
    return ["--set", "terrain=fitted", "--set", f"patches={folder}"]


def training_arguments(settings: bpy.types.PropertyGroup) -> list[str]:
    """Return the trainer's arguments for the chosen subject: a preset, or a base controller and a style.

    Raises:
        FootfallError: the preset or the controller does not exist.
    """
    if not settings.fine_tune:
        return ["--preset", training_choice.preset_argument(settings.training_preset)]
    _, controller = library.find(settings.base_controller, settings.base_controller_file)
    return ["--base", str(controller), *(["--style", settings.new_style] if settings.new_style else [])]


def start_run(
    scene: bpy.types.Scene, python: Path, folder: Path | None = None, extra_arguments: Sequence[str] = ()
) -> Generator[tuple[float, str], None, RunFolder]:
    """Write the clips on a scene's training list, and start a run on them with the scene's settings.

    Yields:
        the share of the list that is written, and the current activity.

    Args:
        scene: the scene of the list and settings.
        python: the Python that has torch.
        folder: folder of the run, which does not exist yet; by default one in the runs folder.
        extra_arguments: further arguments of ``footfall train``.

    Raises:
        FootfallError: an item of the list or a setting is invalid; no files are left behind.
    """
    settings, takes, folders = scene.footfall, listed_actions(scene), listed_folders(scene)
    if not takes and not folders:
        raise FootfallError("All actions in the list of training clips were deleted: add other clips")
    if folder is not None and folder.exists():
        raise FootfallError(
            "The run folder '{folder}' already exists: resume the run in it, or choose another name", folder=folder
        )
    interactions = not settings.fine_tune and training_choice.is_of_interactions(settings.training_preset)
    if interactions and settings.fit_terrain:
        raise FootfallError("Interactions are trained on level ground: switch off Fit Terrain")
    how = [*training_arguments(settings), *terrain_arguments(settings.fit_terrain), *extra_arguments]
    first = takes[0][1].name if takes else folders[0].name
    run = RunFolder(folder or unused_path(runs_folder(), safe_file_name(settings.run_name or first)))
    begun = False
    try:
        clips = yield from write_clips(scene, run.path / CLIPS_SUBFOLDER, interactions)
        run.path.mkdir(exist_ok=True)
        named = [str(path) for path in clips]
        runs.launch(python, run, ["--clips", *named, "--run", str(run.path), *how])
        begun = True
    except OSError as error:
        raise FootfallError(
            "The clips could not be written to '{path}' ({error}): free disk space and try again",
            path=run.path,
            error=error,
        ) from error
    finally:
        if not begun:
            shutil.rmtree(run.path, ignore_errors=True)
    return run


class FOOTFALL_OT_start_training(ModalWorkOperator, bpy.types.Operator):
    """Train a controller on the clips, in a separate process that continues if Blender is closed"""

    bl_idname = "footfall.start_training"
    bl_label = "Train Controller"
    bl_options = {"REGISTER"}
    cancel_message = "Canceled: nothing was trained"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return why_nothing_listed(context)

    def work(self, context: bpy.types.Context) -> WorkSteps:
        run = yield from start_run(context.scene, require_training_python())
        context.window_manager.footfall.show_curves = True
        runs.poll_runs(time.time())
        takes, folders = listed_actions(context.scene), listed_folders(context.scene)
        actions = count_clips(len(takes))
        what = count_folders(len(folders)) if folders else actions
        if takes and folders:
            what = Message("{actions} and {folders}", actions=actions, folders=what)
        return Message(
            "The training run '{name}' has started with {clips}: you can continue working, or close Blender",
            name=run.path.name,
            clips=what,
        )


class FOOTFALL_OT_stop_training(ActiveRunOperator, FootfallOperator, bpy.types.Operator):
    """Stop the active training run and save its controller. The run can be resumed later"""

    bl_idname = "footfall.stop_training"
    bl_label = "Stop and Save"
    bl_options = {"REGISTER"}

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        item = cls.active_run(context)
        if item and item.status == "starting":
            return "The training run is still starting: wait a moment, then press Stop and Save again"
        return None if item and item.status in ACTIVE_STATUSES else "The training run has already ended or stopped"

    def run(self, context: bpy.types.Context) -> str:
        run = self.run_folder(context)
        run.request_stop()
        runs.poll_runs(time.time())
        return Message("The training run '{name}' saves its controller and stops", name=run.path.name)


class FOOTFALL_OT_resume_training(ActiveRunOperator, FootfallOperator, bpy.types.Operator):
    """Resume the active training run from its last saved step"""

    bl_idname = "footfall.resume_training"
    bl_label = "Resume Training"
    bl_options = {"REGISTER"}

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        item = cls.active_run(context)
        resumable = item and item.status in ("stopped", "failed", "interrupted")
        return None if resumable else "Only a stopped or interrupted training run can be resumed"

    def run(self, context: bpy.types.Context) -> str:
        run = self.run_folder(context)
        runs.resume(require_training_python(), run)
        runs.poll_runs(time.time())
        return Message("The training run '{name}' resumes", name=run.path.name)


class FOOTFALL_OT_use_controller(ActiveRunOperator, ModalWorkOperator, bpy.types.Operator):
    """Save the trained controller with your own, and assign it to the active armature"""

    bl_idname = "footfall.use_controller"
    bl_label = "Use Controller"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return cls.why_no_controller(context)

    def work(self, context: bpy.types.Context) -> WorkSteps:
        run = self.run_folder(context)
        file = yield from export_controller(run)
        interacts = load_model(file).is_interaction_controller
        folder = library.user_interactions_folder() if interacts else library.user_controllers_folder()
        kept = _copy_controller(file, folder, run.path.name)
        library.refresh()
        context.window_manager.footfall.show_curves = False  # they would cover the path and the character
        armature = active_armature(context)
        if interacts:
            return _use_for_errands(armature, kept)
        if armature is None:
            return Message(
                "Saved the controller '{name}': select a character, and choose this controller in the panel Shot",
                name=kept.stem,
            )
        armature.footfall.controller = f"{library.USER_PREFIX}{kept.stem}"
        return Message(
            "'{character}' now walks with the controller '{controller}': choose a path and bake",
            character=armature.name,
            controller=kept.stem,
        )


def _use_for_errands(armature: bpy.types.Object | None, kept: Path) -> Message:
    """Set an exported controller as the one for an armature's interaction tasks; return a message for the report."""
    if armature is None:
        return Message(
            "Saved the controller '{path}': select a character, and choose this file as its interaction controller",
            path=kept,
        )
    armature.footfall.interaction_controller_file = str(kept)
    return Message(
        "'{character}' now performs its beats with the controller '{controller}': press Preview",
        character=armature.name,
        controller=kept.stem,
    )


def _copy_controller(file: Path, folder: Path, name: str) -> Path:
    """Copy a controller to one of the user's folders unless it is there already; return the copy's path.

    Raises:
        FootfallError: the controller is damaged, or the copy cannot be written.
    """
    try:
        data = file.read_bytes()
        folder.mkdir(parents=True, exist_ok=True)
        for there in sorted(folder.glob(f"{name}*.safetensors")):
            if there.read_bytes() == data:
                return there
        kept = unused_path(folder, name, ".safetensors")
        write_atomically(kept, data)
        return kept
    except OSError as error:
        raise FootfallError(
            "The controller could not be saved in '{folder}' ({error}): free disk space and try again",
            folder=folder,
            error=error.strerror or error,
        ) from error


class FOOTFALL_OT_open_training_run(ActiveRunOperator, FootfallOperator, bpy.types.Operator):
    """Open the folder of the active training run, with its log and controller"""

    bl_idname = "footfall.open_training_run"
    bl_label = "Open Folder"
    bl_options = {"INTERNAL"}

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return None if cls.active_run(context) else "There is no training run yet: train a controller"

    def run(self, context: bpy.types.Context) -> str:
        run = self.run_folder(context)
        bpy.ops.wm.path_open(filepath=str(run.path))
        return Message("Opened the folder of '{name}'", name=run.path.name)


CLASSES = (
    FOOTFALL_OT_start_training,
    FOOTFALL_OT_stop_training,
    FOOTFALL_OT_resume_training,
    FOOTFALL_OT_use_controller,
    FOOTFALL_OT_open_training_run,
)
