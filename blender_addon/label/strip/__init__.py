"""The label strip at the bottom of Timeline and Dope Sheet, where labels are drawn and edited.

It shows contacts, strikes, phase, gaits, actions and review spots of the active armature's action.
"""

import sys
import traceback

import bpy

from . import drawing, reading
from .editing import FOOTFALL_OT_apply_label_edit, FOOTFALL_OT_edit_labels, why_not_editable
from .state import EditState

__all__ = ["draw_toggles", "register", "unregister"]

CLASSES = (FOOTFALL_OT_apply_label_edit, FOOTFALL_OT_edit_labels)


class _DrawHandler:
    handle: object | None = None


def register() -> None:
    """Add the operators, and the drawing to every Timeline and Dope Sheet if Blender has windows."""
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    for handlers in _invalidating_handlers():
        handlers.append(reading.invalidate)
    bpy.types.DOPESHEET_HT_header.append(_draw_in_header)
    if not bpy.app.background:
        _DrawHandler.handle = bpy.types.SpaceDopeSheetEditor.draw_handler_add(_draw_once, (), "WINDOW", "POST_PIXEL")


def unregister() -> None:
    """Undo :func:`register`."""
    EditState.running = False
    EditState.forget_mouse()
    _stop_drawing()
    bpy.types.DOPESHEET_HT_header.remove(_draw_in_header)
    for handlers in _invalidating_handlers():
        handlers.remove(reading.invalidate)
    reading.invalidate()
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)


def draw_toggles(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw the switch of the strip and the button of its edit mode."""
    row = layout.row(align=True)
    row.prop(context.scene.footfall_label_overlays, "show_strip", text="", icon="NLA")
    row.operator(FOOTFALL_OT_edit_labels.bl_idname, icon="GREASEPENCIL", depress=EditState.running)


def _invalidating_handlers() -> tuple[list, ...]:
    handlers = bpy.app.handlers
    return handlers.undo_post, handlers.redo_post, handlers.load_post


def _draw_in_header(header: bpy.types.Header, context: bpy.types.Context) -> None:
    if EditState.running or why_not_editable(context) is None:
        draw_toggles(header.layout, context)


def _draw_once() -> None:
    """Draw; after an error, report it once and stop drawing, so that the console is not filled."""
    try:
        drawing.draw(bpy.context)
    except Exception:
        traceback.print_exc()
        print("Footfall: the label strip is switched off after this error.", file=sys.stderr)
        _stop_drawing()


def _stop_drawing() -> None:
    drawing.free_gpu_resources()
    if _DrawHandler.handle is not None:
        bpy.types.SpaceDopeSheetEditor.draw_handler_remove(_DrawHandler.handle, "WINDOW")
        _DrawHandler.handle = None
