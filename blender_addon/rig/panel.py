"""The panel Rig: the bone of each body part, and the quality of the fit. Nothing is computed here."""

from typing import Final

import bpy

from ...core.message import Message
from ..ui.operator_base import active_armature
from ..ui.panel_parts import FootfallPanel, draw_main_button, draw_note, split_column
from . import check, roles, store
from .operators import (
    FOOTFALL_OT_add_ik_limb,
    FOOTFALL_OT_add_rig_role,
    FOOTFALL_OT_capture_reference_pose,
    FOOTFALL_OT_check_rig,
    FOOTFALL_OT_clear_rig,
    FOOTFALL_OT_guess_rig,
    FOOTFALL_OT_measure_skin,
    FOOTFALL_OT_remove_ik_limb,
    FOOTFALL_OT_use_active_bone,
)
from .preset_operators import FOOTFALL_MT_rig_presets, FOOTFALL_OT_remove_rig_preset, FOOTFALL_OT_save_rig_preset

MAX_LIST_ROWS, MIN_LIST_ROWS = 10, 3
MAX_NAMED_BONES = 3
"""Number of missing bones listed by name; the others are counted."""


SKIN_NOTES: Final = {
    "": Message("The distances to the skin will be measured when a bake first needs them"),
    "MESH": Message("Distances are measured on the meshes of the rig"),
    "EDITED": Message("The distances to the skin were entered by hand, and are kept until you press Measure"),
    "PROPORTIONS": Message(
        "The distances to the skin are estimated from the proportions, because there is no mesh to measure"
    ),
}
"""Notes on the origin of the thickness of the skin; the first is for a rig that has not been measured yet."""


def has_issue(row: bpy.types.PropertyGroup, required: bool, missing: bool) -> bool:
    """Return whether a body part needs attention: its bone is missing, deleted, doubtful or misaligned."""
    if not row.bone:
        return required
    return missing or row.confidence < store.MIN_SURE_CONFIDENCE or check.is_suspect(row)


def parts_with_issues(rig: bpy.types.PropertyGroup) -> list[bpy.types.PropertyGroup]:
    """Return the body parts that need attention."""
    bones, needed = rig.id_data.data.bones, roles.required_roles(row.name for row in rig.roles)
    return [row for row in rig.roles if has_issue(row, row.name in needed, bool(row.bone) and row.bone not in bones)]


def row_icon(row: bpy.types.PropertyGroup, required: bool, missing: bool) -> str:
    """Return the icon to draw in front of a body part."""
    if not row.bone:
        return "ERROR" if required else "BLANK1"
    if missing or check.is_suspect(row):
        return "ERROR"
    if row.confidence < store.MIN_SURE_CONFIDENCE:
        return "QUESTION"
    return "USER" if row.is_manual else "CHECKMARK"


class FOOTFALL_UL_rig_roles(bpy.types.UIList):
    """The parts of the body."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0) -> None:
        bones = item.id_data.data.bones
        needed = item.name in roles.required_roles(row.name for row in data.roles)
        gone = bool(item.bone) and item.bone not in bones
        split = layout.split(factor=0.52)
        split.label(text=roles.short_title(item.name), icon=row_icon(item, needed, gone))
        row = split.row(align=True)
        row.alert = gone or check.is_suspect(item)
        row.label(text=item.bone, translate=False)
        if item.alignment_error >= 0:
            degrees = row.row()
            degrees.alignment = "RIGHT"
            degrees.label(text=f"{item.alignment_error:.0f}°")

    def filter_items(self, context, data, property_name):
        rows = getattr(data, property_name)
        wanted = {row.name for row in (parts_with_issues(data) if data.list_filter == "ISSUES" else rows)}
        word = self.filter_name.lower()
        shown = [
            self.bitflag_filter_item
            if row.name and row.name in wanted and word in f"{roles.title(row.name)} {row.bone}".lower()
            else 0
            for row in rows
        ]
        return shown, []


class FOOTFALL_PT_rig(FootfallPanel, bpy.types.Panel):
    """Rig: which bone is which."""

    bl_label = "Rig"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout, armature = self.layout, active_armature(context)
        if armature is None or not store.has_bone_map(armature):
            draw_main_button(layout, context, FOOTFALL_OT_guess_rig, "ARMATURE_DATA")
            if armature is not None:
                layout.menu(FOOTFALL_MT_rig_presets.__name__, text="Presets")
            return
        rig = armature.footfall.rig
        reason = FOOTFALL_OT_guess_rig.why_not(context)
        if reason:
            draw_note(layout, reason, "INFO")
        draw_presets(layout, rig)
        draw_missing_bones(layout, armature)
        draw_body_parts(layout, armature, rig)
        draw_calibration(layout, context, armature, rig)


def draw_presets(layout: bpy.types.UILayout, rig: bpy.types.PropertyGroup) -> None:
    """Draw the preset menu, and buttons to save and remove presets, to guess again and to clear the map."""
    row = layout.row(align=True)
    row.menu(FOOTFALL_MT_rig_presets.__name__, text=rig.title or "Rig")
    row.operator(FOOTFALL_OT_save_rig_preset.bl_idname, text="", icon="ADD")
    row.operator(FOOTFALL_OT_remove_rig_preset.bl_idname, text="", icon="REMOVE")
    row = layout.row(align=True)
    row.operator(FOOTFALL_OT_guess_rig.bl_idname, text="Detect Again", icon="FILE_REFRESH")
    row.operator(FOOTFALL_OT_clear_rig.bl_idname, text="", icon="TRASH")


def draw_missing_bones(layout: bpy.types.UILayout, armature: bpy.types.Object) -> None:
    """Draw the mapped bones that no longer exist, and advice for each."""
    names = list(dict.fromkeys(bone for _, bone in store.missing_bones(armature)))
    if not names:
        return
    listed = ", ".join(f"'{name}'" for name in names[:MAX_NAMED_BONES])
    if len(names) > MAX_NAMED_BONES:
        listed = Message("{names} and {count} more", names=listed, count=len(names) - MAX_NAMED_BONES)
    if len(names) == 1:
        draw_note(
            layout,
            Message("The bone {name} was deleted or renamed: choose another bone, or press Detect Again", name=listed),
            "ERROR",
        )
    else:
        draw_note(
            layout,
            Message(
                "These bones were deleted or renamed: {bones}. Choose other bones, or press Detect Again",
                bones=listed,
            ),
            "ERROR",
        )


def draw_body_parts(layout: bpy.types.UILayout, armature: bpy.types.Object, rig: bpy.types.PropertyGroup) -> None:
    """Draw the list of body parts, and the settings of the active one."""
    layout.row(align=True).prop(rig, "list_filter", expand=True)
    shown = parts_with_issues(rig) if rig.list_filter == "ISSUES" else rig.roles
    if not shown:
        layout.label(text="No issues found", icon="CHECKMARK")
        return
    rows = min(max(len(shown), MIN_LIST_ROWS), MAX_LIST_ROWS)
    layout.template_list(
        "FOOTFALL_UL_rig_roles", "", rig, "roles", rig, "active_role", rows=rows, maxrows=MAX_LIST_ROWS
    )
    if rig.active_role < len(rig.roles):
        marked = rig.roles[rig.active_role]
        column = layout.column(align=True)
        for slot in ("bone", "control"):
            draw_slot(column, armature, marked, slot)
        if marked.issue:
            draw_note(layout, Message("{title}: {issue}", title=roles.title(marked.name), issue=marked.issue), "ERROR")
    layout.operator_menu_enum(FOOTFALL_OT_add_rig_role.bl_idname, "role", icon="ADD")


def draw_slot(
    layout: bpy.types.UILayout, armature: bpy.types.Object, body_part: bpy.types.PropertyGroup, slot: str
) -> None:
    """Draw a bone slot of the active body part: a search field, and a button that takes the active bone."""
    bone = getattr(body_part, slot)
    split = layout.split(factor=0.25)
    split.label(text=slot.capitalize())
    row = split.row(align=True)
    field = row.row(align=True)
    field.alert = bool(bone) and bone not in armature.data.bones
    field.prop_search(body_part, slot, armature.data, "bones", text="")
    row.operator(FOOTFALL_OT_use_active_bone.bl_idname, text="", icon="RESTRICT_SELECT_OFF").slot = slot.upper()


def draw_calibration(
    layout: bpy.types.UILayout, context: bpy.types.Context, armature: bpy.types.Object, rig: bpy.types.PropertyGroup
) -> None:
    """Draw the rig's calibration settings and how well the calibration fits."""
    column = split_column(layout)
    column.prop(rig, "reference_pose")
    if rig.reference_pose == "CURRENT":
        column.operator(FOOTFALL_OT_capture_reference_pose.bl_idname, icon="POSE_HLT")
    stale = rig.checked_controller != check.controller_key(armature)
    if rig.check_result and not store.missing_bones(armature) and (not stale or not rig.checked_controller):
        draw_note(layout, rig.check_result, "CHECKMARK" if rig.check_passed else "ERROR")
    row = layout.row(align=True)
    row.operator(FOOTFALL_OT_check_rig.bl_idname, text="Check", icon="VIEWZOOM")
    row.prop(context.scene, "footfall_show_rig_issues", toggle=True, icon="OVERLAY")


class RigSubpanel(FootfallPanel):
    """A subpanel of the panel Rig, of a character whose bones are known."""

    bl_parent_id = "FOOTFALL_PT_rig"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        armature = active_armature(context)
        return armature is not None and store.has_bone_map(armature)


class FOOTFALL_PT_rig_ik(RigSubpanel, bpy.types.Panel):
    """IK Controls: the IK of feet and hands."""

    bl_label = "IK Controls"

    def draw(self, context: bpy.types.Context) -> None:
        armature, column = active_armature(context), split_column(self.layout)
        if armature is None:
            return
        for limb in armature.footfall.rig.limbs:
            if limb.name:
                draw_limb(column, armature, limb)
        column.operator_menu_enum(FOOTFALL_OT_add_ik_limb.bl_idname, "limb", icon="ADD")


class FOOTFALL_PT_rig_skin(RigSubpanel, bpy.types.Panel):
    """Skin: thickness of the flesh on which the character sits, stands and rests its hands."""

    bl_label = "Skin"

    def draw(self, context: bpy.types.Context) -> None:
        armature, column = active_armature(context), split_column(self.layout)
        if armature is None:
            return
        rig = armature.footfall.rig
        if rig.skin_key:
            for name in ("seat_thickness", "palm_thickness", "sole_thickness"):
                column.prop(rig, name)
        draw_note(column, SKIN_NOTES[rig.skin_source if rig.skin_key else ""], "INFO")
        column.operator(FOOTFALL_OT_measure_skin.bl_idname, text="Measure", icon="DRIVER_DISTANCE")


def draw_limb(layout: bpy.types.UILayout, armature: bpy.types.Object, limb: bpy.types.PropertyGroup) -> None:
    """Draw the settings of a foot or hand."""
    bones = armature.data.bones
    row = layout.row()
    row.label(text=roles.title(limb.name), icon="CON_KINEMATIC")
    row.operator(FOOTFALL_OT_remove_ik_limb.bl_idname, text="", icon="X", emboss=False).limb = limb.name
    column = layout.column(align=True)
    for name in ("control", "pole", "toe", "switch_bone"):
        if name == "toe" and not limb.name.startswith("foot"):
            continue
        row = column.row()
        row.alert = bool(getattr(limb, name)) and getattr(limb, name) not in bones
        row.prop_search(limb, name, armature.data, "bones")
    if limb.switch_bone:
        column.prop(limb, "switch_property")
        column.prop(limb, "ik_value")
        column.prop(limb, "fk_value")


CLASSES = (FOOTFALL_UL_rig_roles, FOOTFALL_PT_rig, FOOTFALL_PT_rig_ik, FOOTFALL_PT_rig_skin)
