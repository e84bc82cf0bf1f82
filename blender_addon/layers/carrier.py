"""Who carries a character over the ground: nobody but its hips, a root bone, or the armature object itself.

A carrier stands at the world's places (F, 3), turned about the world's Z by yaws (F) from how it stands now (object) or
at rest under the object as it stands now (bone). Its own origin, a bone's head, is at the place.

The way of a bake::

    root = root_motion(bone, clip, target, axes, ground)  # bone: rig_map.bones.get("root")
    controls = control_tracks(armature, rig_map, under(armature, clip, root), limbs, root)
    everything = [*controls.tracks, *tracks(armature, root)]

``control_tracks`` poses bones for the object as it stands now. Where the object carries, :func:`under` has taken its
motion out of the clip already; where a bone carries, its pose is ``root.poses(rig)``, and its keys come from
:func:`tracks`, not from ``control_tracks``.
"""

from dataclasses import dataclass
from typing import Final, Literal

import bpy
import numpy as np

from ...core.errors import FootfallError
from ...core.motion import Clip
from ...core.motion import rotations as rot
from ...core.motion.rotations import Array
from ...core.retarget.root_motion import RootAxes, split_root, without_root
from ..clip_bridge import Rig, read_rig
from ..clip_bridge.curves import bone_path
from ..clip_bridge.rotation_modes import rotation_channel, rotation_interpolation, rotation_values, to_quaternions
from ..clip_bridge.tracks import Track
from .animation import animated_by_action, animated_by_nla

Target = Literal["HIPS", "ROOT_BONE", "OBJECT"]

OBJECT_GROUP: Final = "Object Transforms"
"""The group in which Blender keeps an object's own curves."""
HELD: Final = 1e-5
"""By how much a locked channel may differ from what it would have to be."""


@dataclass(frozen=True, slots=True, eq=False)
class RootMotion:
    """What carries the body, and where.

    Attributes:
        target: ``"HIPS"`` (nothing carries: places and yaws mean nothing), ``"ROOT_BONE"`` or ``"OBJECT"``.
        bone: the root bone's name; of other targets ``None``.
        positions: (F, 3), metres, world.
        yaws: (F), radians, without jumps.
    """

    target: Target
    bone: str | None
    positions: Array
    yaws: Array

    def poses(self, rig: Rig) -> Array:
        """The root bone's pose matrices (F, 4, 4) in the armature's space; of other targets a :class:`ValueError`."""
        if self.target != "ROOT_BONE" or self.bone is None:
            raise ValueError("no bone carries the body")
        rest = rig.rest_rotations[rig.index[self.bone]]
        turned = rot.multiply(rot.inverse(rig.turn), rot.multiply(rot.about_up(self.yaws), rest))
        matrices = np.tile(np.eye(4), (len(self.yaws), 1, 1))
        matrices[:, :3, :3] = rot.to_matrix(turned)
        matrices[:, :3, 3] = rig.to_armature(self.positions)
        return matrices


def root_motion(bone: str | None, clip: Clip, target: Target, axes: RootAxes, ground: float = 0.0) -> RootMotion:
    """The root motion that a clip (F frames, in the world) gives to a target.

    Args:
        bone: the root bone, which ``"ROOT_BONE"`` needs.
        clip: the motion on the body of the rig.
        target: who carries.
        axes: what the carrier does of the motion.
        ground: the height of the ground at the start, metres.

    Raises:
        FootfallError: the rig has no root bone.
    """
    if target == "ROOT_BONE" and bone is None:
        raise FootfallError("The rig map has no root bone: map one, or leave the root motion in the hips.")
    if target == "HIPS":
        return RootMotion(target, None, np.zeros((len(clip), 3)), np.zeros(len(clip)))
    positions, yaws, _ = split_root(clip, axes, ground)
    return RootMotion(target, bone if target == "ROOT_BONE" else None, positions, yaws)


def under(armature: bpy.types.Object, clip: Clip, root: RootMotion) -> Clip:
    """The clip for an object that stands as it does now: without what the object itself will do of it."""
    if root.target != "OBJECT":
        return clip
    bpy.context.view_layer.update()  # or the world matrix is the one from before a script's last change
    seen = without_root(clip, root.positions, root.yaws)
    return seen.placed(rot.IDENTITY, np.array(armature.matrix_world.translation, dtype=float))


def tracks(armature: bpy.types.Object, root: RootMotion, root_bone: str | None = None) -> list[Track]:
    """The carrier's own channels; and where the object or the rig's root bone is moved by what is there already but
    shall not carry, the channels that hold it where it is now.

    Raises:
        FootfallError: the carrier cannot go where it must.
    """
    result: list[Track] = []
    if root.target == "OBJECT":
        result += object_tracks(armature, root.positions, root.yaws)
    else:
        result += _still(armature, "", armature.rotation_mode, OBJECT_GROUP)
    if root.target == "ROOT_BONE" and root.bone is not None:
        result += bone_tracks(armature, root.bone, root.positions, root.yaws)
    elif root_bone is not None and root_bone in armature.pose.bones:
        mode = armature.pose.bones[root_bone].rotation_mode
        result += _still(armature, bone_path(root_bone, ""), mode, root_bone)
    return result


def object_tracks(armature: bpy.types.Object, positions: Array, yaws: Array) -> list[Track]:
    """The object's location and rotation that bring it to places (F, 3), metres, world, turned by yaws (F), radians.

    Raises:
        FootfallError: constraints or locks hold it.
    """
    bpy.context.view_layer.update()  # or the world matrix is the one from before a script's last change
    held = next((c.name for c in armature.constraints if not c.mute and c.influence > 0), None)
    if held is not None:
        raise FootfallError(
            f"'{armature.name}' is held by its constraint '{held}' and cannot carry: mute it, or leave the root motion "
            "in the hips."
        )
    mode = armature.rotation_mode
    channel = rotation_channel(mode)
    now, basis = np.array(armature.matrix_world, dtype=float), np.array(armature.matrix_basis, dtype=float)
    world = np.tile(now, (len(yaws), 1, 1))
    world[:, :3, :3] = rot.to_matrix(rot.about_up(yaws)) @ now[:3, :3]
    world[:, :3, 3] = positions
    wanted = basis @ np.linalg.inv(now) @ world

    # Blender adds delta transforms to the channels: they are what is in the matrix but not in them.
    location, turn = np.array(armature.location, dtype=float), np.array(getattr(armature, channel), dtype=float)
    delta = rot.multiply(_turn_of(basis[None])[0], rot.inverse(to_quaternions(turn, mode)))
    places = wanted[:, :3, 3] - (basis[:3, 3] - location)
    turns = rotation_values(rot.multiply(rot.inverse(delta), _turn_of(wanted)), mode)
    what = f"Object '{armature.name}'"
    return [
        Track("location", OBJECT_GROUP, _unlocked(places, location, _locks(armature, 3)[0], what), "BEZIER"),
        Track(
            channel,
            OBJECT_GROUP,
            _unlocked(turns, _nearest(turn, turns), _locks(armature, len(turn))[1], what),
            rotation_interpolation(mode),
        ),
    ]


def bone_tracks(armature: bpy.types.Object, bone: str, positions: Array, yaws: Array) -> list[Track]:
    """The root bone's location and rotation that bring its head to places (F, 3), metres, world, turned by yaws (F).

    The bone's parents, if it has any, are where they are now.

    Raises:
        FootfallError: there is no such bone, or locks or a connection hold it.
    """
    pose_bone = armature.pose.bones.get(bone)
    if pose_bone is None:
        raise FootfallError(f"'{armature.name}' has no bone '{bone}' that could carry it: map another root bone.")
    if pose_bone.bone.use_connect and pose_bone.parent is not None:
        raise FootfallError(f"Bone '{bone}' is connected to its parent and cannot travel: disconnect it.")
    rig = read_rig(armature)
    wanted = RootMotion("ROOT_BONE", bone, positions, yaws).poses(rig)
    rest, parent = rig.rest[rig.index[bone]], pose_bone.parent
    base, axes = rest, rest[:3, :3] if pose_bone.bone.use_local_location else np.eye(3)
    if parent is not None:
        pose = np.array(parent.matrix, dtype=float)
        base = pose @ np.linalg.inv(rig.rest[rig.index[parent.name]]) @ rest
        axes = base[:3, :3] if pose_bone.bone.use_local_location else pose[:3, :3]
    turned = base[:3, :3] if pose_bone.bone.use_inherit_rotation else rest[:3, :3]
    mode = pose_bone.rotation_mode
    channel = rotation_channel(mode)
    places = (wanted[:, :3, 3] - base[:3, 3]) @ np.linalg.inv(axes).T
    local = rot.multiply(rot.inverse(_turn_of(turned[None])[0]), _turn_of(wanted))
    turns = rotation_values(local, mode)
    now = np.array(getattr(pose_bone, channel), dtype=float)
    what = f"Bone '{bone}'"
    location_locks, rotation_locks = _locks(pose_bone, len(now))
    places = _unlocked(places, np.array(pose_bone.location, dtype=float), location_locks, what)
    turns = _unlocked(turns, _nearest(now, turns), rotation_locks, what)
    return [
        Track(bone_path(bone, "location"), bone, places, "BEZIER"),
        Track(bone_path(bone, channel), bone, turns, rotation_interpolation(mode)),
    ]


def _still(armature: bpy.types.Object, prefix: str, mode: str, group: str) -> list[Track]:
    """What is animated of an object's or a bone's place and rotation, as it is now."""
    data = armature.animation_data
    moved = {path for path, _ in (*animated_by_action(data), *animated_by_nla(data))}
    channels = (("location", "BEZIER"), (rotation_channel(mode), rotation_interpolation(mode)))
    return [
        Track(prefix + channel, group, np.array([armature.path_resolve(prefix + channel)], dtype=float), between)
        for channel, between in channels
        if prefix + channel in moved
    ]


def _turn_of(matrices: Array) -> Array:
    """The rotations (F, 4) of matrices (F, 3, 3) or (F, 4, 4) that may be scaled."""
    axes = matrices[:, :3, :3]
    return rot.from_matrix(axes / np.linalg.norm(axes, axis=-2, keepdims=True))


def _locks(owner: bpy.types.Object | bpy.types.PoseBone, width: int) -> tuple[list[bool], list[bool]]:
    """Which channels of location, and of a rotation with so many channels, are locked."""
    turns = list(owner.lock_rotation)
    if width == 4:
        turns = [owner.lock_rotations_4d and owner.lock_rotation_w, *turns]
    return list(owner.lock_location), turns


def _nearest(now: Array, values: Array) -> Array:
    """A quaternion now with the sign of the first of some values; other rotations as they are."""
    return -now if len(now) == 4 and float(now @ values[0]) < 0 else now


def _unlocked(values: Array, now: Array, locked: list[bool], what: str) -> Array:
    """The values (F, n) without locked columns, which must be as they are now (n)."""
    result = values.copy()
    for column in np.flatnonzero(locked):
        if np.abs(values[:, column] - now[column]).max() > HELD:
            raise FootfallError(f"{what} is locked and cannot carry the body: unlock it, or let another one carry.")
        result[:, column] = np.nan
    return result
