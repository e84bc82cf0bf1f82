"""Redrawing of the editors that show labels, progress and the state of the training environment."""

import bpy

REDRAWN_AREAS = ("VIEW_3D", "DOPESHEET_EDITOR", "GRAPH_EDITOR", "PREFERENCES")


def tag_redraw_all() -> None:
    """Redraw all 3D viewports, time editors and preferences."""
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type in REDRAWN_AREAS:
                area.tag_redraw()
