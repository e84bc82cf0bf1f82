"""The labels of an action as the strip shows them, read once for each revision."""

from typing import Final

import bpy
import numpy as np
from bpy.app.handlers import persistent
from numpy.typing import NDArray

from ... import compat
from ...animation.fcurve_io.slots import slot_for
from ..curves import PHASE
from ..marks import Marks
from ..refresh import phase_of
from ..store import read_marks
from .shown import Shown, Span, Spot, Strike

Key = tuple[int, int, int]

REMEMBERED: Final = 4

_cache: dict[Key, Shown] = {}


@persistent
def forget(*_: object) -> None:
    """An undo or another file may bring back a revision's number with other labels."""
    _cache.clear()


def shown_of(armature: bpy.types.Object, action: bpy.types.Action) -> Shown:
    """The labels of an action on an armature."""
    key = (armature.session_uid, action.session_uid, action.footfall.revision)
    if key not in _cache:
        while len(_cache) >= REMEMBERED:
            del _cache[next(iter(_cache))]
        marks, phase = read_marks(armature, action), read_phase(armature, action)
        _cache[key] = as_shown(marks, phase if len(phase) == marks.count else phase_of(marks), _spots(action))
    return _cache[key]


def as_shown(marks: Marks, phase: NDArray[np.floating], spots: tuple[Spot, ...]) -> Shown:
    """Plain marks with a phase (F), which may be empty, as the strip shows them."""
    spans = tuple(
        Span(span.kind, span.name, span.start, span.end, span.confidence, span.source == "USER", index)
        for index, span in enumerate(marks.spans)
    )
    strikes = tuple(
        Strike(strike.frame, strike.side, strike.source == "USER") for strike in marks.strikes if not strike.removed
    )
    return Shown(marks.first, marks.rate, dict(marks.sensors), spans, strikes, spots, phase)


def read_phase(armature: bpy.types.Object, action: bpy.types.Action) -> NDArray[np.floating]:
    """The phase (F) from its curve; empty where the armature is another file's and has none."""
    slot = slot_for(armature, action)
    channelbag = compat.find_channelbag(action, slot) if slot else None
    curve = channelbag.fcurves.find(f'["{PHASE}"]') if channelbag else None
    if curve is None:
        return np.zeros(0)
    points = np.empty(2 * len(curve.keyframe_points), dtype=np.float32)
    curve.keyframe_points.foreach_get("co", points)
    return points[1::2].astype(float)


def _spots(action: bpy.types.Action) -> tuple[Spot, ...]:
    return tuple(Spot(spot.frame, spot.doubt, spot.text, index) for index, spot in enumerate(action.footfall.spots))
