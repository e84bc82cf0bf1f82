"""The panel Label, in the 3D viewport's sidebar and in the Dope Sheet's. Nothing is computed here."""

import bpy

from ...core.message import Message
from ..ui.motion_capture_panel import shows_training_tools
from ..ui.operator_base import active_armature
from ..ui.panel_parts import MIN_LIST_ROWS, FootfallPanel, draw_note
from ..ui.translations import translate_interface
from . import strip
from .ball_operators import FOOTFALL_OT_fit_ball
from .batch_operators import (
    FOOTFALL_OT_label_folder,
    FOOTFALL_OT_learn_from_corrections,
    FOOTFALL_OT_load_labels,
    FOOTFALL_OT_save_labels,
)
from .edit_operators import (
    FOOTFALL_OT_add_contact,
    FOOTFALL_OT_add_foot_strike,
    FOOTFALL_OT_merge_segments,
    FOOTFALL_OT_remove_contact,
    FOOTFALL_OT_remove_foot_strike,
    FOOTFALL_OT_set_action,
    FOOTFALL_OT_set_gait,
    FOOTFALL_OT_split_segment,
)
from .operators import (
    FOOTFALL_OT_clear_labels,
    FOOTFALL_OT_confirm_label_issue,
    FOOTFALL_OT_detect_labels,
    FOOTFALL_OT_next_label_issue,
    FOOTFALL_OT_previous_label_issue,
    FOOTFALL_OT_recompute_labels,
    active_action,
    issue_count_text,
    why_not_in_scope,
)
from .presets import (
    FOOTFALL_MT_labelling_presets,
    FOOTFALL_OT_add_sensor,
    FOOTFALL_OT_remove_sensor,
    FOOTFALL_OT_save_labelling_preset,
)
from .stance_operators import FOOTFALL_OT_root_motion_from_stance
from .upright import draw_question

KIND_ICONS = {"CONTACT": "TRACKING", "GAIT": "ARMATURE_DATA", "ACTION": "ACTION", "GOAL": "PIVOT_CURSOR"}


class FOOTFALL_UL_segments(bpy.types.UIList):
    """An action's segments."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0) -> None:
        split = layout.split(factor=0.4)
        split.label(text=item.name, icon="USER" if item.source == "USER" else KIND_ICONS[item.kind])
        row = split.row()
        if item.kind == "GOAL":
            row.label(text=str(item.start))
            row.label(text=str(item.end))
        else:
            row.prop(item, "start", text="", emboss=False)
            row.prop(item, "end", text="", emboss=False)

    def filter_items(self, context, data, property_name):
        wanted = context.window_manager.footfall.segment_filter
        name = self.filter_name.lower()
        shown = [
            self.bitflag_filter_item if wanted in ("ALL", item.kind) and name in item.name.lower() else 0
            for item in getattr(data, property_name)
        ]
        return shown, []


class FOOTFALL_UL_labelling_sensors(bpy.types.UIList):
    """What is watched for contacts."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0) -> None:
        row = layout.row(align=True)
        row.prop(item, "name", text="", emboss=False, icon="TRACKING")
        row.label(text="ground" if item.against_kind == "GROUND" else item.against_name)


class FOOTFALL_PT_label(FootfallPanel, bpy.types.Panel):
    """Label: what the motion is doing."""

    bl_label = "Label"
    bl_parent_id = "FOOTFALL_PT_motion_capture"

    def draw(self, context: bpy.types.Context) -> None:
        layout, session = self.layout, context.window_manager.footfall
        action = active_action(context) if active_armature(context) else None
        if action is not None:
            layout.label(text=action.name, icon="ACTION", translate=False)
        draw_presets(layout, context)
        if session.work_fraction >= 0:
            layout.progress(factor=session.work_fraction, text=session.work_progress)
            layout.label(text="Press Esc to cancel", icon="INFO")
            return
        draw_detect_button(layout, context)
        if session.label_error:
            draw_note(layout, session.label_error, "ERROR")
        if action is not None:
            draw_question(layout, action)
            layout.operator(FOOTFALL_OT_fit_ball.bl_idname, icon="SPHERE")
        if action is None or not action.footfall.segments:
            return
        strip.draw_toggles(layout, context)
        draw_issues(layout, action.footfall)
        layout.prop(session, "segment_filter", text="Show")
        layout.template_list(
            "FOOTFALL_UL_segments",
            "",
            action.footfall,
            "segments",
            action.footfall,
            "active_segment",
            rows=MIN_LIST_ROWS,
        )
        row = layout.row(align=True)
        row.operator(FOOTFALL_OT_recompute_labels.bl_idname, text="Recompute", icon="FILE_REFRESH")
        row.operator(FOOTFALL_OT_clear_labels.bl_idname, text="", icon="TRASH")


def draw_presets(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw the preset menu, and the buttons to save and remove the user's presets."""
    row = layout.row(align=True)
    row.menu(FOOTFALL_MT_labelling_presets.__name__, text=context.scene.footfall.labelling.preset_name)
    row.operator(FOOTFALL_OT_save_labelling_preset.bl_idname, text="", icon="ADD")
    row.operator(FOOTFALL_OT_save_labelling_preset.bl_idname, text="", icon="REMOVE").remove_active = True


def draw_detect_button(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw the detect button with its scope and, if it is disabled, the reason."""
    scope = context.window_manager.footfall.label_scope
    reason = FOOTFALL_OT_detect_labels.why_not(context) or why_not_in_scope(context, scope)
    column = layout.column(align=True)
    row = column.row(align=True)
    row.prop(context.window_manager.footfall, "label_scope", expand=True)
    row = column.row()
    row.scale_y = 1.5
    row.enabled = reason is None
    row.operator(FOOTFALL_OT_detect_labels.bl_idname, icon="MARKER_HLT").scope = scope
    if reason:
        draw_note(column, reason, "INFO")


def draw_issues(layout: bpy.types.UILayout, stored: bpy.types.PropertyGroup) -> None:
    """Draw the number of review spots, arrows to step through them, and the issue at the current one."""
    row = layout.row(align=True)
    said = translate_interface(issue_count_text(len(stored.issues)))
    row.label(text=said[0].upper() + said[1:], icon="VIEWZOOM" if stored.issues else "CHECKMARK", translate=False)
    if stored.issues:
        row.operator(FOOTFALL_OT_previous_label_issue.bl_idname, text="", icon="TRIA_LEFT")
        row.operator(FOOTFALL_OT_next_label_issue.bl_idname, text="", icon="TRIA_RIGHT")
    if 0 <= stored.active_issue < len(stored.issues):
        spot = stored.issues[stored.active_issue]
        draw_note(layout, Message("Frame {frame}: {text}", frame=spot.frame, text=spot.text), "QUESTION")
        layout.operator(FOOTFALL_OT_confirm_label_issue.bl_idname, text="Confirm", icon="CHECKMARK")


def draw_edit_buttons(layout: bpy.types.UILayout) -> None:
    """Draw the buttons for correcting labels."""
    row = layout.row(align=True)
    row.operator_menu_enum(FOOTFALL_OT_add_contact.bl_idname, "contact", icon="GREASEPENCIL")
    row.operator_menu_enum(FOOTFALL_OT_remove_contact.bl_idname, "contact", icon="X")
    row = layout.row(align=True)
    row.operator_menu_enum(FOOTFALL_OT_set_gait.bl_idname, "gait")
    row.operator_menu_enum(FOOTFALL_OT_set_action.bl_idname, "action")
    for operator, left, right in (
        (FOOTFALL_OT_add_foot_strike, "Add Left Strike", "Add Right Strike"),
        (FOOTFALL_OT_remove_foot_strike, "Remove Left Strike", "Remove Right Strike"),
    ):
        row = layout.row(align=True)
        row.operator(operator.bl_idname, text=left).side = "L"
        row.operator(operator.bl_idname, text=right).side = "R"
    row = layout.row(align=True)
    row.operator(FOOTFALL_OT_split_segment.bl_idname, text="Split")
    row.operator(FOOTFALL_OT_merge_segments.bl_idname, text="Merge")


class _LabelSubpanel(FootfallPanel):
    """A subpanel of the panel Label."""

    bl_parent_id = "FOOTFALL_PT_label"
    bl_options = {"DEFAULT_CLOSED"}


class FOOTFALL_PT_label_edit(_LabelSubpanel, bpy.types.Panel):
    """Correct: the buttons that change labels."""

    bl_label = "Edit"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        action = active_action(context) if active_armature(context) else None
        return action is not None and bool(action.footfall.segments)

    def draw(self, context: bpy.types.Context) -> None:
        draw_edit_buttons(self.layout)


class FOOTFALL_PT_label_settings(_LabelSubpanel, bpy.types.Panel):
    """Settings: what is looked for."""

    bl_label = "Settings"

    def draw(self, context: bpy.types.Context) -> None:
        layout, settings = self.layout, context.scene.footfall.labelling
        layout.use_property_split = True
        layout.use_property_decorate = False
        column = layout.column(align=True)
        for name in ("feet_height", "feet_speed", "feet_shortest"):
            column.prop(settings, name)
        layout.prop_menu_enum(settings, "actions")
        row = layout.row()
        row.template_list(
            "FOOTFALL_UL_labelling_sensors", "", settings, "sensors", settings, "active_sensor", rows=MIN_LIST_ROWS
        )
        buttons = row.column(align=True)
        buttons.operator(FOOTFALL_OT_add_sensor.bl_idname, text="", icon="ADD")
        buttons.operator(FOOTFALL_OT_remove_sensor.bl_idname, text="", icon="REMOVE")
        if settings.active_sensor < len(settings.sensors):
            draw_contact_point(layout, context, settings.sensors[settings.active_sensor])


def draw_contact_point(
    layout: bpy.types.UILayout, context: bpy.types.Context, contact_point: bpy.types.PropertyGroup
) -> None:
    """Draw the settings of a sensor, except its name."""
    column = layout.column()
    armature = active_armature(context)
    bones = armature.data if armature else None
    draw_name_field(column, contact_point, "joint", bones, "bones")
    column.prop(contact_point, "at")
    column.prop(contact_point, "against_kind")
    if contact_point.against_kind == "OBJECT":
        draw_name_field(column, contact_point, "against_name", bpy.data, "objects")
    elif contact_point.against_kind == "JOINT":
        draw_name_field(column, contact_point, "against_name", bones, "bones")
    for name in ("height", "speed", "sharpness", "shortest", "offset", "foot", "local_phase"):
        column.prop(contact_point, name)


def draw_name_field(
    layout: bpy.types.UILayout, contact_point: bpy.types.PropertyGroup, name: str, owner: object, collection: str
) -> None:
    """Draw a name field; if there is a collection, the field searches it."""
    if owner is None:
        layout.prop(contact_point, name)
    else:
        layout.prop_search(contact_point, name, owner, collection, results_are_suggestions=True)


class FOOTFALL_PT_label_batch(_LabelSubpanel, bpy.types.Panel):
    """Batch: files, folders, and learning from corrections."""

    bl_label = "Batch"

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        row = layout.row(align=True)
        row.operator(FOOTFALL_OT_load_labels.bl_idname, text="Load", icon="IMPORT")
        row.operator(FOOTFALL_OT_save_labels.bl_idname, text="Save", icon="EXPORT")
        layout.operator(FOOTFALL_OT_learn_from_corrections.bl_idname, icon="FILE_REFRESH")
        layout.operator(FOOTFALL_OT_label_folder.bl_idname, icon="FILE_FOLDER")


class FOOTFALL_PT_label_root_motion(_LabelSubpanel, bpy.types.Panel):
    """Root Motion: the travel of an animation on the spot."""

    bl_label = "Root Motion"

    def draw(self, context: bpy.types.Context) -> None:
        operator = FOOTFALL_OT_root_motion_from_stance
        self.layout.operator(operator.bl_idname, icon="CON_LOCLIKE")
        reason = operator.why_not(context)
        if reason:
            draw_note(self.layout, reason, "INFO")


class FOOTFALL_PT_label_dopesheet(FootfallPanel, bpy.types.Panel):
    """Label, where the user looks at frames: in the sidebar of Timeline and Dope Sheet."""

    bl_label = "Label"
    bl_space_type = "DOPESHEET_EDITOR"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        action = active_action(context) if active_armature(context) else None
        return shows_training_tools() and action is not None and bool(action.footfall.segments)

    def draw(self, context: bpy.types.Context) -> None:
        action = active_action(context)
        if action is not None:
            draw_issues(self.layout, action.footfall)
            draw_edit_buttons(self.layout)


CLASSES = (
    FOOTFALL_UL_segments,
    FOOTFALL_UL_labelling_sensors,
    FOOTFALL_PT_label,
    FOOTFALL_PT_label_edit,
    FOOTFALL_PT_label_settings,
    FOOTFALL_PT_label_batch,
    FOOTFALL_PT_label_root_motion,
    FOOTFALL_PT_label_dopesheet,
)
