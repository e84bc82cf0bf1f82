"""From a hand-drawn line to a path: a curve with few points for easy editing."""

from typing import Final

import bpy
import numpy as np
import scipy

from ...core.control.path.path import even_arc_lengths
from ...core.errors import FootfallError
from ...core.motion.polyline import arc_lengths_of
from ...core.motion.rotations import Array

SAMPLE_SPACING_M: Final = 0.05
"""Spacing of the samples of a drawn line, meters."""
SMOOTHING_WIDTH_M: Final = 0.12
"""Width of the smoothing of a trembling hand, meters."""
POINT_SPACING_M: Final = 0.75
"""Approximate spacing of the curve's points, meters."""
LEVEL_M: Final = 0.001
"""Largest rise of a level line, meters."""
MIN_STROKE_LENGTH_M: Final = 0.2
"""Least length of a drawn line, meters."""


def fit_bezier_curve(line: Array, name: str, collection: bpy.types.Collection) -> bpy.types.Object:
    """Fit a Bezier curve to a line (N, 3), meters, world; link it to a collection and return it.

    If the line is level, the curve is 2D, so that points moved in a viewport stay at the line's height.

    Raises:
        FootfallError: the line is too short.
    """
    points = _smooth(line)
    data = bpy.data.curves.new(name, "CURVE")
    level = float(points[:, 2].mean()) if np.ptp(points[:, 2]) < LEVEL_M else None
    data.dimensions = "3D" if level is None else "2D"
    data.fill_mode = "FULL" if level is None else "NONE"
    spline = data.splines.new("BEZIER")
    spline.bezier_points.add(len(points) - 1)
    for point, place in zip(spline.bezier_points, points, strict=True):
        point.co = place - np.array([0.0, 0.0, level or 0.0])
        point.handle_left_type = point.handle_right_type = "AUTO"
    curve = bpy.data.objects.new(name, data)
    curve.location.z = level or 0.0
    collection.objects.link(curve)
    return curve


def _smooth(line: Array) -> Array:
    """Return the points (K, 3) of a line (N, 3) after smoothing; its ends stay in place."""
    lengths = arc_lengths_of(line)
    if lengths[-1] < MIN_STROKE_LENGTH_M:
        raise FootfallError(
            "The drawn path is only {length} m long: drag farther over the ground", length=f"{lengths[-1]:.2f}"
        )
    distinct = np.concatenate([[True], np.diff(lengths) > 0])
    at = even_arc_lengths(SAMPLE_SPACING_M, float(lengths[-1]))
    even = np.stack([np.interp(at, lengths[distinct], axis[distinct]) for axis in line.T], axis=-1)
    sigma = SMOOTHING_WIDTH_M / SAMPLE_SPACING_M
    pad = int(4 * sigma) + 1
    padded = np.pad(even, ((pad, pad), (0, 0)), mode="reflect", reflect_type="odd")
    smooth = scipy.ndimage.gaussian_filter1d(padded, sigma, axis=0)[pad:-pad]
    smooth[0], smooth[-1] = even[0], even[-1]
    count = max(round(float(lengths[-1]) / POINT_SPACING_M), 1) + 1
    return smooth[np.linspace(0, len(smooth) - 1, count).round().astype(int)]
