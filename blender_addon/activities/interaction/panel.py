"""The panels of interaction tasks and of props. Nothing is computed here: panels show stored results."""

import bpy

from ....core.message import Message
from ....core.scene.object_fitting import OBJECT_ACTIONS
from ...scene.fitted_objects import FIT_PROPERTY, source_names
from ...ui.operator_base import active_armature
from ...ui.panel_parts import FootfallPanel, draw_main_button, draw_note
from .fit_operators import FOOTFALL_OT_adapt_motion, FOOTFALL_OT_fit_prop, selected_mesh
from .operators import (
    FOOTFALL_OT_add_interaction_task,
    FOOTFALL_OT_bake_interaction_takes,
    FOOTFALL_OT_bake_interactions,
    FOOTFALL_OT_move_interaction_task,
    FOOTFALL_OT_remove_interaction_task,
)
from .preview.operators import (
    FOOTFALL_OT_bake_interaction_preview,
    FOOTFALL_OT_pause_interaction_preview,
    FOOTFALL_OT_preview_interactions,
    FOOTFALL_OT_restart_interaction_preview,
    FOOTFALL_OT_step_interaction_preview,
    active_preview,
)
from .properties import TASK_TYPES, TYPES_WITH_DURATION, TYPES_WITH_OBJECT, TYPES_WITH_TARGET, WALK_SPEEDS_M_S

MIN_LIST_ROWS = 4


class FOOTFALL_PT_interactions(FootfallPanel, bpy.types.Panel):
    """Errands: sit, lie down, carry, push, open, one after the other."""

    bl_label = "Interactions"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout, armature = self.layout, active_armature(context)
        if armature is None:
            if active_preview() is None:
                draw_note(layout, "Select a character, or add one under Locomotion", "INFO")
            else:
                self._draw_preview(context)
            return
        settings, session = armature.footfall, context.window_manager.footfall
        row = layout.row()
        row.template_list(
            "FOOTFALL_UL_interaction_tasks",
            "",
            settings,
            "interaction_tasks",
            settings,
            "active_interaction_task",
            rows=MIN_LIST_ROWS,
        )
        buttons = row.column(align=True)
        buttons.operator(FOOTFALL_OT_add_interaction_task.bl_idname, text="", icon="ADD")
        buttons.operator(FOOTFALL_OT_remove_interaction_task.bl_idname, text="", icon="REMOVE")
        buttons.separator()
        buttons.operator(FOOTFALL_OT_move_interaction_task.bl_idname, text="", icon="TRIA_UP").down = False
        buttons.operator(FOOTFALL_OT_move_interaction_task.bl_idname, text="", icon="TRIA_DOWN").down = True
        if settings.active_interaction_task < len(settings.interaction_tasks):
            self._draw_task(settings.interaction_tasks[settings.active_interaction_task])
        if session.work_fraction >= 0:
            layout.progress(factor=session.work_fraction, text=session.work_progress)
            layout.label(text="Esc cancels", icon="INFO")
            return
        if active_preview() is not None:
            self._draw_preview(context)
            return
        column = layout.column()
        column.use_property_split = True
        column.use_property_decorate = False
        column.prop(settings, "interaction_controller_file")
        layout.operator(FOOTFALL_OT_preview_interactions.bl_idname, text="Preview", icon="HIDE_OFF")
        draw_main_button(layout, context, FOOTFALL_OT_bake_interactions, "ANIM")
        layout.operator(FOOTFALL_OT_bake_interaction_takes.bl_idname, icon="DUPLICATE")

    def _draw_preview(self, context: bpy.types.Context) -> None:
        acting = active_preview()
        assert acting is not None
        row = self.layout.row(align=True)
        picture, title = ("PAUSE", "Pause") if acting.running else ("PLAY", "Play")
        row.operator(FOOTFALL_OT_pause_interaction_preview.bl_idname, text=title, icon=picture)
        row.operator(FOOTFALL_OT_step_interaction_preview.bl_idname, text="Step", icon="FRAME_NEXT")
        row.operator(FOOTFALL_OT_restart_interaction_preview.bl_idname, text="Restart", icon="FILE_REFRESH")
        draw_main_button(self.layout, context, FOOTFALL_OT_bake_interaction_preview, "ANIM")

    def _draw_task(self, task: bpy.types.PropertyGroup) -> None:
        column = self.layout.column()
        column.use_property_split = True
        column.use_property_decorate = False
        column.prop(task, "type")
        if task.type in TYPES_WITH_OBJECT:
            column.prop(task, "object")
        if task.type == "open" and task.object is not None:
            column.prop(task.object, "footfall_door_opening")
        if task.type in TYPES_WITH_TARGET:
            column.prop(task, "target")
        if task.type in WALK_SPEEDS_M_S:
            column.prop(task, "speed")
        if task.type == "carry":
            column.prop(task.id_data.footfall, "attachment")
        if task.type in TYPES_WITH_DURATION:
            column.prop(task, "duration")


class FOOTFALL_PT_interaction_overlays(FootfallPanel, bpy.types.Panel):
    """Overlays of a preview"""

    bl_label = "Overlays"
    bl_parent_id = "FOOTFALL_PT_interactions"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return active_preview() is not None

    def draw(self, context: bpy.types.Context) -> None:
        grid = self.layout.grid_flow(row_major=True, columns=2, even_columns=True, align=True)
        grid.props_enum(context.window_manager.footfall, "interaction_overlays")


class FOOTFALL_PT_fit_props(FootfallPanel, bpy.types.Panel):
    """Objects under one's own clips, and clips adapted to other objects."""

    bl_label = "Fit Props"
    bl_parent_id = "FOOTFALL_PT_interactions"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return active_armature(context) is not None

    def draw(self, context: bpy.types.Context) -> None:
        layout, thing = self.layout, selected_mesh(context)
        if thing is None:
            draw_note(layout, "Select an object, then the armature", "INFO")
            return
        row = layout.row(align=True)
        for action, title, *_ in TASK_TYPES:
            if action in OBJECT_ACTIONS:
                row.operator(FOOTFALL_OT_fit_prop.bl_idname, text=title).interaction = action
        if FIT_PROPERTY in thing:
            _, action = source_names(thing)
            draw_note(layout, Message("Fitted to '{action}'", action=action), "CHECKMARK")
            layout.prop(context.window_manager.footfall, "show_object_contacts")
            draw_main_button(layout, context, FOOTFALL_OT_adapt_motion, "MOD_ARMATURE")


CLASSES = (FOOTFALL_PT_interactions, FOOTFALL_PT_interaction_overlays, FOOTFALL_PT_fit_props)
