"""Update of an action after edits of its labels: phase, curves and pose markers follow strikes and spans."""

from typing import Final

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.actions import actions_that
from ...core.labelling.phase.phase import find_phase, find_strikes
from ...core.labelling.phase.quadruped import quadruped_phase
from ...core.labelling.semantics import actions
from ...core.motion.rotations import Array
from .curves import write_curves
from .marks import EditableLabels
from .signals import get_signals
from .store import store_editable_labels

FRONT_FEET: Final = {"FL", "FR"}
TRANSITION_ACTIVITIES: Final = frozenset(actions_that(lambda one: bool(one.transitions)))
"""Actions with a phase, and actions entered or left through one of them."""


def write_editable_labels(armature: bpy.types.Object, action: bpy.types.Action, editable: EditableLabels) -> None:
    """Write labels to an action and update all that depends on them, without reading the motion again."""
    store_editable_labels(action, editable)
    write_curves(armature, action, editable, phase_from_labels(editable), activity_phase(armature, action, editable))


def phase_from_labels(editable: EditableLabels) -> Array:
    """Return the phase (F), cycles, that the strikes and the standing frames define."""
    return phase_from_strikes(editable, standing_frames(editable))


def phase_from_strikes(editable: EditableLabels, standing: NDArray[np.bool_]) -> Array:
    """Return the phase (F), cycles, that the strikes define, given the frames (F) in which the character stands."""
    left, right = strike_label_frames(editable, "L"), strike_label_frames(editable, "R")
    if not FRONT_FEET.isdisjoint(editable.contact_feet.values()):
        front = {foot: find_strikes(editable.foot_contact_mask(foot), editable.frame_rate) for foot in FRONT_FEET}
        return quadruped_phase({"L": left, "R": right, **front}, standing, editable.frame_rate)
    return find_phase(left, right, standing, editable.frame_rate)


def strike_label_frames(editable: EditableLabels, side: str) -> NDArray[np.intp]:
    """Return a foot's strikes as frames counted from the first label, without strikes outside the labels."""
    frames = np.array(editable.strike_frames(side), dtype=np.intp) - editable.first_frame
    return frames[(frames >= 0) & (frames < editable.frame_count)]


def standing_frames(editable: EditableLabels) -> NDArray[np.bool_]:
    """Return a mask (F) of the frames in which the character stands."""
    return editable.covered_mask(span for span in editable.spans if span.kind == "GAIT" and span.name == "stand")


def activity_phase(armature: bpy.types.Object, action: bpy.types.Action, editable: EditableLabels) -> Array:
    """Return the phase (F) of transitions such as sitting down and standing up; 0 outside of transitions."""
    spans = [span for span in editable.spans if span.kind == "ACTION"]
    signals = None
    if not TRANSITION_ACTIVITIES.isdisjoint(span.name for span in spans):
        signals = get_signals(armature, action, editable.frame_count)
    if signals is None:
        return np.zeros(editable.frame_count)
    shares = [editable.covered_mask(span for span in spans if span.name == name) for name in actions.ACTION_NAMES]
    rows = np.stack(shares, axis=1).astype(float)
    return signals.action_phase(actions.ACTION_NAMES, rows)
