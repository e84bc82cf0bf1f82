"""From a clip to a new action on an armature."""

from collections.abc import Sequence

import bpy
import numpy as np

from ...core.errors import FootfallError
from ...core.motion import Clip
from ...core.motion import rotations as rot
from ...core.motion.rotations import Array
from .. import compat
from .curves import bone_path, write
from .rig import Rig, read_rig
from .rotation_modes import rotation_channel, rotation_interpolation, rotation_values


def write_action(armature: bpy.types.Object, clip: Clip, name: str, start: int) -> bpy.types.Action:
    """A new action, not yet assigned, with the clip's motion on the bones named like its joints.

    One key per frame of the clip from frame ``start`` on, so the clip must be at the scene's rate. Location is keyed on
    the root's bone alone. Bones that carry the clip's bones without being in it are keyed at rest on the first frame.

    Raises:
        FootfallError: where bones are missing, or the root's bone cannot move.
    """
    rig = read_rig(armature)
    joints = bones_named(rig, clip.skeleton.names)
    root = armature.data.bones[clip.skeleton.names[0]]
    if root.use_connect and root.parent:
        raise FootfallError(f"Bone '{root.name}' is connected to its parent and cannot travel: disconnect it.")

    action = bpy.data.actions.new(name)
    channelbag = compat.ensure_channelbag(action, compat.ensure_slot(action, armature))
    frames = np.arange(start, start + len(clip), dtype=float)
    rest = rig.rest_rotations[joints]
    basis = rot.multiply(rot.multiply(rot.inverse(rest), clip.rotations), rest)
    for joint, bone in enumerate(joints):
        _write_rotation(channelbag, armature.pose.bones[rig.names[bone]], frames, basis[:, joint])
    _write_location(channelbag, rig, joints[0], root.use_local_location, frames, clip.root_positions)
    for bone in rig.between(joints):
        pose_bone = armature.pose.bones[rig.names[bone]]
        _write_rotation(channelbag, pose_bone, frames[:1], rot.IDENTITY[None])
        write(channelbag, bone_path(pose_bone.name, "location"), pose_bone.name, frames[:1], np.zeros((3, 1)), "BEZIER")
    action.use_frame_range = True
    action.frame_start, action.frame_end = float(frames[0]), float(frames[-1])
    return action


def bones_named(rig: Rig, names: Sequence[str]) -> list[int]:
    """The bones of the given names; raises :class:`FootfallError` that lists the missing ones."""
    missing = [name for name in names if name not in rig.index]
    if missing:
        shown = ", ".join(missing[:6]) + (f" and {len(missing) - 6} more" if len(missing) > 6 else "")
        raise FootfallError(
            f"Armature '{rig.owner}' has no bone named {shown}: "
            "use a character with the controller's bone names, or add one with Add Character."
        )
    return [rig.index[name] for name in names]


def keep_and_assign(armature: bpy.types.Object, action: bpy.types.Action) -> str | None:
    """Assigns an action and its slot; what was there goes to a muted NLA track above which the new action plays.

    Returns:
        A sentence about the previous action, or ``None`` where there was none.
    """
    data = armature.animation_data or armature.animation_data_create()
    if data.use_tweak_mode:
        data.use_tweak_mode = False
    previous, slot = data.action, data.action_slot
    kept = None
    if previous is not None:
        kept = _keep(data, previous, slot)
    data.action = action
    data.action_slot = compat.ensure_slot(action, armature)
    data.action_blend_type, data.action_extrapolation, data.action_influence = "REPLACE", "HOLD", 1.0
    return kept


def _keep(data: bpy.types.AnimData, previous: bpy.types.Action, slot: bpy.types.ActionSlot | None) -> str:
    if not previous.is_editable or any(strip.action == previous for track in data.nla_tracks for strip in track.strips):
        return f"previous action '{previous.name}' kept"
    start, end = previous.frame_range
    if slot is None or end <= start:
        previous.use_fake_user = True
        return f"previous action '{previous.name}' kept with a fake user"
    data.action = None
    track = data.nla_tracks.new()
    track.name = previous.name
    strip = track.strips.new(previous.name, int(start), previous)
    strip.action_slot = slot
    track.mute = True
    return f"previous action '{previous.name}' kept on a muted NLA track"


def _write_rotation(
    channelbag: bpy.types.ActionChannelbag, pose_bone: bpy.types.PoseBone, frames: Array, rotations: Array
) -> None:
    mode = pose_bone.rotation_mode
    path = bone_path(pose_bone.name, rotation_channel(mode))
    columns = rotation_values(rotations, mode).T
    write(channelbag, path, pose_bone.name, frames, columns, rotation_interpolation(mode))


def _write_location(
    channelbag: bpy.types.ActionChannelbag,
    rig: Rig,
    bone: int,
    own_axes: bool,
    frames: Array,
    positions: Array,
) -> None:
    """Location curves that put a bone's head at world positions (F, 3), its ancestors being at rest."""
    local = rig.to_armature(positions) - rig.rest[bone, :3, 3]
    axes = bone if own_axes else rig.parents[bone]
    if axes >= 0:
        local = local @ rig.rest[axes, :3, :3]
    name = rig.names[bone]
    write(channelbag, bone_path(name, "location"), name, frames, local.T, "BEZIER")
