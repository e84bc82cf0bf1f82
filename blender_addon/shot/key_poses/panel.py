"""The panel of key poses."""

import bpy

from ...ui.operator_base import active_armature
from ...ui.panel_parts import draw_main_button, draw_note, split_column
from ..subpanel import EditSubpanel, draw_list
from .operators import FOOTFALL_OT_go_to_key_pose, FOOTFALL_OT_keep_pose, FOOTFALL_OT_remove_key_pose


class FOOTFALL_PT_key_poses(EditSubpanel, bpy.types.Panel):
    """Key poses: poses that bakes go through."""

    bl_label = "Key Poses"

    def draw(self, context: bpy.types.Context) -> None:
        layout, armature = self.layout, active_armature(context)
        assert armature is not None
        draw_main_button(layout, context, FOOTFALL_OT_keep_pose, "POSE_HLT")
        names = "FOOTFALL_UL_key_poses", "key_poses", "active_key_pose"
        edits, places = [(FOOTFALL_OT_remove_key_pose, "REMOVE")], [(FOOTFALL_OT_go_to_key_pose, "TIME")]
        pose = draw_list(layout, armature.footfall, names, edits, places)
        if pose is None:
            return
        layout.prop(context.window_manager.footfall, "show_key_poses")
        column = split_column(layout)
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
