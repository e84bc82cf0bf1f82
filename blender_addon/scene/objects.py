"""The scene's objects as interaction objects, and back."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector

from ...core.errors import FootfallError
from ...core.motion.rotations import Array
from ...core.scene.interaction_object import InteractionObject
from ...core.scene.object_placement import place_object
from ...core.scene.usual_action import no_use, usual_action
from ...core.scene.voxels import Triangles
from .evaluated_mesh import EvaluatedMesh
from .ground_tags import IGNORED, WALKABLE, tag_of

MAX_OBSTACLE_SIZE_M: Final = 12.0
"""Size above which an object is ground or a building, and not an obstacle, meters."""
MIN_OBSTACLE_HEIGHT_M: Final = 0.12
"""Largest height of objects to step over, meters."""


@dataclass(frozen=True, slots=True, eq=False)
class SceneInteractionObject:
    """An interaction object with its Blender object.

    Attributes:
        interaction_object: the object in controller meters; the floor is the plane z = 0.
        name: full name of the Blender object.
        local_matrix: (4, 4) matrix from the Blender object's space to the interaction object's, scene meters.
        scale: scene meters per meter at the controller's scale.
        floor_height: height of the floor, world, scene meters.
    """

    interaction_object: InteractionObject
    name: str
    local_matrix: Matrix
    scale: float
    floor_height: float

    def scene_matrix(self, interaction_object: InteractionObject) -> Matrix:
        """Return the Blender object's world matrix for a pose of the interaction object."""
        return _to_scene_matrix(interaction_object, self.scale, self.floor_height) @ self.local_matrix

    def object_at(self, matrix: Matrix) -> InteractionObject:
        """Return the interaction object for a world matrix of the Blender object."""
        place, turn, _ = (matrix @ self.local_matrix.inverted()).decompose()
        position = (np.array(place) - [0.0, 0.0, self.floor_height]) / self.scale
        return replace(self.interaction_object, position=position, rotation=np.array(turn[:]))


def read_interaction_object(
    obj: bpy.types.Object, action: str, scale: float = 1.0, floor_height: float = 0.0
) -> SceneInteractionObject:
    """Return an object as the interaction object for an action; an empty action makes it an obstacle.

    Its origin is the middle of its place of use, at the height of its lowest point, and its front is +Y.

    Raises:
        FootfallError: the object has no faces or cannot be used for the action; the message says why.
    """
    vertices, triangles = _world_mesh(obj)
    origin, turn = np.array(obj.matrix_world.translation), obj.matrix_world.to_euler().z
    made = place_object(
        obj.name,
        _rotate_z(vertices - origin, -turn),
        triangles,
        origin - [0.0, 0.0, floor_height],
        turn,
        action,
        scale,
        obj.footfall_door_opening,
    ).interaction_object
    return SceneInteractionObject(
        made,
        obj.name_full,
        _to_scene_matrix(made, scale, floor_height).inverted() @ obj.matrix_world,
        scale,
        floor_height,
    )


def usual_action_of(obj: bpy.types.Object) -> str:
    """Return the action for which an object is usually used, judging by its shape.

    Raises:
        FootfallError: no action fits the object.
    """
    vertices, triangles = _world_mesh(obj)
    hangs = obj.find_armature() is not None or (obj.parent is not None and obj.parent.type == "ARMATURE")
    if hangs or tag_of(obj) in (IGNORED, WALKABLE) or np.ptp(vertices, axis=0).max() > MAX_OBSTACLE_SIZE_M:
        raise no_use(obj.name)  # saves a search for seats on a whole landscape
    return usual_action(obj.name, _rotate_z(vertices, -obj.matrix_world.to_euler().z), triangles)


def read_obstacles(
    scene: bpy.types.Scene, excluded: Iterable[bpy.types.Object], scale: float = 1.0, floor_height: float = 0.0
) -> list[SceneInteractionObject]:
    """Return all obstacles for a character: visible meshes the size of objects, other than ground and bodies."""
    spared = {one.name_full for one in excluded}
    found = []
    for one in scene.objects:
        if one.type != "MESH" or one.name_full in spared or not one.visible_get() or tag_of(one) in (IGNORED, WALKABLE):
            continue
        if one.find_armature() is not None or (one.parent is not None and one.parent.type == "ARMATURE"):
            continue
        corners = np.array([one.matrix_world @ Vector(corner) for corner in one.bound_box])
        if (
            np.ptp(corners, axis=0).max() > MAX_OBSTACLE_SIZE_M
            or corners[:, 2].max() < floor_height + MIN_OBSTACLE_HEIGHT_M
            or not one.data.polygons
        ):
            continue
        found.append(read_interaction_object(one, "", scale, floor_height))
    return found


def _world_mesh(obj: bpy.types.Object) -> tuple[Array, Triangles]:
    """Return the evaluated vertices (V, 3) of an object in world space, and its triangles (T, 3)."""
    if obj.type != "MESH":
        raise FootfallError("'{name}' is not a mesh: choose a mesh, or convert the object to one", name=obj.name)
    mesh = EvaluatedMesh.of(obj)
    if len(mesh.triangles) == 0:
        raise FootfallError("'{name}' has no faces: choose another mesh", name=obj.name)
    matrix = np.array(obj.matrix_world, dtype=float)
    return mesh.vertices @ matrix[:3, :3].T + matrix[:3, 3], mesh.triangles


def _rotate_z(points: Array, yaw: float) -> Array:
    cosine, sine = np.cos(yaw), np.sin(yaw)
    return points @ np.array([[cosine, sine, 0.0], [-sine, cosine, 0.0], [0.0, 0.0, 1.0]])


def _to_scene_matrix(interaction_object: InteractionObject, scale: float, floor_height: float) -> Matrix:
    place = scale * interaction_object.position + [0.0, 0.0, floor_height]
    return Matrix.LocRotScale(Vector(place), Quaternion(interaction_object.rotation), None)
