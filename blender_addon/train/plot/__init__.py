"""The curves of the active training run, drawn into a corner of the 3D viewport."""

import sys
import traceback

import bpy

from . import drawing

__all__ = ["register", "unregister"]


class _DrawHandler:
    handle: object | None = None


def register() -> None:
    """Add the drawing to every 3D viewport, if Blender has windows."""
    if not bpy.app.background:
        _DrawHandler.handle = bpy.types.SpaceView3D.draw_handler_add(_draw_once, (), "WINDOW", "POST_PIXEL")


def unregister() -> None:
    """Remove the drawing."""
    drawing.free_gpu_resources()
    if _DrawHandler.handle is not None:
        bpy.types.SpaceView3D.draw_handler_remove(_DrawHandler.handle, "WINDOW")
        _DrawHandler.handle = None


def _draw_once() -> None:
    """Draw; after an error, report it once and stop drawing, so that the console is not filled."""
    try:
        drawing.draw(bpy.context)
    except Exception:
        traceback.print_exc()
        print("Footfall: the curves of training are switched off after this error.", file=sys.stderr)
        unregister()
