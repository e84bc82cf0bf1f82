"""Script for Blender's Python: bakes a walk of each controller on rigs, and measures their uprightness.

Arguments: controllers' files, then names of characters, or none for all. Prints a JSON object a line.
"""
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false

import json
import os
import sys
from pathlib import Path
from typing import Any

import bpy

import footfall
from footfall.benchmarks.own_controllers import PATH, mean_ups, sole_tilt
from footfall.benchmarks.postures import standing_ups
from footfall.benchmarks.scripted_rigs.characters import CHARACTERS, MORE_BODIES, put_character
from footfall.blender_addon.animation.fcurve_io.body_reader import read_body
from footfall.blender_addon.rig.store import rig_map_of
from footfall.core.errors import FootfallError
from footfall.core.motion import Clip


def bake(name: str, controller: Path) -> Clip:
    """Return the motion of a character's bones along the path, baked by a controller."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if not hasattr(bpy.types.Object, "footfall"):
        footfall.register()
    armature = put_character((CHARACTERS | MORE_BODIES)[name])
    data = bpy.data.curves.new("Path", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("POLY")
    spline.points.add(len(PATH) - 1)
    for point, (x, y) in zip(spline.points, PATH, strict=True):
        point.co = (x, y, 0.0, 1.0)
    path = bpy.data.objects.new("Path", data)
    bpy.context.collection.objects.link(path)
    settings = armature.footfall
    settings.path, settings.controller, settings.controller_file = path, "file", str(controller)
    bpy.ops.footfall.bake_shot()
    reading = read_body(armature, settings.baked_action, bpy.context.scene, rig_map_of(armature))
    while True:
        try:
            next(reading)
        except StopIteration as done:
            return done.value[0]


def measure(name: str, controller: Path) -> dict[str, Any]:
    """Return the mean up directions of a character's trunk and the roll of its soles, or the error."""
    entry = {"source": controller.parent.name, "character": name}
    try:
        clip = bake(name, controller)
    except (FootfallError, RuntimeError) as error:
        return entry | {"error": str(error).strip()}
    ups = standing_ups(clip.skeleton)
    baked, _ = mean_ups(clip, ups)
    return entry | {"ups": {part: up.tolist() for part, up in baked.items()}, "sole": sole_tilt(clip, ups)}


chosen = [Path(argument) for argument in sys.argv[1:] if argument.endswith(".safetensors")]
names = [argument for argument in sys.argv[1:] if not argument.endswith(".safetensors")]
for file in chosen:
    for who in names or {**CHARACTERS, **MORE_BODIES}:
        print(json.dumps(measure(who, file)), flush=True)
os._exit(0)  # Blender's module may hang if the interpreter ends with registered classes
