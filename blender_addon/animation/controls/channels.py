"""From where a control shall be to the values of its channels, as far as its locks allow."""

from dataclasses import dataclass
from typing import Final

import bpy
import numpy as np

from ....core.motion.rotations import Array
from ..fcurve_io.curves import bone_path
from ..fcurve_io.rotation_modes import (
    euler_to_quaternion,
    quaternion_to_euler,
    rotation_channel,
    rotation_interpolation,
    rotation_values,
    to_quaternions,
)
from ..fcurve_io.tracks import Track
from .control_spaces import Space

PLAIN_EULER: Final = "XYZ"
"""The angles by which Blender locks quaternions that are not locked one by one."""
AT_REST: Final = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Keyed:
    """The channels of one control.

    Attributes:
        tracks: what is keyed.
        location: all frames' location (F, 3), keyed or not.
        rotation: all frames' local rotation (F, 4).
        pose: the pose matrices (F, 4, 4) that they give, armature space, without scale.
    """

    tracks: tuple[Track, ...]
    location: Array
    rotation: Array
    pose: Array


def keyed(bone: bpy.types.PoseBone, space: Space, wanted: Array, moves: bool, turns: bool = True) -> Keyed:
    """The channels that bring a control to pose matrices (F, 4, 4) of the armature's space.

    Args:
        bone: the control.
        space: what its channels are measured from.
        wanted: where it shall be.
        moves: whether its location is keyed; else it is put to rest, where it is not.
        turns: whether its rotation is keyed; else it stays as it is.
    """
    if turns:
        rotation, turned = _rotation(bone, space.rotation(wanted[:, :3, :3]))
    else:
        now = np.array(getattr(bone, rotation_channel(bone.rotation_mode)), dtype=float)
        rotation, turned = np.tile(to_quaternions(now, bone.rotation_mode), (len(wanted), 1)), []
    moving = space.location(wanted[:, :3, 3]) if moves else np.zeros((len(wanted), 3))
    location, moved = _location(bone, moving, moves)
    return Keyed((*moved, *turned), location, rotation, space.posed(location, rotation))


def can_move(bone: bpy.types.PoseBone) -> bool:
    """Whether a bone's location does anything, and some of it is not locked."""
    connected = bone.bone.use_connect and bone.parent is not None
    return not connected and not all(bone.lock_location)


def _location(bone: bpy.types.PoseBone, wanted: Array, moves: bool) -> tuple[Array, list[Track]]:
    path = bone_path(bone.name, "location")
    now, locked = np.array(bone.location, dtype=float), np.array(bone.lock_location, dtype=bool)
    if bone.bone.use_connect and bone.parent is not None:
        return np.zeros_like(wanted), []
    if moves and not locked.all():
        location = np.where(locked, now, wanted)
        return location, [Track(path, bone.name, np.where(locked, np.nan, location), "BEZIER")]
    rest = np.where(locked, now, 0.0)
    tracks = []
    if np.abs(now - rest).max() > AT_REST:
        # What an earlier action left there would be added to the pose.
        tracks.append(Track(path, bone.name, np.where(locked, np.nan, rest)[None], "BEZIER"))
    return np.broadcast_to(rest, wanted.shape), tracks


def _rotation(bone: bpy.types.PoseBone, wanted: Array) -> tuple[Array, list[Track]]:
    mode = bone.rotation_mode
    channel = rotation_channel(mode)
    now = np.array(getattr(bone, channel), dtype=float)
    locked = np.array(bone.lock_rotation, dtype=bool)
    if len(now) == 4 and not bone.lock_rotations_4d:
        if locked.any():
            # All four channels hold the rotation together, so what is locked are angles.
            held = quaternion_to_euler(to_quaternions(now, mode), PLAIN_EULER)
            angles = np.where(locked, held, quaternion_to_euler(wanted, PLAIN_EULER))
            wanted = euler_to_quaternion(angles, PLAIN_EULER)
        locked = np.full(4, locked.all())
    elif len(now) == 4:
        locked = np.array([bone.lock_rotation_w or locked.all(), *locked])
    values = np.where(locked, now, rotation_values(wanted, mode))
    rotation = to_quaternions(values, mode)
    if locked.all():
        return rotation, []
    track = Track(
        bone_path(bone.name, channel), bone.name, np.where(locked, np.nan, values), rotation_interpolation(mode)
    )
    return rotation, [track]
