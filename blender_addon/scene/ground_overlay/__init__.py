"""Overlay in the 3D viewport of the ground along a character's path, as its walk will see it."""

import bpy

from ...ui.memo import invalidating_handlers
from ...ui.overlay import Overlay
from ...ui.redraw import tag_redraw_all
from . import drawing, finding

__all__ = ["register", "unregister"]

_overlay = Overlay(
    "ground",
    [(drawing.draw_on_ground, "POST_VIEW"), (drawing.draw_texts, "POST_PIXEL")],
    free=drawing.free_gpu_resources,
    in_meters=True,
)


def register() -> None:
    """Add the overlay's switch to scenes and, unless Blender runs without windows, its drawing."""
    bpy.types.Scene.footfall_show_ground = bpy.props.BoolProperty(
        name="Show Ground",
        description="Show the ground along the path in the viewport, with the planned path and its gaps",
        default=False,
        update=lambda _scene, _context: tag_redraw_all(),
    )
    bpy.app.handlers.depsgraph_update_post.append(finding.on_depsgraph_update)
    for handlers in invalidating_handlers():
        handlers.append(finding.invalidate)
    _overlay.start()


def unregister() -> None:
    """Undo :func:`register`."""
    _overlay.stop()
    finding.cancel_and_clear()
    for handlers in invalidating_handlers():
        handlers.remove(finding.invalidate)
    bpy.app.handlers.depsgraph_update_post.remove(finding.on_depsgraph_update)
    del bpy.types.Scene.footfall_show_ground
