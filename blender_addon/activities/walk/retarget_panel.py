"""The panel Retargeting under Rig: motion of another armature."""

from typing import Final

import bpy

from ...ui.panel_parts import FootfallPanel, draw_note
from .retarget_operators import FOOTFALL_OT_retarget_motion


class FOOTFALL_PT_retarget(FootfallPanel, bpy.types.Panel):
    """The button that retargets, with the reason if it is disabled."""

    bl_label = "Retargeting"
    bl_parent_id = "FOOTFALL_PT_rig"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        self.layout.operator(FOOTFALL_OT_retarget_motion.bl_idname, icon="CON_ARMATURE")
        reason = FOOTFALL_OT_retarget_motion.why_not(context)
        if reason:
            draw_note(self.layout, reason, "INFO")


CLASSES: Final = (FOOTFALL_PT_retarget,)
