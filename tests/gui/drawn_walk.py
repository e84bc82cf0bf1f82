"""A character with a path, drawn by the mouse or made, and its bake by a button, for stories of walks."""

import math
from typing import Final

from footfall.tests.gui.window import Window

SHOT: Final = """
for name in ("Cube", "Light", "Camera"):
    bpy.data.objects.remove(bpy.data.objects[name])
with bpy.context.temp_override(**region("VIEW_3D")):
    data = bpy.data.curves.new("Way", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("BEZIER")
    spline.bezier_points.add(2)
    for number, point in enumerate(spline.bezier_points):
        point.co = (2.5 * (number - 1), 0.8 * (number % 2), 0.0)
        point.handle_left_type = point.handle_right_type = "AUTO"
    way = bpy.data.objects.new("Way", data)
    bpy.context.collection.objects.link(way)
    bpy.ops.footfall.add_character()
    bpy.context.object.name = "Hero"
    bpy.context.object.footfall.path = way
    bpy.context.object.footfall.performer_share = 0.0
    bpy.ops.ed.undo_push(message="Shot")

def hero():
    return bpy.data.objects["Hero"]

def keys():
    bags = [bag for layer in hero().animation_data.action.layers for strip in layer.strips for bag in strip.channelbags]
    curves = [curve for bag in bags for curve in bag.fcurves if curve.data_path.startswith("pose.bones")]
    return [[point.co[1] for point in curve.keyframe_points] for curve in curves]
"""
"""Makes a path of 5 m that ends at (2.5, 0), a character ``hero()`` that has it, and ``keys()`` of its bones."""
VIEW: Final = """
from mathutils import Vector

def joint(rig, name):
    return rig.matrix_world @ rig.pose.bones[name].head

def look_at(rig, frame, hips, left, right, from_the_side):
    bpy.context.scene.frame_set(frame)
    across = (joint(rig, left) - joint(rig, right)) * Vector((1.0, 1.0, 0.0))
    eye = across if from_the_side else across.cross(Vector((0.0, 0.0, 1.0)))
    view = region("VIEW_3D")["area"].spaces.active.region_3d
    view.view_rotation = eye.normalized().to_track_quat("Z", "Y")
    view.view_location, view.view_distance, view.view_perspective = joint(rig, hips), 3.0, "ORTHO"
"""
"""Looks at a rig from its left or from its front, by the names of the bones at its hips and its two thighs."""
BAD: Final = """[
    (row["measure"], row["worst"]) for row in __import__("json").loads({}.footfall.quality_report)
    if row["verdict"] == "BAD"
]"""
"""The faults that *Bake Quality* shows of a rig."""
WORK: Final = "bpy.context.window_manager.footfall.work_fraction"


def draw_path(gui: Window) -> None:
    """Press *Draw Path*, and drag over the ground in waves."""
    gui.press("footfall.draw_path", at=0.76)
    left, top, width, height = gui.ask("place('VIEW_3D')")
    shares = [(0.25 + 0.035 * step, 0.65 + 0.12 * math.sin(0.6 * step)) for step in range(11)]
    gui.drag([(left + x * width, top + y * height) for x, y in shares])
    gui.wait("bpy.context.object.footfall.path is not None")


def bake(gui: Window, button: str, name: str) -> None:
    """Press a button that bakes, wait, and remember the keys by a name."""
    gui.press(button)
    gui.wait(f"{WORK} < 0 and hero().footfall.baked_action is not None", seconds=240)
    gui.settle()
    gui.ask(f"{name} = keys()")
