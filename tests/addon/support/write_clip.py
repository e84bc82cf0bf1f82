"""A clip as keys on the bones named like its joints: what the tests put on armatures to read it back."""

from collections.abc import Sequence

import bpy
import numpy as np

from footfall.blender_addon import compat
from footfall.blender_addon.animation.fcurve_io.curves import bone_path, write_channel
from footfall.blender_addon.animation.fcurve_io.rig import Rig, read_rig
from footfall.blender_addon.animation.fcurve_io.rotation_modes import (
    rotation_channel,
    rotation_interpolation,
    rotation_values,
)
from footfall.core.motion import Clip
from footfall.core.motion import rotations as rot
from footfall.core.motion.rotations import Array


def write_clip(armature: bpy.types.Object, clip: Clip, name: str, start: int) -> bpy.types.Action:
    """A new action, not yet assigned, with one key per frame of the clip from frame ``start`` on; bones that carry the
    clip's bones without being in it are keyed at rest."""
    rig = read_rig(armature)
    joints = [rig.index[joint] for joint in clip.skeleton.names]
    root = armature.data.bones[clip.skeleton.names[0]]
    action = bpy.data.actions.new(name)
    channelbag = compat.ensure_channelbag(action, compat.ensure_slot(action, armature))
    frames = np.arange(start, start + len(clip), dtype=float)
    rest = rig.rest_rotations[joints]
    basis = rot.multiply(rot.multiply(rot.inverse(rest), clip.rotations), rest)
    for joint, bone in enumerate(joints):
        _write_rotation(channelbag, armature.pose.bones[rig.names[bone]], frames, basis[:, joint])
    _write_location(channelbag, rig, joints[0], root.use_local_location, frames, clip.root_positions)
    for bone in carriers(rig, joints):
        pose_bone = armature.pose.bones[rig.names[bone]]
        _write_rotation(channelbag, pose_bone, frames[:1], rot.IDENTITY[None])
        write_channel(
            channelbag, bone_path(pose_bone.name, "location"), pose_bone.name, frames[:1], np.zeros((3, 1)), "BEZIER"
        )
    action.use_frame_range = True
    action.frame_start, action.frame_end = float(frames[0]), float(frames[-1])
    return action


def carriers(rig: Rig, bones: Sequence[int]) -> list[int]:
    """The bones above the given ones that are not among them."""
    found: set[int] = set()
    for bone in bones:
        while (bone := rig.parents[bone]) >= 0:
            found.add(bone)
    return sorted(found - set(bones))


def _write_rotation(
    channelbag: bpy.types.ActionChannelbag, pose_bone: bpy.types.PoseBone, frames: Array, rotations: Array
) -> None:
    mode = pose_bone.rotation_mode
    path = bone_path(pose_bone.name, rotation_channel(mode))
    columns = rotation_values(rotations, mode).T
    write_channel(channelbag, path, pose_bone.name, frames, columns, rotation_interpolation(mode))


def _write_location(
    channelbag: bpy.types.ActionChannelbag, rig: Rig, bone: int, own_axes: bool, frames: Array, positions: Array
) -> None:
    """Location curves that put a bone's head at world positions (F, 3), its ancestors being at rest."""
    local = rig.to_armature(positions) - rig.rest_matrices[bone, :3, 3]
    axes = bone if own_axes else rig.parents[bone]
    if axes >= 0:
        local = local @ rig.rest_matrices[axes, :3, :3]
    name = rig.names[bone]
    write_channel(channelbag, bone_path(name, "location"), name, frames, local.T, "BEZIER")
