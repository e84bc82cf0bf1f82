"""From an armature's action to a clip, without stepping through frames."""

import math
from dataclasses import dataclass
from typing import Final

import bpy
import numpy as np

from ....core.errors import FootfallError
from ....core.motion import Clip
from ....core.motion import rotations as rot
from ....core.motion.kinematics import local_rotations
from ....core.motion.rotations import Array
from ...units import world_matrix
from .curves import CurveMap, bone_path, channel_values, curves_of
from .rig import Rig, read_rig
from .rotation_modes import rotation_channel, to_quaternions
from .slots import count_animated_bones, slot_for

MAX_FRAMES: Final = 216_000
"""Largest number of frames of a motion: an hour at 60 frames per second."""


def scene_rate(scene: bpy.types.Scene) -> float:
    """Return the scene's frame rate, frames per second."""
    return scene.render.fps / scene.render.fps_base


def read_action(armature: bpy.types.Object, action: bpy.types.Action, scene: bpy.types.Scene) -> tuple[Clip, int]:
    """Return the motion of an armature that plays an action, at the scene's rate, and its first scene frame.

    The skeleton is the armature's body from the hips on, in the world, including the object's transform and any curves
    of the action that move the object. Unkeyed channels are at rest; constraints and drivers are ignored.

    Raises:
        FootfallError: the action does not move this armature, or for less than two frames, or for more than
            :data:`MAX_FRAMES`.
    """
    rig = read_rig(armature)
    slot = slot_for(armature, action)
    curves = curves_of(action, slot) if slot else {}
    if not count_animated_bones(curves, rig):
        raise FootfallError(
            "Action '{action}' has no keys on the bones of armature '{armature}': assign another one",
            action=action.name,
            armature=armature.name,
        )
    first, last = _keyed_frame_range(action, curves)
    if last - first >= MAX_FRAMES:
        raise FootfallError(
            "Action '{name}' is {frames} frames long, but at most {most} are possible: cut it into parts, or "
            "check its last key",
            name=action.name,
            frames=last - first + 1,
            most=MAX_FRAMES,
        )
    frames = np.arange(first, last + 1, dtype=float)
    if len(frames) < 2:
        raise FootfallError(
            "Action '{name}' is one frame long: choose an action with at least two frames", name=action.name
        )

    world = object_matrices(armature, curves, frames) @ pose_matrices(armature, rig, curves, frames)
    body = list(rig.body_bones)
    skeleton = rig.skeleton(body)
    posed = rot.from_matrix(orthonormal(world[:, body, :3, :3]))
    turned = rot.multiply(posed, rot.inverse(rig.rest_rotations[body]))
    rotations = rot.unroll(rot.normalize(local_rotations(skeleton, turned)))
    return Clip(skeleton, scene_rate(scene), world[:, body[0], :3, 3], rotations, action.name), first


def action_frames(armature: bpy.types.Object, action: bpy.types.Action) -> tuple[int, int]:
    """Return the first and last frame in which an action moves an armature.

    Raises:
        FootfallError: the action does not move this armature.
    """
    slot = slot_for(armature, action)
    curves = curves_of(action, slot) if slot else {}
    if not any(path.startswith("pose.") for path, _ in curves):
        raise FootfallError(
            "Action '{action}' has no keys on the bones of armature '{armature}': assign another one",
            action=action.name,
            armature=armature.name,
        )
    return _keyed_frame_range(action, curves)


def _keyed_frame_range(action: bpy.types.Action, curves: CurveMap) -> tuple[int, int]:
    if action.use_frame_range:
        start, end = action.frame_start, action.frame_end
    else:
        ranges = [curve.range() for (path, _), curve in curves.items() if path.startswith("pose.")]
        start, end = min(low for low, _ in ranges), max(high for _, high in ranges)
    return math.ceil(start - 1e-4), math.floor(end + 1e-4)


def pose_matrices(armature: bpy.types.Object, rig: Rig, curves: CurveMap, frames: Array) -> Array:
    """Return pose matrices (F, B, 4, 4) of all bones in armature space, composed as Blender does.

    Rotation and location may have different references: a bone may not inherit its parent's rotation, and its location
    may be along its parent's axes instead of its own.
    """
    pose = np.empty((len(frames), len(rig.names), 4, 4))
    inverse_rest = np.linalg.inv(rig.rest_matrices)
    for bone, (name, parent) in enumerate(zip(rig.names, rig.parents, strict=True)):
        pose_bone = armature.pose.bones[name]
        base = (
            rig.rest_matrices[bone]
            if parent < 0
            else pose[:, parent] @ (inverse_rest[parent] @ rig.rest_matrices[bone])
        )
        basis = basis_matrices(curves, bone_path(name, ""), pose_bone.rotation_mode, frames)
        turned = base if pose_bone.bone.use_inherit_rotation else rig.rest_matrices[bone]
        axes = base[..., :3, :3]
        if not pose_bone.bone.use_local_location:
            axes = np.eye(3) if parent < 0 else pose[:, parent, :3, :3]
        pose[:, bone, :3, :3] = turned[..., :3, :3] @ basis[:, :3, :3]
        pose[:, bone, :3, 3] = base[..., :3, 3] + (axes @ basis[:, :3, 3:])[..., 0]
        pose[:, bone, 3] = (0.0, 0.0, 0.0, 1.0)
    return pose


def object_matrices(armature: bpy.types.Object, curves: CurveMap, frames: Array) -> Array:
    """Return world matrices (F or 1, 1, 4, 4) of the object, meters, including its motion in the action."""
    now = world_matrix(armature)
    mode = armature.rotation_mode
    above = now @ np.linalg.inv(np.array(armature.matrix_basis, dtype=float))
    place = ChannelDefaults(
        tuple(armature.location), tuple(getattr(armature, rotation_channel(mode))), tuple(armature.scale)
    )
    if not any(path in ("location", "scale", rotation_channel(mode)) for path, _ in curves):
        return now[None, None]
    return (above @ basis_matrices(curves, "", mode, frames, place))[:, None]


@dataclass(frozen=True, slots=True)
class ChannelDefaults:
    """The values of channels without curves; a rotation's default depends on its mode."""

    location: tuple[float, ...]
    rotation: tuple[float, ...]
    scale: tuple[float, ...]


REST_CHANNELS: Final = {
    "rotation_quaternion": ChannelDefaults((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), (1.0, 1.0, 1.0)),
    "rotation_axis_angle": ChannelDefaults((0.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), (1.0, 1.0, 1.0)),
    "rotation_euler": ChannelDefaults((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)),
}


def basis_matrices(
    curves: CurveMap, prefix: str, mode: str, frames: Array, defaults: ChannelDefaults | None = None
) -> Array:
    """Return the transforms (F or 1, 4, 4) described by location, rotation and scale curves under a path prefix.

    Channels without curves have the values of ``defaults``, or rest values if it is not given.
    """
    kind = rotation_channel(mode)
    defaults = defaults or REST_CHANNELS[kind]
    turn = channel_values(curves, prefix + kind, defaults.rotation, frames)
    location = channel_values(curves, f"{prefix}location", defaults.location, frames)
    scale = channel_values(curves, f"{prefix}scale", defaults.scale, frames)
    result = np.tile(np.eye(4), (max(map(len, (turn, location, scale))), 1, 1))
    result[:, :3, :3] = rot.to_matrix(to_quaternions(turn, mode)) * scale[:, None, :]
    result[:, :3, 3] = location
    return result


def orthonormal(matrices: Array) -> Array:
    """Return rotation matrices (..., 3, 3) with the scale removed from their columns."""
    return matrices / np.maximum(np.linalg.norm(matrices, axis=-2, keepdims=True), 1e-12)
