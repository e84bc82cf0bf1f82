"""The panel Shot, first in the tab. Nothing is computed here: panels show stored results."""

from typing import Final

import bpy

from ...controllers.library import FILE_IDENTIFIER
from ...scene.path_operators import FOOTFALL_OT_draw_path, FOOTFALL_OT_path_from_annotation
from ...shot.quality_panel import quality_icon
from ...shot.staleness import cached_change
from ...shot.subpanel import DirectSubpanel, draw_list
from ...shot.takes.operators import FOOTFALL_OT_remove_take, FOOTFALL_OT_takes_to_nla, FOOTFALL_OT_use_take
from ...ui.operator_base import active_armature
from ...ui.panel_parts import FootfallPanel, draw_main_button, draw_note, split_column
from ...ui.translations import translate_interface
from ..interaction.operators import FOOTFALL_OT_add_interaction_task
from ..interaction.panel import draw_beats, draw_preview, uses_objects
from ..interaction.preview.operators import FOOTFALL_OT_preview_interactions, active_preview
from ..walk.crowd_operators import FOOTFALL_OT_bake_crowd, selected_characters
from ..walk.operators import FOOTFALL_OT_add_character
from ..walk.presets import FOOTFALL_PT_direct_presets
from .operators import FOOTFALL_OT_bake_shot, FOOTFALL_OT_bake_takes, FOOTFALL_OT_update_bake


class FOOTFALL_PT_shot(FootfallPanel, bpy.types.Panel):
    """One character's walk and beats, in one bake."""

    bl_label = "Shot"

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
            if active_preview() is not None:
                draw_preview(layout, context)
                return
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
        if settings.interaction_tasks:
            draw_beats(layout, settings, context.scene)
            if uses_objects(settings):
                split_column(layout).prop(settings, "interaction_controller_file", text="Interactions")
        else:
            draw_path(layout, settings)
            split_column(layout).prop(settings, "speed")
        if settings.output.destination != "RANGE":
            split_column(layout).prop(settings, "start")
        if session.work_fraction >= 0:
            layout.progress(factor=session.work_fraction, text=session.work_progress)
            layout.label(text="Press Esc to cancel", icon="INFO")
            return
        if active_preview() is not None:
            draw_preview(layout, context)
            return
        row = layout.row(align=True)
        row.operator("footfall.drive", icon="CON_FOLLOWPATH")
        if settings.interaction_tasks:
            row.operator(FOOTFALL_OT_preview_interactions.bl_idname, text="Preview", icon="HIDE_OFF")
        else:
            row.prop(session, "live_preview", toggle=True, icon="HIDE_OFF")
        operator = FOOTFALL_OT_update_bake if settings.baked_action else FOOTFALL_OT_bake_shot
        draw_main_button(layout, context, operator, "ANIM")
        if not settings.interaction_tasks:
            layout.operator(FOOTFALL_OT_add_interaction_task.bl_idname, icon="ADD")
        if len(selected_characters(context)) > 1:
            layout.operator(FOOTFALL_OT_bake_crowd.bl_idname, icon="COMMUNITY")
        if settings.baked_action and settings.quality_summary:
            summary = translate_interface(settings.quality_summary)
            draw_note(layout, summary[:1].upper() + summary[1:], quality_icon(armature))
            change = cached_change(armature)
            if change is not None:
                draw_note(layout, change, "BLANK1")


class FOOTFALL_PT_takes(DirectSubpanel, bpy.types.Panel):
    """Takes: the shot several times, to choose from."""

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


class FOOTFALL_PT_more(FootfallPanel, bpy.types.Panel):
    """Activities that are baked apart from the shot; each has its subpanel."""

    bl_label = "More"
    bl_parent_id = "FOOTFALL_PT_shot"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw a note if no character is selected; the subpanels draw the content."""
        if active_armature(context) is None:
            draw_note(self.layout, "Select a character, or add one under Shot", "INFO")


def draw_path(layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> None:
    """Draw the field for the path, and a button for drawing one, which shows its name until there is a path."""
    if settings.path is not None:
        row = split_column(layout).row(align=True)
        row.prop(settings, "path")
        row.operator(FOOTFALL_OT_draw_path.bl_idname, text="", icon="GREASEPENCIL")
    else:
        row = layout.row(align=True)
        row.prop(settings, "path", text="", placeholder="Path")
        row.operator(FOOTFALL_OT_draw_path.bl_idname, icon="GREASEPENCIL")
    row.operator(FOOTFALL_OT_path_from_annotation.bl_idname, text="", icon="OUTLINER_DATA_GREASEPENCIL")


CLASSES: Final = (FOOTFALL_PT_shot, FOOTFALL_PT_takes, FOOTFALL_PT_more)
