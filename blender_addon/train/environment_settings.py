"""The training environment in the preferences: its Python, its installation, and the check."""

from typing import Final

import bpy

from ...core.message import Message
from ..ui.panel_parts import draw_findings, draw_note
from ..ui.preferences import addon_preferences
from .environment_operators import (
    FOOTFALL_OT_cancel_training_environment,
    FOOTFALL_OT_check_training_setup,
    FOOTFALL_OT_install_training_environment,
    FOOTFALL_OT_remove_training_environment,
)

PAGE_WIDTH_CHARACTERS: Final = 80
"""Length of a line that fits into the preferences at their initial size."""


def draw_trainer(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw the settings and the state of the Python used for training."""
    own, session = addon_preferences(), context.window_manager.footfall
    if own is None:
        draw_note(layout, "Enable Footfall as an add-on in the preferences to train", "INFO")
        return
    column = layout.column()
    column.use_property_split = True
    column.use_property_decorate = False
    column.prop(own, "training_python")
    if not own.training_python:
        _draw_environment(layout, context, session)
        fold = layout.row()
        fold.alignment = "LEFT"
        fold.prop(own, "show_advanced", emboss=False, icon="TRIA_DOWN" if own.show_advanced else "TRIA_RIGHT")
        if own.show_advanced:
            column = layout.column()
            column.use_property_split = True
            column.use_property_decorate = False
            for name in ("wheels_folder", "package_index", "torch_index", "base_python"):
                column.prop(own, name)
    layout.operator(FOOTFALL_OT_check_training_setup.bl_idname, icon="VIEWZOOM")
    draw_findings(layout, session, PAGE_WIDTH_CHARACTERS)


def _draw_environment(layout: bpy.types.UILayout, context: bpy.types.Context, session: bpy.types.PropertyGroup) -> None:
    """Draw the state of Footfall's own environment, and the buttons for it."""
    if session.environment_status == "making":
        layout.progress(factor=session.environment_fraction, text=f"{100 * session.environment_fraction:.0f} %")
        draw_note(
            layout,
            session.environment_step or "Another Blender is installing the training environment",
            "INFO",
            PAGE_WIDTH_CHARACTERS,
        )
        layout.operator(FOOTFALL_OT_cancel_training_environment.bl_idname, text="Cancel", icon="CANCEL")
        return
    if session.environment_error:
        draw_note(layout, session.environment_error, "ERROR", PAGE_WIDTH_CHARACTERS)
    ready = (
        Message("The training environment is ready: {result}", result=session.environment_step)
        if session.environment_step
        else "The training environment is ready"
    )
    said = {
        "missing": ("Footfall can install a Python with PyTorch, and asks before downloading", "INFO"),
        "unfinished": ("The training environment is incomplete: press Resume to continue the installation", "ERROR"),
        "outdated": (
            "The training environment belongs to another version of Footfall: press Update Environment",
            "ERROR",
        ),
        "ready": (ready, "CHECKMARK"),
    }
    draw_note(layout, *said.get(session.environment_status, said["missing"]), width=PAGE_WIDTH_CHARACTERS)
    row = layout.row(align=True)
    if session.environment_status != "ready":
        text = {"unfinished": "Resume", "outdated": "Update Environment"}.get(session.environment_status)
        row.operator(FOOTFALL_OT_install_training_environment.bl_idname, text=text, icon="IMPORT")
    if session.environment_status != "missing":
        row.operator(FOOTFALL_OT_remove_training_environment.bl_idname, text="Remove", icon="TRASH")
    reason = (
        FOOTFALL_OT_install_training_environment.why_not(context) if session.environment_status != "ready" else None
    )
    if reason:
        draw_note(layout, reason, "INFO", PAGE_WIDTH_CHARACTERS)
