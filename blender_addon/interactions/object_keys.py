"""Keys of objects that a character moves: where they are at each frame, in the world or in a hand."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ..animation.fcurve_io.tracks import Track

CONSTRAINT: Final = "Footfall Carried"


def object_tracks(thing: bpy.types.Object, matrices: Sequence) -> list[Track]:
    """Keys that put an object at world matrices (F)."""
    parent = thing.parent.matrix_world @ thing.matrix_parent_inverse if thing.parent else None
    local = [parent.inverted() @ matrix if parent else matrix for matrix in matrices]
    places = np.array([matrix.translation[:] for matrix in local])
    turns = [matrix.to_quaternion() for matrix in local]
    for before, after in pairwise(turns):
        if before.dot(after) < 0:
            after.negate()
    if thing.rotation_mode == "QUATERNION":
        path, values = "rotation_quaternion", np.array([turn[:] for turn in turns])
    elif thing.rotation_mode == "AXIS_ANGLE":
        path = "rotation_axis_angle"
        values = np.array([[turn.angle, *turn.axis] for turn in turns])
    else:
        path, eulers = "rotation_euler", []
        for turn in turns:
            eulers.append(turn.to_euler(thing.rotation_mode, *eulers[-1:]))
        values = np.array([euler[:] for euler in eulers])
    return [
        Track("location", "Object Transforms", places, "LINEAR"),
        Track(path, "Object Transforms", values, "LINEAR"),
    ]


def hung_tracks(
    thing: bpy.types.Object,
    armature: bpy.types.Object,
    hand: bpy.types.PoseBone,
    matrices: Sequence[Matrix],
    held: NDArray[np.bool_],
    start: int,
) -> list[Track]:
    """Keys that put an object at world matrices (F) and have it hang on a hand while it is held (F), by a Child Of
    constraint: whoever moves the hand afterwards moves the object.

    Args:
        start: the scene's frame of the first matrix; the armature moves as it shall already.
    """
    constraint = next((one for one in thing.constraints if one.name == CONSTRAINT), None)
    if constraint is None:
        constraint = thing.constraints.new("CHILD_OF")
        constraint.name = CONSTRAINT
    constraint.target, constraint.subtarget = armature, hand.name
    constraint.use_scale_x = constraint.use_scale_y = constraint.use_scale_z = False
    constraint.inverse_matrix = Matrix.Identity(4)
    scene, now = bpy.context.scene, bpy.context.scene.frame_current
    own = list(matrices)
    for frame in map(int, np.flatnonzero(held)):
        scene.frame_set(start + frame)
        place, turn, _ = (armature.matrix_world @ hand.matrix).decompose()
        own[frame] = Matrix.LocRotScale(place, turn, None).inverted() @ matrices[frame]
    scene.frame_set(now)
    influence = held.astype(float)[:, None]
    return [
        *object_tracks(thing, own),
        Track(f'constraints["{CONSTRAINT}"].influence', "Object Constraints", influence, "CONSTANT"),
    ]
