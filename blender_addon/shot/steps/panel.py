"""The panels of edited steps and of retimed stretches."""

import bpy

from ....core.motion.roles import guess_roles, is_quadruped
from ...ui.operator_base import active_armature
from ...ui.panel_parts import draw_note, split_column
from ..subpanel import EditSubpanel, draw_list
from .operators import (
    FOOTFALL_OT_edit_step,
    FOOTFALL_OT_go_to_edited_step,
    FOOTFALL_OT_remove_edited_step,
    FOOTFALL_OT_remove_retimed_stretch,
    FOOTFALL_OT_retime_stretch,
)
from .properties import FEET


def has_front_feet(armature: bpy.types.Object) -> bool:
    """Return whether an armature has four legs, according to its rig map, or its bone names without a map."""
    mapped = {row.name for row in armature.footfall.rig.roles if row.bone}
    return is_quadruped(mapped or guess_roles(armature.data.bones.keys()))


class FOOTFALL_PT_edited_steps(EditSubpanel, bpy.types.Panel):
    """Edited steps: footprints that are moved, and contacts that are held longer."""

    bl_label = "Edited Steps"

    def draw(self, context: bpy.types.Context) -> None:
        layout, armature = self.layout, active_armature(context)
        assert armature is not None
        row = layout.grid_flow(row_major=True, columns=2, align=True)
        for foot, name, _ in FEET if has_front_feet(armature) else FEET[:2]:
            row.operator(FOOTFALL_OT_edit_step.bl_idname, text=name, icon="ANCHOR_BOTTOM").foot = foot
        names = "FOOTFALL_UL_edited_steps", "edited_steps", "active_edited_step"
        edits, places = [(FOOTFALL_OT_remove_edited_step, "REMOVE")], [(FOOTFALL_OT_go_to_edited_step, "TIME")]
        item = draw_list(layout, armature.footfall, names, edits, places)
        if item is None:
            return
        column = split_column(layout)
        for name in ("handle", "earlier", "later"):
            column.prop(item, name)
        if item.issue:
            draw_note(layout, item.issue, "ERROR")


class FOOTFALL_PT_retimed_stretches(EditSubpanel, bpy.types.Panel):
    """Retimed stretches: parts of the walk that take longer, or less time."""

    bl_label = "Retiming"

    def draw(self, context: bpy.types.Context) -> None:
        layout, armature = self.layout, active_armature(context)
        assert armature is not None
        names = "FOOTFALL_UL_retimed_stretches", "retimed_stretches", "active_retimed_stretch"
        edits = (FOOTFALL_OT_retime_stretch, "ADD"), (FOOTFALL_OT_remove_retimed_stretch, "REMOVE")
        item = draw_list(layout, armature.footfall, names, edits)
        if item is None:
            return
        column = split_column(layout)
        for name in ("first", "last", "ratio"):
            column.prop(item, name)


CLASSES = (FOOTFALL_PT_edited_steps, FOOTFALL_PT_retimed_stretches)
