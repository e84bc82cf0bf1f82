"""The panels Train and Direct. Nothing is computed here: panels show what is known."""

import bpy

from ..core.retarget.calibration import limit
from ..core.run_folder import ACTIVE
from .controllers import FILE
from .guard import active_armature
from .operators_direct import FOOTFALL_OT_add_character, FOOTFALL_OT_bake_again, FOOTFALL_OT_bake_path
from .operators_layers import FOOTFALL_OT_revert_bake
from .operators_retarget import FOOTFALL_OT_retarget
from .operators_train import (
    FOOTFALL_OT_add_clips,
    FOOTFALL_OT_open_run,
    FOOTFALL_OT_remove_clip,
    FOOTFALL_OT_resume_training,
    FOOTFALL_OT_start_training,
    FOOTFALL_OT_stop_training,
)
from .output_settings import draw_output
from .panel_label import draw_patches
from .panel_parts import LIST_ROWS, Tab, big_button, note
from .preferences import FOOTFALL_OT_check_trainer, preferences

STATUS_ICONS = {
    "finished": "CHECKMARK",
    "failed": "ERROR",
    "interrupted": "ERROR",
    "stopped": "PAUSE",
}


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


class FOOTFALL_PT_train(Tab, bpy.types.Panel):
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
        column.prop(settings, "fit_terrain")
        if settings.fit_terrain:
            draw_patches(layout)

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
        if session.sources:
            self._draw_sources(box, session)

    def _draw_sources(self, box: bpy.types.UILayout, session: bpy.types.PropertyGroup) -> None:
        column = box.column(align=True)
        _table_row(column, "Source", "Clips", "Off by")
        for source in session.sources:
            clips = f"{source.clips} of {source.clips + source.left_out}" if source.left_out else str(source.clips)
            off = f"{source.residual:.0f}\N{DEGREE SIGN}" if source.clips else ""
            bad = source.residual > limit(source.role)
            _table_row(column, source.name, clips, f"{off} {source.role}" if bad else off, "ERROR" if bad else "NONE")
        for source in session.sources:
            for reason in source.reasons.splitlines():
                note(box, f"{source.name}: {reason}", "INFO")


def _table_row(column: bpy.types.UILayout, name: str, clips: str, off: str, icon: str = "NONE") -> None:
    """A row of the table of sources: names are long, numbers are short."""
    split = column.split(factor=0.55)
    split.label(text=name, icon=icon)
    numbers = split.split(factor=0.5)
    numbers.label(text=clips)
    numbers.label(text=off)


class FOOTFALL_PT_direct(Tab, bpy.types.Panel):
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
        if settings.output.destination != "RANGE":
            column.prop(settings, "start")
        column.prop(settings, "seed")
        draw_output(layout, settings.output)
        if session.work_fraction >= 0:
            layout.progress(factor=session.work_fraction, text=session.work_progress)
            layout.label(text="Esc cancels", icon="INFO")
            return
        operator = FOOTFALL_OT_bake_again if settings.baked else FOOTFALL_OT_bake_path
        big_button(layout, context, operator, "ANIM")
        if settings.baked and settings.quality:
            note(layout, settings.quality, "CHECKMARK")
        layout.operator(FOOTFALL_OT_retarget.bl_idname, icon="CON_ARMATURE")
        if settings.bakes:
            layout.operator(FOOTFALL_OT_revert_bake.bl_idname, icon="LOOP_BACK")
        layout.operator(FOOTFALL_OT_add_character.bl_idname, icon="OUTLINER_OB_ARMATURE")
