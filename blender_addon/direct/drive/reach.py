"""The object that a driven character has before it."""

from collections.abc import Container, Iterator
from typing import Final

import bpy
import numpy as np
from mathutils import Vector

from ....core.errors import FootfallError
from ....core.motion.root_frame import facing_direction
from ....core.motion.rotations import Array, length
from ...scene.objects import usual_action_of

REACH_M: Final = 2.5
"""Distance up to which an object is before a character, meters of the world."""
AHEAD: Final = float(np.cos(np.radians(60.0)))
"""Cosine of the angle from its facing up to which it is."""


def object_ahead(scene: bpy.types.Scene, place: Array, yaw: float, told: Container[str]) -> bpy.types.Object | None:
    """Return the nearest visible object ahead that is used for an action; ``None`` without one.

    Args:
        scene: the scene.
        place: (3) of the character, meters, world.
        yaw: of the character, radians.
        told: full names of the objects that the user has said how to use.
    """
    ahead = facing_direction(np.array(yaw))
    for one in _by_distance(scene, place[:2], ahead):
        if one.name_full in told:
            return one
        try:
            usual_action_of(one)
        except FootfallError:
            continue
        return one
    return None


def _by_distance(scene: bpy.types.Scene, place: Array, ahead: Array) -> Iterator[bpy.types.Object]:
    """Yield the meshes within reach and ahead (2) of a place (2), the nearest first."""
    found = list[tuple[float, str, bpy.types.Object]]()
    for one in scene.objects:
        if one.type != "MESH" or not one.visible_get():
            continue
        corners = np.array([(one.matrix_world @ Vector(corner))[:2] for corner in one.bound_box])
        offset = np.clip(place, corners.min(axis=0), corners.max(axis=0)) - place
        toward = corners.mean(axis=0) - place
        if length(offset) < REACH_M and toward @ ahead > AHEAD * length(toward):
            found.append((float(length(offset)), one.name_full, one))
    yield from (one for _, _, one in sorted(found, key=lambda entry: entry[:2]))
