"""The curves of the marked training run, drawn into a corner of the 3D viewport."""

import sys
import traceback

import bpy

from . import drawing

__all__ = ["register", "unregister"]


class _DrawHandler:
    handle: object | None = None


def register() -> None:
    """Add the drawing to every 3D viewport, where Blender has windows."""
    if not bpy.app.background:
        _DrawHandler.handle = bpy.types.SpaceView3D.draw_handler_add(_draw_once, (), "WINDOW", "POST_PIXEL")


def unregister() -> None:
    """Take it back."""
    drawing.free_gpu_resources()
    if _DrawHandler.handle is not None:
        bpy.types.SpaceView3D.draw_handler_remove(_DrawHandler.handle, "WINDOW")
        _DrawHandler.handle = None


def _draw_once() -> None:
    """Draw, or, after an error, say so once and never draw again: a broken overlay must not fill the console."""
    try:
        drawing.draw(bpy.context)
    except Exception:
        traceback.print_exc()
        print("Footfall: the curves of training are switched off after this error.", file=sys.stderr)
        unregister()
