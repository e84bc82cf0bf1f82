"""Having Blender draw again what shows labels and progress."""

import bpy

REDRAWN_AREAS = ("VIEW_3D", "DOPESHEET_EDITOR", "GRAPH_EDITOR")


def tag_redraw_all() -> None:
    """Have all 3D viewports and time editors drawn again."""
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type in REDRAWN_AREAS:
                area.tag_redraw()
