"""The list of beats, a preview's buttons, and the panel of props. Nothing is computed here."""

import bpy

from ....core.message import Message
from ....core.scene.object_fitting import OBJECT_ACTIONS
from ...controllers.dances import FILE_ITEM
from ...scene.fitted_objects import FIT_PROPERTY, source_names
from ...scene.path_operators import FOOTFALL_OT_draw_path
from ...scene.path_reader import is_path
from ...shot.subpanel import draw_list
from ...ui.operator_base import active_armature
from ...ui.panel_parts import FootfallPanel, draw_main_button, draw_note, split_column
from ..strike.presets import FOOTFALL_PT_strike_presets
from ..strike.target_picking import FOOTFALL_OT_pick_strike_target
from .fit_operators import FOOTFALL_OT_adapt_motion, FOOTFALL_OT_fit_prop, selected_mesh
from .operators import (
    FOOTFALL_OT_add_interaction_task,
    FOOTFALL_OT_move_interaction_task,
    FOOTFALL_OT_remove_interaction_task,
)
from .preview.operators import (
    FOOTFALL_OT_bake_interaction_preview,
    FOOTFALL_OT_pause_interaction_preview,
    FOOTFALL_OT_restart_interaction_preview,
    FOOTFALL_OT_step_interaction_preview,
    active_preview,
)
from .properties import (
    ACT,
    ANSWERS_TO_PARTNER,
    CIRCLE,
    DANCE,
    DRIBBLE,
    FIGHT,
    MEETINGS,
    PASS_BALL,
    PUT_DOWN_BALL,
    STRIKE,
    TASK_TYPES,
    TYPES_WITH_BALL,
    TYPES_WITH_DURATION,
    TYPES_WITH_OBJECT,
    TYPES_WITH_PARTNER,
    TYPES_WITH_TARGET,
    WALK_SPEEDS_M_S,
    WITHOUT_INTERACTION,
)


def draw_beats(layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup, scene: bpy.types.Scene) -> None:
    """Draw the list of a character's beats, and the settings of the active one."""
    names = "FOOTFALL_UL_interaction_tasks", "interaction_tasks", "active_interaction_task"
    changes = [(FOOTFALL_OT_add_interaction_task, "ADD"), (FOOTFALL_OT_remove_interaction_task, "REMOVE")]
    beat = draw_list(layout, settings, names, changes)
    row = layout.row(align=True)
    row.operator(FOOTFALL_OT_draw_path.bl_idname, icon="GREASEPENCIL")
    row.operator(FOOTFALL_OT_move_interaction_task.bl_idname, text="", icon="TRIA_UP").down = False
    row.operator(FOOTFALL_OT_move_interaction_task.bl_idname, text="", icon="TRIA_DOWN").down = True
    row.prop(bpy.context.window_manager.footfall, "show_beats", text="", icon="HIDE_OFF")
    if beat is not None:
        _draw_beat(split_column(layout), beat)
        draw_times(layout, beat, scene)


def _draw_beat(column: bpy.types.UILayout, beat: bpy.types.PropertyGroup) -> None:
    column.prop(beat, "type")
    if beat.type in (*TYPES_WITH_OBJECT, *TYPES_WITH_BALL, PASS_BALL):
        column.prop(beat, "object")
    if beat.type == "open" and beat.object is not None:
        column.prop(beat.object, "footfall_door_opening")
    if beat.type in TYPES_WITH_PARTNER:
        _draw_partner(column, beat)
    if beat.type == ACT:
        _draw_act(column, beat)
    if beat.type == STRIKE:
        _draw_strike(column, beat)
    elif beat.type in (*TYPES_WITH_TARGET, PUT_DOWN_BALL):
        column.prop(beat, "target")
    if beat.type == DRIBBLE:
        column.prop(beat, "hand")
    if beat.type in (*WALK_SPEEDS_M_S, DRIBBLE):
        column.prop(beat, "speed")
        column.prop(beat, "style")
    if beat.type == "carry":
        column.prop(beat.id_data.footfall, "attachment")
    if beat.type in TYPES_WITH_DURATION and not (beat.type == DANCE and is_path(beat.target)):
        column.prop(beat, "duration")


def _draw_act(column: bpy.types.UILayout, beat: bpy.types.PropertyGroup) -> None:
    for name in ("actor", "action", "has_range"):
        column.prop(beat, name)
    for name in ("range_start", "range_end") if beat.has_range else ():
        column.prop(beat, name)
    column.prop(beat, "target", text="Place")


def _draw_strike(column: bpy.types.UILayout, beat: bpy.types.PropertyGroup) -> None:
    row = column.row(align=True)
    row.prop(beat, "target")
    row.operator(FOOTFALL_OT_pick_strike_target.bl_idname, text="", icon="EYEDROPPER")
    target = beat.target
    if target is not None and target.type == "ARMATURE":
        column.prop_search(beat, "bone", target.data, "bones", icon="BONE_DATA")
    elif target is not None and target.type == "MESH":
        column.prop(beat, "place")
        if beat.place == "VERTEX":
            column.prop(beat, "vertex")
    column.prop(beat, "effector")
    if beat.effector.startswith("HAND"):
        column.prop(beat, "weapon")
        if beat.weapon is not None:
            column.prop(beat, "both_hands")
    row = column.row(align=True)
    row.prop(beat.id_data.footfall, "strike_controller_file", text="Strikes")
    FOOTFALL_PT_strike_presets.draw_panel_header(row)


def _draw_partner(column: bpy.types.UILayout, beat: bpy.types.PropertyGroup) -> None:
    column.prop(beat, "partner")
    if beat.type in ANSWERS_TO_PARTNER:
        column.prop(beat, "distance")
    if beat.type == PASS_BALL:
        column.prop(beat, "pass_distance")
    if beat.type == CIRCLE:
        column.prop(beat, "circle_speed")
    if beat.type in MEETINGS:
        column.prop(beat, "target", text="Target or Path" if beat.type == DANCE else "Place")
    if beat.type == DANCE:
        if is_path(beat.target):
            column.prop(beat, "speed")
        column.prop(beat, "leads")
        for name in ("dance", "dance_file")[: 1 + (beat.id_data.footfall.dance == FILE_ITEM)]:
            column.prop(beat.id_data.footfall, name)
    if beat.type == FIGHT:
        column.prop(beat, "attacks")
        for name in ("effector", "part", "side", "answer") if beat.attacks else ():
            column.prop(beat, name)
        column.prop(beat, "weapon")
        column.prop(beat.id_data.footfall, "strike_controller_file", text="Strikes")


def draw_times(layout: bpy.types.UILayout, beat: bpy.types.PropertyGroup, scene: bpy.types.Scene) -> None:
    """Draw the start and end set for a beat; a strike has only an end."""
    for name in ("end",) if beat.type in (STRIKE, FIGHT) else ("start", "end"):
        row = layout.row(align=True)
        row.prop(beat, f"has_{name}")
        given = row.row(align=True)
        given.active = getattr(beat, f"has_{name}")
        if not getattr(beat, f"{name}_marker"):
            given.prop(beat, f"{name}_frame", text="")
        given.prop_search(beat, f"{name}_marker", scene, "timeline_markers", text="", icon="MARKER")


def uses_objects(settings: bpy.types.PropertyGroup) -> bool:
    """Return whether any beat of a character needs the interaction controller."""
    return any(one.type not in (*WALK_SPEEDS_M_S, *WITHOUT_INTERACTION) for one in settings.interaction_tasks)


def draw_preview(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw the buttons of the active preview."""
    acting = active_preview()
    assert acting is not None
    row = layout.row(align=True)
    picture, title = ("PAUSE", "Pause") if acting.running else ("PLAY", "Play")
    row.operator(FOOTFALL_OT_pause_interaction_preview.bl_idname, text=title, icon=picture)
    row.operator(FOOTFALL_OT_step_interaction_preview.bl_idname, text="Step", icon="FRAME_NEXT")
    row.operator(FOOTFALL_OT_restart_interaction_preview.bl_idname, text="Restart", icon="FILE_REFRESH")
    draw_main_button(layout, context, FOOTFALL_OT_bake_interaction_preview, "ANIM")


class FOOTFALL_PT_fit_props(FootfallPanel, bpy.types.Panel):
    """Objects under one's own clips, and clips adapted to other objects."""

    bl_label = "Fit Props"
    bl_parent_id = "FOOTFALL_PT_more"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return active_armature(context) is not None

    def draw(self, context: bpy.types.Context) -> None:
        layout, thing = self.layout, selected_mesh(context)
        if thing is None:
            draw_note(layout, "Select the object and then the armature", "INFO")
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


CLASSES = (FOOTFALL_PT_fit_props,)
