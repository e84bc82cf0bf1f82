"""Objects ahead of a driven character, within its reach."""

from collections.abc import Mapping
from typing import Final

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ....core.motion.root_frame import facing_direction
from ....core.motion.rotations import Array, length

REACH_M: Final = 2.5
"""Largest distance of an object within a character's reach, in world meters."""
AHEAD: Final = float(np.cos(np.radians(60.0)))
"""Cosine of the angle from its facing up to which it is."""


def objects_ahead(
    scene: bpy.types.Scene, place: Array, yaw: float, moved: Mapping[str, Matrix]
) -> list[bpy.types.Object]:
    """Return the visible meshes ahead of a character and within its reach, nearest first.

    Args:
        scene: the scene.
        place: (3), position of the character, meters, world.
        yaw: facing direction of the character, radians.
        moved: world matrices, by full name, of the objects that the driving session has moved.
    """
    here, ahead = place[:2], facing_direction(np.array(yaw))
    found = list[tuple[float, str, bpy.types.Object]]()
    for one in scene.objects:
        if one.type != "MESH" or not one.visible_get():
            continue
        matrix = moved.get(one.name_full, one.matrix_world)
        corners = np.array([(matrix @ Vector(corner))[:2] for corner in one.bound_box])
        distance = float(length(np.clip(here, corners.min(axis=0), corners.max(axis=0)) - here))
        toward = corners.mean(axis=0) - here
        if distance < REACH_M and toward @ ahead > AHEAD * length(toward):
            found.append((distance, one.name_full, one))
    return [one for _, _, one in sorted(found, key=lambda entry: entry[:2])]
