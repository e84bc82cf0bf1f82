"""Operators of the live preview: one preview at a time, as long as its character exists."""

from typing import Final

import bpy
from bpy.app.handlers import persistent

from ...ui.operator_base import active_armature
from ...ui.redraw import tag_redraw_all
from ...ui.viewport_preview import PreviewSlot
from .draw import LivePreview, note_changes

TICK_INTERVAL_S: Final = 1 / 30


_slot: PreviewSlot[LivePreview] = PreviewSlot()


def active_preview() -> LivePreview | None:
    """Return the preview that is shown."""
    return _slot.preview


def update_live_preview(session: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    """Start or stop the preview of the active armature's walk, according to the session."""
    stop_live_preview()
    armature = active_armature(context)
    if session.live_preview and armature is not None:
        _slot.show(LivePreview(armature))
        bpy.app.handlers.depsgraph_update_post.append(_on_depsgraph_update)
        bpy.app.timers.register(_tick)


def stop_live_preview() -> None:
    """Show no walk any more."""
    if _slot.preview is not None:
        _slot.stop()
        bpy.app.handlers.depsgraph_update_post.remove(_on_depsgraph_update)
        if bpy.app.timers.is_registered(_tick):
            bpy.app.timers.unregister(_tick)


def _tick() -> float | None:
    if _slot.preview is None:
        return None
    _slot.preview.tick()
    tag_redraw_all()
    return TICK_INTERVAL_S


@persistent
def _on_depsgraph_update(_scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    if _slot.preview is not None:
        note_changes(_slot.preview, depsgraph)
