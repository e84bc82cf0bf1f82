"""Operators for label files, for labeling whole folders, and for learning settings from corrections."""

from pathlib import Path
from typing import Any

import bpy

from ...core.errors import FootfallError
from ...core.jobs.file_names import unreserved
from ...core.jobs.found_files import files_below
from ...core.labelling import Labels, add_local_phases, label_clip
from ...core.labelling.learning import CorrectedClip, refit_preset
from ...core.labelling.presets import LabellingPreset
from ...core.labelling.report import report_entry, write_report
from ...core.labelling.review.ranking import find_review_spots
from ...core.message import Message
from ..animation.fcurve_io.contact_targets import read_contact_objects
from ..rig.clip_reader import read_mapped_action
from ..rig.clips import ArmatureAction, file_actions
from ..rig.motion_files import UNREAD_SUFFIXES, FileMotion, find_files, read_motions
from ..ui.modal_operator import ModalWorkOperator, WorkSteps, part_of_progress
from ..ui.operator_base import FootfallOperator
from .detection import ArmatureActionRef
from .edits import is_labeled
from .exchange import LABEL_FILE_SUFFIX, import_labels
from .labels import read_labels
from .operators import detect_all, require_action, why_no_action, why_no_labels
from .presets import apply_preset, to_preset

REPORT_FILE = "report.md"


class _LabelFileOperator(FootfallOperator):
    """A mix-in for operators that ask for a label file."""

    filepath: bpy.props.StringProperty(name="File", description="Label file to read or write", subtype="FILE_PATH")
    filter_glob: bpy.props.StringProperty(default=f"*{LABEL_FILE_SUFFIX}", options={"HIDDEN"})

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        if not self.filepath:
            _, action = require_action(context)
            self.filepath = unreserved(bpy.path.clean_name(action.name)) + LABEL_FILE_SUFFIX
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def path(self) -> Path:
        """Return the path of the chosen file."""
        if not self.filepath:
            raise FootfallError("No label file is chosen: choose one")
        return Path(bpy.path.abspath(self.filepath))


class FOOTFALL_OT_load_labels(_LabelFileOperator, bpy.types.Operator):
    """Load labels from a file, replacing the labels of the active armature's action"""

    bl_idname = "footfall.load_labels"
    bl_label = "Load Labels"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return why_no_action(context)

    def run(self, context: bpy.types.Context) -> str:
        armature, action = require_action(context)
        feet = to_preset(context.scene.footfall.labelling).feet
        marks = import_labels(armature, action, self.path(), context.scene, feet)
        return Message(
            "Loaded the labels of '{path}' into action '{name}': {count} frames",
            name=action.name,
            path=self.path().name,
            count=marks.frame_count,
        )


class FOOTFALL_OT_save_labels(_LabelFileOperator, bpy.types.Operator):
    """Save the labels of the active armature's action, with your corrections, to a file"""

    bl_idname = "footfall.save_labels"
    bl_label = "Save Labels"
    bl_options = {"REGISTER"}

    check_existing: bpy.props.BoolProperty(default=True, options={"HIDDEN"})

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return why_no_labels(context)

    def run(self, context: bpy.types.Context) -> str:
        armature, action = require_action(context)
        path = self.path()
        if not path.name.endswith(LABEL_FILE_SUFFIX):
            path = path.with_name(path.name + LABEL_FILE_SUFFIX)
        labels = corrected_labels((armature, action), context.scene, to_preset(context.scene.footfall.labelling))
        try:
            labels.save(path)
        except OSError as error:
            raise FootfallError(
                "'{path}' cannot be written ({error}): choose another folder", path=path, error=error.strerror
            ) from error
        return Message("The labels of {count} frames were written to '{path}'", count=len(labels), path=path)


def corrected_labels(armature_action: ArmatureAction, scene: bpy.types.Scene, preset: LabellingPreset) -> Labels:
    """Detect the labels of an action; return them with the user's corrections and local phases."""
    clip, first = read_mapped_action(*armature_action, scene)
    labels = read_labels(*armature_action, clip, first, preset, read_contact_objects(preset, first, len(clip)))
    return add_local_phases(clip, labels, preset)


class FOOTFALL_OT_learn_from_corrections(ModalWorkOperator, bpy.types.Operator):
    """Fit the detection settings to your corrected contacts, and label the other actions again"""

    bl_idname = "footfall.learn_from_corrections"
    bl_label = "Learn from Corrections"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        corrected = any(action.footfall.corrections for action in bpy.data.actions)
        return None if corrected else "Correct some contacts first, by adding or removing contact labels"

    def work(self, context: bpy.types.Context) -> WorkSteps:
        scene, preset = context.scene, to_preset(context.scene.footfall.labelling)
        takes = [
            (ArmatureActionRef.of(take), _has_corrections(take[1])) for take in file_actions() if is_labeled(take[1])
        ]
        teachers = [name for name, corrected in takes if corrected]
        others = [name for name, corrected in takes if not corrected]
        if not teachers:
            raise FootfallError("No contacts were corrected in this file: add or remove some contact labels first")
        examples = []
        for number, name in enumerate(teachers):
            yield number / (2 * len(teachers)), Message("Reading the motion of '{title}'", title=name.title)
            examples.append(_training_example(name.resolve(), scene, preset))
        yield 0.5, Message("Learning from the corrections")
        learnt = refit_preset(preset, examples)
        findings, failures = (
            (yield from part_of_progress(detect_all(others, scene, learnt), 0.5, 1.0)) if others else ([], [])
        )
        apply_preset(scene.footfall.labelling, learnt)
        for finding in findings:
            finding.write()
        said = Message(
            "Learned from {corrected} corrected actions. {others} other actions were labeled again",
            corrected=len(teachers),
            others=len(findings),
        )
        return Message.joined(". ", [said, *failures])


def _has_corrections(action: bpy.types.Action) -> bool:
    return any(correction.kind == "CONTACT" for correction in action.footfall.corrections)


def _training_example(source: ArmatureAction, scene: bpy.types.Scene, preset: LabellingPreset) -> CorrectedClip:
    clip, first = read_mapped_action(*source, scene)
    targets = read_contact_objects(preset, first, len(clip))
    return CorrectedClip.of(clip, read_labels(*source, clip, first, preset, targets), targets)


class FOOTFALL_OT_label_folder(ModalWorkOperator, bpy.types.Operator):
    """Label all BVH and FBX files in a folder, and write a report of possibly wrong labels"""

    bl_idname = "footfall.label_folder"
    bl_label = "Label Folder"
    bl_options = {"REGISTER"}
    cancel_message = "Canceled: the files that were already labeled keep their labels"

    directory: bpy.props.StringProperty(name="Folder", description="Folder of the clips to label", subtype="DIR_PATH")
    overwrite: bpy.props.BoolProperty(
        name="Overwrite Corrections", description="Label corrected files again, discarding their corrections"
    )

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return None

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        if bpy.app.background or context.window is None:
            return self.execute(context)
        self.asked = True
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        return self.start_modal(context) if getattr(self, "asked", False) else super().execute(context)

    def work(self, context: bpy.types.Context) -> WorkSteps:
        folder = Path(bpy.path.abspath(self.directory))
        files = find_files(folder) if self.directory else []
        notes = unread_files_notes(folder) if self.directory else []
        if not files:
            empty = Message("'{folder}' contains no BVH or FBX files: choose another folder", folder=folder)
            raise FootfallError("{message}", message=Message.joined(". ", [empty, *notes]))
        preset = to_preset(context.scene.footfall.labelling)
        labelled: list[dict[str, Any]] = []
        failed: list[dict[str, Any]] = []
        taken: dict[Path, Path] = {}
        for number, path in enumerate(files):
            yield number / len(files), Message("Detecting the labels of '{name}'", name=path.name)
            shown = str(path.relative_to(folder))
            try:
                read = read_motions(path)
            except (FootfallError, OSError) as error:
                failed.append({"clip": shown, "error": str(error)})
                continue
            if len(read.names) > 1:
                names = ", ".join(read.names)
                notes.append(
                    Message(
                        "The file '{clip}' contains {count} motions, which were labeled one by one: {names}",
                        clip=shown,
                        count=len(read.names),
                        names=names,
                    )
                )
            failed += [{"clip": f"{shown} ({name})", "error": error} for name, error in read.unread.items()]
            for place, motion in enumerate(read.motions):
                clip = f"{shown} ({motion.name})" if motion.name else shown
                done = (number + (place + 0.3) / len(read.motions)) / len(files)
                yield done, Message("Detecting the labels of '{name}'", name=path.name)
                try:
                    labelled.append(_label_motion(motion, folder, clip, preset, taken, self.overwrite))
                except (FootfallError, OSError) as error:
                    failed.append({"clip": clip, "error": str(error)})
        return _write_report(folder, {"preset": preset.name, "labeled": labelled, "failed": failed, "notes": notes})


def unread_files_notes(folder: Path) -> list[str]:
    """Return sentences about files in a folder that may hold motion but are of a type that is not read."""
    others = files_below(folder, UNREAD_SUFFIXES)
    if not others:
        return []
    return [
        Message(
            "glTF files such as '{name}' cannot be labeled in a folder: import them and use Detect Labels, or "
            "export them as FBX",
            name=others[0].name,
        )
    ]


def _label_motion(
    motion: FileMotion, folder: Path, shown: str, preset: LabellingPreset, taken: dict[Path, Path], overwrite: bool
) -> dict[str, Any]:
    """Label a motion and write the file beside it, unless that has corrections; return the report entry.

    Args:
        motion: a motion of a file in the folder or below it.
        folder: folder of the report.
        shown: the motion's name in the report.
        preset: the labeling settings.
        taken: the files labeled so far, by label file.
        overwrite: whether label files with corrections are overwritten.

    Raises:
        FootfallError: the motion cannot be labeled, or another file has the same label file.
        OSError: the labels cannot be written.
    """
    target, clip = motion.path.with_suffix(LABEL_FILE_SUFFIX), motion.clip
    if target in taken:
        raise FootfallError(
            "The labels would be written to '{labels}', like those of '{clip}': rename one of the clips",
            clip=taken[target].name,
            labels=target.name,
        )
    taken[target] = motion.path
    kept = not overwrite and target.exists() and Labels.load(target).has_corrections
    if kept:
        labels = Labels.load(target)
    else:
        found = label_clip(clip, preset, read_contact_objects(preset, 1, len(clip)))
        labels = add_local_phases(clip, found, preset)
        labels.save(target)
    spots = find_review_spots(clip, labels, preset)
    return report_entry(Path(shown), target.relative_to(folder), labels, spots, kept, clip.notes)


def _write_report(folder: Path, document: dict[str, Any]) -> str:
    """Write the report to a folder; return a sentence that sums up the results."""
    try:
        write_report(document, folder)
    except OSError as error:
        raise FootfallError(
            "The report in '{folder}' cannot be written ({error}): free space, or choose another folder",
            folder=folder,
            error=error.strerror,
        ) from error
    kept = sum(entry["is_corrected"] for entry in document["labeled"])
    said = [
        Message(
            "Labeled {count} files in '{folder}': see the report {report}",
            count=len(document["labeled"]) - kept,
            folder=folder,
            report=REPORT_FILE,
        )
    ]
    said += [Message("{count} corrected label files were kept", count=kept)] if kept else []
    said += [
        Message("'{clip}' was not labeled: {error}", clip=entry["clip"], error=entry["error"])
        for entry in document["failed"]
    ]
    said += document["notes"]
    return Message.joined(". ", said)


CLASSES = (
    FOOTFALL_OT_load_labels,
    FOOTFALL_OT_save_labels,
    FOOTFALL_OT_learn_from_corrections,
    FOOTFALL_OT_label_folder,
)
