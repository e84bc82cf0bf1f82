"""Waypoint: a character is at a place on a frame, with a given facing, and continues to the next."""

import math
from collections.abc import Sequence
from typing import Final

import bpy

from ..camera import place_camera
from ..stage import Colour, plain_material
from ..walk import add_walker
from .film import Film, Shot, empty_stage

MARKS: Final = (((-0.55, 0.25), 48), ((1.25, -0.35), 96))
"""Places, meters, and the frames of arrival."""
BEGINS: Final = (-2.2, -0.5)
FACES: Final = -65.0
"""Direction of the last waypoint, degrees about Z from +X."""
FIRST, LAST = 11, 112
"""Frames of the film, without the standing before the walk."""
CAMERA: Final = (-0.3, -5.1, 1.75)
AIM: Final = (-0.3, 0.0, 0.8)
RADIUS_M: Final = 0.34
WAITING: Final[Colour] = (0.93, 0.60, 0.10, 1.0)
REACHED: Final[Colour] = (0.10, 0.55, 0.18, 1.0)


def build() -> Film:
    """Return the film."""
    scene, _ = empty_stage()
    armature = add_walker()
    armature.location = (*BEGINS, 0.0)
    armature.rotation_euler.z = math.pi / 2
    for place, frame in MARKS:
        empty = bpy.data.objects.new(f"Frame {frame}", None)
        empty.location = (*place, 0.0)
        empty.rotation_euler.z = math.radians(FACES - 90.0)
        scene.collection.objects.link(empty)
        waypoint = armature.footfall.waypoints.add()
        waypoint.empty, waypoint.frame = empty, frame
        waypoint.match_rotation = frame == MARKS[-1][1]
        _add_ring(scene, place, frame)
    bpy.context.view_layer.objects.active = armature
    bpy.context.view_layer.update()
    bpy.ops.footfall.bake_shot()
    camera = place_camera(scene, "Waypoints", CAMERA, AIM)
    return Film(scene, (Shot(camera, FIRST, LAST, lambda frame: f"Frame {frame}"),))


def _add_ring(scene: bpy.types.Scene, place: Sequence[float], frame: int) -> None:
    """Add a ring on the floor with its frame number behind it, which changes its color on that frame."""
    bpy.ops.mesh.primitive_torus_add(major_radius=RADIUS_M, minor_radius=0.02, major_segments=64)
    ring = bpy.context.object
    ring.location, ring.scale.z = (*place, 0.004), 0.3
    material = plain_material(f"Ring {frame}", WAITING)
    color = next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED").inputs["Base Color"]
    for at, value in ((frame - 1, WAITING), (frame, REACHED)):
        color.default_value = value
        color.keyframe_insert("default_value", frame=at)
    ring.data.materials.append(material)
    words = bpy.data.curves.new(f"Sign {frame}", "FONT")
    words.body, words.size, words.align_x, words.extrude = str(frame), 0.34, "CENTER", 0.01
    words.materials.append(material)
    sign = bpy.data.objects.new(words.name, words)
    sign.location, sign.rotation_euler.x = (place[0] - RADIUS_M - 0.22, place[1] + 0.25, 0.01), math.pi / 2
    scene.collection.objects.link(sign)
