"""What holds a motion to its object: lines from contact points to bones, drawn in the 3D viewport."""

import sys
import traceback
from collections.abc import Iterator
from typing import Final

import bpy
import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader

from ..rig.store import rig_map_of
from .object_fits import points_of, source_names

WIDTH: Final = 3.0
NEAR, FAR = (0.2, 0.9, 0.4, 1.0), (1.0, 0.45, 0.2, 0.8)
TOUCHES: Final = 0.25
"""Metres from a contact point to its bone up to which they touch each other."""


class _Drawing:
    handle: object | None = None


def lines_of(scene: bpy.types.Scene) -> Iterator[tuple[np.ndarray, bool]]:
    """Ends (2, 3), metres, world, from each contact point of the scene to the head of its bone, and whether they are
    near.
    """
    armatures = {one.name_full: one for one in scene.objects if one.type == "ARMATURE"}
    for thing in scene.objects:
        armature = armatures.get(source_names(thing)[0])
        if armature is None:
            continue
        bones = rig_map_of(armature).bones
        for role, empty in points_of(thing).items():
            bone = armature.pose.bones.get(bones.get(role, ""))
            if bone is None:
                continue
            ends = np.array([empty.matrix_world.translation, armature.matrix_world @ bone.head], dtype=np.float32)
            yield ends, bool(np.linalg.norm(ends[1] - ends[0]) < TOUCHES)


def register() -> None:
    """Draws where there are windows."""
    if not bpy.app.background:
        _Drawing.handle = bpy.types.SpaceView3D.draw_handler_add(_draw_once, (), "WINDOW", "POST_VIEW")


def unregister() -> None:
    """Draws no more."""
    if _Drawing.handle is not None:
        bpy.types.SpaceView3D.draw_handler_remove(_Drawing.handle, "WINDOW")
        _Drawing.handle = None


def _draw_once() -> None:
    """Draws, or, after an error, says so once and never draws again: a broken overlay must not fill the console."""
    try:
        if bpy.context.window_manager.footfall.show_contacts:
            _draw()
    except Exception:
        traceback.print_exc()
        print("Footfall: the overlay of contacts is switched off after this error.", file=sys.stderr)
        unregister()


def _draw() -> None:
    shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    shader.bind()
    shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
    shader.uniform_float("lineWidth", WIDTH)
    gpu.state.blend_set("ALPHA")
    for ends, near in lines_of(bpy.context.scene):
        shader.uniform_float("color", NEAR if near else FAR)
        batch_for_shader(shader, "LINES", {"pos": ends}).draw(shader)
    gpu.state.blend_set("NONE")
