"""The Footfall tab in the 3D viewport's sidebar. Nothing is computed here: panels show what is known."""

import bpy

from ..core.run_folder import ACTIVE
from .controllers import FILE
from .guard import active_armature
from .operators_direct import FOOTFALL_OT_add_character, FOOTFALL_OT_bake_again, FOOTFALL_OT_bake_path
from .operators_label import FOOTFALL_OT_clear_labels, FOOTFALL_OT_label_action, FOOTFALL_OT_update_labels
from .operators_train import (
    FOOTFALL_OT_add_clips,
    FOOTFALL_OT_open_run,
    FOOTFALL_OT_remove_clip,
    FOOTFALL_OT_resume_training,
    FOOTFALL_OT_start_training,
    FOOTFALL_OT_stop_training,
)
from .preferences import FOOTFALL_OT_check_trainer, preferences

STATUS_ICONS = {
    "finished": "CHECKMARK",
    "failed": "ERROR",
    "interrupted": "ERROR",
    "stopped": "PAUSE",
}
KIND_ICONS = {"CONTACT": "TRACKING", "GAIT": "ARMATURE_DATA", "ACTION": "ACTION", "GOAL": "PIVOT_CURSOR"}
LIST_ROWS = 4


def big_button(
    layout: bpy.types.UILayout, context: bpy.types.Context, operator: type, icon: str, text: str | None = None
) -> None:
    """A panel's main button, with the reason underneath where it cannot be pressed."""
    column = layout.column()
    row = column.row()
    row.scale_y = 1.5
    row.operator(operator.bl_idname, icon=icon, **({"text": text} if text else {}))
    reason = operator.why_not(context)
    if reason:
        note(column, reason, "INFO")


def note(layout: bpy.types.UILayout, text: str, icon: str, width: int = 36) -> None:
    """A remark of one or more lines, broken between words."""
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + len(word) >= width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    column = layout.column(align=True)
    column.scale_y = 0.8
    for number, part in enumerate([*lines, line]):
        column.label(text=part, icon=icon if number == 0 else "BLANK1")


class _Tab:
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Footfall"


class FOOTFALL_UL_segments(bpy.types.UIList):
    """An action's segments."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0) -> None:
        row = layout.row(align=True)
        row.label(text=item.name, icon=KIND_ICONS[item.kind])
        row.prop(item, "start", text="", emboss=False)
        row.prop(item, "end", text="", emboss=False)
        row.label(text="", icon="USER" if item.source == "USER" else "BLANK1")


class FOOTFALL_UL_clips(bpy.types.UIList):
    """The actions to learn from."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0) -> None:
        if item.action is None or item.armature is None:
            layout.label(text="(removed)", icon="ERROR")
        else:
            labelled = bool(item.action.footfall.segments)
            layout.label(text=item.action.name, icon="CHECKMARK" if labelled else "ACTION")


class FOOTFALL_UL_runs(bpy.types.UIList):
    """The training runs."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0) -> None:
        layout.label(text=item.name, icon=STATUS_ICONS.get(item.status, "RENDER_ANIMATION"))
        if item.status in ACTIVE:
            layout.progress(factor=item.fraction, text=f"{100 * item.fraction:.0f} %")
        else:
            layout.label(text=item.status)


class FOOTFALL_PT_label(_Tab, bpy.types.Panel):
    """Label: what the motion is doing."""

    bl_label = "Label"

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        armature = active_armature(context)
        action = armature.animation_data.action if armature and armature.animation_data else None
        if action is not None:
            layout.label(text=action.name, icon="ACTION")
        big_button(layout, context, FOOTFALL_OT_label_action, "MARKER_HLT")
        if action is None or not action.footfall.segments:
            return
        layout.template_list(
            "FOOTFALL_UL_segments", "", action.footfall, "segments", action.footfall, "active", rows=LIST_ROWS
        )
        row = layout.row(align=True)
        row.operator(FOOTFALL_OT_update_labels.bl_idname, icon="FILE_REFRESH")
        row.operator(FOOTFALL_OT_clear_labels.bl_idname, text="", icon="TRASH")


class FOOTFALL_PT_train(_Tab, bpy.types.Panel):
    """Train: a controller from labelled actions."""

    bl_label = "Train"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        self._draw_clips(layout, context.scene.footfall)
        own = preferences()
        if own is not None and not own.trainer_python:
            note(layout, "Training needs a Python with torch:", "INFO")
            row = layout.row(align=True)
            row.prop(own, "trainer_python", text="")
            row.operator(FOOTFALL_OT_check_trainer.bl_idname)
        big_button(layout, context, FOOTFALL_OT_start_training, "PLAY")
        session = context.window_manager.footfall
        if session.trouble:
            note(layout, session.trouble, "ERROR")
        if session.runs:
            self._draw_runs(layout, session)

    def _draw_clips(self, layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> None:
        row = layout.row()
        row.template_list("FOOTFALL_UL_clips", "", settings, "clips", settings, "active_clip", rows=LIST_ROWS)
        column = row.column(align=True)
        column.operator(FOOTFALL_OT_remove_clip.bl_idname, text="", icon="REMOVE")
        row = layout.row(align=True)
        row.operator(FOOTFALL_OT_add_clips.bl_idname, text="Add Selected", icon="ADD").everything = False
        row.operator(FOOTFALL_OT_add_clips.bl_idname, text="Add All").everything = True
        column = layout.column()
        column.use_property_split = True
        column.use_property_decorate = False
        column.prop(settings, "run_name")
        column.prop(settings, "preset")

    def _draw_runs(self, layout: bpy.types.UILayout, session: bpy.types.PropertyGroup) -> None:
        layout.separator()
        layout.template_list("FOOTFALL_UL_runs", "", session, "runs", session, "active_run", rows=2)
        if session.active_run >= len(session.runs):
            return
        run = session.runs[session.active_run]
        box = layout.box()
        if run.status in ACTIVE:
            box.progress(factor=run.fraction, text=run.progress)
        if run.losses:
            box.label(text=run.losses)
        if run.message:
            note(box, run.message, "ERROR")
        row = box.row(align=True)
        if run.status in ACTIVE:
            row.operator(FOOTFALL_OT_stop_training.bl_idname, icon="PAUSE")
        elif run.status != "finished":
            row.operator(FOOTFALL_OT_resume_training.bl_idname, icon="PLAY")
        row.operator(FOOTFALL_OT_open_run.bl_idname, icon="FILE_FOLDER")


class FOOTFALL_PT_direct(_Tab, bpy.types.Panel):
    """Direct: walk along a path."""

    bl_label = "Direct"

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        armature = active_armature(context)
        if armature is None:
            big_button(layout, context, FOOTFALL_OT_add_character, "OUTLINER_OB_ARMATURE")
            return
        settings, session = armature.footfall, context.window_manager.footfall
        column = layout.column()
        column.use_property_split = True
        column.use_property_decorate = False
        column.prop(settings, "controller_choice")
        if settings.controller_choice == FILE:
            column.prop(settings, "controller_file")
        column.prop(settings, "path")
        column.prop(settings, "speed")
        column.prop(settings, "start")
        column.prop(settings, "seed")
        if session.bake_fraction >= 0:
            layout.progress(factor=session.bake_fraction, text=session.bake_progress)
            layout.label(text="Esc cancels", icon="INFO")
            return
        operator = FOOTFALL_OT_bake_again if settings.baked else FOOTFALL_OT_bake_path
        big_button(layout, context, operator, "ANIM")
        if settings.baked and settings.quality:
            note(layout, settings.quality, "CHECKMARK")
        layout.operator(FOOTFALL_OT_add_character.bl_idname, icon="OUTLINER_OB_ARMATURE")
