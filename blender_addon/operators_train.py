"""Collecting actions, and starting, stopping and resuming training runs."""

import json
import re
import shutil
import time
from collections.abc import Iterable
from pathlib import Path

import bpy

from ..core.errors import FootfallError
from ..core.motion.bvh import write_bvh
from ..core.retarget.clip_file import RIG_MAP
from ..core.retarget.rig_map import save_rig_map
from ..core.run_folder import ACTIVE, RunFolder
from . import runs
from .guard import FootfallOperator, require_armature, why_no_armature
from .labels import read_labels
from .patches import open_patches
from .preferences import runs_folder, trainer_python
from .take_motion import map_of_clip, read_take
from .takes import Take, selected_takes, takes_like

CLIPS = "clips"


def clip_list(scene: bpy.types.Scene) -> list[Take]:
    """The armatures and actions in the training list that still exist."""
    return [(item.armature, item.action) for item in scene.footfall.clips if item.action and item.armature]


class FOOTFALL_OT_add_clips(FootfallOperator, bpy.types.Operator):
    """Add motions to learn from to the training list"""

    bl_idname = "footfall.add_clips"
    bl_label = "Add Actions"

    everything: bpy.props.BoolProperty(
        name="All",
        description="Add every action in this file that moves an armature like the active one, "
        "not only those that the selected armatures play now",
    )

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return why_no_armature(context)

    def run(self, context: bpy.types.Context) -> str:
        listed = {action for _, action in clip_list(context.scene)}
        takes = takes_like(require_armature(context)) if self.everything else selected_takes(context)
        new = {action: armature for armature, action in takes if action not in listed}
        if not new and not listed:
            raise FootfallError("No action moves these armatures: import motion capture first.")
        for action, armature in new.items():
            item = context.scene.footfall.clips.add()
            item.action, item.armature = action, armature
        return f"{len(new)} added, {len(listed) + len(new)} actions to learn from"


class FOOTFALL_OT_remove_clip(FootfallOperator, bpy.types.Operator):
    """Take the marked action off the training list; the action itself stays"""

    bl_idname = "footfall.remove_clip"
    bl_label = "Remove Action"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return None if context.scene.footfall.clips else "The list is empty"

    def run(self, context: bpy.types.Context) -> str:
        settings = context.scene.footfall
        index = min(settings.active_clip, len(settings.clips) - 1)
        settings.clips.remove(index)
        settings.active_clip = max(index - 1, 0)
        return f"{len(settings.clips)} actions to learn from"


def file_name(name: str) -> str:
    """A name that every file system takes: letters, digits, dashes and dots, nothing else."""
    return re.sub(r"[^\w.-]+", "_", name).strip("._") or "unnamed"


def unused(folder: Path, name: str) -> Path:
    """A path in the folder that does not exist yet: the name, or the name with a number."""
    path, number = folder / name, 2
    while path.exists():
        path, number = folder / f"{name}-{number}", number + 1
    return path


def write_clips(takes: Iterable[Take], scene: bpy.types.Scene, folder: Path) -> None:
    """Writes the actions as BVH files, with their labels where they are labelled, in a folder for each armature.

    Actions without labels are labelled by the trainer itself. Of armatures with a rig map the mapped body is written,
    and the map beside it.
    """
    folder.mkdir(parents=True)
    folders: dict[bpy.types.Object, Path] = {}
    for armature, action in takes:
        if armature not in folders:
            folders[armature] = unused(folder, file_name(armature.name))
            folders[armature].mkdir()
        clip, first = read_take(armature, action, scene)
        rig_map = map_of_clip(armature, clip)
        if rig_map is not None:
            save_rig_map(rig_map, folders[armature] / RIG_MAP)
        path = unused(folders[armature], f"{file_name(action.name)}.bvh")
        write_bvh(path, clip)
        if action.footfall.segments:
            read_labels(armature, action, clip, first).save(path.with_suffix(".labels.npz"))


def terrain_arguments(fit: bool) -> list[str]:
    """What the trainer is told of terrain; raises :class:`FootfallError` where there are no patches to fit."""
    if not fit:
        return []
    folder = json.dumps(str(open_patches().folder), ensure_ascii=False)
    return ["--set", "terrain=fitted", "--set", f"patches={folder}"]


class FOOTFALL_OT_start_training(FootfallOperator, bpy.types.Operator):
    """Teach a new controller the actions on the list, in a process of its own that goes on if Blender is closed"""

    bl_idname = "footfall.start_training"
    bl_label = "Train Controller"
    bl_options = {"REGISTER"}

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return None if clip_list(context.scene) else "Add actions to learn from first"

    def run(self, context: bpy.types.Context) -> str:
        settings, takes = context.scene.footfall, clip_list(context.scene)
        if not takes:
            raise FootfallError("The actions on the training list were deleted: add others.")
        python = trainer_python()
        run = RunFolder(unused(runs_folder(), file_name(settings.run_name or takes[0][1].name)))
        clips = run.path / CLIPS
        try:
            write_clips(takes, context.scene, clips)
            arguments = ["--clips", str(clips), "--run", str(run.path), "--preset", settings.preset]
            runs.launch(python, run, arguments + terrain_arguments(settings.fit_terrain))
        except OSError as error:
            shutil.rmtree(run.path, ignore_errors=True)
            raise FootfallError(f"The clips could not be written to '{run.path}': {error}.") from error
        except FootfallError:
            shutil.rmtree(run.path, ignore_errors=True)
            raise
        runs.poll_runs(time.time())
        return f"'{run.path.name}' trains on {len(takes)} actions; you can go on working or close Blender"


class _OnRun(FootfallOperator):
    """An operator on the run that is marked in the list of runs."""

    bl_options = {"REGISTER"}

    @staticmethod
    def marked(context: bpy.types.Context) -> bpy.types.PropertyGroup | None:
        """The marked run."""
        session = context.window_manager.footfall
        return session.runs[session.active_run] if session.active_run < len(session.runs) else None

    @classmethod
    def folder(cls, context: bpy.types.Context) -> RunFolder:
        """The marked run's folder; raises :class:`FootfallError` where there is none."""
        item = cls.marked(context)
        if item is None:
            raise FootfallError("No training run is marked in the list.")
        return RunFolder(runs_folder() / item.name)


class FOOTFALL_OT_stop_training(_OnRun, bpy.types.Operator):
    """Have the marked run save its work and end; it can be resumed"""

    bl_idname = "footfall.stop_training"
    bl_label = "Stop"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        item = cls.marked(context)
        if item and item.status == "starting":
            return "It is only starting: wait a moment"
        return None if item and item.status in ACTIVE else "This run is not at work"

    def run(self, context: bpy.types.Context) -> str:
        run = self.folder(context)
        run.request_stop()
        runs.poll_runs(time.time())
        return f"'{run.path.name}' saves its work and ends"


class FOOTFALL_OT_resume_training(_OnRun, bpy.types.Operator):
    """Go on with the marked run from where it was saved last"""

    bl_idname = "footfall.resume_training"
    bl_label = "Resume"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        item = cls.marked(context)
        resumable = item and item.status in ("stopped", "failed", "interrupted")
        return None if resumable else "Only a run that was stopped or broke off can be resumed"

    def run(self, context: bpy.types.Context) -> str:
        run = self.folder(context)
        runs.launch(trainer_python(), run, ["--resume", str(run.path)])
        runs.poll_runs(time.time())
        return f"'{run.path.name}' goes on"


class FOOTFALL_OT_open_run(_OnRun, bpy.types.Operator):
    """Show the marked run's folder: its log, its controller"""

    bl_idname = "footfall.open_run"
    bl_label = "Open Folder"
    bl_options = {"INTERNAL"}

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return None if cls.marked(context) else "There is no run yet"

    def run(self, context: bpy.types.Context) -> str:
        run = self.folder(context)
        bpy.ops.wm.path_open(filepath=str(run.path))
        return f"The folder of '{run.path.name}'"
