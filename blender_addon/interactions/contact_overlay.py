"""The contacts of a motion with its object: lines from contact points to bones, drawn in the 3D viewport."""

import sys
import traceback
from collections.abc import Iterator
from typing import Final

import bpy
import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader

from ..rig.store import rig_map_of
from .object_fits import contact_empties, source_names

LINE_WIDTH_PX: Final = 3.0
TOUCHING_COLOR, APART_COLOR = (0.2, 0.9, 0.4, 1.0), (1.0, 0.45, 0.2, 0.8)
TOUCH_DISTANCE_M: Final = 0.25
"""Meters from a contact point to its bone up to which they touch each other."""


class _DrawHandler:
    handle: object | None = None


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


def register() -> None:
    """Add the drawing, if Blender has windows."""
    if not bpy.app.background:
        _DrawHandler.handle = bpy.types.SpaceView3D.draw_handler_add(_draw_once, (), "WINDOW", "POST_VIEW")


def unregister() -> None:
    """Remove the drawing."""
    if _DrawHandler.handle is not None:
        bpy.types.SpaceView3D.draw_handler_remove(_DrawHandler.handle, "WINDOW")
        _DrawHandler.handle = None


def _draw_once() -> None:
    """Draw; after an error, report it once and stop drawing, so that the console is not filled."""
    try:
        if bpy.context.window_manager.footfall.show_object_contacts:
            _draw()
    except Exception:
        traceback.print_exc()
        print("Footfall: the overlay of contacts is switched off after this error.", file=sys.stderr)
        unregister()


def _draw() -> None:
    shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    shader.bind()
    shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
    shader.uniform_float("lineWidth", LINE_WIDTH_PX)
    gpu.state.blend_set("ALPHA")
    for ends, near in contact_lines(bpy.context.scene):
        shader.uniform_float("color", TOUCHING_COLOR if near else APART_COLOR)
        batch_for_shader(shader, "LINES", {"pos": ends}).draw(shader)
    gpu.state.blend_set("NONE")
