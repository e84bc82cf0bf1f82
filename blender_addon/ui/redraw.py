"""Redrawing of the editors that show labels and progress."""

import bpy

REDRAWN_AREAS = ("VIEW_3D", "DOPESHEET_EDITOR", "GRAPH_EDITOR")


def tag_redraw_all() -> None:
    """Redraw all 3D viewports and time editors."""
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type in REDRAWN_AREAS:
                area.tag_redraw()
