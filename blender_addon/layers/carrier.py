"""Who carries a character over the ground: nobody but its hips, a root bone, or the armature object itself.

A carrier stands at the world's places (F, 3), turned about the world's Z by yaws (F) from how it stands now (object) or
at rest under the object as it stands now (bone). Its own origin, a bone's head, is at the place.

The way of a bake::

    root = root_motion(bone, clip, target, axes, ground)  # bone: rig_map.bones.get("root")
    controls = control_tracks(armature, rig_map, under(armature, clip, root), limbs, root)
    tracks = [*controls.tracks, *tracks(armature, root)]

``control_tracks`` poses bones for the object as it stands now. Where the object carries, :func:`under` has taken its
motion out of the clip already; where a bone carries, its pose is ``root.poses(rig)``, and its keys come from
:func:`tracks`, not from ``control_tracks``.
"""

from dataclasses import dataclass
from typing import Literal

import bpy
import numpy as np

from ...core.errors import FootfallError
from ...core.motion import Clip
from ...core.motion import rotations as rot
from ...core.motion.rotations import Array
from ...core.retarget.root_motion import RootAxes, split_root, without_root
from ..clip_bridge import Rig

Target = Literal["HIPS", "ROOT_BONE", "OBJECT"]


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
