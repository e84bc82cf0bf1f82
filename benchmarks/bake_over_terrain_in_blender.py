"""Script for Blender's Python: bakes a walk over a mesh of about 200 000 triangles.

Prints ``{"frames", "seconds", "triangles"}`` as JSON.

Arguments: the controller's file, the speed in m/s, and the path's length in meters.
"""
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false

import json
import os
import sys
from time import perf_counter

import bpy
import numpy as np

import footfall
from footfall.blender_addon.scene.ground_tags import WALKABLE, set_tag
from footfall.core.terrain.procedural import make_procedural_ground

SIDE = 317
"""Points along a side of the mesh."""


def bake(controller: str, speed: float, length: float) -> dict[str, float]:
    """Add ground and the controller's character, draw the path and press the button."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    footfall.register()
    bpy.context.scene.render.fps = 60
    ground = hills(length)
    curve = draw(length)
    bpy.ops.footfall.add_character(controller="file", filepath=controller)
    armature = bpy.context.object
    armature.footfall.path, armature.footfall.speed = curve, speed
    start = perf_counter()
    bpy.ops.footfall.bake_shot()
    seconds = perf_counter() - start
    first, last = armature.animation_data.action.frame_range
    return {"frames": round(last - first) + 1, "seconds": seconds, "triangles": len(ground.data.loop_triangles)}


def hills(length: float) -> bpy.types.Object:
    """Return a mesh of rubble under the path, of two triangles per square."""
    field = make_procedural_ground("rubble", 1, length + 4.0, (length + 4.0) / (SIDE - 1))
    points = field.grid_points.reshape(-1, 3)
    rows, columns = field.grid.shape
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).reshape(-1)
    faces = np.concatenate(
        [
            np.stack([corner, corner + 1, corner + columns + 1], axis=-1),
            np.stack([corner, corner + columns + 1, corner + columns], axis=-1),
        ]
    )
    mesh = bpy.data.meshes.new("Ground")
    mesh.from_pydata(points.tolist(), [], faces.tolist())
    mesh.calc_loop_triangles()
    ground = bpy.data.objects.new("Ground", mesh)
    bpy.context.collection.objects.link(ground)
    set_tag(ground, WALKABLE)
    return ground


def draw(length: float) -> bpy.types.Object:
    """Return a straight curve across the ground."""
    data = bpy.data.curves.new("Path", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("POLY")
    spline.points.add(1)
    for point, x in zip(spline.points, (-length / 2, length / 2), strict=True):
        point.co = (x, 0.0, 0.0, 1.0)
    curve = bpy.data.objects.new("Path", data)
    bpy.context.collection.objects.link(curve)
    return curve


print(json.dumps(bake(sys.argv[1], float(sys.argv[2]), float(sys.argv[3]))), flush=True)
os._exit(0)  # Blender's module may hang if the interpreter ends with registered classes
