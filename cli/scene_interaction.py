"""Conversion of a scene's objects and tasks to the controller's size, and of results back to the scene's."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from ..core.control.interaction.putting_down import find_put_down
from ..core.control.interaction.task import InteractionTask
from ..core.errors import FootfallError
from ..core.jobs.atomic import write_atomically
from ..core.motion.root_frame import facing_direction
from ..core.motion.rotations import Array
from ..core.scene.declared_motion import require_usable_motion
from ..core.scene.interaction_object import InteractionObject
from ..core.scene.object_placement import BOTH_WAYS, PlacedObject, place_object
from .scene_file import SceneDescription, SceneTask

OBJECTS_SUFFIX: Final = ".objects.csv"
"""Suffix of the table of moving objects, which replaces the ``.bvh`` of the motion file."""
TRACK_COLUMNS: Final = ("frame", "object", "x", "y", "z", "qw", "qx", "qy", "qz")
"""Columns of the table of moving objects: position in meters and rotation as a quaternion, Z up."""


def place_objects(scene: SceneDescription, scale: float) -> list[PlacedObject]:
    """Return the objects of a scene, each prepared for its first task; objects without a task are obstacles.

    Args:
        scene: the scene.
        scale: scene meters per controller meter.

    Raises:
        FootfallError: an object does not allow its task, or its name marks it as sliding or rocking.
    """
    actions: dict[str, str] = {}
    openings = {one.name: one.opening for one in scene.objects}
    for task in scene.tasks:
        actions.setdefault(task.object_name, task.action)
        is_hinged = openings.get(task.object_name, BOTH_WAYS) != BOTH_WAYS
        require_usable_motion(task.object_name, task.action, (), is_hinged)
    return [
        place_object(one.name, *one.mesh, one.position, one.yaw, actions.get(one.name, ""), scale, one.opening)
        for one in scene.objects
    ]


def make_tasks(scene: SceneDescription, objects: Sequence[InteractionObject], scale: float) -> list[InteractionTask]:
    """Return the tasks of a scene, converted to the controller's meters.

    Args:
        scene: the scene.
        objects: the scene's objects, in the order of ``scene.objects``.
        scale: scene meters per controller meter.

    Raises:
        FootfallError: there is no room on the object on which a carried one should be put.
    """
    return [_make_task(task, objects, scale) for task in scene.tasks]


def _make_task(task: SceneTask, objects: Sequence[InteractionObject], scale: float) -> InteractionTask:
    """Return a task, converted to the controller's meters."""
    index = next((number for number, one in enumerate(objects) if one.name == task.object_name), -1)
    direction = None if task.yaw is None else facing_direction(np.array(task.yaw))
    if isinstance(task.target, str):
        support = next(one for one in objects if one.name == task.target)
        if support is objects[index]:
            raise FootfallError("'{name}' cannot be put on itself: choose another target object", name=support.name)
        others = [one.posed_collider for one in objects if one is not objects[index]]
        place, side = find_put_down(support, objects[index], others)
        return InteractionTask(task.action, index, place, direction, side)
    place = None if task.target is None else task.target / scale
    return InteractionTask(task.action, index, place, direction, duration=task.duration)


def write_tracks(path: Path, tracks: Sequence[tuple[str, Array, Array]]) -> None:
    """Write a CSV table of objects' names, positions (F, 3), m, and rotations (F, 4), a row per object and frame."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(TRACK_COLUMNS)
    for name, positions, rotations in tracks:
        for frame, pose in enumerate(np.hstack([positions, rotations])):
            table.writerow([frame, name, *(f"{value:.6f}" for value in pose)])
    write_atomically(path, text.getvalue().encode())
