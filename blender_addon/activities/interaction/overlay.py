"""The contacts of a motion with its object: lines from contact points to bones, drawn in the 3D viewport."""

from collections.abc import Iterator
from typing import Final

import bpy
import gpu
import numpy as np

from ...rig.store import rig_map_of
from ...scene.fitted_objects import source_names
from ...ui.gpu_drawing import draw_lines
from ...ui.overlay import Overlay
from .object_fits import contact_empties

LINE_WIDTH_PX: Final = 3.0
TOUCHING_COLOR, APART_COLOR = (0.2, 0.9, 0.4, 1.0), (1.0, 0.45, 0.2, 0.8)
TOUCH_DISTANCE_M: Final = 0.25
"""Meters from a contact point to its bone up to which they touch each other."""


def contact_lines(scene: bpy.types.Scene) -> Iterator[tuple[np.ndarray, bool]]:
    """Yield the line (2, 3), meters, world, from each contact point to the head of its bone, and whether they touch."""
    armatures = {one.name_full: one for one in scene.objects if one.type == "ARMATURE"}
    for thing in scene.objects:
        armature = armatures.get(source_names(thing)[0])
        if armature is None:
            continue
        bones = rig_map_of(armature).bones
        for role, empty in contact_empties(thing).items():
            bone = armature.pose.bones.get(bones.get(role, ""))
            if bone is None:
                continue
            ends = np.array([empty.matrix_world.translation, armature.matrix_world @ bone.head], dtype=np.float32)
            yield ends, bool(np.linalg.norm(ends[1] - ends[0]) < TOUCH_DISTANCE_M)


def _draw(context: bpy.types.Context) -> None:
    if not context.window_manager.footfall.show_object_contacts:
        return
    gpu.state.blend_set("ALPHA")
    for ends, near in contact_lines(context.scene):
        draw_lines(ends, TOUCHING_COLOR if near else APART_COLOR, LINE_WIDTH_PX)
    gpu.state.blend_set("NONE")


_overlay = Overlay("contacts", [(_draw, "POST_VIEW")])
register, unregister = _overlay.start, _overlay.stop
