"""Beats from a drive in which the character used objects."""

from collections.abc import Sequence

import bpy
import numpy as np

from ....core.control.drive.driven_beats import DrivenBeat, DrivenWalk
from ....core.control.interaction.task import InteractionTask
from ....core.message import Message
from ....core.motion.root_frame import yaw_of
from ....core.motion.rotations import Array
from .driven_curve import add_curve


def store_driven_beats(
    armature: bpy.types.Object,
    beats: Sequence[tuple[DrivenBeat, str]],
    scale: float,
    collection: bpy.types.Collection,
) -> Message:
    """Store the beats of a driving session in a character's list; return a message for the report.

    Args:
        armature: the character.
        beats: walks and tasks in controller meters (tasks relative to the floor), each with the name of its object,
            empty without one.
        scale: world meters per controller meter.
        collection: collection for the new path curves, and for the empties that mark where objects are put down.
    """
    items, name = armature.footfall.interaction_tasks, f"{armature.name} Drive"
    objects = {one.name_full: one for one in bpy.data.objects}
    items.clear()
    for beat, used in beats:
        item = items.add()
        if isinstance(beat, DrivenWalk):
            item.type, item.duration = "run" if beat.runs else "walk", 0.0
            item.speed, item.style = scale * beat.speed, beat.style
            item.target = add_curve(name, beat.curve, scale, collection)
        else:
            item.type, item.duration, item.object = beat.action, beat.duration, objects.get(used)
            item.target = _add_target(armature, name, beat, scale, collection)
    armature.footfall.active_interaction_task = 0
    return Message("{count} beats were recorded: press Bake Shot", count=len(beats))


def _add_target(
    armature: bpy.types.Object, name: str, task: InteractionTask, scale: float, collection: bpy.types.Collection
) -> bpy.types.Object | None:
    """Add an empty at the place of a task and return it; return ``None`` for a task without a place."""
    if task.position is None:
        return None
    assert task.direction is not None
    floor = float(armature.matrix_world.translation.z)
    empty = _add_empty(name, scale * task.position + [0.0, 0.0, floor], task.direction)
    collection.objects.link(empty)
    return empty


def _add_empty(name: str, place: Array, direction: Array) -> bpy.types.Object:
    """Return a new empty at a place (3), meters, world, with its +Y axis along a direction (2)."""
    empty = bpy.data.objects.new(name, None)
    empty.location, empty.rotation_euler.z = place, float(yaw_of(np.asarray(direction)))
    empty.empty_display_type, empty.empty_display_size = "ARROWS", 0.2
    return empty
