"""A rig's own IK on bones that a bake keys by FK, as in MikuMikuDance models: disabled while the bake plays."""

from collections.abc import Collection

import bpy
import numpy as np
from bpy.utils import escape_identifier

from ....core.message import Message
from ..fcurve_io.tracks import PropertyTrack
from .constraint_conflicts import ik_chain, is_active, list_bones
from .rig_sandbox import RigSandbox


def switch_off_own_ik(
    stage: RigSandbox, armature: bpy.types.Object, keyed_bones: Collection[str]
) -> tuple[list[PropertyTrack], list[str]]:
    """On the stage, disable the rig's own IK that would override keyed bones.

    IK toward another object belongs to the animator, and IK with a driven influence has a switch: both remain.

    Returns:
        Tracks of one row that disable the IK in the bake, and sentences about them.
    """
    tracks: list[PropertyTrack] = []
    freed: list[str] = []
    driven = {curve.data_path for curve in armature.animation_data.drivers} if armature.animation_data else set()
    for bone in armature.pose.bones:
        for constraint in bone.constraints:
            path = _influence_path(bone, constraint)
            if path not in driven and _fights(armature, bone, constraint, keyed_bones):
                stage.set_influence(bone.name, constraint.name, 0.0)
                tracks.append(PropertyTrack(path, bone.name, np.array([[0.0]]), "CONSTANT"))
                freed.append(bone.name)
    said = (
        Message("The rig's own IK is switched off during the bake on these bones: {bones}", bones=list_bones(freed))
        if freed
        else ""
    )
    return tracks, [said] if said else []


def _fights(
    armature: bpy.types.Object, bone: bpy.types.PoseBone, constraint: bpy.types.Constraint, keyed_bones: Collection[str]
) -> bool:
    """Return whether a constraint is IK that affects only keyed bones and targets an unkeyed bone of the armature."""
    return (
        constraint.type == "IK"
        and is_active(constraint)
        and constraint.target == armature
        and constraint.subtarget in armature.pose.bones
        and constraint.subtarget not in keyed_bones
        and ik_chain(bone, constraint) <= set(keyed_bones)
    )


def _influence_path(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint) -> str:
    name = escape_identifier(constraint.name)
    return f'pose.bones["{escape_identifier(bone.name)}"].constraints["{name}"].influence'
