"""The panel Partner. Nothing is computed here: panels show stored results."""

from typing import Final

import bpy

from ...animation.layers.bake_record import bake_records
from ...controllers.dances import FILE_ITEM
from ...scene.path_operators import FOOTFALL_OT_draw_path
from ...ui.operator_base import active_armature
from ...ui.panel_parts import FootfallPanel, draw_main_button
from .operators import FOOTFALL_OT_bake_pair, FOOTFALL_OT_revert_pair, FOOTFALL_OT_update_pair
from .properties import DANCE


class FOOTFALL_PT_partner(FootfallPanel, bpy.types.Panel):
    """Partner: two characters that answer each other."""

    bl_label = "Partner"
    bl_parent_id = "FOOTFALL_PT_more"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return active_armature(context) is not None

    def draw(self, context: bpy.types.Context) -> None:
        layout, armature = self.layout, active_armature(context)
        assert armature is not None
        settings, session = armature.footfall, context.window_manager.footfall
        partner = settings.partner
        column = layout.column()
        column.use_property_split = True
        column.use_property_decorate = False
        column.prop(partner, "character")
        column.prop(partner, "relation")
        draw = self._draw_dance if partner.relation == DANCE else self._draw_answer
        draw(column, settings)
        column.prop(partner, "seed")
        layout.prop(session, "pair_preview", toggle=True, icon="HIDE_OFF")
        if session.work_fraction >= 0:
            layout.progress(factor=session.work_fraction, text=session.work_progress)
            layout.label(text="Esc cancels", icon="INFO")
            return
        operator = FOOTFALL_OT_update_pair if partner.baked_action else FOOTFALL_OT_bake_pair
        draw_main_button(layout, context, operator, "ANIM")
        if partner.baked_action and bake_records(armature):
            layout.operator(FOOTFALL_OT_revert_pair.bl_idname, icon="LOOP_BACK")

    def _draw_dance(self, column: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> None:
        partner = settings.partner
        column.prop(partner, "dance")
        if partner.dance == FILE_ITEM:
            column.prop(partner, "dance_file")
        row = column.row(align=True)
        row.prop(settings, "path")
        row.operator(FOOTFALL_OT_draw_path.bl_idname, text="", icon="GREASEPENCIL")
        column.prop(partner, "speed")

    def _draw_answer(self, column: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> None:
        partner = settings.partner
        column.prop(settings, "controller_choice")
        column.prop(partner, "distance")
        if partner.relation == "CIRCLE":
            column.prop(partner, "circle_speed")
        if partner.relation == "DEFEND":
            column.prop(partner, "goal")


CLASSES: Final = (FOOTFALL_PT_partner,)
