"""Operators for the list of beats."""

import bpy
from mathutils import Vector

from ....core.errors import FootfallError
from ....core.message import Message
from ...controllers import library
from ...scene.objects import usual_action_of
from ...scene.path_reader import is_path
from ...ui.list_operators import CharacterListOperator, MoveOperator, RemoveOperator
from ...ui.operator_base import require_armature
from ...ui.redraw import tag_redraw_all
from ..strike.targets import why_no_target
from .acts import action_of, offers_action
from .properties import (
    ACT,
    DRIBBLE,
    FOLLOW,
    MEETINGS,
    PASS_BALL,
    PICK_UP_BALL,
    SHOOT,
    STRIKE,
    TYPES_WITH_BALL,
    TYPES_WITH_OBJECT,
    TYPES_WITH_PARTNER,
    TYPES_WITH_TARGET,
    WITHOUT_INTERACTION,
)
from .selection import selected_meshes
from .shot_balls import is_ball

MIN_LIFT_M = 0.2
"""Height over the character's floor from which a block is not sat on."""


def why_no_beats(context: bpy.types.Context) -> str | None:
    """Return the reason why the active armature cannot do its beats; ``None`` if it can."""
    settings = require_armature(context).footfall
    tasks = settings.interaction_tasks
    if not settings.interaction_controller_file and not library.shipped_interaction_controllers():
        return "Choose the file of an interaction controller"
    if not tasks:
        return "The shot has no beats: add one"
    for number, task in enumerate(tasks, start=1):
        if task.type in (*TYPES_WITH_OBJECT, *TYPES_WITH_BALL) and task.object is None:
            return Message("Choose the object of beat {number}", number=number)
        if task.type in TYPES_WITH_TARGET and task.target is None:
            return Message("Choose the target of beat {number}: a path, an empty or an object", number=number)
        if task.type == ACT and task.action is None:
            return Message("Choose the action of beat {number}", number=number)
        if task.type in TYPES_WITH_PARTNER and task.partner is None:
            return Message("Choose the partner of beat {number}", number=number)
        if task.type == STRIKE and (reason := why_no_target(task, require_armature(context), context.scene)):
            return reason
    return library.why_unknown(
        settings.interaction_controller_file, [task.type for task in tasks if task.type not in WITHOUT_INTERACTION]
    )


def _usual_type(obj: bpy.types.Object, armature: bpy.types.Object) -> str:
    """Return the type of task that an object is for; empty where its shape leaves it open, as of a block on the floor.

    Such a block may be a seat or a box.
    """
    try:
        action = usual_action_of(obj)
    except FootfallError:
        return ""
    bottom = min((obj.matrix_world @ Vector(corner)).z for corner in obj.bound_box)
    lifted = bottom - armature.matrix_world.translation.z > MIN_LIFT_M
    return action if action != "carry" or lifted else ""


def _type_with(partner: bpy.types.Object, armature: bpy.types.Object) -> str:
    """Return the type of a new beat with a partner: the meeting that the partner has and this character lacks."""
    own = [one.type for one in armature.footfall.interaction_tasks if one.partner == partner]
    wanted = [one.type for one in partner.footfall.interaction_tasks if one.partner == armature]
    return next((kind for kind in wanted if kind in MEETINGS and own.count(kind) < wanted.count(kind)), FOLLOW)


class _InteractionTasks(CharacterListOperator):
    """A mix-in that names the list of interaction tasks."""

    collection, active = "interaction_tasks", "active_interaction_task"


def _count_beats(count: int) -> Message:
    """Return a number of beats as a report gives it."""
    return Message("The shot has 1 beat") if count == 1 else Message("The shot has {count} beats", count=count)


class FOOTFALL_OT_add_interaction_task(_InteractionTasks, bpy.types.Operator):
    """Add a beat after the active one, with the selected path, object or other character"""

    bl_idname = "footfall.add_interaction_task"
    bl_label = "Add Beat"

    def run(self, context: bpy.types.Context) -> str:
        settings = require_armature(context).footfall
        if not settings.interaction_tasks and settings.path is not None:
            walk = self.insert_item(context)  # the walk along the path is the first beat
            walk.type, walk.target, walk.speed, walk.duration = "walk", settings.path, settings.speed, 0.0
        task = self.insert_item(context)
        armature = require_armature(context)
        task.partner = next(
            (one for one in context.selected_objects if one.type == "ARMATURE" and one != armature), None
        )
        if task.partner is not None and offers_action(task.partner):
            task.type, task.actor, task.action, task.partner = ACT, task.partner, action_of(task.partner), None
            return _count_beats(len(self.items(context)))
        thing = next(iter(selected_meshes(context)), None)
        if task.partner is not None:
            throws = thing is not None and is_ball(thing)
            task.type, task.object = (PASS_BALL, thing) if throws else (_type_with(task.partner, armature), None)
            return _count_beats(len(self.items(context)))
        task.object = thing
        task.target = next((one for one in context.selected_objects if one.type == "EMPTY" or is_path(one)), None)
        if task.object is None:
            task.type = "walk" if task.target is not None else task.type
            if task.target is not None and is_path(task.target):
                task.duration = 0.0  # it walks on at the end of a path
        elif is_ball(task.object):
            along = task.target is not None and is_path(task.target)
            task.type = PICK_UP_BALL if task.target is None else DRIBBLE if along else SHOOT
            task.duration = 0.0
        elif task.target is not None:
            task.type = "carry"
        else:
            task.type = _usual_type(task.object, armature) or task.type
        return _count_beats(len(self.items(context)))


class FOOTFALL_OT_remove_interaction_task(_InteractionTasks, RemoveOperator, bpy.types.Operator):
    """Remove the active beat from the list"""

    bl_idname = "footfall.remove_interaction_task"
    bl_label = "Remove Beat"

    def run(self, context: bpy.types.Context) -> str:
        return _count_beats(self.remove_active(context))


class FOOTFALL_OT_move_interaction_task(_InteractionTasks, MoveOperator, bpy.types.Operator):
    """Move the active beat up or down in the list"""

    bl_idname = "footfall.move_interaction_task"
    bl_label = "Move Beat"

    down: bpy.props.BoolProperty(name="Move Down", description="Move the beat down in the list instead of up")

    def run(self, context: bpy.types.Context) -> str:
        number, count = self.move_active(context)
        tag_redraw_all()  # the labels in the viewport are numbered
        return Message("Beat {number} of {count}", number=number, count=count)


CLASSES = (
    FOOTFALL_OT_add_interaction_task,
    FOOTFALL_OT_remove_interaction_task,
    FOOTFALL_OT_move_interaction_task,
)
