"""Switching the live preview on and off: one at a time, for as long as its character is there."""

from typing import Final

import bpy
from bpy.app.handlers import persistent

from ...ui.operator_base import active_armature
from ...ui.redraw import redraw
from .draw import LivePreview, watch

TICK: Final = 1 / 30
"""Seconds."""


class _Shown:
    preview: LivePreview | None = None


def shown() -> LivePreview | None:
    """The preview that is shown."""
    return _Shown.preview


def switch(session: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    """Shows the active armature's walk, or no walk any more, as the session says."""
    end()
    armature = active_armature(context)
    if session.live_preview and armature is not None:
        _Shown.preview = LivePreview(armature)
        _Shown.preview.start()
        bpy.app.handlers.depsgraph_update_post.append(_watch)
        bpy.app.timers.register(_tick)


def end() -> None:
    """Shows no walk any more."""
    preview, _Shown.preview = _Shown.preview, None
    if preview is not None:
        preview.stop()
        bpy.app.handlers.depsgraph_update_post.remove(_watch)
        if bpy.app.timers.is_registered(_tick):
            bpy.app.timers.unregister(_tick)


def _tick() -> float | None:
    if _Shown.preview is None:
        return None
    _Shown.preview.tick()
    redraw()
    return TICK


@persistent
def _watch(_scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    if _Shown.preview is not None:
        watch(_Shown.preview, depsgraph)
