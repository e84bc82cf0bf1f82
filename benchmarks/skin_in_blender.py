"""Script for Blender's Python: has characters sit, lean, carry and open, and measures their skin at contacts.

Arguments: names of characters, of acts, or none for all. Prints a JSON object a line.
"""
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false

import json
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any, Final

import bpy
import numpy as np

import footfall
from footfall.benchmarks.scripted_rigs.characters import CHARACTERS, MORE_BODIES, put_character
from footfall.blender_addon.activities.interaction.shot_bake import ShotBake
from footfall.blender_addon.activities.interaction.touch_gaps import gap, touches
from footfall.blender_addon.rig.skin_reader import read_posed_skin
from footfall.blender_addon.rig.store import mapped_skeleton, rig_map_of
from footfall.core.errors import FootfallError
from footfall.core.motion import Skeleton
from footfall.training.interactions.props.doors import Door
from footfall.training.interactions.props.mesh_primitives import Mesh, box_mesh
from footfall.training.interactions.props.seats import Chair, Sofa, Stool

RATE: Final = 30
ROUNDS: Final = 200
SAMPLES: Final = 7
STAYS_S: Final = 2.0
PATH: Final = ((0.0, 0.0), (0.3, -1.5), (0.0, -3.0))
STEP: Final = 3
"""Interval of the measured frames of a walk."""
SEATS: Final[Mapping[str, Callable[[], Mesh]]] = {
    "stool": Stool(seat_height=0.45, size=0.36, is_round=False).mesh,
    "chair": Chair(seat_height=0.45).mesh,
    "sofa": Sofa().mesh,
    "box": lambda: box_mesh((-0.3, -0.25, 0.0), (0.3, 0.25, 0.5)),
}
TOUCHED: Final = {"carry": "carry", "door": "open", "lean": "lean"}
ACTS: Final = (*SEATS, *TOUCHED, "walk")


def put(name: str, mesh: Mesh, x: float, y: float, z: float = 0.0) -> bpy.types.Object:
    """Return a new object with a mesh at a place."""
    vertices, triangles = mesh
    data = bpy.data.meshes.new(name)
    data.from_pydata(np.asarray(vertices).tolist(), [], np.asarray(triangles).tolist())
    thing = bpy.data.objects.new(name, data)
    thing.location = (x, y, z)
    bpy.context.collection.objects.link(thing)
    bpy.context.view_layer.update()
    return thing


def block(width: float, depth: float, height: float) -> Mesh:
    """Return a box that stands on its origin."""
    return box_mesh((-width / 2, -depth / 2, 0.0), (width / 2, depth / 2, height))


def set_errand(armature: bpy.types.Object, act: str) -> None:
    """Add the act's objects to the scene and give the character its task."""
    errand = armature.footfall.interaction_tasks.add()
    errand.type, errand.duration = TOUCHED.get(act, "sit"), STAYS_S
    if act in SEATS:
        errand.object = put(act, SEATS[act](), 0.0, -2.0)
    elif act == "carry":
        put("Rack", block(0.6, 0.5, 0.7), 0.0, -1.6)
        errand.object = put("Crate", block(0.35, 0.3, 0.25), 0.0, -1.6, 0.7)
        errand.target = put("Desk", block(1.0, 0.6, 0.75), 2.0, -2.2)
    elif act == "door":
        errand.object = put("Door", Door().leaf_mesh(), 0.0, -2.0)
    else:
        errand.object = put("Table", block(1.2, 0.7, 0.9), 0.0, -2.0)


def touch_gaps(armature: bpy.types.Object, act: str) -> dict[str, list[float]]:
    """Return the gaps of seat and hands, centimeters, at moments of each contact, by role."""
    set_errand(armature, act)
    bake = ShotBake(armature, bpy.context)
    while bake.advance(ROUNDS):
        pass
    bake.finish(bpy.context.scene)
    body, found = mapped_skeleton(armature, rig_map_of(armature)), dict[str, list[float]]()
    for done in bake.acts():
        for touch in touches(done.recording):
            thing = bpy.context.scene.objects[bake.objects[done.objects[touch.object_index]].name]
            for frame in touch.moments(bake.model.rate, SAMPLES):
                bpy.context.scene.frame_set(bake.start_frame + round((done.first + frame) * RATE / bake.model.rate))
                value = gap(armature, body, touch, thing)
                if value is not None:
                    found.setdefault(touch.role, []).append(round(100.0 * value, 2))
    return found


def sole_heights(armature: bpy.types.Object) -> dict[str, list[float]]:
    """Return the height of the lowest skin over the ground, centimeters, on frames of a walk."""
    data = bpy.data.curves.new("Path", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("POLY")
    spline.points.add(len(PATH) - 1)
    for point, (x, y) in zip(spline.points, PATH, strict=True):
        point.co = (x, y, 0.0, 1.0)
    armature.footfall.path = bpy.data.objects.new("Path", data)
    bpy.context.collection.objects.link(armature.footfall.path)
    bpy.ops.footfall.bake_shot()
    first, last = map(int, armature.animation_data.action.frame_range)
    body, heights = mapped_skeleton(armature, rig_map_of(armature)), list[float]()
    for frame in range(first, last + 1, STEP):
        bpy.context.scene.frame_set(frame)
        heights.append(round(100.0 * lowest(armature, body), 2))
    return {"soles": heights}


def lowest(armature: bpy.types.Object, body: Skeleton) -> float:
    """Return the height of the lowest skin, meters."""
    skin = read_posed_skin(armature, body)
    return float(skin.vertices[:, 2].min()) if skin is not None else float("nan")


def measure(name: str, act: str) -> dict[str, Any]:
    """Return the gaps of one character in one act, or the error."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if not hasattr(bpy.types.Object, "footfall"):
        footfall.register()
    bpy.context.scene.render.fps = RATE
    entry: dict[str, Any] = {"character": name, "act": act}
    try:
        armature = put_character((CHARACTERS | MORE_BODIES)[name])
        return entry | {"gaps": sole_heights(armature) if act == "walk" else touch_gaps(armature, act)}
    except (FootfallError, RuntimeError) as error:
        return entry | {"error": str(error)}


chosen = sys.argv[1:]
every = {**CHARACTERS, **MORE_BODIES}
for who in [name for name in every if name in chosen] or every:
    for what in [act for act in ACTS if act in chosen] or ACTS:
        print(json.dumps(measure(who, what)), flush=True)
os._exit(0)  # Blender's module may hang if the interpreter ends with registered classes
