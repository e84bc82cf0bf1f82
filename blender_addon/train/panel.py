"""The panel Train: clips, settings, coverage and runs. Nothing is computed here."""

from itertools import groupby

import bpy

from ...core.jobs.run_folder import ACTIVE_STATUSES
from ...core.message import Message
from ...core.retarget.calibration import residual_limit
from ..controllers.library import FILE_IDENTIFIER
from ..label.terrain.panel import draw_patches_hint
from ..ui.panel_parts import MIN_LIST_ROWS, FootfallPanel, draw_main_button, draw_note
from ..ui.preferences import ROOT_PACKAGE, addon_preferences
from . import training_choice
from .clip_operators import (
    FOOTFALL_OT_add_clip_folder,
    FOOTFALL_OT_add_clips,
    FOOTFALL_OT_analyze_clips,
    FOOTFALL_OT_remove_clip,
    FOOTFALL_OT_remove_clip_folder,
)
from .clips import why_too_little
from .coverage import coverage_key, kind_title
from .operators import (
    FOOTFALL_OT_open_training_run,
    FOOTFALL_OT_resume_training,
    FOOTFALL_OT_start_training,
    FOOTFALL_OT_stop_training,
    FOOTFALL_OT_use_controller,
)
from .preview.operators import FOOTFALL_OT_preview_training_run

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
            layout.label(text="(deleted action)", icon="ERROR")
        else:
            labelled = bool(item.action.footfall.segments)
            layout.label(text=item.action.name, icon="CHECKMARK" if labelled else "ACTION", translate=False)


class FOOTFALL_UL_training_runs(bpy.types.UIList):
    """The training runs."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0) -> None:
        icon = "ERROR" if item.message else STATUS_ICONS.get(item.status, "RENDER_ANIMATION")
        layout.label(text=item.name, icon=icon, translate=False)
        if item.status in ACTIVE_STATUSES:
            layout.progress(factor=item.fraction, text=f"{100 * item.fraction:.0f} %")
        else:
            layout.label(text=item.status)


class FOOTFALL_PT_train(FootfallPanel, bpy.types.Panel):
    """Train: a controller from actions and folders."""

    bl_label = "Train"
    bl_parent_id = "FOOTFALL_PT_motion_capture"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout, settings, session = self.layout, context.scene.footfall, context.window_manager.footfall
        self._draw_clips(layout, settings)
        column = layout.column()
        column.use_property_split = True
        column.use_property_decorate = False
        column.prop(settings, "run_name")
        column.prop(settings, "fine_tune")
        if settings.fine_tune:
            column.prop(settings, "base_controller_choice")
            if settings.base_controller == FILE_IDENTIFIER:
                column.prop(settings, "base_controller_file")
            column.prop(settings, "new_style")
        else:
            column.prop(settings, "training_preset_choice")
            if settings.training_preset_choice == training_choice.RESEARCH:
                column.prop(settings, "research_preset_choice")
            description = training_choice.description_of(settings.training_preset)
            if description:
                draw_note(column, Message("{description}", description=Message(description)), "INFO")
            if training_choice.is_of_interactions(settings.training_preset):
                draw_note(
                    column,
                    "This preset needs labeled clips of sitting, carrying, lying or climbing. Props fitted to "
                    "them are learned, too",
                    "INFO",
                )
        column.prop(settings, "fit_terrain")
        if settings.fit_terrain:
            draw_patches_hint(layout)
        draw_setup_hint(layout, session)
        if session.work_fraction >= 0:
            layout.progress(factor=session.work_fraction, text=session.work_progress)
            layout.label(text="Press Esc to cancel", icon="INFO")
        else:
            warning = why_too_little(context.scene)
            if warning:
                draw_note(layout, warning, "ERROR")
            draw_main_button(layout, context, FOOTFALL_OT_start_training, "PLAY")
        if session.runs_error:
            draw_note(layout, session.runs_error, "ERROR")

    def _draw_clips(self, layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> None:
        row = layout.row()
        row.template_list("FOOTFALL_UL_clips", "", settings, "clips", settings, "active_clip", rows=MIN_LIST_ROWS)
        column = row.column(align=True)
        column.operator(FOOTFALL_OT_remove_clip.bl_idname, text="", icon="REMOVE")
        for number, item in enumerate(settings.clip_folders):
            row = layout.row(align=True)
            row.prop(item, "path", text="", icon="FILE_FOLDER")
            row.operator(FOOTFALL_OT_remove_clip_folder.bl_idname, text="", icon="REMOVE").index = number
        row = layout.row(align=True)
        row.operator(FOOTFALL_OT_add_clips.bl_idname, text="Add Selected", icon="ADD").all_actions = False
        row.operator(FOOTFALL_OT_add_clips.bl_idname, text="Add All").all_actions = True
        row.operator(FOOTFALL_OT_add_clip_folder.bl_idname, text="", icon="NEWFOLDER")


def draw_setup_hint(layout: bpy.types.UILayout, session: bpy.types.PropertyGroup) -> None:
    """Draw a hint that the training environment is missing, with a button that opens its settings."""
    own = addon_preferences()
    if own is None or own.training_python or session.environment_status in ("ready", "outdated"):
        return
    draw_note(layout, "Training needs a Python with PyTorch", "INFO")
    layout.operator("preferences.addon_show", text="Set Up Training...", icon="PREFERENCES").module = ROOT_PACKAGE


class FOOTFALL_PT_train_coverage(FootfallPanel, bpy.types.Panel):
    """Panel with the gaits, speeds, turns and terrain of the training clips, and what they lack."""

    bl_label = "Coverage"
    bl_parent_id = "FOOTFALL_PT_train"
    bl_options = {"DEFAULT_CLOSED"}
    bl_order = 1

    def draw(self, context: bpy.types.Context) -> None:
        layout, settings, session = self.layout, context.scene.footfall, context.window_manager.footfall
        layout.operator(FOOTFALL_OT_analyze_clips.bl_idname, icon="VIEWZOOM")
        if not session.coverage_key:
            return
        if session.coverage_key != coverage_key(len(settings.clips), len(settings.clip_folders)):
            draw_note(
                layout, "The list of clips has changed since the last analysis: analyze the clips again", "FILE_REFRESH"
            )
        layout.label(text=session.coverage_summary)
        for text in session.coverage_missing.splitlines():
            draw_note(layout, text, "ERROR")
        if not session.coverage_missing:
            draw_note(layout, "The clips cover everything needed for walking along paths", "CHECKMARK")
        for section, items in groupby(session.coverage, key=lambda item: item.section):
            column = layout.column(align=True)
            column.label(text=section)
            for item in items:
                split = column.split(factor=0.42)
                title, title_context = kind_title(item.kind)
                split.label(text=title, text_ctxt=title_context)
                split.progress(factor=item.share, text=_format_minutes(item.minutes))
        for text in session.coverage_errors.splitlines():
            draw_note(layout, Message("This clip could not be read: {error}", error=text), "CANCEL")


def _format_minutes(minutes: float) -> str:
    return f"{minutes:.1f} min" if minutes >= 0.95 else f"{60 * minutes:.0f} s"


class FOOTFALL_PT_training_runs(FootfallPanel, bpy.types.Panel):
    """The training runs and what can be done with them."""

    bl_label = "Training Runs"
    bl_parent_id = "FOOTFALL_PT_train"
    bl_order = 2

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return len(context.window_manager.footfall.training_runs) > 0

    def draw(self, context: bpy.types.Context) -> None:
        layout, session = self.layout, context.window_manager.footfall
        layout.template_list(
            "FOOTFALL_UL_training_runs", "", session, "training_runs", session, "active_training_run", rows=2
        )
        if session.active_training_run >= len(session.training_runs):
            return
        run = session.training_runs[session.active_training_run]
        box = layout.box()
        if run.status in ACTIVE_STATUSES:
            box.progress(factor=run.fraction, text=run.progress)
        for text in (run.losses, run.test_walk, run.note):
            if text:
                draw_note(box, text, "BLANK1")
        if run.message:
            draw_note(box, run.message, "ERROR")
        row = box.row(align=True)
        if run.status in ACTIVE_STATUSES:
            row.operator(FOOTFALL_OT_stop_training.bl_idname, text="Stop and Save", icon="PAUSE")
        elif run.status != "finished":
            row.operator(FOOTFALL_OT_resume_training.bl_idname, text="Resume", icon="PLAY")
        row.operator(FOOTFALL_OT_preview_training_run.bl_idname, text="Preview", icon="HIDE_OFF")
        row = box.row(align=True)
        row.operator(FOOTFALL_OT_use_controller.bl_idname, icon="CHECKMARK")
        row.operator(FOOTFALL_OT_open_training_run.bl_idname, text="", icon="FILE_FOLDER")
        box.prop(session, "show_curves")
        if session.training_sources:
            self._draw_sources(box, session)

    def _draw_sources(self, box: bpy.types.UILayout, session: bpy.types.PropertyGroup) -> None:
        column = box.column(align=True)
        _draw_table_row(column, "Source", "Clips", "Alignment Error")
        for source in session.training_sources:
            clips = f"{source.clips} of {source.clips + source.skipped}" if source.skipped else str(source.clips)
            off = f"{source.alignment_error:.0f}\N{DEGREE SIGN}" if source.clips else ""
            bad = source.alignment_error > residual_limit(source.role)
            _draw_table_row(
                column, source.name, clips, f"{off} {source.role}" if bad else off, "ERROR" if bad else "NONE"
            )
        for source in session.training_sources:
            for reason in source.reasons.splitlines():
                draw_note(box, Message("{name}: {reason}", name=source.name, reason=reason), "INFO")


def _draw_table_row(
    column: bpy.types.UILayout, name: str, clips: str, alignment_error: str, icon: str = "NONE"
) -> None:
    """Draw a row of the table of sources: wide columns for names, narrow ones for numbers."""
    split = column.split(factor=0.55)
    split.label(text=name, icon=icon, translate=False)
    numbers = split.split(factor=0.5)
    numbers.label(text=clips)
    numbers.label(text=alignment_error)


CLASSES = (
    FOOTFALL_UL_clips,
    FOOTFALL_UL_training_runs,
    FOOTFALL_PT_train,
    FOOTFALL_PT_train_coverage,
    FOOTFALL_PT_training_runs,
)
