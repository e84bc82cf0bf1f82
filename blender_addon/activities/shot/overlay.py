"""The numbers and names of the active character's beats in the 3D viewport, each where it happens."""

from typing import Final

import bpy
from bpy_extras.view3d_utils import location_3d_to_region_2d
from mathutils import Vector

from ....core.errors import FootfallError
from ....core.message import Message
from ...scene.path_reader import is_path, read_path
from ...ui.colors import palette_for
from ...ui.gpu_drawing import draw_tag
from ...ui.memo import Memo
from ...ui.operator_base import active_armature
from ...ui.overlay import Overlay
from ...ui.translations import translate_interface
from ..interaction.properties import TASK_TITLES

TEXT_PX: Final = 11.0
_anchors: Memo[list[tuple[int, Vector]]] = Memo(1, until_update=True)
"""Places of the tags as they were last; any change of the scene drops them."""


def anchors_of(armature: bpy.types.Object) -> list[tuple[int, Vector]]:
    """Return the index of each beat with a position in the scene, and that position: over an object, or on a path."""
    found = []
    for index, beat in enumerate(armature.footfall.interaction_tasks):
        thing = beat.object or beat.target
        if thing is None:
            continue
        if is_path(thing):
            try:
                places = read_path(thing).places
            except FootfallError:
                continue
            found.append((index, Vector(places[len(places) // 2].tolist())))
            continue
        corners = [thing.matrix_world @ Vector(corner) for corner in thing.bound_box]
        top = max((corner.z for corner in corners), default=0.0)
        found.append((index, Vector((*thing.matrix_world.translation[:2], max(top, thing.matrix_world.translation.z)))))
    return found


def _draw(context: bpy.types.Context) -> None:
    armature = active_armature(context)
    if (
        armature is None
        or not context.window_manager.footfall.show_beats
        or not context.space_data.overlay.show_overlays
    ):
        return
    beats, scale = armature.footfall.interaction_tasks, context.preferences.system.ui_scale
    if not beats:
        return
    palette = palette_for((0.0, 0.0, 0.0))
    taken: dict[tuple[int, int], int] = {}
    for index, place in _anchors.get(armature.name_full, lambda: anchors_of(armature)):
        point = location_3d_to_region_2d(context.region, context.region_data, place)
        if point is None:
            continue
        row = taken.get(key := (round(point.x), round(point.y)), 0)
        taken[key] = row + 1
        text = f"{index + 1} {translate_interface(Message(TASK_TITLES[beats[index].type]))}"
        draw_tag(
            text,
            point.x,
            point.y + 2.0 * TEXT_PX * scale * (row + 1),
            TEXT_PX * scale,
            palette.label_color(beats[index].type),
        )


_overlay = Overlay("beat labels", [(_draw, "POST_PIXEL")])
register, unregister = _overlay.start, _overlay.stop
