"""Script for Blender's Python: bakes a walk of a minute again after moving a footprint, and prints JSON.

Argument: the controller's file.
"""
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false

import json
import os
import sys
from time import perf_counter
from typing import Any

import bpy
import numpy as np

import footfall
from footfall.blender_addon.activities.walk.walk_cache import clear

SECONDS, SPEED, TIMES = 60.0, 1.2, 3


def timed(operator: Any) -> float:
    """Return the duration of an operator, seconds."""
    start = perf_counter()
    assert operator() == {"FINISHED"}
    return perf_counter() - start


bpy.ops.wm.read_factory_settings(use_empty=True)
footfall.register()
data = bpy.data.curves.new("Path", "CURVE")
data.dimensions = "3D"
points = data.splines.new("POLY").points
points.add(59)
along = np.linspace(0.0, SECONDS * SPEED * 0.94, 60)
for point, x in zip(points, along, strict=True):
    point.co = (x, 2.5 * np.sin(0.3 * x), 0.0, 1.0)
curve = bpy.data.objects.new("Path", data)
bpy.context.collection.objects.link(curve)
bpy.ops.footfall.add_character(controller="file", filepath=sys.argv[1])
armature = bpy.context.object
armature.footfall.path, armature.footfall.speed = curve, SPEED
timed(bpy.ops.footfall.bake_shot)
bpy.context.scene.frame_set(round(SECONDS * bpy.context.scene.render.fps / 2))
bpy.ops.footfall.edit_step(foot="L")
wholes, agains = [], []
for _ in range(TIMES):
    armature.footfall.edited_steps[0].handle.location.y += 0.1
    bpy.context.view_layer.update()
    agains.append(timed(bpy.ops.footfall.update_bake))
    clear()
    wholes.append(timed(bpy.ops.footfall.update_bake))
whole, again = float(np.median(wholes)), float(np.median(agains))
print(
    json.dumps({"whole": f"{whole:.2f}", "again": f"{again:.2f}", "share": f"{100 * again / whole:.0f} %"}), flush=True
)
os._exit(0)  # Blender's module may hang if the interpreter ends with registered classes
