"""The panel Strikes. Nothing is computed here: panels show stored results."""

from typing import Final

import bpy

from ...animation.layers.bake_record import bake_records
from ...animation.operators import FOOTFALL_OT_revert_bake
from ...ui.manual_links import draw_help_button
from ...ui.operator_base import active_armature
from ...ui.panel_parts import MIN_LIST_ROWS, FootfallPanel, draw_main_button
from .operators import (
    FOOTFALL_OT_add_strike,
    FOOTFALL_OT_bake_strikes,
    FOOTFALL_OT_go_to_strike,
    FOOTFALL_OT_remove_strike,
    FOOTFALL_OT_update_strikes,
)
from .presets import FOOTFALL_PT_strike_presets
from .preview import FOOTFALL_OT_end_strike_preview, FOOTFALL_OT_preview_strikes, active_preview
from .target_picking import FOOTFALL_OT_pick_strike_target


class FOOTFALL_PT_strikes(FootfallPanel, bpy.types.Panel):
    """Strikes: targets that are struck on chosen frames."""

    bl_label = "Strikes"
    bl_parent_id = "FOOTFALL_PT_more"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return active_armature(context) is not None

    def draw_header_preset(self, _context: bpy.types.Context) -> None:
        FOOTFALL_PT_strike_presets.draw_panel_header(self.layout)
        draw_help_button(self.layout, type(self).__name__)

    def draw(self, context: bpy.types.Context) -> None:
        layout, armature = self.layout, active_armature(context)
        assert armature is not None
        settings, session = armature.footfall.combat, context.window_manager.footfall
        layout.prop(settings, "controller_file")
        self._draw_list(settings)
        if settings.active_strike < len(settings.strikes):
            self._draw_strike(settings.strikes[settings.active_strike])
        column = layout.column()
        column.use_property_split = True
        column.use_property_decorate = False
        column.prop(settings, "leaves")
        if settings.strikes:
            layout.prop(session, "show_strikes")
        if session.work_fraction >= 0:
            layout.progress(factor=session.work_fraction, text=session.work_progress)
            layout.label(text="Esc cancels", icon="INFO")
            return
        shown = active_preview() is not None
        layout.operator(
            (FOOTFALL_OT_end_strike_preview if shown else FOOTFALL_OT_preview_strikes).bl_idname,
            icon="HIDE_ON" if shown else "HIDE_OFF",
        )
        operator = FOOTFALL_OT_update_strikes if settings.baked_action else FOOTFALL_OT_bake_strikes
        draw_main_button(layout, context, operator, "ANIM")
        if settings.baked_action and bake_records(armature):
            layout.operator(FOOTFALL_OT_revert_bake.bl_idname, icon="LOOP_BACK")

    def _draw_list(self, settings: bpy.types.PropertyGroup) -> None:
        row = self.layout.row()
        row.template_list("FOOTFALL_UL_strikes", "", settings, "strikes", settings, "active_strike", rows=MIN_LIST_ROWS)
        buttons = row.column(align=True)
        buttons.operator(FOOTFALL_OT_add_strike.bl_idname, text="", icon="ADD")
        buttons.operator(FOOTFALL_OT_remove_strike.bl_idname, text="", icon="REMOVE")
        buttons.separator()
        buttons.operator(FOOTFALL_OT_go_to_strike.bl_idname, text="", icon="TIME")

    def _draw_strike(self, strike: bpy.types.PropertyGroup) -> None:
        column = self.layout.column()
        column.use_property_split = True
        column.use_property_decorate = False
        column.prop(strike, "frame")
        column.prop(strike, "effector")
        if strike.effector.startswith("HAND"):
            column.prop(strike, "weapon")
            if strike.weapon is not None:
                column.prop(strike, "both_hands")
        row = column.row(align=True)
        row.prop(strike, "target")
        row.operator(FOOTFALL_OT_pick_strike_target.bl_idname, text="", icon="EYEDROPPER")
        target = strike.target
        if target is not None and target.type == "ARMATURE":
            column.prop_search(strike, "bone", target.data, "bones", icon="BONE_DATA")
        elif target is not None and target.type == "MESH":
            column.prop(strike, "place")
            if strike.place == "VERTEX":
                column.prop(strike, "vertex")


CLASSES: Final = (FOOTFALL_PT_strikes,)
