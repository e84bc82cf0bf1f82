"""Takes side by side, as ghosts in the 3D viewport."""

from typing import Final

import bpy
import numpy as np

from ....core.errors import FootfallError
from ....core.motion import Clip
from ...rig.clip_reader import read_mapped_action
from ...rig.figure import BodyMesh
from ...ui.gpu_drawing import draw_ghost, scene_depth
from ...ui.idle_task import IdleTask
from ...ui.operator_base import active_armature
from ...ui.overlay import Overlay
from ...ui.redraw import tag_redraw_all

SPACING_M: Final = 1.0
"""Distance between ghosts."""

Ghost = tuple[Clip, int, BodyMesh]
"""Motion of a take, its first frame in the scene, and its body."""

_ghosts: dict[tuple[str, int, int], Ghost | None] = {}
"""Takes read so far, ``None`` for unreadable ones; drawing reads none, since reading plays the rig."""


def _key(armature: bpy.types.Object, item: bpy.types.PropertyGroup) -> tuple[str, int, int]:
    """Return a key for a ghost: its character, action and seed."""
    return armature.name_full, item.action.session_uid, item.seed


def read_shown_takes(armature: bpy.types.Object, scene: bpy.types.Scene) -> None:
    """Read those shown takes of a character that have not been read yet."""
    shown = _shown_takes(armature)
    for key in _ghosts.keys() - {_key(armature, item) for item in shown}:
        del _ghosts[key]
    for item in shown:
        if _key(armature, item) in _ghosts:
            continue
        try:
            clip, first = read_mapped_action(armature, item.action, scene)
        except FootfallError:
            _ghosts[_key(armature, item)] = None
        else:
            _ghosts[_key(armature, item)] = clip, first, BodyMesh.of(clip.skeleton, armature.footfall.rig.body_type)


def _shown_takes(armature: bpy.types.Object) -> list[bpy.types.PropertyGroup]:
    """Return the takes to show beside the character, without the one in use: starred ones, or all without stars."""
    settings = armature.footfall
    takes = [item for item in settings.takes if item.action is not None]
    starred = [item for item in takes if item.has_star] or takes
    return [item for item in starred if item.action != settings.baked_action]


def ghosts(armature: bpy.types.Object, scene: bpy.types.Scene) -> list[tuple[Clip, int, BodyMesh, np.ndarray]]:
    """Return motion, frame, body and sideways offset (3), meters, of each shown take that has been read."""
    found = []
    for number, item in enumerate(_shown_takes(armature)):
        read = _ghosts.get(_key(armature, item))
        if read is None:
            continue
        clip, first, body = read
        frame = int(np.clip(scene.frame_current - first, 0, len(clip) - 1))
        side = np.array([SPACING_M * (number // 2 + 1) * (-1.0 if number % 2 else 1.0), 0.0, 0.0])
        found.append((clip, frame, body, side))
    return found


def _read_active() -> None:
    """Read the active character's takes for the next drawing."""
    context = bpy.context
    armature = active_armature(context)
    if armature is not None and context.window_manager.footfall.show_takes:
        read_shown_takes(armature, context.scene)
        tag_redraw_all()


_reading = IdleTask(_read_active)


def _draw(context: bpy.types.Context) -> None:
    armature = active_armature(context)
    if armature is None or not context.window_manager.footfall.show_takes or not armature.footfall.takes:
        return
    if any(_key(armature, item) not in _ghosts for item in _shown_takes(armature)):
        _reading.request()
    with scene_depth():
        for clip, frame, body, side in ghosts(armature, context.scene):
            vertices, colors = body.posed_vertices(clip, frame)
            draw_ghost(vertices + side.astype(np.float32), colors, body.triangles)


def _free() -> None:
    """Drop all takes that have been read."""
    _reading.cancel()
    _ghosts.clear()


_overlay = Overlay("takes", [(_draw, "POST_VIEW")], free=_free, in_meters=True)
register, unregister = _overlay.start, _overlay.stop
