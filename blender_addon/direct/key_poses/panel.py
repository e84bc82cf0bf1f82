"""The panel of key poses."""

import bpy

from ...ui.operator_base import active_armature
from ...ui.panel_parts import FootfallPanel, draw_main_button, draw_note
from .operators import FOOTFALL_OT_go_to_key_pose, FOOTFALL_OT_keep_pose, FOOTFALL_OT_remove_key_pose


class FOOTFALL_PT_key_poses(FootfallPanel, bpy.types.Panel):
    """Key poses: poses that bakes go through."""

    bl_label = "Key Poses"
    bl_parent_id = "FOOTFALL_PT_direct"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return active_armature(context) is not None

    def draw(self, context: bpy.types.Context) -> None:
        layout, armature = self.layout, active_armature(context)
        assert armature is not None
        settings = armature.footfall
        draw_main_button(layout, context, FOOTFALL_OT_keep_pose, "POSE_HLT")
        row = layout.row()
        row.template_list("FOOTFALL_UL_key_poses", "", settings, "key_poses", settings, "active_key_pose", rows=3)
        buttons = row.column(align=True)
        buttons.operator(FOOTFALL_OT_remove_key_pose.bl_idname, text="", icon="REMOVE")
        buttons.separator()
        buttons.operator(FOOTFALL_OT_go_to_key_pose.bl_idname, text="", icon="TIME")
        if settings.active_key_pose >= len(settings.key_poses):
            return
        layout.prop(context.window_manager.footfall, "show_key_poses")
        pose = settings.key_poses[settings.active_key_pose]
        column = layout.column()
        column.use_property_split = True
        column.use_property_decorate = False
        column.prop(pose, "anchor")
        column.prop(pose, "frame" if pose.anchor == "FRAME" else "distance")
        column.prop(pose, "automatic_blend")
        windows = column.column(align=True)
        windows.active = not pose.automatic_blend
        windows.prop(pose, "blend_in")
        windows.prop(pose, "blend_out")
        if pose.issue:
            draw_note(layout, pose.issue, "ERROR")


CLASSES = (FOOTFALL_PT_key_poses,)
