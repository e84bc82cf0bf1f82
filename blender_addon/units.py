"""The lengths of a scene in meters: Blender's coordinates are in units, whose length is *Unit Scale*.

The core works in meters. Lengths that are read from the scene are converted to meters here, and lengths written to it
are divided by :func:`meters_per_unit` again. Rotations and the channels of bones do not depend on the scene's units.
"""

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ..core.errors import FootfallError
from ..core.message import Message
from ..core.motion.rotations import Array

METERS_ONLY = Message("Works only in scenes whose Unit Scale is 1: set it in the scene's properties, under Units")
"""Reason that an operator cannot run in a scene of other units."""


def meters_per_unit(scene: bpy.types.Scene | None = None) -> float:
    """Return the length of a scene's unit in meters, by default of the context's scene; 1 without a unit system."""
    settings = (scene or bpy.context.scene).unit_settings
    return 1.0 if settings.system == "NONE" else float(settings.scale_length)


def is_in_meters(scene: bpy.types.Scene) -> bool:
    """Return whether the unit of a scene is a meter."""
    return abs(meters_per_unit(scene) - 1.0) < 1e-6


def require_meters_for_ball() -> None:
    """Raise :class:`FootfallError` if the scene's unit is not a meter, which motion with a ball requires."""
    if not is_in_meters(bpy.context.scene):
        raise FootfallError(
            "Balls work only in scenes whose Unit Scale is 1: set it in the scene's properties, under Units"
        )


def world_matrix(owner: bpy.types.Object | bpy.types.DepsgraphObjectInstance) -> Array:
    """Return the world matrix (4, 4), in meters, of an object or of one of its instances."""
    return to_meters(owner.matrix_world)


def to_meters(matrix: Matrix) -> Array:
    """Convert the target space of a world matrix (4, 4) from the scene's units to meters."""
    result = np.array(matrix, dtype=float)
    result[:3] *= meters_per_unit()
    return result


def world_location(owner: bpy.types.Object) -> Array:
    """Return the world position (3) of an object, meters."""
    return world_matrix(owner)[:3, 3]


def to_units(place: Array) -> Vector:
    """Convert a position (3) from meters to the scene's units."""
    return Vector((np.asarray(place, dtype=float) / meters_per_unit()).tolist())
