"""Driven paths as Bezier curves."""

import bpy
import numpy as np

from ....core.control.drive.curve_fit import FittedCurve


def add_curve(name: str, curve: FittedCurve, scale: float, collection: bpy.types.Collection) -> bpy.types.Object:
    """Add a curve object to the scene and return it.

    Args:
        name: name of the object.
        curve: the curve, in controller meters.
        scale: world meters per controller meter.
        collection: collection for the object.
    """
    data = bpy.data.curves.new(name, "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("BEZIER")
    points = spline.bezier_points
    points.add(len(curve.points) - 1)
    for point in points:
        point.handle_left_type = point.handle_right_type = "ALIGNED"
    for part, places in (("co", curve.points), ("handle_left", curve.before), ("handle_right", curve.after)):
        points.foreach_set(part, (scale * places).astype(np.float32).ravel())
    made = bpy.data.objects.new(name, data)
    collection.objects.link(made)
    return made
