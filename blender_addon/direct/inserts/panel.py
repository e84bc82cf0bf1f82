"""The panel of inserted clips."""

import bpy

from ...ui.operator_base import active_armature
from ...ui.panel_parts import FootfallPanel, draw_note
from .operators import FOOTFALL_OT_go_to_inserted_clip, FOOTFALL_OT_insert_clip, FOOTFALL_OT_remove_inserted_clip


class FOOTFALL_PT_inserted_clips(FootfallPanel, bpy.types.Panel):
    """Inserted clips: actions within the walk."""

    bl_label = "Inserted Clips"
    bl_parent_id = "FOOTFALL_PT_direct"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return active_armature(context) is not None

    def draw(self, context: bpy.types.Context) -> None:
        layout, armature = self.layout, active_armature(context)
        assert armature is not None
        settings = armature.footfall
        row = layout.row()
        row.template_list(
            "FOOTFALL_UL_inserted_clips", "", settings, "inserted_clips", settings, "active_inserted_clip", rows=3
        )
        buttons = row.column(align=True)
        buttons.operator(FOOTFALL_OT_insert_clip.bl_idname, text="", icon="ADD")
        buttons.operator(FOOTFALL_OT_remove_inserted_clip.bl_idname, text="", icon="REMOVE")
        buttons.separator()
        buttons.operator(FOOTFALL_OT_go_to_inserted_clip.bl_idname, text="", icon="TIME")
        if settings.active_inserted_clip >= len(settings.inserted_clips):
            return
        item = settings.inserted_clips[settings.active_inserted_clip]
        column = layout.column()
        column.use_property_split = True
        column.use_property_decorate = False
        for name in ("action", "frame", "repeats"):
            column.prop(item, name)
        if item.issue:
            draw_note(layout, item.issue, "ERROR")


CLASSES = (FOOTFALL_PT_inserted_clips,)
