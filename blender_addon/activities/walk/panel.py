"""The panel Locomotion. Nothing is computed here: panels show stored results."""

import bpy

from ...controllers.library import FILE_IDENTIFIER
from ...scene.path_operators import FOOTFALL_OT_draw_path, FOOTFALL_OT_path_from_annotation
from ...shot.quality_panel import quality_icon
from ...shot.staleness import cached_change
from ...ui.operator_base import active_armature
from ...ui.panel_parts import FootfallPanel, draw_main_button, draw_note, split_column
from ...ui.translations import translate_interface
from .crowd_operators import FOOTFALL_OT_bake_crowd, selected_characters
from .operators import FOOTFALL_OT_add_character, FOOTFALL_OT_bake_walk, FOOTFALL_OT_update_bake
from .presets import FOOTFALL_PT_direct_presets


class FOOTFALL_PT_direct(FootfallPanel, bpy.types.Panel):
    """Walk along a path."""

    bl_label = "Locomotion"

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        if active_armature(context) is not None:
            add = FOOTFALL_OT_add_character.bl_idname
            self.layout.operator(add, text="", icon="OUTLINER_OB_ARMATURE", emboss=False)
        FOOTFALL_PT_direct_presets.draw_panel_header(self.layout)
        super().draw_header_preset(context)

    def draw(self, context: bpy.types.Context) -> None:
        layout, session = self.layout, context.window_manager.footfall
        armature = active_armature(context)
        if armature is None:
            draw_main_button(layout, context, FOOTFALL_OT_add_character, "OUTLINER_OB_ARMATURE")
            if session.live_preview:
                layout.prop(session, "live_preview", toggle=True, icon="HIDE_OFF")
            return
        if context.object != armature:
            layout.label(text=armature.name, icon="OUTLINER_OB_ARMATURE", translate=False)
        settings = armature.footfall
        column = split_column(layout)
        column.prop(settings, "controller_choice")
        if settings.controller_choice == FILE_IDENTIFIER:
            column.prop(settings, "controller_file")
        draw_path(layout, settings)
        column = split_column(layout)
        column.prop(settings, "speed")
        if settings.output.destination != "RANGE":
            column.prop(settings, "start")
        if session.work_fraction >= 0:
            layout.progress(factor=session.work_fraction, text=session.work_progress)
            layout.label(text="Esc cancels", icon="INFO")
            return
        row = layout.row(align=True)
        row.operator("footfall.drive", icon="CON_FOLLOWPATH")
        row.prop(session, "live_preview", toggle=True, icon="HIDE_OFF")
        operator = FOOTFALL_OT_update_bake if settings.baked_action else FOOTFALL_OT_bake_walk
        draw_main_button(layout, context, operator, "ANIM")
        if len(selected_characters(context)) > 1:
            layout.operator(FOOTFALL_OT_bake_crowd.bl_idname, icon="COMMUNITY")
        if settings.baked_action and settings.quality_summary:
            summary = translate_interface(settings.quality_summary)
            draw_note(layout, summary[:1].upper() + summary[1:], quality_icon(armature))
            change = cached_change(armature)
            if change is not None:
                draw_note(layout, change, "BLANK1")


def draw_path(layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> None:
    """Draw the field of the path; beside it the button that draws one, with its name until there is a path."""
    if settings.path is not None:
        row = split_column(layout).row(align=True)
        row.prop(settings, "path")
        row.operator(FOOTFALL_OT_draw_path.bl_idname, text="", icon="GREASEPENCIL")
    else:
        row = layout.row(align=True)
        row.prop(settings, "path", text="", placeholder="Path")
        row.operator(FOOTFALL_OT_draw_path.bl_idname, icon="GREASEPENCIL")
    row.operator(FOOTFALL_OT_path_from_annotation.bl_idname, text="", icon="OUTLINER_DATA_GREASEPENCIL")
