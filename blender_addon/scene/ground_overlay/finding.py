"""The profile of the ground along a path, computed again after changes."""

from typing import Final

import bpy
from bpy.app.handlers import persistent

from ....core.errors import FootfallError
from ....core.motion.proportions import ADULT_LEG_LENGTH_M, leg_length
from ...animation.output import walk_start_frame
from ...rig.store import has_bone_map, mapped_skeleton, stored_map
from ...ui.idle_task import IdleTask
from ...ui.operator_base import active_armature
from ...ui.redraw import tag_redraw_all
from ..mesh_ground import Clock
from ..path_reader import read_path
from ..walk_scene import read_walk_scene
from .profile import GroundProfile, compute_ground_profile

SETTLE_DELAY_S: Final = 0.3
"""Time without changes before the ground is computed, seconds, so that a dragged curve moves smoothly."""


class _ProfileCache:
    """The last computed profile, and its armature."""

    key: tuple[int, int] | None = None
    profile: GroundProfile | None = None
    error = ""
    is_stale = True


def get_profile(armature: bpy.types.Object) -> tuple[GroundProfile | None, str]:
    """Return the profile of the ground along an armature's path, or the reason why it is unknown.

    The call starts a search if the profile is outdated; until it is done, the last profile is returned.
    """
    of = (armature.session_uid, bpy.context.scene.session_uid)
    if _ProfileCache.key != of:
        _ProfileCache.key, _ProfileCache.profile, _ProfileCache.error, _ProfileCache.is_stale = of, None, "", True
    if _ProfileCache.is_stale:
        task.request(0.0 if _ProfileCache.profile is None else SETTLE_DELAY_S)
    return _ProfileCache.profile, _ProfileCache.error


def cancel_and_clear() -> None:
    """Drop the profile and cancel a search in progress."""
    _ProfileCache.key, _ProfileCache.profile, _ProfileCache.error, _ProfileCache.is_stale = None, None, "", True
    task.cancel()


@persistent
def invalidate(*_: object) -> None:
    """Mark the profile as outdated, since undo or loading a file may have changed the data."""
    cancel_and_clear()


@persistent
def on_depsgraph_update(_scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    """Mark the profile as outdated if the ground may have changed; posing or playing a character does not count."""
    if not _ProfileCache.is_stale and _ProfileCache.key is not None:
        _ProfileCache.is_stale = any(_affects_ground(update) for update in depsgraph.updates)


def _affects_ground(update: bpy.types.DepsgraphUpdate) -> bool:
    block = update.id
    if isinstance(block, bpy.types.Scene | bpy.types.Action):  # a scene counts as changed whenever anything in it has
        return False
    if isinstance(block, bpy.types.Object):
        hangs_on = block.find_armature() or block
        return hangs_on.original.session_uid != (_ProfileCache.key or (0, 0))[0]
    return not isinstance(block, bpy.types.Armature)


def _update_profile() -> None:
    context = bpy.context
    armature = active_armature(context)
    if armature is None or _ProfileCache.key != (armature.session_uid, context.scene.session_uid):
        return
    _ProfileCache.profile, _ProfileCache.error = compute_profile(armature, context)
    context.view_layer.update()  # reading a path creates and removes an object, which would count as a change
    _ProfileCache.is_stale = False
    tag_redraw_all()


task = IdleTask(_update_profile)


def compute_profile(armature: bpy.types.Object, context: bpy.types.Context) -> tuple[GroundProfile | None, str]:
    """Compute the profile of the ground along an armature's path; if that fails, return the reason as a sentence."""
    if armature.footfall.path is None:
        return None, "Choose a path to see the ground along it"
    try:
        path = read_path(armature.footfall.path)
        around = read_walk_scene(armature, context, path.places, Clock(walk_start_frame(armature, context.scene)))
        level = path.mean_height if around.is_level else float(path.heights[0])
        scale = (
            leg_length(mapped_skeleton(armature, stored_map(armature))) / ADULT_LEG_LENGTH_M
            if has_bone_map(armature)
            else 1.0
        )
        return compute_ground_profile(path.points, around.walk_scene, level, scale), ""
    except FootfallError as error:
        return None, str(error)
