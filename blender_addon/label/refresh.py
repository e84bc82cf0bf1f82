"""Bringing an action up to date with its marks: phase, curves and pose markers follow strikes and spans."""

from typing import Final

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.labelling.phase.acyclic_phase import acyclic_phase, find_transitions
from ...core.labelling.phase.phase import find_phase, find_strikes
from ...core.labelling.phase.quadruped import quadruped_phase
from ...core.labelling.semantics import actions
from ...core.motion.rotations import Array
from .curves import write_curves
from .marks import Marks
from .signals import signals_of
from .store import store_marks

FRONT: Final = {"FL", "FR"}
TRANSITIONAL: Final = {"sit", "open", "carry", "strike"}
"""Actions that have a phase, or that are entered and left by one that has."""


def write_marks(armature: bpy.types.Object, action: bpy.types.Action, marks: Marks) -> None:
    """Puts marks on an action and has everything follow that is computed from them; the motion is not read."""
    store_marks(action, marks)
    write_curves(armature, action, marks, phase_of(marks), action_phase_of(armature, action, marks))


def phase_of(marks: Marks) -> Array:
    """The phase (F) in cycles that the strikes and the frames of standing give."""
    return phase_of_strikes(marks, standing_of(marks))


def phase_of_strikes(marks: Marks, standing: NDArray[np.bool_]) -> Array:
    """The phase (F) in cycles that the strikes give, of a character that stands in some frames (F)."""
    left, right = label_frames(marks, "L"), label_frames(marks, "R")
    if not FRONT.isdisjoint(marks.sensors.values()):
        front = {foot: find_strikes(marks.down(foot), marks.rate) for foot in FRONT}
        return quadruped_phase({"L": left, "R": right, **front}, standing, marks.rate)
    return find_phase(left, right, standing, marks.rate)


def label_frames(marks: Marks, side: str) -> NDArray[np.intp]:
    """A foot's strikes counted from the first label; those outside the labels are left out."""
    frames = np.array(marks.live_strikes(side), dtype=np.intp) - marks.first
    return frames[(frames >= 0) & (frames < marks.count)]


def standing_of(marks: Marks) -> NDArray[np.bool_]:
    """The frames (F) whose gait is standing."""
    return marks.covered(span for span in marks.spans if span.kind == "GAIT" and span.name == "stand")


def action_phase_of(armature: bpy.types.Object, action: bpy.types.Action, marks: Marks) -> Array:
    """The phase (F) of sitting down, standing up and the like; 0 where nothing of the kind goes on."""
    spans = [span for span in marks.spans if span.kind == "ACTION"]
    signals = None
    if not TRANSITIONAL.isdisjoint(span.name for span in spans):
        signals = signals_of(armature, action, marks.count)
    if signals is None:
        return np.zeros(marks.count)
    shares = [marks.covered(span for span in spans if span.name == name) for name in actions.NAMES]
    rows = np.stack(shares, axis=1).astype(float)
    found = find_transitions(actions.NAMES, rows, signals.hips_height, signals.hand_speed, marks.rate)
    return acyclic_phase(found, marks.count)
