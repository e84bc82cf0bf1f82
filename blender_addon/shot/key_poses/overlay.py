"""Ghosts of key poses at their places, drawn in the 3D viewport."""

from typing import Final

import bpy
import gpu
import numpy as np

from ....core.errors import FootfallError
from ....core.motion.rotations import Array
from ...rig.store import mapped_skeleton, rig_map_of
from ...ui.gpu_drawing import draw_lines
from ...ui.memo import Memo
from ...ui.operator_base import active_armature
from ...ui.overlay import Overlay
from .store import decode_pose, object_turn, stored_root

LINE_WIDTH_PX: Final = 3.0
ACTIVE_COLOR, OTHER_COLOR, ISSUE_COLOR = (0.3, 0.9, 1.0, 0.9), (0.3, 0.75, 0.9, 0.45), (1.0, 0.45, 0.2, 0.9)
GHOSTS: Final = 64
"""Number of cached ghosts."""

_ghosts: Memo[Array | None] = Memo(GHOSTS)


def ghost_lines(armature: bpy.types.Object, index: int) -> Array | None:
    """Return the end points (2 B, 3) of the bones in a key pose, meters, world; ``None`` if it cannot be shown."""
    item, action = armature.footfall.key_poses[index], armature.footfall.baked_action
    root = stored_root(action)
    if root is None or not 0 <= item.frame - root[1] < len(root[0]):
        return None
    try:
        pose, _ = decode_pose(
            item.pose, mapped_skeleton(armature, rig_map_of(armature)), object_turn(armature), index + 1
        )
    except FootfallError:
        return None
    placed = root[0].pose_to_world(pose, item.frame - root[1])
    parents = list(placed.skeleton.parents[1:])
    return np.stack([placed.positions[0, parents], placed.positions[0, 1:]], axis=1).reshape(-1, 3)


def _draw(context: bpy.types.Context) -> None:
    armature = active_armature(context)
    if armature is None or not context.window_manager.footfall.show_key_poses:
        return
    settings = armature.footfall
    gpu.state.blend_set("ALPHA")
    for index, item in enumerate(settings.key_poses):
        if not item.is_used:
            continue
        action = settings.baked_action and settings.baked_action.name_full
        key = armature.name_full, action, item.pose, item.frame, item.distance, tuple(armature.matrix_world.translation)
        lines = _ghosts.get(key, lambda index=index: ghost_lines(armature, index))
        if lines is not None:
            plain = ACTIVE_COLOR if index == settings.active_key_pose else OTHER_COLOR
            draw_lines(lines.astype(np.float32), ISSUE_COLOR if item.issue else plain, LINE_WIDTH_PX)
    gpu.state.blend_set("NONE")


_overlay = Overlay("key poses", [(_draw, "POST_VIEW")], in_meters=True)
register, unregister = _overlay.start, _overlay.stop
