"""Evaluated contents of a scene: objects with their modifiers, and all their instances."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from typing import Final

import bpy

from ....core.errors import FootfallError
from ....core.message import Message
from ....core.motion.rotations import Array
from ...units import world_matrix
from .placements import is_invertible
from .shapes import Shape, shape_of

UseLookup = Callable[[bpy.types.Object, bpy.types.Object], str | None]
"""Function from an object of the scene and the owner of its mesh, another one for instances, to its use; ``None`` for
none."""

VERTEX_INSTANCE_TYPES: Final = ("VERTS", "FACES")
"""Types of instancing in which children are visible only at the parent's points."""


@dataclass(frozen=True, slots=True, eq=False)
class ShapeInstance:
    """A shape in the world.

    Attributes:
        key: identity of the instance, the same at every frame.
        use: use of the object, such as ``"walkable"``.
        shape: shape of the mesh.
        matrix: (4, 4) matrix from the shape's space to the world.
    """

    key: tuple[int, ...]
    use: str
    shape: Shape
    matrix: Array


@dataclass(slots=True)
class SceneReading:
    """The result of reading a scene.

    Attributes:
        instances: the used instances, such as for walking on or around them.
        warnings: reasons why objects cannot be used, by the object's full name.
        used_names: full names of the objects of these instances.
    """

    instances: list[ShapeInstance] = field(default_factory=list)
    warnings: dict[str, str] = field(default_factory=dict)
    used_names: set[str] = field(default_factory=set)


class ShapeCache:
    """Shapes by the memory addresses of their meshes, valid until the meshes are evaluated again."""

    def __init__(self) -> None:
        self._shapes: dict[tuple[int, int, int], Shape | None] = {}
        self._fresh: dict[tuple[int, int, int], Shape | None] = {}
        self._changed: Collection[int] = ()

    def begin_moment(self, changed: Collection[int]) -> None:
        """Begin another moment in time, at which the objects with these identifiers may have changed meshes."""
        self._changed, self._fresh = changed, {}

    def get(self, owner: bpy.types.Object, source: bpy.types.Object, mesh: bpy.types.Mesh) -> Shape | None:
        """Return the shape of a mesh that a scene object shows, directly or through instances; see :func:`shape_of`."""
        changed = owner.session_uid in self._changed or source.session_uid in self._changed
        key = (owner.session_uid if changed else 0, source.session_uid, mesh.as_pointer())
        shapes = self._fresh if changed else self._shapes
        if key not in shapes:
            shapes[key] = shape_of(mesh)
        return shapes[key]


def read_instances(depsgraph: bpy.types.Depsgraph, use_of: UseLookup, shapes: ShapeCache | None = None) -> SceneReading:
    """Return all instances in use in an evaluated dependency graph; ``shapes`` caches shapes between readings."""
    result, shapes = SceneReading(), shapes or ShapeCache()
    for owner, source, found in _visible_meshes(depsgraph):
        use = use_of(owner, source)
        if use is None:
            continue
        try:
            shape = shapes.get(owner, source, found.object.data)
        except FootfallError as error:
            result.warnings[owner.name_full] = str(error)
            continue
        matrix = world_matrix(found)
        if shape is None:
            continue
        if not is_invertible(matrix):
            result.warnings.setdefault(owner.name_full, Message("the object is scaled to zero along an axis"))
            continue
        result.used_names.add(owner.name_full)
        key = (owner.session_uid, source.session_uid, *(found.persistent_id if found.is_instance else ()))
        result.instances.append(ShapeInstance(key, use, shape, matrix))
    return result


def _visible_meshes(
    depsgraph: bpy.types.Depsgraph,
) -> Iterator[tuple[bpy.types.Object, bpy.types.Object, bpy.types.DepsgraphObjectInstance]]:
    """Yield for each visible mesh the scene object, the object that owns the mesh, and the instance.

    Curves, texts and metaballs with faces appear as instances of themselves.
    """
    for found in depsgraph.object_instances:
        if found.object.type != "MESH" or not (found.show_self or found.is_instance):
            continue
        source = found.object.original
        if found.is_instance:
            yield found.parent.original, source, found
        elif source.parent is None or source.parent.instance_type not in VERTEX_INSTANCE_TYPES:
            yield source, source, found
