"""Overlays of labels in the 3D viewport: footprints, the root's path, phase dials; and the switches of all overlays."""

import sys
import traceback
from collections.abc import Callable

import bpy

from . import drawing, finding
from .panel import FOOTFALL_PT_label_overlays
from .switches import FOOTFALL_PG_label_overlays

__all__ = ["register", "unregister"]

CLASSES = (FOOTFALL_PG_label_overlays, FOOTFALL_PT_label_overlays)

_handles: list[object] = []


def register() -> None:
    """Add the switches to every scene and to the panel Label, and the drawing to the viewport.

    The panel Label must be registered before; there is no drawing without windows.
    """
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Scene.footfall_label_overlays = bpy.props.PointerProperty(type=FOOTFALL_PG_label_overlays)
    for handlers in _invalidating_handlers():
        handlers.append(finding.invalidate)
    if not bpy.app.background:
        for draw, when in ((drawing.draw_on_ground, "POST_VIEW"), (drawing.draw_dials, "POST_PIXEL")):
            _handles.append(bpy.types.SpaceView3D.draw_handler_add(_draw_once, (draw,), "WINDOW", when))


def unregister() -> None:
    """Undo :func:`register`."""
    _stop_drawing()
    finding.cancel_pending()
    for handlers in _invalidating_handlers():
        handlers.remove(finding.invalidate)
    del bpy.types.Scene.footfall_label_overlays
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)


def _invalidating_handlers() -> tuple[list, ...]:
    handlers = bpy.app.handlers
    return handlers.undo_post, handlers.redo_post, handlers.load_post


def _draw_once(draw: Callable[[bpy.types.Context], None]) -> None:
    """Draw; after an error, report it once and stop drawing, so that the console is not filled."""
    try:
        draw(bpy.context)
    except Exception:
        traceback.print_exc()
        print("Footfall: the overlays in the viewport are switched off after this error.", file=sys.stderr)
        _stop_drawing()


def _stop_drawing() -> None:
    drawing.free_gpu_resources()
    while _handles:
        bpy.types.SpaceView3D.draw_handler_remove(_handles.pop(), "WINDOW")
