"""Interaction objects made from a scene's meshes, with the origin at the seat, grips or handle in use."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ..motion.rotations import Array, multiply, rotate, rotation_about_up
from .affordances import Handle
from .interaction_object import InteractionObject
from .object_usage import OPENING_DIRECTIONS, find_usage, use_object
from .voxels import Triangles

BOTH_WAYS: Final = "both"
"""Value of ``opening`` for a door whose leaf always swings away from the character."""


@dataclass(frozen=True, slots=True, eq=False)
class PlacedObject:
    """An interaction object, with the position of its mesh's origin.

    Attributes:
        interaction_object: the object in meters at the controller's scale, on the plane z = 0.
        origin: (3) origin of the mesh in the object's space, meters at the controller's scale.
        yaw: yaw of the mesh's own axes in the object's space, radians.
    """

    interaction_object: InteractionObject
    origin: Array
    yaw: float

    def origin_pose(self, moved: InteractionObject) -> tuple[Array, Array]:
        """Return the position (3), controller meters, and rotation (4) of the mesh when its object is ``moved``."""
        position = moved.position + rotate(moved.rotation, self.origin)
        return position, multiply(moved.rotation, rotation_about_up(np.array(self.yaw)))


def place_object(
    name: str,
    vertices: Array,
    triangles: Triangles,
    position: Array,
    yaw: float,
    action: str,
    scale: float = 1.0,
    opening: str = BOTH_WAYS,
) -> PlacedObject:
    """Make an interaction object from a mesh, for use with an action; an empty action makes it an obstacle.

    The object's origin is the middle of its seat, grips or leaf at the height of its lowest point; its front is +Y.

    Args:
        name: the user's name of the object.
        vertices: (V, 3) vertices from the mesh's origin, in its own level axes, scene meters.
        triangles: (T, 3) indices of vertices.
        position: (3) position of the origin over the floor, scene meters.
        yaw: yaw of the mesh's axes in the scene, radians.
        action: action with the object, such as ``sit``; empty for an obstacle.
        scale: scene meters per meter at the controller's scale.
        opening: ``"both"``, or the side to which a door's leaf opens: ``"front"`` or ``"back"``.

    Raises:
        FootfallError: the mesh cannot be used for the action; the message gives the reason.
    """
    usage = find_usage(name, vertices, triangles, action)
    back = rotation_about_up(np.array(-usage.yaw))
    handle = usage.handle and _with_opening(usage.handle.scaled(1 / scale), opening)
    used = use_object(name, rotate(back, vertices - usage.origin) / scale, triangles, action, handle)
    place = position + rotate(rotation_about_up(np.array(yaw)), usage.origin)
    placed = replace(used, position=place / scale, rotation=rotation_about_up(np.array(yaw + usage.yaw)))
    return PlacedObject(placed, rotate(back, -usage.origin) / scale, -usage.yaw)


def _with_opening(handle: Handle, opening: str) -> Handle:
    """Return a door's handle, in the frame of its usage, with the direction to which the leaf opens."""
    direction = OPENING_DIRECTIONS.get(opening)
    return handle if direction is None else replace(handle, opens_toward=np.array(direction))
