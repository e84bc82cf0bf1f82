"""The carrier of a character over the ground: its hips alone, a root bone, or the armature object itself.

A carrier has world positions (F, 3), and yaws (F) about the world's Z relative to its current rotation (object), or to
its rest under the object's current transform (bone). The position is that of its origin, for a bone its head.

The steps of a bake::

    root = root_motion(bone, clip, target, axes, ground)  # bone: rig_map.bones.get("root")
    controls = control_tracks(armature, rig_map, under(armature, clip, root), limbs, root)
    everything = [*controls.tracks, *tracks(armature, root)]

``control_tracks`` poses bones for the object's current transform. If the object is the carrier,
:func:`remove_object_motion` has already removed its motion from the clip; if a bone is, its pose is
``root.poses(rig)``, and its keys come from :func:`root_tracks`, not from ``control_tracks``.
"""

from dataclasses import dataclass
from typing import Literal

import bpy
import numpy as np

from ....core.errors import FootfallError
from ....core.motion import Clip
from ....core.motion import rotations as rot
from ....core.motion.rotations import Array
from ....core.retarget.root_motion import RootAxes, remove_root_motion, split_root_motion
from ...units import world_location
from ..fcurve_io import Rig
from ..fcurve_io.curves import bone_path
from ..fcurve_io.rotation_modes import rotation_channel, rotation_interpolation
from ..fcurve_io.tracks import PropertyTrack
from .animation import animated_by_action, animated_by_nla
from .root_motion_channels import OBJECT_GROUP, bone_poses, bone_tracks, object_tracks

RootTarget = Literal["HIPS", "ROOT_BONE", "OBJECT"]


@dataclass(frozen=True, slots=True, eq=False)
class RootMotion:
    """The carrier of the body, and its motion.

    Attributes:
        target: ``"HIPS"`` (no carrier: positions and yaws have no meaning), ``"ROOT_BONE"`` or ``"OBJECT"``.
        bone: the root bone's name; ``None`` for other targets.
        positions: (F, 3) positions, meters, world.
        yaws: (F) yaws, radians, without jumps.
    """

    target: RootTarget
    bone: str | None
    positions: Array
    yaws: Array

    def poses(self, rig: Rig) -> Array:
        """Return the root bone's pose matrices (F, 4, 4) in armature space.

        Raise :class:`ValueError` if the carrier is not a bone.
        """
        if self.target != "ROOT_BONE" or self.bone is None:
            raise ValueError("the root motion is not carried by a bone")
        return bone_poses(rig, self.bone, self.positions, self.yaws)


def root_motion(bone: str | None, clip: Clip, target: RootTarget, axes: RootAxes, ground: float = 0.0) -> RootMotion:
    """Return the root motion of a clip (F frames, in the world) for the carrier in the settings.

    Args:
        bone: the root bone, required for ``"ROOT_BONE"``.
        clip: the motion on the body of the rig.
        target: the carrier of the root motion.
        axes: axes of the motion for the carrier.
        ground: the height of the ground at the start, meters.

    Raises:
        FootfallError: the rig has no root bone.
    """
    if target == "ROOT_BONE" and bone is None:
        raise FootfallError("The bone map has no root bone: map one, or set Root Motion to Hips")
    if target == "HIPS":
        return RootMotion(target, None, np.zeros((len(clip), 3)), np.zeros(len(clip)))
    positions, yaws, _ = split_root_motion(clip, axes, ground)
    return RootMotion(target, bone if target == "ROOT_BONE" else None, positions, yaws)


def remove_object_motion(armature: bpy.types.Object, clip: Clip, motion: RootMotion) -> Clip:
    """Return the clip relative to the object, without the object's own motion."""
    if motion.target != "OBJECT":
        return clip
    bpy.context.view_layer.update()  # or the world matrix would predate a script's last change
    seen = remove_root_motion(clip, motion.positions, motion.yaws)
    return seen.transformed(rot.IDENTITY, world_location(armature))


def root_tracks(armature: bpy.types.Object, motion: RootMotion, root_bone: str | None = None) -> list[PropertyTrack]:
    """Return the tracks that key the carrier itself.

    If the object, or the rig's root bone, is not the carrier but is moved by existing animation, further tracks hold it
    at its current values.

    Raises:
        FootfallError: the carrier cannot be moved as required.
    """
    result: list[PropertyTrack] = []
    if motion.target == "OBJECT":
        result += object_tracks(armature, motion.positions, motion.yaws)
    else:
        result += _hold_tracks(armature, "", armature.rotation_mode, OBJECT_GROUP)
    if motion.target == "ROOT_BONE" and motion.bone is not None:
        result += bone_tracks(armature, motion.bone, motion.positions, motion.yaws)
    elif root_bone is not None and root_bone in armature.pose.bones:
        mode = armature.pose.bones[root_bone].rotation_mode
        result += _hold_tracks(armature, bone_path(root_bone, ""), mode, root_bone)
    return result


def _hold_tracks(armature: bpy.types.Object, prefix: str, mode: str, group: str) -> list[PropertyTrack]:
    """Return tracks that hold an object or bone at its current values where its location or rotation is animated."""
    data = armature.animation_data
    moved = {path for path, _ in (*animated_by_action(data), *animated_by_nla(data))}
    channels = (("location", "BEZIER"), (rotation_channel(mode), rotation_interpolation(mode)))
    return [
        PropertyTrack(
            prefix + channel, group, np.array([armature.path_resolve(prefix + channel)], dtype=float), between
        )
        for channel, between in channels
        if prefix + channel in moved
    ]
