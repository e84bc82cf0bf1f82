"""Keys of objects that a character moves: their transforms in each frame, in the world or in a hand."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import bpy
import numpy as np
from mathutils import Matrix, Quaternion
from numpy.typing import NDArray

from ....core.control.performance import ObjectTrack
from ....core.message import Message
from ...animation.fcurve_io.tracks import PropertyTrack
from ...animation.layers import revert_companion, write_companion
from ...animation.output import BakeOutput

CONSTRAINT_NAME: Final = "Footfall Attachment"


def write_moved_objects(
    armature: bpy.types.Object,
    scene: bpy.types.Scene,
    output: BakeOutput,
    tracks: Sequence[ObjectTrack],
    hand: str,
    start_frame: int,
) -> list[str]:
    """Key the moving objects, and revert those that only the last bake moved; return a sentence for each.

    Args:
        armature: the character, which already has its animation.
        scene: the scene of the objects.
        output: the written bake.
        tracks: motion of the objects, named by their full names, at the scene's rate.
        hand: name of the bone to which a held object is attached, if the settings say so.
        start_frame: the scene's frame of the first key.
    """
    said, moved = [], []
    for track in tracks:
        thing = next(found for found in scene.objects if found.name_full == track.name)
        size = thing.matrix_world.decompose()[2]
        matrices = [
            Matrix.LocRotScale(place, Quaternion(turn), size)
            for place, turn in zip(track.positions.tolist(), track.rotations.tolist(), strict=True)
        ]
        keys = object_tracks(thing, matrices)
        if armature.footfall.attachment == "CHILD_OF" and track.held.any():
            keys = attached_object_tracks(thing, armature, armature.pose.bones[hand], matrices, track.held, start_frame)
        write_companion(armature, output.record.action, thing, keys, start_frame, f"{thing.name}_moved")
        moved.append(thing)
        said.append(Message("The object '{name}' was animated as well", name=thing.name))
    return said + [revert_companion(armature, thing) for thing in output.moved_before if thing not in moved]


def object_tracks(obj: bpy.types.Object, matrices: Sequence) -> list[PropertyTrack]:
    """Return the tracks that bring an object to world matrices (F)."""
    parent = obj.parent.matrix_world @ obj.matrix_parent_inverse if obj.parent else None
    local = [parent.inverted() @ matrix if parent else matrix for matrix in matrices]
    places = np.array([matrix.translation[:] for matrix in local])
    turns = [matrix.to_quaternion() for matrix in local]
    for before, after in pairwise(turns):
        if before.dot(after) < 0:
            after.negate()
    if obj.rotation_mode == "QUATERNION":
        path, values = "rotation_quaternion", np.array([turn[:] for turn in turns])
    elif obj.rotation_mode == "AXIS_ANGLE":
        path = "rotation_axis_angle"
        values = np.array([[turn.angle, *turn.axis] for turn in turns])
    else:
        path, eulers = "rotation_euler", []
        for turn in turns:
            eulers.append(turn.to_euler(obj.rotation_mode, *eulers[-1:]))
        values = np.array([euler[:] for euler in eulers])
    return [
        PropertyTrack("location", "Object Transforms", places, "LINEAR"),
        PropertyTrack(path, "Object Transforms", values, "LINEAR"),
    ]


def attached_object_tracks(
    obj: bpy.types.Object,
    armature: bpy.types.Object,
    hand: bpy.types.PoseBone,
    matrices: Sequence[Matrix],
    is_held: NDArray[np.bool_],
    start_frame: int,
) -> list[PropertyTrack]:
    """Return the tracks of an object at world matrices (F) that is attached to a hand while held (F).

    A Child Of constraint attaches it, so that moving the hand afterwards moves the object.

    Args:
        obj: the object.
        armature: the armature of the hand, which already has its animation.
        hand: the pose bone that holds the object.
        matrices: the object's world matrices (F), one for each frame.
        is_held: whether the object is held (F).
        start_frame: the scene's frame of the first matrix.
    """
    constraint = next((one for one in obj.constraints if one.name == CONSTRAINT_NAME), None)
    if constraint is None:
        constraint = obj.constraints.new("CHILD_OF")
        constraint.name = CONSTRAINT_NAME
        constraint.influence = 0.0  # without keys, as after the bake is taken back, nothing is attached
    constraint.target, constraint.subtarget = armature, hand.name
    constraint.use_scale_x = constraint.use_scale_y = constraint.use_scale_z = False
    constraint.inverse_matrix = Matrix.Identity(4)
    scene, now = bpy.context.scene, bpy.context.scene.frame_current
    own = list(matrices)
    for frame in map(int, np.flatnonzero(is_held)):
        scene.frame_set(start_frame + frame)
        place, turn, _ = (armature.matrix_world @ hand.matrix).decompose()
        own[frame] = Matrix.LocRotScale(place, turn, None).inverted() @ matrices[frame]
    scene.frame_set(now)
    influence = is_held.astype(float)[:, None]
    return [
        *object_tracks(obj, own),
        PropertyTrack(f'constraints["{CONSTRAINT_NAME}"].influence', "Object Constraints", influence, "CONSTANT"),
    ]
