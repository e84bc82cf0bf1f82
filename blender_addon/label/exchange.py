"""Import and export of label files (``.labels.npz``) for actions."""

from collections.abc import Iterator
from pathlib import Path

import bpy

from ...core.errors import FootfallError
from ...core.labelling import Labels
from ...core.motion.contacts import CONTACT_THRESHOLD
from ...core.motion.signals import runs_of
from ..animation.fcurve_io.reader import action_frames, scene_rate
from .labels import ContactsByFoot, spans_from_labels
from .marks import EditableLabels, FootStrike, LabelCorrection, resolve_contact_feet
from .refresh import write_editable_labels
from .store import store_issues

LABEL_FILE_SUFFIX = ".labels.npz"
MAX_DURATION_DIFFERENCE_FRAMES = 1.5
"""Largest difference in frames between the durations of a file and an action."""


def import_labels(
    armature: bpy.types.Object, action: bpy.types.Action, path: Path, scene: bpy.types.Scene, feet: ContactsByFoot
) -> EditableLabels:
    """Replace an action's labels with those in a file, including the file's corrections; return them.

    Raises:
        FootfallError: the file is damaged, or belongs to another motion.
    """
    first, last = action_frames(armature, action)
    labels = resample_labels(Labels.load(path), scene_rate(scene), last - first + 1, path, action)
    marks = EditableLabels(first, len(labels), labels.frame_rate, resolve_contact_feet(labels.contact_joints, feet))
    marks.spans = list(spans_from_labels(labels, first))
    marks.corrections = list(_read_corrections(labels, first))
    marks.reapply_corrections()
    for side, frames in (("L", labels.left_strikes), ("R", labels.right_strikes)):
        _place_strikes(marks, side, {first + frame for frame in frames.tolist()})
    write_editable_labels(armature, action, marks)
    store_issues(action, [])
    return marks


def resample_labels(labels: Labels, rate: float, frames: int, path: Path, action: bpy.types.Action) -> Labels:
    """Resample a file's labels to the scene's rate; raise :class:`FootfallError` if their length does not fit."""
    own, wanted = len(labels) / labels.frame_rate, frames / rate
    if abs(own - wanted) > MAX_DURATION_DIFFERENCE_FRAMES / min(labels.frame_rate, rate):
        raise FootfallError(
            "The label file '{file}' is {seconds} s long, but action '{action}' is {action_seconds} s long at {rate} "
            "fps: choose the file of this motion, or set the frame rate of the scene to that of the motion",
            file=path.name,
            seconds=f"{own:.2f}",
            action=action.name,
            action_seconds=f"{wanted:.2f}",
            rate=f"{rate:g}",
        )
    return labels.resampled(rate, frames)


def _read_corrections(labels: Labels, first_frame: int) -> Iterator[LabelCorrection]:
    """Yield the corrections of contacts stored in a file, which are labels with confidence 1."""
    for column, name in enumerate(labels.contact_joints):
        sure, on = labels.confidence[:, column] >= 1.0, labels.contacts[:, column] > CONTACT_THRESHOLD
        for state in (True, False):
            for start, stop in runs_of(sure & (on == state)).tolist():
                yield LabelCorrection("CONTACT", name, first_frame + start, first_frame + stop - 1, state)


def _place_strikes(editable: EditableLabels, side: str, frames: set[int]) -> None:
    """Set a foot's strikes to those in a file, which need not be where its contacts start."""
    derived = set(editable.strike_frames(side))
    editable.strikes += [FootStrike(side, frame, "USER") for frame in sorted(frames - derived)]
    for frame in sorted(derived - frames):
        editable.strikes.remove(FootStrike(side, frame))
        editable.strikes.append(FootStrike(side, frame, "USER", removed=True))
    editable.derive_strikes(side)
