"""Takes side by side, as ghosts in the 3D viewport."""

from typing import Final

import bpy
import numpy as np

from ....core.errors import FootfallError
from ....core.motion import Clip
from ...rig.clip_reader import read_mapped_action
from ...rig.figure import BodyMesh
from ...ui.gpu_drawing import draw_mesh, scene_depth
from ...ui.memo import Memo
from ...ui.operator_base import active_armature
from ...ui.overlay import Overlay

SPACING_M: Final = 1.0
"""Distance of a ghost from the next one."""
KEPT_TAKES: Final = 20

_clips: Memo[tuple[Clip, int, BodyMesh] | None] = Memo(KEPT_TAKES)


def _clip_of(
    armature: bpy.types.Object, action: bpy.types.Action, scene: bpy.types.Scene
) -> tuple[Clip, int, BodyMesh] | None:
    """Return the motion of a take, its first frame and its body; ``None`` where it cannot be read."""
    try:
        clip, first = read_mapped_action(armature, action, scene)
    except FootfallError:
        return None
    return clip, first, BodyMesh.of(clip.skeleton)


def ghosts(armature: bpy.types.Object, scene: bpy.types.Scene) -> list[tuple[Clip, int, BodyMesh, np.ndarray]]:
    """Return motion, frame, body and place aside (3), meters, of the takes that are shown now.

    Those with stars are shown, all where none has one; the take that is used is the character itself.
    """
    settings = armature.footfall
    takes = [item for item in settings.takes if item.action is not None]
    starred = [item for item in takes if item.has_star] or takes
    found = []
    for number, item in enumerate(one for one in starred if one.action != settings.baked_action):
        key = armature.name_full, item.action.name_full, item.seed
        kept = _clips.get(key, lambda item=item: _clip_of(armature, item.action, scene))
        if kept is None:
            continue
        clip, first, body = kept
        frame = int(np.clip(scene.frame_current - first, 0, len(clip) - 1))
        side = np.array([SPACING_M * (number // 2 + 1) * (-1.0 if number % 2 else 1.0), 0.0, 0.0])
        found.append((clip, frame, body, side))
    return found


def _draw(context: bpy.types.Context) -> None:
    armature = active_armature(context)
    if armature is None or not context.window_manager.footfall.show_takes or not armature.footfall.takes:
        return
    with scene_depth():
        for clip, frame, body, side in ghosts(armature, context.scene):
            vertices, colors = body.posed_vertices(clip, frame)
            draw_mesh(vertices + side.astype(np.float32), colors, body.triangles)


_overlay = Overlay("takes", [(_draw, "POST_VIEW")])
register, unregister = _overlay.start, _overlay.stop
