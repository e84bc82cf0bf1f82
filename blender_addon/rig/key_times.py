"""The frame rate of imported motion, from the times of its keys."""

from collections.abc import Collection, Iterable
from typing import Final

import bpy
import numpy as np

from ...core.motion.rotations import Array

STANDARD_RATES_HZ: Final = (
    *(12.0, 12.5, 15.0, 24000 / 1001, 24.0, 25.0, 30000 / 1001, 30.0, 48.0, 50.0, 60000 / 1001, 60.0, 72.0, 75.0),
    *(90.0, 96.0, 100.0, 120.0, 144.0, 150.0, 180.0, 200.0, 240.0, 250.0, 300.0),
)
"""Usual frames per second."""
SAME_RATE_TOLERANCE: Final = 1e-3
"""Relative difference within which a rate is a usual one."""
MAX_RATE_HZ: Final = 1000.0
"""Largest rate that keys may show; closer keys are damaged."""
WHOLE_FRAME_TOLERANCE: Final = 0.02
"""Rounding tolerance of key times, frames."""
DENSE_CURVE_SHARE: Final = 0.5
"""Least number of keys of a curve that shows the rate, relative to the curve with the most keys."""
EVEN_STEP_SHARE: Final = 0.9
"""Least share of equal steps between keys that shows the rate."""


def own_rate(curves: Iterable[bpy.types.FCurve], file_rate: float) -> float:
    """Return the frame rate of a motion, frames per second.

    This is the file's rate unless evenly spaced keys lie between its frames, as with capture at 120 Hz in a file of 30
    Hz. Keys that were thinned out lie on frames.

    Args:
        curves: the motion's F-curves, in frames of the file's rate.
        file_rate: the rate that the file states.
    """
    times = [_key_points(curve)[:, 0] for curve in curves if len(curve.keyframe_points) > 2]
    most = max(map(len, times), default=0)
    steps = [np.diff(one) for one in times if len(one) >= DENSE_CURVE_SHARE * most]
    if not steps:
        return _nearest_standard(file_rate)
    step = float(np.median([np.median(one) for one in steps]))
    even = np.mean(np.abs(np.concatenate(steps) - step) < WHOLE_FRAME_TOLERANCE * max(step, 1e-6))
    on_frames = step > 0.5 and abs(step - round(step)) < WHOLE_FRAME_TOLERANCE
    if on_frames or even < EVEN_STEP_SHARE or step * MAX_RATE_HZ < file_rate:
        return _nearest_standard(file_rate)
    return _nearest_standard(file_rate / step)


def _nearest_standard(rate: float) -> float:
    """Return the standard frame rate nearest to a rate if it is close enough, else the rate itself."""
    nearest = min(STANDARD_RATES_HZ, key=lambda other: abs(other - rate))
    return nearest if abs(nearest - rate) < SAME_RATE_TOLERANCE * rate / 2 else rate


def are_finite(curves: Iterable[bpy.types.FCurve]) -> bool:
    """Return whether the times and values of all keys are finite."""
    return all(bool(np.isfinite(_key_points(curve)).all()) for curve in curves)


def put_on_frames(curves: Collection[bpy.types.FCurve], factor: float) -> None:
    """Scale the times of keys by a factor, move the first key to frame 1, and snap times that are near whole frames."""
    keyed = [curve for curve in curves if len(curve.keyframe_points)]
    start = min((_key_points(curve)[0, 0] for curve in keyed), default=0.0)
    for curve in keyed:
        for name in ("handle_left", "handle_right", "co"):
            values = _key_points(curve, name)
            values[:, 0] = (values[:, 0] - start) * factor + 1.0
            if name == "co":
                whole = values[:, 0].round()
                values[:, 0] = np.where(np.abs(values[:, 0] - whole) < WHOLE_FRAME_TOLERANCE, whole, values[:, 0])
            curve.keyframe_points.foreach_set(name, values.ravel())
        curve.update()


def _key_points(curve: bpy.types.FCurve, name: str = "co") -> Array:
    """Return the times and values (N, 2) of a curve's keys, or of the keys' handles."""
    points = np.empty(2 * len(curve.keyframe_points), dtype=np.float32)
    curve.keyframe_points.foreach_get(name, points)
    return points.reshape(-1, 2)
