"""From the target pose of a control to the values of its channels, as far as its locks allow."""

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
from ..fcurve_io.tracks import PropertyTrack
from .control_spaces import ControlSpace

QUATERNION_LOCK_EULER_ORDER: Final = "XYZ"
"""Euler order in which Blender locks quaternions without individual locks."""
REST_TOLERANCE: Final = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class ControlChannels:
    """The channels of one control.

    Attributes:
        tracks: tracks to key.
        location: (F, 3) location, keyed or not.
        rotation: (F, 4) local rotation.
        pose: (F, 4, 4) resulting pose matrices, armature space, without scale.
    """

    tracks: tuple[PropertyTrack, ...]
    location: Array
    rotation: Array
    pose: Array


def solve_control_channels(
    bone: bpy.types.PoseBone, space: ControlSpace, target_poses: Array, keys_location: bool, keys_rotation: bool = True
) -> ControlChannels:
    """Return the channel values that bring a control to target pose matrices.

    Args:
        bone: the control.
        space: the space to which the channels refer.
        target_poses: (F, 4, 4), target pose matrices in armature space.
        keys_location: whether the location is keyed; otherwise it is reset to rest if necessary.
        keys_rotation: whether the rotation is keyed; otherwise it is unchanged.
    """
    if keys_rotation:
        rotation, turned = _rotation_channels(bone, space.rotation_channels(target_poses[:, :3, :3]))
    else:
        now = np.array(getattr(bone, rotation_channel(bone.rotation_mode)), dtype=float)
        rotation, turned = np.tile(to_quaternions(now, bone.rotation_mode), (len(target_poses), 1)), []
    moving = space.location_channels(target_poses[:, :3, 3]) if keys_location else np.zeros((len(target_poses), 3))
    location, moved = _location_channels(bone, moving, keys_location)
    return ControlChannels((*moved, *turned), location, rotation, space.pose_matrices(location, rotation))


def has_free_location(bone: bpy.types.PoseBone) -> bool:
    """Return whether changing a bone's location moves the bone: it has an effect and is not completely locked."""
    connected = bone.bone.use_connect and bone.parent is not None
    return not connected and not all(bone.lock_location)


def _location_channels(
    bone: bpy.types.PoseBone, target_poses: Array, keys_location: bool
) -> tuple[Array, list[PropertyTrack]]:
    path = bone_path(bone.name, "location")
    now, locked = np.array(bone.location, dtype=float), np.array(bone.lock_location, dtype=bool)
    if bone.bone.use_connect and bone.parent is not None:
        return np.zeros_like(target_poses), []
    if keys_location and not locked.all():
        location = np.where(locked, now, target_poses)
        return location, [PropertyTrack(path, bone.name, np.where(locked, np.nan, location), "BEZIER")]
    rest = np.where(locked, now, 0.0)
    tracks = []
    if np.abs(now - rest).max() > REST_TOLERANCE:
        # A value left by an earlier action would be added to the pose.
        tracks.append(PropertyTrack(path, bone.name, np.where(locked, np.nan, rest)[None], "BEZIER"))
    return np.broadcast_to(rest, target_poses.shape), tracks


def _rotation_channels(bone: bpy.types.PoseBone, target_poses: Array) -> tuple[Array, list[PropertyTrack]]:
    mode = bone.rotation_mode
    channel = rotation_channel(mode)
    now = np.array(getattr(bone, channel), dtype=float)
    locked = np.array(bone.lock_rotation, dtype=bool)
    if len(now) == 4 and not bone.lock_rotations_4d:
        if locked.any():
            # All four channels define the rotation together, so locks apply to angles.
            held = quaternion_to_euler(to_quaternions(now, mode), QUATERNION_LOCK_EULER_ORDER)
            angles = np.where(locked, held, quaternion_to_euler(target_poses, QUATERNION_LOCK_EULER_ORDER))
            target_poses = euler_to_quaternion(angles, QUATERNION_LOCK_EULER_ORDER)
        locked = np.full(4, locked.all())
    elif len(now) == 4:
        locked = np.array([bone.lock_rotation_w or locked.all(), *locked])
    values = np.where(locked, now, rotation_values(target_poses, mode))
    rotation = to_quaternions(values, mode)
    if locked.all():
        return rotation, []
    track = PropertyTrack(
        bone_path(bone.name, channel), bone.name, np.where(locked, np.nan, values), rotation_interpolation(mode)
    )
    return rotation, [track]
