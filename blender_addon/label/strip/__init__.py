"""The label strip at the bottom of Timeline and Dope Sheet, which draws labels for editing.

It shows contacts, strikes, phase, gaits, actions and review spots of the active armature's action.
"""

import bpy

from ...ui.overlay import Overlay
from . import drawing
from .editing import FOOTFALL_OT_apply_label_edit, FOOTFALL_OT_edit_labels, why_not_editable
from .state import EditState

__all__ = ["draw_toggles", "register", "unregister"]

CLASSES = (FOOTFALL_OT_apply_label_edit, FOOTFALL_OT_edit_labels)


_overlay = Overlay(
    "strip", [(drawing.draw, "POST_PIXEL")], space=bpy.types.SpaceDopeSheetEditor, free=drawing.free_gpu_resources
)


def register() -> None:
    """Add the operators; if Blender has windows, also draw the strip in every Timeline and Dope Sheet."""
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.DOPESHEET_HT_header.append(_draw_in_header)
    _overlay.start()


def unregister() -> None:
    EditState.end()
    _overlay.stop()
    bpy.types.DOPESHEET_HT_header.remove(_draw_in_header)
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)


def draw_toggles(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw the switch that shows the strip, and the button that starts its edit mode."""
    row = layout.row(align=True)
    row.prop(context.scene.footfall_label_overlays, "show_strip", text="", icon="NLA")
    row.operator(FOOTFALL_OT_edit_labels.bl_idname, icon="GREASEPENCIL", depress=EditState.running)


def _draw_in_header(header: bpy.types.Header, context: bpy.types.Context) -> None:
    if EditState.running or why_not_editable(context) is None:
        draw_toggles(header.layout, context)
