"""The panel of takes."""

import bpy

from ...ui.operator_base import active_armature
from ...ui.panel_parts import FootfallPanel, draw_main_button, draw_note
from .operators import (
    FOOTFALL_OT_bake_takes,
    FOOTFALL_OT_remove_take,
    FOOTFALL_OT_takes_to_nla,
    FOOTFALL_OT_use_take,
)


class FOOTFALL_PT_takes(FootfallPanel, bpy.types.Panel):
    """Takes: the walk several times, to choose from."""

    bl_label = "Takes"
    bl_parent_id = "FOOTFALL_PT_direct"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return active_armature(context) is not None

    def draw(self, context: bpy.types.Context) -> None:
        layout, armature = self.layout, active_armature(context)
        assert armature is not None
        settings = armature.footfall
        draw_main_button(layout, context, FOOTFALL_OT_bake_takes, "DUPLICATE")
        row = layout.row()
        row.template_list("FOOTFALL_UL_takes", "", settings, "takes", settings, "active_take", rows=3)
        row.column(align=True).operator(FOOTFALL_OT_remove_take.bl_idname, text="", icon="REMOVE")
        if settings.active_take >= len(settings.takes):
            return
        take = settings.takes[settings.active_take]
        row = layout.row(align=True)
        row.operator(FOOTFALL_OT_use_take.bl_idname, icon="CHECKMARK")
        row.operator(FOOTFALL_OT_takes_to_nla.bl_idname, icon="NLA")
        layout.prop(context.window_manager.footfall, "show_takes")
        if take.quality:
            draw_note(layout, take.quality, "INFO")


CLASSES = (FOOTFALL_PT_takes,)
