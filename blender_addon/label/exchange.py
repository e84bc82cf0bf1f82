"""Label files (``.labels.npz``) onto actions and back."""

from collections.abc import Iterator
from pathlib import Path

import bpy

from ...core.errors import FootfallError
from ...core.labelling import Labels
from ...core.motion.signals import runs_of
from ..animation.fcurve_io.reader import action_frames, scene_rate
from .labels import Feet, spans_of
from .marks import Correction, Marks, Strike, feet_of
from .refresh import write_marks
from .store import store_spots

ENDING = ".labels.npz"
MOST_DIFFERENCE = 1.5
"""Frames by which a file's duration may differ from the action's."""


def load_labels(
    armature: bpy.types.Object, action: bpy.types.Action, path: Path, scene: bpy.types.Scene, feet: Feet
) -> Marks:
    """Puts a file's labels on an action in place of those it has; what the file's user said stays said.

    Raises:
        FootfallError: the file is damaged, or is of another motion.
    """
    first, last = action_frames(armature, action)
    labels = fitted(Labels.load(path), scene_rate(scene), last - first + 1, path, action)
    marks = Marks(first, len(labels), labels.frame_rate, feet_of(labels.contact_joints, feet))
    marks.spans = list(spans_of(labels, first))
    marks.corrections = list(_said(labels, first))
    marks.recorrect()
    for side, frames in (("L", labels.left_strikes), ("R", labels.right_strikes)):
        _place_strikes(marks, side, {first + frame for frame in frames.tolist()})
    write_marks(armature, action, marks)
    store_spots(action, [])
    return marks


def fitted(labels: Labels, rate: float, frames: int, path: Path, action: bpy.types.Action) -> Labels:
    """A file's labels at the scene's rate; raises :class:`FootfallError` where they last longer or shorter."""
    own, wanted = len(labels) / labels.frame_rate, frames / rate
    if abs(own - wanted) > MOST_DIFFERENCE / min(labels.frame_rate, rate):
        raise FootfallError(
            f"'{path.name}' has {len(labels)} frames at {labels.frame_rate:g} a second ({own:.2f} s), but action "
            f"'{action.name}' has {frames} at {rate:g} ({wanted:.2f} s): choose the file of this motion, or set the "
            "scene's frame rate to the motion's."
        )
    return labels.resampled(rate, frames)


def _said(labels: Labels, first: int) -> Iterator[Correction]:
    """What the user has said of contacts: the marks that are certain."""
    for column, name in enumerate(labels.contact_joints):
        sure, on = labels.confidence[:, column] >= 1.0, labels.contacts[:, column] > 0.5
        for state in (True, False):
            for start, stop in runs_of(sure & (on == state)).tolist():
                yield Correction("CONTACT", name, first + start, first + stop - 1, state)


def _place_strikes(marks: Marks, side: str, wanted: set[int]) -> None:
    """Makes a foot's strikes those of the file, which need not all be where its contacts begin."""
    derived = set(marks.live_strikes(side))
    marks.strikes += [Strike(side, frame, "USER") for frame in sorted(wanted - derived)]
    for frame in sorted(derived - wanted):
        marks.strikes.remove(Strike(side, frame))
        marks.strikes.append(Strike(side, frame, "USER", removed=True))
    marks.derive_strikes(side)
