"""Reading of a take's motion, by the rig map if bone names or keys are not sufficient."""

import bpy

from ...core.errors import FootfallError
from ...core.jobs.steps import finished
from ...core.motion import Clip
from ...core.motion.roles import LOCOMOTION_ROLES, guess_roles
from ...core.retarget.legs import require_legs
from ...core.rig.rig_map import RigMap
from ..animation.fcurve_io import read_action
from ..animation.fcurve_io.body_reader import is_posed_by_keys_only, read_body
from . import store


def read_mapped_action(
    armature: bpy.types.Object, action: bpy.types.Action, scene: bpy.types.Scene
) -> tuple[Clip, int]:
    """Return the motion of an armature that plays an action, at the scene's rate, and its first scene frame.

    Plain armatures with recognizable names are read with all their bones; other armatures, and those with a map of
    their own, as the mapped body.

    Raises:
        FootfallError: the action does not move this armature, or for less than two frames, or the roles of its bones
            are unknown.
    """
    if not store.has_bone_map(armature) and is_posed_by_keys_only(armature):
        clip, first = read_action(armature, action, scene)
        if _has_legs(clip):
            return clip, first
    return finished(read_body(armature, action, scene, store.rig_map_of(armature)))


def rig_map_for_clip(armature: bpy.types.Object, clip: Clip) -> RigMap | None:
    """Return the rig map needed to read a clip of an armature; ``None`` if its joints' names suffice."""
    telling = not store.has_bone_map(armature) and set(LOCOMOTION_ROLES) <= guess_roles(clip.skeleton.names).keys()
    return None if telling else store.rig_map_of(armature)


def _has_legs(clip: Clip) -> bool:
    try:
        require_legs(clip.skeleton)
    except FootfallError:
        return False
    return True
