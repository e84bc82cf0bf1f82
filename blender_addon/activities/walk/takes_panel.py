"""The panel of takes."""

import bpy

from ...shot.subpanel import DirectSubpanel, draw_list
from ...shot.takes.operators import FOOTFALL_OT_remove_take, FOOTFALL_OT_takes_to_nla, FOOTFALL_OT_use_take
from ...ui.operator_base import active_armature
from ...ui.panel_parts import draw_main_button, draw_note
from .operators import FOOTFALL_OT_bake_takes


class FOOTFALL_PT_takes(DirectSubpanel, bpy.types.Panel):
    """Takes: the walk several times, to choose from."""

    bl_label = "Takes"

    def draw(self, context: bpy.types.Context) -> None:
        layout, armature = self.layout, active_armature(context)
        assert armature is not None
        draw_main_button(layout, context, FOOTFALL_OT_bake_takes, "DUPLICATE")
        names = "FOOTFALL_UL_takes", "takes", "active_take"
        take = draw_list(layout, armature.footfall, names, [(FOOTFALL_OT_remove_take, "REMOVE")])
        if take is None:
            return
        row = layout.row(align=True)
        row.operator(FOOTFALL_OT_use_take.bl_idname, icon="CHECKMARK")
        row.operator(FOOTFALL_OT_takes_to_nla.bl_idname, icon="NLA")
        layout.prop(context.window_manager.footfall, "show_takes")
        if take.quality:
            draw_note(layout, take.quality, "INFO")


CLASSES = (FOOTFALL_PT_takes,)
