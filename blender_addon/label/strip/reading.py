"""The labels of an action for the strip, read once per revision."""

import bpy
import numpy as np
from numpy.typing import NDArray

from ... import compat
from ...animation.fcurve_io.slots import slot_for
from ...ui.memo import Memo
from ..curves import PHASE_PROPERTY
from ..marks import EditableLabels
from ..refresh import phase_from_labels
from ..store import read_editable_labels
from .shown import StripIssue, StripLabels, StripSpan, StripStrike

_labels: Memo[StripLabels] = Memo(size=4)


def read_strip_labels(armature: bpy.types.Object, action: bpy.types.Action) -> StripLabels:
    key = (armature.session_uid, action.session_uid, action.footfall.revision)
    return _labels.get(key, lambda: _read_labels(armature, action))


def _read_labels(armature: bpy.types.Object, action: bpy.types.Action) -> StripLabels:
    editable, phase = read_editable_labels(action), read_phase(armature, action)
    phase = phase if len(phase) == editable.frame_count else phase_from_labels(editable)
    return to_strip_labels(editable, phase, _read_issues(action))


def to_strip_labels(
    editable: EditableLabels, phase: NDArray[np.floating], issues: tuple[StripIssue, ...]
) -> StripLabels:
    """Convert editable labels and a phase (F), which may be empty, to the labels that the strip shows."""
    spans = tuple(
        StripSpan(span.kind, span.name, span.start, span.end, span.confidence, span.source == "USER", index)
        for index, span in enumerate(editable.spans)
    )
    strikes = tuple(
        StripStrike(strike.frame, strike.side, strike.source == "USER")
        for strike in editable.strikes
        if not strike.removed
    )
    return StripLabels(
        editable.first_frame, editable.frame_rate, dict(editable.contact_feet), spans, strikes, issues, phase
    )


def read_phase(armature: bpy.types.Object, action: bpy.types.Action) -> NDArray[np.floating]:
    """Return the phase (F) read from its curve; empty for a linked armature without a curve."""
    slot = slot_for(armature, action)
    channelbag = compat.find_channelbag(action, slot) if slot else None
    curve = channelbag.fcurves.find(f'["{PHASE_PROPERTY}"]') if channelbag else None
    if curve is None:
        return np.zeros(0)
    points = np.empty(2 * len(curve.keyframe_points), dtype=np.float32)
    curve.keyframe_points.foreach_get("co", points)
    return points[1::2].astype(float)


def _read_issues(action: bpy.types.Action) -> tuple[StripIssue, ...]:
    return tuple(
        StripIssue(spot.frame, spot.doubt, spot.text, index) for index, spot in enumerate(action.footfall.issues)
    )
