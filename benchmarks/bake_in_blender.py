"""Script for Blender's Python: bakes a path and prints ``{"frames", "seconds", "bones", "megabytes"}`` as JSON.

Arguments: the controller's file, the speed in m/s, and a JSON list of points.
"""
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false

import json
import os
import resource
import sys
from time import perf_counter

import bpy

import footfall


def bake(controller: str, speed: float, points: list[list[float]]) -> dict[str, float]:
    """Add the controller's character, draw the path and press the button."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    footfall.register()
    bpy.context.scene.render.fps = 60
    curve = draw(points)
    bpy.ops.footfall.add_character(controller="file", filepath=controller)
    armature = bpy.context.object
    armature.footfall.path, armature.footfall.speed = curve, speed
    start, before = perf_counter(), peak_megabytes()
    bpy.ops.footfall.bake_shot()
    seconds, megabytes = perf_counter() - start, peak_megabytes() - before
    data = armature.animation_data
    first, last = data.action.frame_range
    curves = data.action.layers[0].strips[0].channelbag(data.action_slot).fcurves
    keyed = {curve.data_path.split('"')[1] for curve in curves if curve.data_path.startswith("pose.bones")}
    return {"frames": round(last - first) + 1, "seconds": seconds, "bones": len(keyed), "megabytes": megabytes}


def peak_megabytes() -> float:
    """Return the largest memory of this process so far (Linux), megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def draw(points: list[list[float]]) -> bpy.types.Object:
    """Return a curve through points (x, y) on the ground."""
    data = bpy.data.curves.new("Path", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("POLY")
    spline.points.add(len(points) - 1)
    for point, (x, y) in zip(spline.points, points, strict=True):
        point.co = (x, y, 0.0, 1.0)
    curve = bpy.data.objects.new("Path", data)
    bpy.context.collection.objects.link(curve)
    return curve


print(json.dumps(bake(sys.argv[1], float(sys.argv[2]), json.loads(sys.argv[3]))), flush=True)
os._exit(0)  # Blender's module may hang if the interpreter ends with registered classes
