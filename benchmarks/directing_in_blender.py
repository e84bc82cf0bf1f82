"""Script for Blender's Python: bakes again after a change, edits a path under the live preview, and prints JSON.

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
from footfall.blender_addon.activities.walk.bake import WalkBake
from footfall.blender_addon.activities.walk.live_preview.draw import LivePreview
from footfall.blender_addon.activities.walk.walk_cache import clear

SECONDS, SPEED, FPS = 60.0, 1.2, 24
TENTH = 30
"""Points of the long path: three per tenth, of which a bend extends over two at most."""
REDRAWS = 60


def winding(length: float, count: int) -> list[tuple[float, float]]:
    """Return the points of a path that winds along the x axis."""
    along = np.linspace(0.0, 1.0, count)
    return np.column_stack([length * along, 2.5 * np.sin(length / 6 * along)]).tolist()


def character(controller: str, points: list[tuple[float, float]]) -> bpy.types.Object:
    """Return the controller's character, with a Bezier curve through points as its path."""
    data = bpy.data.curves.new("Path", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("BEZIER")
    spline.bezier_points.add(len(points) - 1)
    for point, (x, y) in zip(spline.bezier_points, points, strict=True):
        point.co = (x, y, 0.0)
        point.handle_left_type = point.handle_right_type = "AUTO"
    curve = bpy.data.objects.new("Path", data)
    bpy.context.collection.objects.link(curve)
    bpy.ops.footfall.add_character(controller="file", filepath=controller)
    armature = bpy.context.object
    armature.footfall.path, armature.footfall.speed = curve, SPEED
    return armature


def keys_of(armature: bpy.types.Object) -> dict[tuple[str, int], np.ndarray]:
    """Return the values of all curves of the pose."""
    result = {}
    for curve in armature.animation_data.action.layers[0].strips[0].channelbags[0].fcurves:
        if curve.data_path.startswith("pose.bones"):
            values = np.empty(2 * len(curve.keyframe_points))
            curve.keyframe_points.foreach_get("co", values)
            result[curve.data_path, curve.array_index] = values[1::2]
    return result


def timed(operator: Any) -> float:
    """Return the duration of an operator, seconds."""
    start = perf_counter()
    assert operator() == {"FINISHED"}
    return perf_counter() - start


def again(controller: str) -> dict[str, Any]:
    """Bake a minute, move the last point, bake again, and return the measurements."""
    armature = character(controller, winding(SECONDS * SPEED * 0.94, TENTH))
    point = armature.footfall.path.data.splines[0].bezier_points[-1]
    timed(bpy.ops.footfall.bake_shot)
    shares, same, alike, kept = [], True, 0.0, 0
    wholes, agains = [], []
    for _ in range(3):
        before = keys_of(armature)
        point.co.y += 0.7
        changed = WalkBake(armature, bpy.context).reused_frames
        agains.append(timed(bpy.ops.footfall.update_bake))
        after = keys_of(armature)
        frames = int((changed / 60 - 2.0) * FPS)
        same &= all((values[:frames] == before[curve][:frames]).all() for curve, values in after.items())
        clear()
        wholes.append(timed(bpy.ops.footfall.update_bake))
        fresh = keys_of(armature)
        alike = max(alike, *(float(np.abs(values - after[curve]).max()) for curve, values in fresh.items()))
        shares.append(agains[-1] / wholes[-1])
        kept = changed
    return {
        "whole": f"{np.median(wholes):.2f}",
        "again": f"{np.median(agains):.2f}",
        "share": f"{100 * np.median(shares):.0f} %",
        "kept": kept,
        "same": "yes" if same else "no",
        "alike": f"{alike:.1e}",
    }


def live(controller: str) -> list[list[Any]]:
    """Edit a path of 20 s under the live preview and return the measurements."""
    armature = character(controller, winding(20.0 * SPEED * 0.9, 9))
    points = armature.footfall.path.data.splines[0].bezier_points
    preview = LivePreview(armature)
    rows = []
    for number, name in ((7, "last but one"), (4, "middle"), (1, "second")):
        while preview.partial_walk is None or len(preview.partial_walk) < preview.partial_walk.walk.total_frames:
            preview.tick()
        plans, whole = [], []
        for step in range(REDRAWS):
            points[number].co.y += 0.03 * np.sin(0.3 * step)
            start = perf_counter()
            preview._plan(armature)
            planned = perf_counter()
            preview.tick()
            if len(preview.partial_walk):
                preview._body_mesh.posed_vertices(preview.partial_walk.pose(len(preview.partial_walk) - 1), 0)
            plans.append(planned - start)
            whole.append(perf_counter() - start)
        middle = float(np.median(whole))
        rows.append(
            [
                name,
                f"{1000 * np.median(plans):.1f}",
                f"{1000 * middle:.1f}",
                f"{1000 * max(whole):.1f}",
                f"{1 / middle:.0f}",
            ]
        )
    return rows


bpy.ops.wm.read_factory_settings(use_empty=True)
footfall.register()
found = {"again": again(sys.argv[1]), "live": live(sys.argv[1])}
print(json.dumps(found), flush=True)
os._exit(0)  # Blender's module may hang if the interpreter ends with registered classes
