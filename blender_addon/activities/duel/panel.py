"""The panel Duel. Nothing is computed here: panels show stored results."""

from typing import Final

import bpy

from ...ui.panel_parts import MIN_LIST_ROWS, FootfallPanel, draw_main_button
from .operators import (
    FOOTFALL_OT_add_beat,
    FOOTFALL_OT_bake_duel,
    FOOTFALL_OT_go_to_beat,
    FOOTFALL_OT_remove_beat,
    FOOTFALL_OT_revert_duel,
    FOOTFALL_OT_update_duel,
)


class FOOTFALL_PT_duel(FootfallPanel, bpy.types.Panel):
    """Duel: beats of two or more characters."""

    bl_label = "Duel"
    bl_parent_id = "FOOTFALL_PT_more"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout, duel, session = self.layout, context.scene.footfall_duel, context.window_manager.footfall
        row = layout.row()
        row.template_list("FOOTFALL_UL_beats", "", duel, "beats", duel, "active_beat", rows=MIN_LIST_ROWS)
        buttons = row.column(align=True)
        buttons.operator(FOOTFALL_OT_add_beat.bl_idname, text="", icon="ADD")
        buttons.operator(FOOTFALL_OT_remove_beat.bl_idname, text="", icon="REMOVE")
        buttons.separator()
        buttons.operator(FOOTFALL_OT_go_to_beat.bl_idname, text="", icon="TIME")
        if duel.active_beat < len(duel.beats):
            self._draw_beat(duel.beats[duel.active_beat], context.scene)
        if session.work_fraction >= 0:
            layout.progress(factor=session.work_fraction, text=session.work_progress)
            layout.label(text="Esc cancels", icon="INFO")
            return
        draw_main_button(layout, context, FOOTFALL_OT_update_duel if duel.is_baked else FOOTFALL_OT_bake_duel, "ANIM")
        if duel.is_baked:
            layout.operator(FOOTFALL_OT_revert_duel.bl_idname, icon="LOOP_BACK")

    def _draw_beat(self, beat: bpy.types.PropertyGroup, scene: bpy.types.Scene) -> None:
        column = self.layout.column()
        column.use_property_split = True
        column.use_property_decorate = False
        column.prop(beat, "frame")
        column.prop_search(beat, "marker", scene, "timeline_markers", icon="MARKER")
        for name in ("striker", "receiver", "part", "effector", "side", "answer"):
            column.prop(beat, name)
        for owner, text in ((beat.striker, "Striker's Weapon"), (beat.receiver, "Receiver's Weapon")):
            if owner is not None:
                column.prop(owner.footfall.combat, "weapon", text=text)


CLASSES: Final = (FOOTFALL_PT_duel,)
