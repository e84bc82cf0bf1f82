"""Operators for the list of interaction tasks, and their bake."""

import bpy
from mathutils import Vector

from ....core.errors import FootfallError
from ....core.message import Message
from ...controllers import library
from ...scene.objects import usual_action_of
from ...scene.path_reader import is_path
from ...shot.takes.baking import TakesOperator
from ...ui.list_operators import CharacterListOperator, MoveOperator, RemoveOperator
from ...ui.modal_operator import ModalWorkOperator, WorkSteps
from ...ui.operator_base import require_armature, why_not_animatable
from .properties import TYPES_WITH_OBJECT, TYPES_WITH_TARGET
from .selection import selected_meshes
from .shot_bake import bake_of_tasks
from .task_bake import TaskBake

SLICE_FRAMES = 4
MIN_LIFT_M = 0.2
"""Height over the character's floor from which a block is not sat on."""


def why_no_interactions(context: bpy.types.Context) -> str | None:
    """Return why the active armature cannot perform its interaction tasks; ``None`` if it can."""
    reason = why_not_animatable(context)
    if reason is not None:
        return reason
    settings = require_armature(context).footfall
    tasks = settings.interaction_tasks
    if not settings.interaction_controller_file and not library.shipped_interaction_controllers():
        return "Choose the file of an interaction controller"
    if not tasks:
        return "Add a task"
    for number, task in enumerate(tasks, start=1):
        if task.type in TYPES_WITH_OBJECT and task.object is None:
            return Message("Choose the object of task {number}", number=number)
        if task.type in TYPES_WITH_TARGET and task.target is None:
            return Message("Choose the target of task {number}: an empty or an object", number=number)
    return library.why_unknown(settings.interaction_controller_file, [task.type for task in tasks])


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


class _InteractionTasks(CharacterListOperator):
    """A mix-in that names the list of interaction tasks."""

    collection, active = "interaction_tasks", "active_interaction_task"


def _count_tasks(count: int) -> Message:
    """Return a number of tasks as a report gives it."""
    return Message("1 task") if count == 1 else Message("{count} tasks", count=count)


class FOOTFALL_OT_add_interaction_task(_InteractionTasks, bpy.types.Operator):
    """Add a task after the active one, for the selected path or object"""

    bl_idname = "footfall.add_interaction_task"
    bl_label = "Add Task"

    def run(self, context: bpy.types.Context) -> str:
        task = self.insert_item(context)
        task.object = next(iter(selected_meshes(context)), None)
        task.target = next((one for one in context.selected_objects if one.type == "EMPTY" or is_path(one)), None)
        if task.object is None:
            task.type = "walk" if task.target is not None else task.type
            if task.target is not None and is_path(task.target):
                task.duration = 0.0  # it walks on at the end of a path
        elif task.target is not None:
            task.type = "carry"
        else:
            task.type = _usual_type(task.object, require_armature(context)) or task.type
        return _count_tasks(len(self.items(context)))


class FOOTFALL_OT_remove_interaction_task(_InteractionTasks, RemoveOperator, bpy.types.Operator):
    """Remove the active task from the list"""

    bl_idname = "footfall.remove_interaction_task"
    bl_label = "Remove Task"

    def run(self, context: bpy.types.Context) -> str:
        return _count_tasks(self.remove_active(context))


class FOOTFALL_OT_move_interaction_task(_InteractionTasks, MoveOperator, bpy.types.Operator):
    """Do the active task earlier or later"""

    bl_idname = "footfall.move_interaction_task"
    bl_label = "Move Task"

    down: bpy.props.BoolProperty(name="Later", description="Do it later instead of earlier")

    def run(self, context: bpy.types.Context) -> str:
        number, count = self.move_active(context)
        return Message("Task {other} of {len}", other=number, len=count)


class FOOTFALL_OT_bake_interactions(ModalWorkOperator, bpy.types.Operator):
    """Bake the tasks to new actions of the character and the objects it moves"""

    bl_idname = "footfall.bake_interactions"
    bl_label = "Bake Interactions"
    needs_meters = True
    cancel_message = "Bake canceled, nothing was changed"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return why_no_interactions(context)

    def work(self, context: bpy.types.Context) -> WorkSteps:
        bake = bake_of_tasks(require_armature(context), context)
        while bake.advance(SLICE_FRAMES):
            yield bake.fraction, Message("does the tasks")
        return bake.finish(context.scene).message


class FOOTFALL_OT_bake_interaction_takes(TakesOperator, bpy.types.Operator):
    """Bake the tasks several times, each with a different seed. Earlier takes are kept"""

    bl_idname = "footfall.bake_interaction_takes"
    bl_label = "Bake Takes of Tasks"
    needs_meters = True
    cancel_message = "Bake canceled, nothing was changed"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return why_no_interactions(context) or super().why_not(context)

    def make_bake(self, context: bpy.types.Context, seed_offset: int) -> TaskBake:
        return bake_of_tasks(require_armature(context), context, seed_offset)


CLASSES = (
    FOOTFALL_OT_add_interaction_task,
    FOOTFALL_OT_remove_interaction_task,
    FOOTFALL_OT_move_interaction_task,
    FOOTFALL_OT_bake_interactions,
    FOOTFALL_OT_bake_interaction_takes,
)
