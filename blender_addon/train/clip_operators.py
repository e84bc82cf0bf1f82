"""Operators for the training list: adding, removing and analyzing actions and folders."""

from pathlib import Path
from typing import Final

import bpy

from ...core.errors import FootfallError
from ...core.evaluation.coverage import (
    Coverage,
    measure_coverage,
    measure_file_coverage,
    measure_motion_coverage,
    sum_coverages,
)
from ...core.labelling import label_clip
from ...core.message import Message
from ...core.rig.clip_file import read_clip
from ..label.detection import ArmatureActionRef
from ..label.labels import read_labels
from ..rig.clip_reader import read_mapped_action
from ..rig.clips import actions_like, selected_actions
from ..rig.motion_files import read_motions
from ..ui.modal_operator import ModalWorkOperator, WorkSteps
from ..ui.operator_base import FootfallOperator, require_armature, why_no_armature
from .clips import all_sources, count_clips, count_folders, listed_actions, listed_folders, motion_files_in
from .coverage import store_coverage

MAX_LISTED_ERRORS: Final = 3


def why_nothing_listed(context: bpy.types.Context) -> str | None:
    """Return the reason why there are no clips to train on; ``None`` if there are some."""
    listed = listed_actions(context.scene) or context.scene.footfall.clip_folders
    return None if listed else "Add clips or a folder of clips first"


class FOOTFALL_OT_add_clips(FootfallOperator, bpy.types.Operator):
    """Add actions to the list of training clips"""

    bl_idname = "footfall.add_clips"
    bl_label = "Add Clips"

    all_actions: bpy.props.BoolProperty(
        name="All Actions",
        description="Add every action of this file for the active armature, not only the selected ones",
    )

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return why_no_armature(context)

    def run(self, context: bpy.types.Context) -> str:
        listed = {action for _, action in listed_actions(context.scene)}
        takes = actions_like(require_armature(context)) if self.all_actions else selected_actions(context)
        new = {action: armature for armature, action in takes if action not in listed}
        if not new and not listed:
            raise FootfallError(
                "No action moves the armatures in the list of training clips: import motion capture first"
            )
        for action, armature in new.items():
            item = context.scene.footfall.clips.add()
            item.action, item.armature = action, armature
        return Message(
            "Added {count} actions: the list now has {clips}",
            count=len(new),
            clips=count_clips(len(listed) + len(new)),
        )


class FOOTFALL_OT_remove_clip(FootfallOperator, bpy.types.Operator):
    """Remove the active clip from the list of training clips. Its action is kept"""

    bl_idname = "footfall.remove_clip"
    bl_label = "Remove Clip"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return None if context.scene.footfall.clips else "The list of training clips is empty: add clips first"

    def run(self, context: bpy.types.Context) -> str:
        settings = context.scene.footfall
        index = min(settings.active_clip, len(settings.clips) - 1)
        settings.clips.remove(index)
        settings.active_clip = max(index - 1, 0)
        return Message("Clip removed: the list now has {clips}", clips=count_clips(len(settings.clips)))


class FOOTFALL_OT_add_clip_folder(FootfallOperator, bpy.types.Operator):
    """Add all BVH and FBX files of a folder and its subfolders, with the label files beside them"""

    bl_idname = "footfall.add_clip_folder"
    bl_label = "Add Clip Folder"

    directory: bpy.props.StringProperty(name="Folder", description="Folder of clips to add", subtype="DIR_PATH")

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return None

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        if bpy.app.background or context.window is None:
            return self.execute(context)
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def run(self, context: bpy.types.Context) -> str:
        if not self.directory:
            raise FootfallError("No folder was selected: choose one that contains BVH or FBX files")
        path = bpy.path.abspath(self.directory)
        folders = context.scene.footfall.clip_folders
        if any(bpy.path.abspath(item.path) == path for item in folders):
            raise FootfallError("The folder '{path}' is already in the list: choose another one", path=path)
        files = motion_files_in(Path(path))
        folders.add().path = self.directory
        return Message(
            "Added a folder with 1 file: the list now has {folders}"
            if len(files) == 1
            else "Added a folder with {count} files: the list now has {folders}",
            count=len(files),
            folders=count_folders(len(folders)),
        )


class FOOTFALL_OT_remove_clip_folder(FootfallOperator, bpy.types.Operator):
    """Remove the folder from the list of training clips. Its files are kept"""

    bl_idname = "footfall.remove_clip_folder"
    bl_label = "Remove Clip Folder"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    index: bpy.props.IntProperty(name="Index", description="Index of the folder in the list, from 0", min=0)

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return (
            None if context.scene.footfall.clip_folders else "The list of training clips has no folder: add one first"
        )

    def run(self, context: bpy.types.Context) -> str:
        folders = context.scene.footfall.clip_folders
        if self.index >= len(folders):
            raise FootfallError("The list has only {count} folders: choose a smaller index", count=len(folders))
        folders.remove(self.index)
        return Message("Folder removed: the list now has {folders}", folders=count_folders(len(folders)))


class FOOTFALL_OT_analyze_clips(ModalWorkOperator, bpy.types.Operator):
    """Measure gaits, speeds, turns and terrain in the listed clips, and report what is missing"""

    bl_idname = "footfall.analyze_clips"
    bl_label = "Analyze Clips"
    bl_options = {"REGISTER"}
    cancel_message = "Canceled: the previous analysis is kept"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return why_nothing_listed(context)

    def work(self, context: bpy.types.Context) -> WorkSteps:
        scene = context.scene
        listed = list(all_sources(scene))
        if not listed:
            raise FootfallError("All actions in the list of training clips were deleted: add other clips")
        counted: list[Coverage] = []
        failed: list[str] = []
        for number, (name, source) in enumerate(listed):
            yield number / len(listed), Message("Analyzing the clip '{name}'", name=name)
            try:
                if isinstance(source, ArmatureActionRef):
                    counted.append(_action_coverage(source, scene))
                elif source.suffix.lower() == ".bvh":
                    counted.append(measure_file_coverage(source, read_clip))
                else:
                    read = read_motions(source)
                    counted += [measure_motion_coverage(motion.clip, motion.path) for motion in read.motions]
                    failed += [
                        Message("{name}: {error}", name=f"{name} ({part})", error=error)
                        for part, error in read.unread.items()
                    ]
            except FootfallError as error:
                failed.append(Message("{name}: {error}", name=name, error=error))
        whole = sum_coverages(counted)
        summary = store_coverage(context, whole, failed, len(listed_actions(scene)), len(listed_folders(scene)))
        return Message.joined(". ", (summary, *_first_errors(failed)))


def _action_coverage(name: ArmatureActionRef, scene: bpy.types.Scene) -> Coverage:
    armature, action = name.resolve()
    clip, first = read_mapped_action(armature, action, scene)
    if action.footfall.segments:
        return measure_coverage(clip, read_labels(armature, action, clip, first), has_own_labels=True)
    return measure_coverage(clip, label_clip(clip))


def _first_errors(failed: list[str]) -> list[str]:
    more = len(failed) - MAX_LISTED_ERRORS
    rest = [Message("{count} more clips could not be read", count=more)] if more > 0 else []
    return [*failed[:MAX_LISTED_ERRORS], *rest]


CLASSES = (
    FOOTFALL_OT_add_clips,
    FOOTFALL_OT_remove_clip,
    FOOTFALL_OT_add_clip_folder,
    FOOTFALL_OT_remove_clip_folder,
    FOOTFALL_OT_analyze_clips,
)
