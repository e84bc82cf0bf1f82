"""Operators for labels of actions: detecting, updating, clearing, and visiting review spots."""

from collections.abc import Generator, Sequence

import bpy

from ...core.errors import FootfallError
from ...core.labelling.presets import LabellingPreset
from ...core.message import Message
from ..rig.clips import SCOPES, ArmatureAction, actions_in_scope
from ..ui.modal_operator import ModalWorkOperator, WorkSteps, part_of_work
from ..ui.operator_base import FootfallOperator, active_armature, require_editable, why_no_armature
from ..ui.redraw import tag_redraw_all
from ..ui.translations import CONTEXT, translate_interface
from .curves import can_hold_properties
from .detection import ArmatureActionRef, LabelDetection, detect_labels
from .edits import commit_manual_edits, confirm, is_labeled
from .labels import clear_labels
from .presets import to_preset

DetectionResult = tuple[list[LabelDetection], list[str]]
"""The detected labels, and a sentence for each action that could not be labeled."""


def active_action(context: bpy.types.Context) -> bpy.types.Action | None:
    """Return the action of the active armature."""
    armature = active_armature(context)
    data = armature.animation_data if armature else None
    return data.action if data else None


def why_no_action(context: bpy.types.Context) -> str | None:
    """Return the reason why the active armature's action cannot be labeled now; ``None`` if it can."""
    reason = why_no_armature(context)
    if reason is not None:
        return reason
    action = active_action(context)
    if action is None:
        return "The active armature has no action: import motion capture, or assign an action"
    if not action.is_editable:
        return Message("Action '{name}' is linked from another file: make it local first", name=action.name)
    return None


def why_no_labels(context: bpy.types.Context) -> str | None:
    """Return the reason why the labels of the active armature's action cannot be changed now; ``None`` if they can."""
    reason = why_no_action(context)
    action = active_action(context)
    if reason is None and action is not None and not is_labeled(action):
        return "The action has no labels yet: press Detect Labels first"
    return reason


def why_not_in_scope(context: bpy.types.Context, scope: str) -> str | None:
    """Return a known reason why the actions of a scope cannot be labeled now; ``None`` if there is none."""
    if scope == "ACTIVE":
        return why_no_action(context)
    if scope == "SELECTED" and not any(thing.type == "ARMATURE" for thing in context.selected_objects):
        return "Select one or more armatures"
    return None


def require_action(context: bpy.types.Context) -> ArmatureAction:
    """Return the active armature and its action; raise :class:`FootfallError` if there is no editable action."""
    armature, action = actions_in_scope(context, "ACTIVE")[0]
    require_editable(action, "Action")
    return armature, action


def issue_count_text(count: int) -> str:
    """Return a text with the number of review spots."""
    return {0: Message("no issues"), 1: Message("1 issue")}.get(count, Message("{count} issues", count=count))


def missing_curves_note(armature: bpy.types.Object) -> str:
    """Return the message for an armature that cannot have curves."""
    return (
        ""
        if can_hold_properties(armature)
        else Message("No phase curves were created, since the armature is linked from another file")
    )


class FOOTFALL_OT_detect_labels(ModalWorkOperator, bpy.types.Operator):
    """Detect contacts, foot strikes, phase, gaits and activities, keeping your corrections"""

    bl_idname = "footfall.detect_labels"
    bl_label = "Detect Labels"

    scope: bpy.props.EnumProperty(
        items=SCOPES, name="Label", description="Actions to label", translation_context=CONTEXT
    )

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        if context.mode == "EDIT_ARMATURE":
            return "Leave Edit Mode first"
        return None if bpy.data.actions else "This file has no actions: import motion capture"

    def work(self, context: bpy.types.Context) -> WorkSteps:
        preset, scene = to_preset(context.scene.footfall.labelling), context.scene
        takes = actions_in_scope(context, self.scope)
        for armature, action in takes:
            if action.is_editable:
                commit_manual_edits(armature, action)
        names = [ArmatureActionRef.of(take) for take in takes]
        findings, failures = yield from detect_all(names, scene, preset)
        for finding in findings:
            finding.write()
        context.window_manager.footfall.label_error = translate_interface(Message.joined(" ", failures))
        if len(findings) == 1 and not failures:
            return _detection_summary(findings[0])
        frames, spots = sum(f.editable_labels.frame_count for f in findings), sum(len(f.issues) for f in findings)
        said = Message(
            "Labeled {count} actions with {frames} frames: {issues}",
            count=len(findings),
            frames=frames,
            issues=issue_count_text(spots),
        )
        return Message.joined(". ", [said, *failures])


def _detection_summary(detection: LabelDetection) -> str:
    armature, action = detection.source.resolve()
    strikes = sum(not strike.removed for strike in detection.editable_labels.strikes)
    said = Message(
        "Labeled {count} frames of '{name}': {strikes} foot strikes, {issues}",
        count=detection.editable_labels.frame_count,
        name=action.name,
        strikes=strikes,
        issues=issue_count_text(len(detection.issues)),
    )
    return Message.joined(". ", filter(None, (said, missing_curves_note(armature))))


def detect_all(
    sources: Sequence[ArmatureActionRef], scene: bpy.types.Scene, preset: LabellingPreset
) -> Generator[tuple[float, str], None, DetectionResult]:
    """Detect the labels of several takes.

    Yields:
        the share done and the current activity, for :class:`ModalWorkOperator`.

    Returns:
        the detected labels, and a sentence for each action that could not be labeled.

    Raises:
        FootfallError: no action could be labeled.
    """
    findings: list[LabelDetection] = []
    failures: list[str] = []
    for number, name in enumerate(sources):
        start, end = number / len(sources), (number + 1) / len(sources)
        text = Message("Detecting the labels of '{title}'", title=name.title)
        try:
            findings.append((yield from part_of_work(detect_labels(name, scene, preset), start, end, text)))
        except FootfallError as error:
            failures.append(str(error))
    if not findings:
        raise FootfallError(Message.joined(" ", failures))
    return findings, failures


class FOOTFALL_OT_recompute_labels(ModalWorkOperator, bpy.types.Operator):
    """Recompute the labels after changes to keys or settings, keeping your corrections"""

    bl_idname = "footfall.recompute_labels"
    bl_label = "Recompute Labels"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return why_no_labels(context)

    def work(self, context: bpy.types.Context) -> WorkSteps:
        take = require_action(context)
        refused = commit_manual_edits(*take)
        findings, _ = yield from detect_all(
            [ArmatureActionRef.of(take)], context.scene, to_preset(context.scene.footfall.labelling)
        )
        findings[0].write()
        context.window_manager.footfall.label_error = translate_interface(Message.joined(" ", refused))
        return Message(
            "The labels of '{name}' are up to date: {issues}",
            name=take[1].name,
            issues=issue_count_text(len(findings[0].issues)),
        )


class FOOTFALL_OT_clear_labels(FootfallOperator, bpy.types.Operator):
    """Remove all labels of the action of the active armature, including your corrections"""

    bl_idname = "footfall.clear_labels"
    bl_label = "Clear Labels"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return why_no_action(context)

    def run(self, context: bpy.types.Context) -> str:
        armature, action = require_action(context)
        clear_labels(armature, action)
        return Message("The labels of action '{name}' were removed", name=action.name)


class _GoToIssue(FootfallOperator):
    """A mix-in for operators that step through review spots, the most doubtful first, cyclically."""

    # As in Blender's own changes of the frame: otherwise undoing a correction would also change the frame.
    bl_options = {"REGISTER", "UNDO_GROUPED"}
    bl_undo_group = "footfall.label_issues"
    step: int

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason = why_no_labels(context)
        action = active_action(context)
        if reason is None and action is not None and not action.footfall.issues:
            return "The labels have no issues"
        return reason

    def run(self, context: bpy.types.Context) -> str:
        _, action = require_action(context)
        stored = action.footfall
        if not stored.issues:
            raise FootfallError("There are no issues left in action '{name}'", name=action.name)
        before = stored.active_issue if stored.active_issue >= 0 else stored.following_issue - (self.step > 0)
        stored.active_issue = (before + self.step) % len(stored.issues)
        return go_to_active_issue(context, action)


class FOOTFALL_OT_next_label_issue(_GoToIssue, bpy.types.Operator):
    """Jump to the next frame where the labels may be wrong"""

    bl_idname = "footfall.next_label_issue"
    bl_label = "Next Issue"
    step = 1


class FOOTFALL_OT_previous_label_issue(_GoToIssue, bpy.types.Operator):
    """Jump to the previous frame where the labels may be wrong"""

    bl_idname = "footfall.previous_label_issue"
    bl_label = "Previous Issue"
    step = -1


class FOOTFALL_OT_confirm_label_issue(FootfallOperator, bpy.types.Operator):
    """Confirm the labels at the active issue. They are kept and not reported again"""

    bl_idname = "footfall.confirm_label_issue"
    bl_label = "Confirm Labels"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason = why_no_labels(context)
        action = active_action(context)
        if reason is None and action is not None and action.footfall.active_issue < 0:
            return "Go to an issue first, with Next Issue"
        return reason

    def run(self, context: bpy.types.Context) -> str:
        armature, action = require_action(context)
        confirm(armature, action, action.footfall.active_issue)
        return Message("The labels are confirmed: {issues}", issues=issue_count_text(len(action.footfall.issues)))


def go_to_active_issue(context: bpy.types.Context, action: bpy.types.Action) -> str:
    """Go to the active review spot and return its description."""
    stored = action.footfall
    spot = stored.issues[stored.active_issue]
    context.scene.frame_set(spot.frame)
    select_segment(action, spot.name, spot.frame)
    scroll_to_current_frame(context)
    return Message(
        "Issue {number} of {count}, frame {frame}: {text}",
        number=stored.active_issue + 1,
        count=len(stored.issues),
        frame=spot.frame,
        text=spot.text,
    )


def select_segment(action: bpy.types.Action, name: str, frame: int) -> None:
    """Activate the segment with a name (or with the foot of that name) that is nearest to a frame."""
    stored = action.footfall
    feet = {sensor.name for sensor in stored.contacts if sensor.foot == name}
    near = [
        (max(segment.start - frame, frame - segment.end, 0), number)
        for number, segment in enumerate(stored.segments)
        if segment.name == name or segment.name in feet
    ]
    if near:
        stored.active_segment = min(near)[1]


def scroll_to_current_frame(context: bpy.types.Context) -> None:
    """Scroll every Timeline and Dope Sheet to the current frame, unless Blender runs without windows."""
    if bpy.app.background:
        return
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            region = next((region for region in area.regions if region.type == "WINDOW"), None)
            if area.type != "DOPESHEET_EDITOR" or region is None:
                continue
            with context.temp_override(window=window, area=area, region=region):
                if bpy.ops.action.view_frame.poll():
                    bpy.ops.action.view_frame()
    tag_redraw_all()


CLASSES = (
    FOOTFALL_OT_detect_labels,
    FOOTFALL_OT_recompute_labels,
    FOOTFALL_OT_clear_labels,
    FOOTFALL_OT_next_label_issue,
    FOOTFALL_OT_previous_label_issue,
    FOOTFALL_OT_confirm_label_issue,
)
