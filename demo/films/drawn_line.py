"""A line drawn on the ground, with a pen at its tip."""

from typing import Final

import bpy
import numpy as np

from ...core.motion.polyline import arc_lengths_of
from ...core.motion.rotations import Array
from ..stage import LINE, plain_material
from .film import shown_from

RADIUS_M: Final = 0.022
PEN_M: Final = 0.07
LIFT_M: Final = 0.012
"""Height of the line over the ground."""


def add_drawn_line(scene: bpy.types.Scene, points: Array, first: int, last: int) -> None:
    """Add a line through points (N, 3), meters, drawn from start to end between two frames."""
    raised = points + np.array([0.0, 0.0, LIFT_M])
    material = plain_material("Drawn Line", LINE)
    data = bpy.data.curves.new("Drawn Line", "CURVE")
    data.dimensions, data.bevel_depth, data.bevel_factor_mapping_end = "3D", RADIUS_M, "SPLINE"
    spline = data.splines.new("POLY")
    spline.points.add(len(raised) - 1)
    spline.points.foreach_set("co", np.column_stack([raised, np.ones(len(raised))]).ravel())
    data.materials.append(material)
    line = bpy.data.objects.new("Drawn Line", data)
    scene.collection.objects.link(line)
    bpy.ops.mesh.primitive_uv_sphere_add(radius=PEN_M)
    pen = bpy.context.object
    pen.data.shade_smooth()
    pen.data.materials.append(material)
    lengths = arc_lengths_of(raised)
    for frame in range(first, last + 1):
        share = _eased((frame - first) / (last - first))
        data.bevel_factor_end = max(share, 1e-4)
        data.keyframe_insert("bevel_factor_end", frame=frame)
        pen.location = [float(np.interp(share * lengths[-1], lengths, raised[:, axis])) for axis in range(3)]
        pen.keyframe_insert("location", frame=frame)
    shown_from(pen, first)
    shown_from(pen, last + 2, False)


def _eased(share: float) -> float:
    """Return the share of a stroke's length at a share of its time, slow at both ends."""
    return share * share * (3.0 - 2.0 * share)
