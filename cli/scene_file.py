"""Reader of interaction scenes from JSON files: the character's start, objects and tasks."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from ..core.actions import ACTION_TABLE
from ..core.errors import FootfallError
from ..core.jobs.bounded_files import ContentError, read_json_object
from ..core.jobs.typed_json import has_type
from ..core.message import Message
from ..core.motion.rotations import Array
from ..core.scene.mesh_files import Mesh, read_mesh_file
from ..core.scene.object_placement import BOTH_WAYS
from ..core.scene.object_usage import OPENING_DIRECTIONS
from .points import MAX_COORDINATE_M

SCENE_FIELDS: Final = {"character": dict[str, Any], "objects": list[dict[str, Any]], "tasks": list[dict[str, Any]]}
CHARACTER_FIELDS: Final = {"position": list[float], "direction": float}
OBJECT_FIELDS: Final = {
    "name": str,
    "file": str,
    "size": tuple[float, float, float],
    "scale": float,
    "position": list[float],
    "rotation": float,
    "opens": str,
}
TASK_FIELDS: Final = {
    "action": str,
    "object": str,
    "target": list[float] | str,
    "direction": float,
    "duration": float,
}
ACTION_FIELDS: Final = {name: one.task.fields for name, one in ACTION_TABLE.items() if one.task}
"""Fields of a task in addition to ``action``, by action."""
REQUIRED_FIELDS: Final = ("object", "target")
"""Fields of a task that are required if its action has them."""
MAX_ITEMS: Final = 1000
"""Largest number of objects and of tasks in a file."""
MAX_DISTANCE_M: Final = 100.0
"""Largest distance of an object or a target from the start of the character, along each axis."""
MAX_DURATION_S: Final = 3600.0
"""Longest task."""


@dataclass(frozen=True, slots=True, eq=False)
class SceneObject:
    """An object of a scene, as given in the file.

    Attributes:
        mesh: vertices (V, 3), meters, in object space with Z up, and triangles (T, 3).
        position: (3) position of the object's origin, meters, world.
        yaw: rotation about Z, radians, counterclockwise as seen from above.
        opening: ``"both"``, or the side to which a door's leaf opens: ``"front"`` or ``"back"``.
    """

    name: str
    mesh: Mesh
    position: Array
    yaw: float
    opening: str


@dataclass(frozen=True, slots=True)
class SceneTask:
    """A task of a scene, as given in the file.

    Attributes:
        action: one of :data:`ACTION_FIELDS`.
        object_name: name of the task's object; empty without one.
        target: (3) position, meters, or name of the object on which a carried one is put; ``None`` without a target.
        yaw: direction to face at the target, radians about Z, 0 faces +Y; ``None`` for any.
        duration: duration of the action, seconds.
    """

    action: str
    object_name: str
    target: Array | str | None
    yaw: float | None
    duration: float


@dataclass(frozen=True, slots=True, eq=False)
class SceneDescription:
    """A scene as given in the file; lengths in the character's meters, Z up, ground at z = 0.

    Attributes:
        position: (2) position at which the character starts, meters.
        yaw: yaw of the character at the start, radians; zero faces +Y.
        objects: all objects, with different names.
        tasks: all tasks, in order; their objects are among ``objects``.
    """

    position: Array
    yaw: float
    objects: tuple[SceneObject, ...]
    tasks: tuple[SceneTask, ...]


def read_scene(path: Path) -> SceneDescription:
    """Read a scene file; docs/manual/pipelines.md describes its fields.

    Raises:
        FootfallError: the file or a mesh cannot be read, or a part of it is invalid; one sentence names the fault and
            its place.
    """
    document = read_document(path)
    reader = SceneReader(path)
    reader.check_fields(document, SCENE_FIELDS, Message("the scene"))
    start = document.get("character", {})
    reader.check_fields(start, CHARACTER_FIELDS, Message("the character"))
    position = reader.point(start.get("position", [0.0, 0.0]), Message("the character"))
    listed, ordered = document.get("objects", []), document.get("tasks", [])
    if max(len(listed), len(ordered)) > MAX_ITEMS:
        raise reader.error(Message("the scene"), Message("more than {most} objects or tasks", most=MAX_ITEMS))
    reader.start = position
    objects = tuple(reader.scene_object(entry, number) for number, entry in enumerate(listed, start=1))
    if not ordered:
        raise reader.error(Message("the scene"), Message("no tasks: write at least one"))
    names = [one.name for one in objects]
    tasks = tuple(reader.task(entry, number, names) for number, entry in enumerate(ordered, start=1))
    return SceneDescription(position[:2], math.radians(start.get("direction", 0.0)), objects, tasks)


def read_document(path: Path) -> Mapping[str, Any]:
    """Read the JSON object in a scene file.

    Raises:
        FootfallError: the file cannot be read; one sentence gives the reason.
    """
    try:
        return read_json_object(path)
    except OSError as error:
        raise FootfallError(
            "The scene '{path}' cannot be read: {reason}", path=path, reason=error.strerror or str(error)
        ) from error
    except ContentError as error:
        raise FootfallError("The scene '{path}' cannot be used: {reason}", path=path, reason=error) from error


class SceneReader:
    """Reader of the parts of a scene file; its errors name the file and the part."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._names: set[str] = set()
        self.start: Array | None = None

    def beside(self, name: str) -> Path:
        """Return the path of a file that the scene file names, relative to itself."""
        return self._path.parent / name

    def error(self, where: Message, reason: Message) -> FootfallError:
        """Return an error that names the file, the part ``where`` of it, and the reason."""
        return FootfallError("'{path}', {where}: {reason}", path=self._path, where=where, reason=reason)

    def check_fields(self, entry: Mapping[str, Any], fields: Mapping[str, Any], where: Message) -> None:
        """Raise :class:`FootfallError` if a part of the file has unknown fields, or values of the wrong type."""
        for name, value in entry.items():
            if name not in fields:
                known = ", ".join(fields)
                raise self.error(where, Message("unknown field '{name}', not one of {known}", name=name, known=known))
            if not has_type(value, fields[name]):
                raise self.error(where, Message("'{name}' has a value of the wrong type", name=name))

    def point(self, values: list[float], where: Message) -> Array:
        """Return a point (3), meters, from two coordinates (then z = 0) or three; ``where`` names it in errors."""
        if len(values) not in (2, 3) or max(map(abs, values)) > MAX_COORDINATE_M:
            reason = Message(
                "a position is x, y or x, y, z in meters, at most {most} km away", most=f"{MAX_COORDINATE_M / 1000:g}"
            )
            raise self.error(where, reason)
        place = np.array([*values, 0.0][:3], dtype=float)
        if self.start is not None and np.abs(place - self.start).max() > MAX_DISTANCE_M:
            reason = Message("more than {most} m from the start of the character", most=f"{MAX_DISTANCE_M:g}")
            raise self.error(where, reason)
        return place

    def scene_object(self, entry: Mapping[str, Any], number: int) -> SceneObject:
        where = Message("object {number}", number=number)
        self.check_fields(entry, OBJECT_FIELDS, where)
        name = entry.get("name", "")
        if not name or name in self._names:
            raise self.error(where, Message("'name' is missing, or another object has the same one"))
        self._names.add(name)
        opening = entry.get("opens", BOTH_WAYS)
        if opening not in (BOTH_WAYS, *OPENING_DIRECTIONS):
            choices = ", ".join((BOTH_WAYS, *OPENING_DIRECTIONS))
            raise self.error(where, Message("'opens' is not one of {choices}", choices=choices))
        vertices, triangles = self.mesh(entry, where)
        position = self.point(entry.get("position", [0.0, 0.0]), where)
        yaw = math.radians(entry.get("rotation", 0.0))
        return SceneObject(name, (vertices, triangles), position, yaw, opening)

    def mesh(self, entry: Mapping[str, Any], where: Message) -> Mesh:
        """Return the mesh of an object: read from its file, or a box standing on the object's origin."""
        from ..training.interactions.props.mesh_primitives import box_mesh

        if ("file" in entry) == ("size" in entry):
            raise self.error(where, Message("give either 'file', a mesh, or 'size', the x, y, z of a box in meters"))
        if "file" in entry:
            vertices, triangles = read_mesh_file(self.beside(entry["file"]))
        else:
            x, y, z = entry["size"]
            if min(x, y, z) <= 0.0:
                raise self.error(where, Message("'size' has to be above zero"))
            vertices, triangles = box_mesh((-x / 2, -y / 2, 0.0), (x / 2, y / 2, z))
        scale = entry.get("scale", 1.0)
        if scale <= 0.0:
            raise self.error(where, Message("'scale' has to be above zero"))
        vertices = scale * vertices
        if np.abs(vertices).max() > MAX_COORDINATE_M:
            raise self.error(where, Message("the object is too large: sizes are in meters"))
        return vertices, triangles

    def task(self, entry: Mapping[str, Any], number: int, names: list[str]) -> SceneTask:
        """Return the task described by an entry, in a scene whose objects have the given names."""
        where = Message("task {number}", number=number)
        self.check_fields(entry, TASK_FIELDS, where)
        action = entry.get("action", "")
        if action not in ACTION_FIELDS:
            raise self.error(where, Message("'action' is not one of {known}", known=", ".join(ACTION_FIELDS)))
        fields = ACTION_FIELDS[action]
        for name in entry:
            if name not in ("action", *fields):
                raise self.error(where, Message("'{action}' has no '{name}'", action=action, name=name))
        for name in REQUIRED_FIELDS:
            if name in fields and name not in entry:
                raise self.error(where, Message("'{action}' needs '{name}'", action=action, name=name))
        target, duration = entry.get("target"), entry.get("duration", 0.0)
        if isinstance(target, str) and action != "carry":
            raise self.error(where, Message("'target' must be a position: only 'carry' can put an object on another"))
        for name in (entry.get("object"), target):
            if isinstance(name, str) and name not in names:
                raise self.error(where, Message("there is no object '{name}': check the name", name=name))
        if duration < 0.0:
            raise self.error(where, Message("'duration' is below zero"))
        if duration > MAX_DURATION_S:
            raise self.error(where, Message("'duration' is over {most} s", most=f"{MAX_DURATION_S:g}"))
        place = self.point(target, where) if isinstance(target, list) else target
        yaw = math.radians(entry["direction"]) if "direction" in entry else None
        return SceneTask(action, entry.get("object", ""), place, yaw, float(duration))
