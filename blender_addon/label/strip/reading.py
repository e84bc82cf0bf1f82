"""The labels of an action as the strip shows them, read once per revision."""

from typing import Final

import bpy
import numpy as np
from bpy.app.handlers import persistent
from numpy.typing import NDArray

from ... import compat
from ...animation.fcurve_io.slots import slot_for
from ..curves import PHASE_PROPERTY
from ..marks import EditableLabels
from ..refresh import phase_from_labels
from ..store import read_editable_labels
from .shown import StripIssue, StripLabels, StripSpan, StripStrike

Key = tuple[int, int, int]

MAX_CACHED: Final = 4

_cache: dict[Key, StripLabels] = {}


@persistent
def invalidate(*_: object) -> None:
    """Drop the cached labels, as an undo or another file may restore a revision's number with other labels."""
    _cache.clear()


def read_strip_labels(armature: bpy.types.Object, action: bpy.types.Action) -> StripLabels:
    """Return the labels of an action on an armature."""
    key = (armature.session_uid, action.session_uid, action.footfall.revision)
    if key not in _cache:
        while len(_cache) >= MAX_CACHED:
            del _cache[next(iter(_cache))]
        marks, phase = read_editable_labels(armature, action), read_phase(armature, action)
        _cache[key] = to_strip_labels(
            marks, phase if len(phase) == marks.frame_count else phase_from_labels(marks), _read_issues(action)
        )
    return _cache[key]


def to_strip_labels(
    editable: EditableLabels, phase: NDArray[np.floating], issues: tuple[StripIssue, ...]
) -> StripLabels:
    """Return editable labels with a phase (F), which may be empty, as the strip shows them."""
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
    """Return the phase (F) from its curve; empty if the armature is linked and has none."""
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
