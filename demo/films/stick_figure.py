"""A captured clip without changes: joints as dots, with lines between them."""

from typing import Final

import bpy
from mathutils import Vector

from ...core.motion import Clip
from ..stage import Colour, plain_material

COLOR: Final[Colour] = (0.02, 0.05, 0.10, 1.0)
DOT_M: Final = 0.034
LINE_M: Final = 0.011
"""Radii."""


def add_stick_figure(clip: Clip, first: int) -> None:
    """Add a dot for each joint with a role, and a line to its nearest ancestor, with keys from a frame on."""
    material = plain_material("Captured", COLOR)
    skeleton = clip.skeleton
    shown = set(skeleton.roles.values())
    for joint in sorted(shown):
        dot = _add_dot(material)
        parent = skeleton.parents[joint]
        while parent >= 0 and parent not in shown:
            parent = skeleton.parents[parent]
        line = _add_line(material) if parent >= 0 else None
        for frame, places in enumerate(clip.positions, start=first):
            dot.location = places[joint]
            dot.keyframe_insert("location", frame=frame)
            if line is not None:
                _lay(line, Vector(places[parent]), Vector(places[joint]))
                for channel in ("location", "rotation_quaternion", "scale"):
                    line.keyframe_insert(channel, frame=frame)


def _add_dot(material: bpy.types.Material) -> bpy.types.Object:
    bpy.ops.mesh.primitive_uv_sphere_add(radius=DOT_M, segments=16, ring_count=8)
    dot = bpy.context.object
    dot.data.shade_smooth()
    dot.data.materials.append(material)
    return dot


def _add_line(material: bpy.types.Material) -> bpy.types.Object:
    """Return a rod along Z from -1/2 to 1/2."""
    bpy.ops.mesh.primitive_cylinder_add(radius=LINE_M, depth=1.0, vertices=12)
    line = bpy.context.object
    line.rotation_mode = "QUATERNION"
    line.data.materials.append(material)
    return line


def _lay(line: bpy.types.Object, start: Vector, end: Vector) -> None:
    """Place a rod between two points."""
    line.location = (start + end) / 2
    line.rotation_quaternion = (end - start).to_track_quat("Z", "Y")
    line.scale.z = (end - start).length
