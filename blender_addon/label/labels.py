"""Labels found by the core, put on actions, and read back with the user's corrections."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

import bpy
import numpy as np

from ...core.labelling import Labels, label_clip
from ...core.labelling.contacts.contact_objects import Target
from ...core.labelling.phase.acyclic_phase import acyclic_phase, find_transitions
from ...core.labelling.presets import BIPED, LabellingPreset
from ...core.labelling.segments import segments_of
from ...core.labelling.semantics.goals import find_goals
from ...core.motion import Clip
from ...core.motion.rotations import Array
from .curves import clear_curves
from .edits import settle
from .marks import Correction, Marks, Span, feet_of
from .refresh import label_frames, phase_of_strikes, write_marks
from .signals import Signals
from .store import clear_marks, read_marks, store_spots

Feet = Mapping[str, Iterable[str]]
NOWHERE: Final = (0.0, 0.0, 0.0)


def write_labels(
    armature: bpy.types.Object, action: bpy.types.Action, labels: Labels, first: int, feet: Feet | None = None
) -> None:
    """Puts found labels on an action, whose first frame in the scene is ``first``; what the user said stays said.

    Args:
        feet: which contacts make which foot; by their names where it is not given.
    """
    write_marks(armature, action, marks_of(armature, action, labels, first, feet))
    store_spots(action, [])


def marks_of(
    armature: bpy.types.Object, action: bpy.types.Action, labels: Labels, first: int, feet: Feet | None = None
) -> Marks:
    """Found labels as marks, with the corrections that are on the action."""
    sensors = feet_of(labels.contact_joints, feet)
    marks = Marks(first, len(labels), labels.frame_rate, sensors, spans_of(labels, first))
    if action.footfall.count or action.footfall.segments:
        before = read_marks(armature, action)
        marks.corrections = before.corrections
        marks.strikes = [strike for strike in before.strikes if strike.source == "USER"]
    marks.recorrect()
    return marks


def read_labels(
    armature: bpy.types.Object,
    action: bpy.types.Action,
    clip: Clip,
    first: int,
    preset: LabellingPreset = BIPED,
    targets: Mapping[str, Target] | None = None,
) -> Labels:
    """The labels of an action's clip: found in the motion, with the user's corrections on top."""
    settle(armature, action)
    found = label_clip(clip, preset, targets)
    return corrected(found, marks_of(armature, action, found, first, preset.feet), clip)


def corrected(found: Labels, marks: Marks, clip: Clip) -> Labels:
    """A clip's found labels with the user's corrections on top, and all that follows from them."""
    contacts, confidence = found.contacts.copy(), found.confidence.copy()
    gaits, actions = found.gaits.copy(), found.actions.copy()
    for correction in marks.corrections:
        if correction.is_cut:
            continue
        frames = _frames(correction, marks)
        if correction.kind == "CONTACT" and correction.name in found.contact_joints:
            column = found.contact_joints.index(correction.name)
            contacts[frames, column], confidence[frames, column] = float(correction.on), 1.0
        elif correction.kind == "GAIT" and correction.name in found.gait_names:
            _say(gaits[frames], found.gait_names.index(correction.name), correction.on)
        elif correction.kind == "ACTION" and correction.name in found.action_names:
            _say(actions[frames], found.action_names.index(correction.name), correction.on)
    labels = replace(found, contacts=contacts, confidence=confidence, gaits=gaits)
    labels = _with_strikes(labels, marks, np.array_equal(labels.standing, found.standing))
    return labels if np.array_equal(actions, found.actions) else _with_actions(labels, actions, clip)


def _with_strikes(labels: Labels, marks: Marks, same_standing: bool) -> Labels:
    """Labels with the strikes of the marks and, where anything that it follows from has changed, another phase."""
    left, right = label_frames(marks, "L"), label_frames(marks, "R")
    same = np.array_equal(left, labels.left_strikes) and np.array_equal(right, labels.right_strikes)
    if same and same_standing:
        return labels
    phase = phase_of_strikes(marks, labels.standing)
    return replace(labels, left_strikes=left, right_strikes=right, phase=phase)


def _with_actions(labels: Labels, actions: Array, clip: Clip) -> Labels:
    """Labels with other actions, and the goals and the phase of transitions that follow."""
    signals = Signals.of(clip, labels.ground)
    found = find_transitions(labels.action_names, actions, signals.hips_height, signals.hand_speed, labels.frame_rate)
    goals = find_goals(clip, actions, labels.action_names)
    return replace(labels, actions=actions, goals=goals, action_phase=acyclic_phase(found, len(labels)))


def _frames(correction: Correction, marks: Marks) -> slice:
    return slice(max(correction.start - marks.first, 0), max(correction.end - marks.first + 1, 0))


def _say(rows: Array, column: int, on: bool) -> None:
    """Makes rows (F, N) of shares say that something is so, or that it is not."""
    if on:
        rows[:] = np.eye(rows.shape[1])[column]
        return
    rows[:, column] = 0.0
    total = rows.sum(axis=1, keepdims=True)
    rows[:] = np.where(total > 0, rows / np.maximum(total, 1e-9), np.eye(rows.shape[1])[0])


def spans_of(labels: Labels, first: int) -> list[Span]:
    """Contacts, gaits, actions and goals of labels whose first frame is the scene's frame ``first``."""
    return [
        Span(s.kind, s.name, first + s.start, first + s.stop - 1, s.confidence, "FOUND", s.location or NOWHERE, s.yaw)
        for s in segments_of(labels)
    ]


def clear_labels(armature: bpy.types.Object, action: bpy.types.Action) -> None:
    """Removes all labels from an action, the user's corrections too; the motion is not touched."""
    clear_marks(action)
    clear_curves(armature, action)
