"""Operators of the live preview: one preview at a time, as long as its character exists."""

from typing import Final

import bpy
from bpy.app.handlers import persistent

from ...ui.operator_base import active_armature
from ...ui.redraw import tag_redraw_all
from .draw import LivePreview, note_changes

TICK_INTERVAL_S: Final = 1 / 30
"""Seconds."""


class _ActivePreview:
    preview: LivePreview | None = None


def active_preview() -> LivePreview | None:
    """Return the active preview."""
    return _ActivePreview.preview


def update_live_preview(session: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    """Start or stop the preview of the active armature's walk, according to the session."""
    stop_live_preview()
    armature = active_armature(context)
    if session.live_preview and armature is not None:
        _ActivePreview.preview = LivePreview(armature)
        _ActivePreview.preview.start()
        bpy.app.handlers.depsgraph_update_post.append(_on_depsgraph_update)
        bpy.app.timers.register(_tick)


def stop_live_preview() -> None:
    """Stop the preview."""
    preview, _ActivePreview.preview = _ActivePreview.preview, None
    if preview is not None:
        preview.stop()
        bpy.app.handlers.depsgraph_update_post.remove(_on_depsgraph_update)
        if bpy.app.timers.is_registered(_tick):
            bpy.app.timers.unregister(_tick)


def _tick() -> float | None:
    if _ActivePreview.preview is None:
        return None
    _ActivePreview.preview.tick()
    tag_redraw_all()
    return TICK_INTERVAL_S


@persistent
def _on_depsgraph_update(_scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    if _ActivePreview.preview is not None:
        note_changes(_ActivePreview.preview, depsgraph)
