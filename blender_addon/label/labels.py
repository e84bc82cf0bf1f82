"""Labels detected by the core, written to actions, and read back with the user's corrections."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

import bpy
import numpy as np

from ...core.labelling import Labels, label_clip
from ...core.labelling.contacts.contact_objects import ContactObject
from ...core.labelling.presets import BIPED_PRESET, LabellingPreset
from ...core.labelling.segments import segment_labels
from ...core.labelling.semantics.goals import find_goals
from ...core.motion import Clip
from ...core.motion.rotations import Array
from .curves import clear_curves
from .edits import commit_manual_edits
from .marks import EditableLabels, LabelCorrection, LabelSpan, resolve_contact_feet
from .refresh import phase_from_strikes, strike_label_frames, write_editable_labels
from .signals import MotionSignals
from .store import clear_stored_labels, read_editable_labels, store_issues

ContactsByFoot = Mapping[str, Iterable[str]]
NO_LOCATION: Final = (0.0, 0.0, 0.0)


def write_labels(
    armature: bpy.types.Object,
    action: bpy.types.Action,
    labels: Labels,
    first_frame: int,
    feet: ContactsByFoot | None = None,
) -> None:
    """Write detected labels to an action from ``first_frame`` on, keeping the user's corrections.

    Args:
        armature: the armature of the action.
        action: the action.
        labels: the detected labels, at the scene's rate.
        first_frame: the action's frame of the first label.
        feet: foot of each contact; by default derived from the contacts' names.
    """
    write_editable_labels(armature, action, to_editable_labels(armature, action, labels, first_frame, feet))
    store_issues(action, [])


def to_editable_labels(
    armature: bpy.types.Object,
    action: bpy.types.Action,
    labels: Labels,
    first_frame: int,
    feet: ContactsByFoot | None = None,
) -> EditableLabels:
    """Convert detected labels to editable ones, applying the corrections stored on the action."""
    sensors = resolve_contact_feet(labels.contact_joints, feet)
    marks = EditableLabels(first_frame, len(labels), labels.frame_rate, sensors, spans_from_labels(labels, first_frame))
    if action.footfall.frame_count:
        before = read_editable_labels(action)
        marks.corrections = before.corrections
        marks.strikes = [strike for strike in before.strikes if strike.source == "USER"]
    marks.reapply_corrections()
    return marks


def read_labels(
    armature: bpy.types.Object,
    action: bpy.types.Action,
    clip: Clip,
    first_frame: int,
    preset: LabellingPreset = BIPED_PRESET,
    targets: Mapping[str, ContactObject] | None = None,
) -> Labels:
    """Detect the labels of an action's clip, apply the user's corrections and return the result."""
    commit_manual_edits(armature, action)
    found = label_clip(clip, preset, targets)
    return apply_corrections(found, to_editable_labels(armature, action, found, first_frame, preset.feet), clip)


def apply_corrections(detected: Labels, editable: EditableLabels, clip: Clip) -> Labels:
    """Apply the user's corrections to a clip's detected labels, and derive all other labels from them anew."""
    contacts, confidence = detected.contacts.copy(), detected.confidence.copy()
    gaits, actions = detected.gaits.copy(), detected.actions.copy()
    for correction in editable.corrections:
        if correction.is_split:
            continue
        frames = _correction_slice(correction, editable)
        if correction.kind == "CONTACT" and correction.name in detected.contact_joints:
            column = detected.contact_joints.index(correction.name)
            contacts[frames, column], confidence[frames, column] = float(correction.is_present), 1.0
        elif correction.kind == "GAIT" and correction.name in detected.gait_names:
            _set_shares(gaits[frames], detected.gait_names.index(correction.name), correction.is_present)
        elif correction.kind == "ACTION" and correction.name in detected.action_names:
            _set_shares(actions[frames], detected.action_names.index(correction.name), correction.is_present)
    labels = replace(detected, contacts=contacts, confidence=confidence, gaits=gaits)
    labels = _with_strikes(labels, editable, np.array_equal(labels.standing, detected.standing))
    return labels if np.array_equal(actions, detected.actions) else _with_actions(labels, actions, clip)


def _with_strikes(labels: Labels, editable: EditableLabels, keep_standing: bool) -> Labels:
    """Return labels with the strikes of the editable ones; the phase is computed anew if that changes it."""
    left, right = strike_label_frames(editable, "L"), strike_label_frames(editable, "R")
    same = np.array_equal(left, labels.left_strikes) and np.array_equal(right, labels.right_strikes)
    if same and keep_standing:
        return labels
    phase = phase_from_strikes(editable, labels.standing)
    return replace(labels, left_strikes=left, right_strikes=right, phase=phase)


def _with_actions(labels: Labels, actions: Array, clip: Clip) -> Labels:
    """Return labels with other actions, and with goals and transition phases derived from them."""
    phase = MotionSignals.of(clip, labels.ground).action_phase(labels.action_names, actions)
    goals = find_goals(clip, actions, labels.action_names)
    return replace(labels, actions=actions, goals=goals, action_phase=phase)


def _correction_slice(correction: LabelCorrection, editable: EditableLabels) -> slice:
    return slice(max(correction.start - editable.first_frame, 0), max(correction.end - editable.first_frame + 1, 0))


def _set_shares(rows: Array, column: int, is_present: bool) -> None:
    """Set or clear a column in rows (F, N) of shares so that each row still sums to 1."""
    if is_present:
        rows[:] = np.eye(rows.shape[1])[column]
        return
    rows[:, column] = 0.0
    total = rows.sum(axis=1, keepdims=True)
    rows[:] = np.where(total > 0, rows / np.maximum(total, 1e-9), np.eye(rows.shape[1])[0])


def spans_from_labels(labels: Labels, first_frame: int) -> list[LabelSpan]:
    """Return the spans of contacts, gaits, actions and goals in labels that begin at scene frame ``first_frame``."""
    return [
        LabelSpan(
            s.kind,
            s.name,
            first_frame + s.start,
            first_frame + s.stop - 1,
            s.confidence,
            "DETECTED",
            s.location or NO_LOCATION,
            s.yaw,
        )
        for s in segment_labels(labels)
    ]


def clear_labels(armature: bpy.types.Object, action: bpy.types.Action) -> None:
    """Remove all labels from an action, including the user's corrections; the motion is not changed."""
    clear_stored_labels(action)
    clear_curves(armature, action)
