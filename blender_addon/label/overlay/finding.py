"""The geometry of overlays, computed once for each revision of the labels."""

from collections.abc import Callable
from typing import Final

import bpy
from bpy.app.handlers import persistent

from ....core.errors import FootfallError
from ....core.motion import Clip
from ...rig.clip_reader import read_mapped_action
from ...ui.idle_task import IdleTask
from ...ui.operator_base import active_armature
from ...ui.redraw import tag_redraw_all
from ..strip.reading import read_strip_labels
from ..strip.shown import StripLabels
from .dials import PhaseDials, compute_phase_dials
from .footprints import Footprints, compute_footprints
from .trajectory import RootTrajectory, compute_root_trajectory

OverlayData = Footprints | RootTrajectory | PhaseDials | None
OVERLAY_BUILDERS: Final[dict[str, Callable[[Clip, StripLabels], OverlayData]]] = {
    "footprints": compute_footprints,
    "trajectory": lambda clip, _shown: compute_root_trajectory(clip),
    "dials": compute_phase_dials,
}

_Key = tuple[object, ...]


class _OverlayCache:
    """The overlays of the last drawn labels."""

    key: _Key = ()
    clip: Clip | None = None
    overlays: dict[str, OverlayData] = {}
    pending: set[str] = set()


@persistent
def invalidate(*_: object) -> None:
    """Drop all cached overlays, since undo or another file may bring the same revision number with other labels."""
    _OverlayCache.key, _OverlayCache.clip, _OverlayCache.overlays, _OverlayCache.pending = (), None, {}, set()


def cancel_pending() -> None:
    """Cancel pending computations."""
    invalidate()
    task.cancel()


def get_overlay(armature: bpy.types.Object, overlay: str) -> OverlayData:
    """Return an overlay of the armature's labels; if it is not computed yet, start that and return ``None``."""
    key = _cache_key(armature)
    if key != _OverlayCache.key:
        invalidate()
        _OverlayCache.key = key
    if overlay not in _OverlayCache.overlays:
        _OverlayCache.pending.add(overlay)
        task.request()
    return _OverlayCache.overlays.get(overlay)


def _cache_key(armature: bpy.types.Object) -> _Key:
    action = armature.animation_data.action
    placed = tuple(round(value, 6) for row in armature.matrix_world for value in row)
    return armature.session_uid, action.session_uid, action.footfall.revision, placed


def _compute_pending() -> None:
    """Compute the requested overlays, skipping those whose labels no longer exist."""
    context = bpy.context
    armature = active_armature(context)
    data = armature.animation_data if armature else None
    if armature is None or data is None or data.action is None or _cache_key(armature) != _OverlayCache.key:
        return
    for what in sorted(_OverlayCache.pending):
        _OverlayCache.overlays[what] = _compute_overlay(context, armature, what)
    _OverlayCache.pending.clear()
    tag_redraw_all()


task = IdleTask(_compute_pending)


def _compute_overlay(context: bpy.types.Context, armature: bpy.types.Object, overlay: str) -> OverlayData:
    """Compute the geometry of an overlay; return ``None`` if the motion lacks required parts, such as hips."""
    action = armature.animation_data.action
    try:
        if _OverlayCache.clip is None:
            _OverlayCache.clip, _ = read_mapped_action(armature, action, context.scene)
        return OVERLAY_BUILDERS[overlay](_OverlayCache.clip, read_strip_labels(armature, action))
    except FootfallError:
        return None
