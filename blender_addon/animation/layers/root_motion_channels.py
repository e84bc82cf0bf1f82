"""The channels that move an object or a root bone along the root motion."""

from typing import Final

import bpy
import numpy as np

from ....core.errors import FootfallError
from ....core.message import Message
from ....core.motion import rotations as rot
from ....core.motion.rotations import Array
from ...units import meters_per_unit
from ..fcurve_io import Rig, read_rig
from ..fcurve_io.curves import bone_path
from ..fcurve_io.rotation_modes import rotation_channel, rotation_interpolation, rotation_values, to_quaternions
from ..fcurve_io.tracks import PropertyTrack

OBJECT_GROUP: Final = "Object Transforms"
"""Blender's group for an object's own curves."""
LOCK_TOLERANCE: Final = 1e-5
"""Largest deviation of a locked channel from its required value."""


def bone_poses(rig: Rig, bone: str, positions: Array, yaws: Array) -> Array:
    """Return pose matrices (F, 4, 4), armature space, that put a bone's head at positions (F, 3), meters, world.

    The bone is turned from rest by yaws (F), radians, about the world's Z.
    """
    rest = rig.rest_rotations[rig.index[bone]]
    turned = rot.multiply(rot.inverse(rig.rotation), rot.multiply(rot.rotation_about_up(yaws), rest))
    matrices = np.tile(np.eye(4), (len(yaws), 1, 1))
    matrices[:, :3, :3] = rot.to_matrix(turned)
    matrices[:, :3, 3] = rig.to_armature(positions)
    return matrices


def object_tracks(armature: bpy.types.Object, positions: Array, yaws: Array) -> list[PropertyTrack]:
    """Return tracks that move the object to positions (F, 3), meters, world, and turn it to yaws (F), radians.

    Raises:
        FootfallError: constraints or locks hold the object.
    """
    bpy.context.view_layer.update()  # or the world matrix would predate a script's last change
    held = next((c.name for c in armature.constraints if not c.mute and c.influence > 0), None)
    if held is not None:
        raise FootfallError(
            "'{name}' is held by its constraint '{constraint}' and cannot move: mute the constraint, or set "
            "Root Motion to Hips",
            name=armature.name,
            constraint=held,
        )
    mode = armature.rotation_mode
    channel = rotation_channel(mode)
    now, basis = np.array(armature.matrix_world, dtype=float), np.array(armature.matrix_basis, dtype=float)
    world = np.tile(now, (len(yaws), 1, 1))
    world[:, :3, :3] = rot.to_matrix(rot.rotation_about_up(yaws)) @ now[:3, :3]
    world[:, :3, 3] = positions / meters_per_unit()
    wanted = basis @ np.linalg.inv(now) @ world

    # Blender adds delta transforms to the channels: they are part of the matrix, but not of the channels.
    location, turn = np.array(armature.location, dtype=float), np.array(getattr(armature, channel), dtype=float)
    delta = rot.multiply(_rotations_of(basis[None])[0], rot.inverse(to_quaternions(turn, mode)))
    places = wanted[:, :3, 3] - (basis[:3, 3] - location)
    turns = rotation_values(rot.multiply(rot.inverse(delta), _rotations_of(wanted)), mode)
    what = Message("Object '{name}'", name=armature.name)
    return [
        PropertyTrack("location", OBJECT_GROUP, _apply_locks(places, location, _locks(armature, 3)[0], what), "BEZIER"),
        PropertyTrack(
            channel,
            OBJECT_GROUP,
            _apply_locks(turns, _with_nearest_sign(turn, turns), _locks(armature, len(turn))[1], what),
            rotation_interpolation(mode),
        ),
    ]


def bone_tracks(armature: bpy.types.Object, bone: str, positions: Array, yaws: Array) -> list[PropertyTrack]:
    """Return tracks that move the root bone's head to given positions and turn the bone to given yaws.

    The bone's parents, if any, keep their current pose.

    Args:
        armature: the armature of the bone.
        bone: name of the root bone.
        positions: (F, 3) positions of its head, meters, world.
        yaws: (F) yaws about the world's up axis, radians.

    Raises:
        FootfallError: there is no such bone, or it is locked or connected to its parent.
    """
    pose_bone = armature.pose.bones.get(bone)
    if pose_bone is None:
        raise FootfallError(
            "Armature '{armature}' has no root bone '{bone}': map another bone as the root",
            armature=armature.name,
            bone=bone,
        )
    if pose_bone.bone.use_connect and pose_bone.parent is not None:
        raise FootfallError(
            "The root bone '{bone}' is connected to its parent and cannot move: disconnect it in Edit Mode", bone=bone
        )
    rig = read_rig(armature)
    wanted = bone_poses(rig, bone, positions, yaws)
    rest, parent = rig.rest_matrices[rig.index[bone]], pose_bone.parent
    base, axes = rest, rest[:3, :3] if pose_bone.bone.use_local_location else np.eye(3)
    if parent is not None:
        pose = np.array(parent.matrix, dtype=float)
        base = pose @ np.linalg.inv(rig.rest_matrices[rig.index[parent.name]]) @ rest
        axes = base[:3, :3] if pose_bone.bone.use_local_location else pose[:3, :3]
    turned = base[:3, :3] if pose_bone.bone.use_inherit_rotation else rest[:3, :3]
    mode = pose_bone.rotation_mode
    channel = rotation_channel(mode)
    places = (wanted[:, :3, 3] - base[:3, 3]) @ np.linalg.inv(axes).T
    local = rot.multiply(rot.inverse(_rotations_of(turned[None])[0]), _rotations_of(wanted))
    turns = rotation_values(local, mode)
    now = np.array(getattr(pose_bone, channel), dtype=float)
    what = Message("Bone '{bone}'", bone=bone)
    location_locks, rotation_locks = _locks(pose_bone, len(now))
    places = _apply_locks(places, np.array(pose_bone.location, dtype=float), location_locks, what)
    turns = _apply_locks(turns, _with_nearest_sign(now, turns), rotation_locks, what)
    return [
        PropertyTrack(bone_path(bone, "location"), bone, places, "BEZIER"),
        PropertyTrack(bone_path(bone, channel), bone, turns, rotation_interpolation(mode)),
    ]


def _rotations_of(matrices: Array) -> Array:
    """Return the rotations (F, 4) of matrices (F, 3, 3) or (F, 4, 4), which may be scaled."""
    axes = matrices[:, :3, :3]
    return rot.from_matrix(axes / np.linalg.norm(axes, axis=-2, keepdims=True))


def _locks(owner: bpy.types.Object | bpy.types.PoseBone, width: int) -> tuple[list[bool], list[bool]]:
    """Return which location channels are locked, and which of the ``width`` rotation channels are."""
    turns = list(owner.lock_rotation)
    if width == 4:
        turns = [owner.lock_rotations_4d and owner.lock_rotation_w, *turns]
    return list(owner.lock_location), turns


def _with_nearest_sign(current: Array, values: Array) -> Array:
    """Return the current quaternion, negated if that is nearer to the first of the values; else unchanged."""
    return -current if len(current) == 4 and float(current @ values[0]) < 0 else current


def _apply_locks(values: Array, current: Array, locked: list[bool], owner_name: str) -> Array:
    """Return the values (F, n) without locked columns; raise an error if these differ from the current values (n)."""
    result = values.copy()
    for column in np.flatnonzero(locked):
        if np.abs(values[:, column] - current[column]).max() > LOCK_TOLERANCE:
            raise FootfallError(
                "{carrier} is locked and cannot move the body: unlock its location and rotation, or change Root Motion",
                carrier=owner_name,
            )
        result[:, column] = np.nan
    return result
