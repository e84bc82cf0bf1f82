"""Overlay in the 3D viewport of the ground along a character's path, as its walk will find it."""

import sys
import traceback
from collections.abc import Callable

import bpy

from ...ui.redraw import tag_redraw_all
from . import drawing, finding

__all__ = ["register", "unregister"]

_handles: list[object] = []


def register() -> None:
    """Add the switch to every scene, and the drawing if there are windows."""
    bpy.types.Scene.footfall_show_ground = bpy.props.BoolProperty(
        name="Show Ground",
        description="Show in the viewport the heights that the walk will find left of the path, under it and right of "
        "it, the way that it will take, and where there is no ground",
        default=False,
        update=lambda _scene, _context: tag_redraw_all(),
    )
    bpy.app.handlers.depsgraph_update_post.append(finding.on_depsgraph_update)
    for handlers in _invalidating_handlers():
        handlers.append(finding.invalidate)
    if not bpy.app.background:
        for draw, when in ((drawing.draw_on_ground, "POST_VIEW"), (drawing.draw_texts, "POST_PIXEL")):
            _handles.append(bpy.types.SpaceView3D.draw_handler_add(_draw_once, (draw,), "WINDOW", when))


def unregister() -> None:
    """Undo :func:`register`."""
    _stop_drawing()
    finding.cancel_and_clear()
    for handlers in _invalidating_handlers():
        handlers.remove(finding.invalidate)
    bpy.app.handlers.depsgraph_update_post.remove(finding.on_depsgraph_update)
    del bpy.types.Scene.footfall_show_ground


def _invalidating_handlers() -> tuple[list, ...]:
    handlers = bpy.app.handlers
    return handlers.undo_post, handlers.redo_post, handlers.load_post


def _draw_once(draw: Callable[[bpy.types.Context], None]) -> None:
    """Draw; after an error, report it once and stop drawing, so that the console is not filled."""
    try:
        draw(bpy.context)
    except Exception:
        traceback.print_exc()
        print("Footfall: the overlay of the ground is switched off after this error.", file=sys.stderr)
        _stop_drawing()


def _stop_drawing() -> None:
    drawing.free_gpu_resources()
    while _handles:
        bpy.types.SpaceView3D.draw_handler_remove(_handles.pop(), "WINDOW")
