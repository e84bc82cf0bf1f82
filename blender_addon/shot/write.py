"""The final part of every bake: edits, keys, labels, moved objects, and the measured quality of the result."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import bpy

from ...core.control.performance import Performance
from ...core.evaluation.quality import MeasureTrace, measure_traces
from ...core.message import Message
from ...core.models.controller_model import ControllerModel
from ...core.motion import Clip
from ...core.motion.rotations import Array
from ...core.retarget.calibration import Calibration
from ...core.rig.rig_map import RigMap
from ...core.terrain.ground import Scene
from ..animation.bake_report import QualityRow, describe_bad, quality_rows, store_quality
from ..animation.fcurve_io.reader import scene_rate
from ..animation.fcurve_io.tracks import PropertyTrack
from ..animation.layers import BakeRecord, BakeSource
from ..animation.output import BakeOutput, write_output
from ..label.labels import write_labels
from ..rig.rig_report import plan_and_measure
from ..ui.translations import translate_interface
from .clock import BakeClock
from .inserts.baking import InsertedClips, store_inserts, with_inserted_clips
from .key_poses.baking import PosedBake, store_posed_bake, through_key_poses
from .staleness import store_inputs
from .steps.baking import EditedSteps, store_edited_steps, with_edited_steps

SUMMARY: Final = {
    "path_deviation": (Message("Path deviation is at most {value} cm"), 1),
    "foot_sliding": (Message("Foot sliding is {value} cm/s on average"), 1),
    "ground_penetration": (Message("Ground penetration is at most {value} mm"), 0),
}
"""Measures in a bake's short report, with words and decimals."""


@dataclass(frozen=True, slots=True, eq=False)
class BakeJob:
    """The subject of a bake, and the references for its measures.

    Attributes:
        source: the activity, with the key by which the bake's next version finds it.
        name: name of a new action.
        start_frame: scene frame of the bake's first frame.
        ground: the scene with its ground, meters, world.
        floor: height of the ground at the start, meters.
        rig_map: the armature's rig map.
        rise: height of the rig's soles above the performance's, meters.
        calibration: calibration of the controller's skeleton to the rig's body.
        model: the controller.
        path: (P, 3) points of the path as planned, meters, world.
        is_level: whether the ground is level, so that the report omits the depth of feet in it.
        beside: function that makes tracks of other bones, such as fingers, over the frames of the performance at the
            scene's rate.
        is_carried: whether a moving parent carries the motion.
        moments: frames of the performance that frames of the scene show exactly, such as those of blows.
    """

    source: BakeSource
    name: str
    start_frame: int
    ground: Scene
    floor: float
    rig_map: RigMap
    rise: float = 0.0
    calibration: Calibration | None = None
    model: ControllerModel | None = None
    path: Array | None = None
    is_level: bool = True
    beside: Sequence[PropertyTrack] = ()
    is_carried: bool = False
    moments: Sequence[int] = ()


@dataclass(frozen=True, slots=True, eq=False)
class WrittenBake:
    """A bake that was written.

    Attributes:
        output: record of the bake, and the objects moved by its last version.
        performance: the motion with its edits, at its own rate, on soles of usual height.
        clip: the motion of the rig, at the scene's rate.
        notes: sentences for the report: quality first.
    """

    output: BakeOutput
    performance: Performance
    clip: Clip
    rows: Mapping[str, QualityRow]
    notes: tuple[str, ...]

    @property
    def record(self) -> BakeRecord:
        return self.output.record


@dataclass(frozen=True, slots=True, eq=False)
class EditedPerformance:
    """A performance with all edits of its character.

    Attributes:
        performance: the motion at its own rate, without key poses.
        walked: the same at the scene's rate.
        shown: the same with key poses, on the rig's own soles.
        measured: the motion for the measures: at its own rate, with key poses, on soles of usual height.
        inserted, stepped, posed: the edits, and issues with them.
    """

    performance: Performance
    walked: Performance
    shown: Performance
    measured: Clip
    inserted: InsertedClips
    stepped: EditedSteps
    posed: PosedBake

    @property
    def issues(self) -> tuple[Message, ...]:
        """Messages about edits that hardly fit."""
        return (*self.inserted.issues.values(), *self.stepped.issues.values(), *self.posed.warnings)


def write_performance(
    armature: bpy.types.Object,
    scene: bpy.types.Scene,
    performance: Performance,
    job: BakeJob,
    write_objects: Callable[[BakeOutput, EditedPerformance], Sequence[str]] | None = None,
    touch_traces: Callable[[Performance], Iterable[MeasureTrace]] | None = None,
) -> WrittenBake:
    """Write a performance, with its character's edits, to the destination in the settings, and measure the result.

    Args:
        armature: the character.
        scene: the scene.
        performance: world motion of the rig's body, on soles of usual height.
        job: what is baked.
        write_objects: function that writes the motion of objects in the bake and returns sentences for the report.
        touch_traces: function that measures the skin at touched surfaces, at the frames of the edited performance.

    Raises:
        FootfallError: an edit cannot be made, or the bake is impossible; nothing was changed.
    """
    rate = scene_rate(scene)
    clock = BakeClock(job.start_frame, rate, performance.clip.rate)
    edited = _with_edits(armature, scene, performance, job, clock)
    shown = edited.shown
    contacts = dict(zip(shown.labels.contact_joints, shown.labels.contacts.T, strict=True))
    output = write_output(
        *(armature, job.rig_map, shown.clip, job.start_frame, job.name, contacts, job.source, job.floor),
        *(job.beside, job.is_carried),
    )
    record, frames = output.record, len(shown)
    store_posed_bake(armature, record.action, edited.posed)
    store_inserts(armature, edited.inserted)
    store_edited_steps(armature, record.action, edited.stepped, clock)
    if record.kind != "RANGE":
        write_labels(armature, record.action, shown.labels, job.start_frame)
        scene.frame_end = max(scene.frame_end, job.start_frame + frames - 1)
    moved = write_objects(output, edited) if write_objects is not None else ()
    armature.footfall.baked_action = record.action
    feet = edited.performance.contacts
    traces = list(measure_traces(edited.measured, feet, job.ground, job.path, performance.standing_clip))
    if touch_traces is not None:
        traces += touch_traces(edited.performance)
    stored = store_quality(armature, traces, clock.rate, job.start_frame, frames, rate)
    rows = {row.measure: row for row in stored}
    if job.model is not None:
        plan_and_measure(
            armature, scene, shown.clip, shown.contacts, job.ground, job.calibration, job.model, job.start_frame
        )
    quality, bad = describe_quality(_summary_values(rows, job.is_level)), describe_bad(quality_rows(armature))
    armature.footfall.quality_summary = translate_interface(Message.joined(". ", filter(None, (quality, bad))))
    armature.footfall.likeness_report = armature.footfall.detour = ""
    store_inputs(armature, scene, job.source.kind)
    notes = (quality, bad, *moved, record.message, *output.warnings, *edited.issues)
    return WrittenBake(output, edited.performance, shown.clip, rows, tuple(note for note in notes if note))


def _with_edits(
    armature: bpy.types.Object, scene: bpy.types.Scene, performance: Performance, job: BakeJob, clock: BakeClock
) -> EditedPerformance:
    """Apply a character's inserted clips, steps, retimed stretches and key poses to a performance; return it."""
    inserted = with_inserted_clips(armature, scene, performance, job.ground, clock)
    stepped = with_edited_steps(armature, inserted.performance, job.ground, clock)
    made = stepped.performance
    shown = (made.frame_from(moment) for moment in job.moments)
    walked = made.resampled(clock.scene_rate, [frame for frame in shown if frame is not None])
    raised, measured = walked.raised(job.rise), made.clip
    posed = through_key_poses(armature, raised.clip, walked.contacts, job.ground, clock)
    shown = raised.with_clip(posed.clip)
    if posed.keys:
        whole = made.raised(job.rise)
        warped = through_key_poses(armature, whole.clip, made.contacts, job.ground, clock).clip
        measured = whole.with_clip(warped).raised(-job.rise).clip
    return EditedPerformance(made, walked, shown, measured, inserted, stepped, posed)


def _summary_values(rows: Mapping[str, QualityRow], is_level: bool) -> dict[str, float]:
    """Return the values for the short report; on uneven ground, they include how deep the feet are in it."""
    found = {name: row.mean if name == "foot_sliding" else row.worst for name, row in rows.items() if name in SUMMARY}
    return {name: value for name, value in found.items() if not (is_level and name == "ground_penetration")}


def describe_quality(values: Mapping[str, float]) -> str:
    """Return a short text with the measures of a bake that are in :data:`SUMMARY`."""
    texts = {name: SUMMARY[name] for name in SUMMARY if name in values}
    return Message.joined(
        ". ", [Message(text, value=f"{values[name]:.{digits}f}") for name, (text, digits) in texts.items()]
    )
