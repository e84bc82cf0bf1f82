"""Recorded drives with tasks, in the list of interaction tasks of a character."""

from collections.abc import Sequence

import bpy
import numpy as np

from ....core.control.interaction.task import InteractionTask
from ....core.message import Message
from ....core.motion.root_frame import yaw_of
from ....core.motion.rotations import Array


def store_driven_tasks(
    armature: bpy.types.Object,
    tasks: Sequence[tuple[InteractionTask, str]],
    scale: float,
    collection: bpy.types.Collection,
) -> Message:
    """Make what was driven the tasks of a character; return the sentence that says so.

    Args:
        armature: the character.
        tasks: the tasks, meters of the controller over the floor, with the names of their objects, or empty ones.
        scale: meters of the world per meter of the controller.
        collection: where the empties go to which the character walks, and at which objects are put down.
    """
    items, floor = armature.footfall.interaction_tasks, float(armature.matrix_world.translation.z)
    objects = {one.name_full: one for one in bpy.data.objects}
    items.clear()
    for task, name in tasks:
        item = items.add()
        item.type, item.duration = task.action, task.duration
        item.object = objects.get(name)
        if task.position is not None:
            assert task.direction is not None
            empty = _add_empty(f"{armature.name} Drive", scale * task.position + [0.0, 0.0, floor], task.direction)
            collection.objects.link(empty)
            item.target = empty
    armature.footfall.active_interaction_task = 0
    return Message("{count} beats are recorded: press Bake Shot", count=len(tasks))


def _add_empty(name: str, place: Array, direction: Array) -> bpy.types.Object:
    """Return an empty at a place (3), meters, world, whose +Y is a direction (2)."""
    empty = bpy.data.objects.new(name, None)
    empty.location, empty.rotation_euler.z = place, float(yaw_of(np.asarray(direction)))
    empty.empty_display_type, empty.empty_display_size = "ARROWS", 0.2
    return empty
