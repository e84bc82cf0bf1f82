"""The panel Direct. Nothing is computed here: panels show stored results."""

import bpy

from ..animation.operators import FOOTFALL_OT_revert_bake
from ..animation.output_settings import draw_output
from ..controllers.generators import FILE_ITEM
from ..controllers.library import FILE_IDENTIFIER
from ..scene.path_operators import FOOTFALL_OT_draw_path, FOOTFALL_OT_path_from_annotation
from ..ui.operator_base import active_armature
from ..ui.panel_parts import FootfallPanel, draw_main_button, draw_note
from .crowd_operators import FOOTFALL_OT_bake_crowd, selected_characters
from .drive.operators import FOOTFALL_OT_drive
from .operators import FOOTFALL_OT_add_character, FOOTFALL_OT_bake_walk, FOOTFALL_OT_update_bake
from .presets import FOOTFALL_PT_direct_presets
from .quality_panel import quality_icon
from .retarget_operators import FOOTFALL_OT_retarget_motion


class FOOTFALL_PT_direct(FootfallPanel, bpy.types.Panel):
    """Direct: walk along a path."""

    bl_label = "Locomotion"

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        FOOTFALL_PT_direct_presets.draw_panel_header(self.layout)
        super().draw_header_preset(context)

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        armature = active_armature(context)
        if armature is None:
            draw_main_button(layout, context, FOOTFALL_OT_add_character, "OUTLINER_OB_ARMATURE")
            return
        if context.object != armature:
            layout.label(text=armature.name, icon="OUTLINER_OB_ARMATURE", translate=False)
        settings, session = armature.footfall, context.window_manager.footfall
        column = layout.column()
        column.use_property_split = True
        column.use_property_decorate = False
        column.prop(settings, "controller_choice")
        if settings.controller_choice == FILE_IDENTIFIER:
            column.prop(settings, "controller_file")
        column.prop(settings, "performer")
        column.prop(settings, "style")
        row = column.row(align=True)
        row.prop(settings, "path")
        row.operator(FOOTFALL_OT_draw_path.bl_idname, text="", icon="GREASEPENCIL")
        row.operator(FOOTFALL_OT_path_from_annotation.bl_idname, text="", icon="OUTLINER_DATA_GREASEPENCIL")
        column.prop(settings, "speed")
        if settings.output.destination != "RANGE":
            column.prop(settings, "start")
        column.prop(settings, "seed")
        drawn = column.column()
        drawn.active = settings.seed > 0
        drawn.prop(settings, "performer_share")
        drawn.prop(settings, "control_variation")
        drawn.prop(settings, "generator")
        if settings.generator == FILE_ITEM:
            drawn.prop(settings, "generator_file")
        column.prop(settings, "responsiveness")
        column.prop(settings, "ball")
        if settings.ball != "NONE":
            column.prop(settings, "ball_radius")
        draw_output(layout, settings.output)
        if session.work_fraction >= 0:
            layout.progress(factor=session.work_fraction, text=session.work_progress)
            layout.label(text="Esc cancels", icon="INFO")
            return
        layout.operator(FOOTFALL_OT_drive.bl_idname, icon="CON_FOLLOWPATH")
        layout.prop(session, "live_preview", toggle=True, icon="HIDE_OFF")
        operator = FOOTFALL_OT_update_bake if settings.baked_action else FOOTFALL_OT_bake_walk
        draw_main_button(layout, context, operator, "ANIM")
        if len(selected_characters(context)) > 1:
            layout.operator(FOOTFALL_OT_bake_crowd.bl_idname, icon="COMMUNITY")
        if settings.baked_action and settings.quality_summary:
            draw_note(layout, settings.quality_summary, quality_icon(armature))
        layout.operator(FOOTFALL_OT_retarget_motion.bl_idname, icon="CON_ARMATURE")
        if settings.bake_records:
            layout.operator(FOOTFALL_OT_revert_bake.bl_idname, icon="LOOP_BACK")
        layout.operator(FOOTFALL_OT_add_character.bl_idname, icon="OUTLINER_OB_ARMATURE")
