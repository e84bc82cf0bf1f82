"""Targets of the active character's strikes in the 3D viewport, and the circle from which each can be reached."""

from typing import Final

import bpy
import numpy as np

from ....core.control.strike.strike_goal import REACHES_M
from ....core.errors import FootfallError
from ....core.motion.proportions import ADULT_LEG_LENGTH_M
from ....core.motion.rotations import Array
from ...rig.store import mapped_skeleton, rig_map_of
from ...ui.gpu_drawing import draw_lines, draw_points, scene_depth
from ...ui.memo import Memo
from ...ui.operator_base import active_armature
from ...ui.overlay import Overlay
from ..interaction.properties import EFFECTOR_ROLES
from .targets import target_point, why_no_target

ACTIVE_COLOR, OTHER_COLOR = (1.0, 0.3, 0.2, 1.0), (1.0, 0.55, 0.4, 0.6)
LINE_WIDTH_PX: Final = 2.0
POINT_SIZE_PX: Final = 9.0
CIRCLE_POINTS: Final = 48
_points: Memo[list[tuple[Array, float, int]]] = Memo(1, until_update=True)
"""The last targets; any change of the scene invalidates them."""


def shown_targets(armature: bpy.types.Object, scene: bpy.types.Scene) -> list[tuple[Array, float, int]]:
    """Return target (3), meters, reach, meters, and list index of each strike whose target is in the current scene."""
    place = np.array(armature.matrix_world.translation[:])
    try:
        size = mapped_skeleton(armature, rig_map_of(armature)).leg_length / ADULT_LEG_LENGTH_M
    except FootfallError:
        return []
    found = []
    for index, strike in enumerate(armature.footfall.combat.strikes):
        if why_no_target(strike, armature, scene) is not None:
            continue
        try:
            target = target_point(strike, place)
        except FootfallError:
            continue
        found.append((target, REACHES_M[EFFECTOR_ROLES[strike.effector][:4]] * size, index))
    return found


def reach_circle(target: Array, reach: float, floor: float) -> Array:
    """Return the ground points (N, 3), meters, world, from which a target can be reached, and a line down to them.

    Args:
        target: (3) target, meters, world.
        reach: horizontal distance, meters.
        floor: height of the ground.
    """
    angles = np.linspace(0.0, 2 * np.pi, CIRCLE_POINTS)
    ring = np.stack([np.cos(angles), np.sin(angles), np.zeros(CIRCLE_POINTS)], axis=-1) * reach
    return ring + np.array([target[0], target[1], floor])


def _draw(context: bpy.types.Context) -> None:
    armature = active_armature(context)
    if armature is None or not context.window_manager.footfall.show_strikes or not armature.footfall.combat.strikes:
        return
    settings, floor = armature.footfall.combat, float(armature.matrix_world.translation.z)
    key = armature.name_full, context.scene.frame_current
    with scene_depth():
        for target, reach, index in _points.get(key, lambda: shown_targets(armature, context.scene)):
            color = ACTIVE_COLOR if index == settings.active_strike else OTHER_COLOR
            below = np.array([target, [target[0], target[1], floor]], dtype=np.float32)
            draw_lines(reach_circle(target, reach, floor).astype(np.float32), color, LINE_WIDTH_PX, "LINE_STRIP")
            draw_lines(below, color, LINE_WIDTH_PX)
            draw_points(target[None], color, POINT_SIZE_PX)


_overlay = Overlay("strikes", [(_draw, "POST_VIEW")])
register, unregister = _overlay.start, _overlay.stop
