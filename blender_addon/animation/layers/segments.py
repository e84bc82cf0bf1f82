"""Keys that preserve a curve's shape when it is cut at a frame between two keys.

A key at the cut alone is not enough. The handle of the outer key keeps the length that fits its old segment, which in a
shorter segment gives another shape. If this matters, a second key is set one frame from the outer key: between the two
new keys the old shape is exact, and the remaining single frame has no visible shape. Where two keys cannot reproduce
the shape, as between crossing handles, there is a key on every frame.
"""

from collections.abc import Callable
from typing import Final

import numpy as np

from ....core.motion.rotations import Array
from ..fcurve_io.curves import INTERPOLATION_CODES
from .keys import HANDLE_FREE, KEY_DTYPE, Keys, new_keys

CONSTANT_CODE: Final = INTERPOLATION_CODES["CONSTANT"]
LINEAR_CODE: Final = INTERPOLATION_CODES["LINEAR"]
BEZIER_CODE: Final = INTERPOLATION_CODES["BEZIER"]
VALUE_TOLERANCE_RATIO: Final = 2e-6
"""Difference, as a share of the largest value, below which values count as equal in single precision."""

BISECTION_STEPS: Final = 48
"""Number of bisections for a parameter, to double precision."""

CurveFunction = Callable[[float], float]
"""The curve's value at a frame, as Blender evaluates it."""


def cut_before(keys: Keys, frame: float, value: CurveFunction) -> Keys:
    """Cut a curve at ``frame``; return the keys from the last key before it to a new key there.

    They preserve the curve. The caller sets the right handle and the interpolation of the new key.
    """
    outside = keys[keys["co"][:, 0] < frame]
    after = keys[keys["co"][:, 0] >= frame]
    if len(after) and after["co"][0, 0] == frame:
        return _with_free_handles(after[:1])
    at = np.array([frame])
    end = new_keys(at, np.array([value(frame)]), "LINEAR")
    slope = value(frame) - value(frame - 1)
    if not len(after) or not len(outside):  # before the first and after the last key a curve is straight
        end["handle_left"][0] = end["co"][0] - np.array([1.0, slope]) / 3
    if not len(outside):
        return end
    start = outside[-1:]
    between = _whole_frames(float(start["co"][0, 0]), frame)
    kind = int(start["interpolation"][0])
    if kind == LINEAR_CODE or (kind == CONSTANT_CODE and (len(after) or abs(slope) < VALUE_TOLERANCE_RATIO)):
        return end
    if kind == BEZIER_CODE and len(after):
        points = bezier_points(start, after[:1])
        end["handle_left"][0] = subdivide_bezier(points, 0.0, bezier_parameter(points, frame))[2]
        if _matches_curve(bezier_points(start, end), between, value):
            return end
        near = between[0]
        inner = subdivide_bezier(points, bezier_parameter(points, near), bezier_parameter(points, frame))
        first = new_keys(np.array([near]), np.array([value(near)]), "BEZIER")
        first["handle_right"][0], end["handle_left"][0] = inner[1], inner[2]
        if _matches_curve(bezier_points(first, end), between, value):
            return np.concatenate([first, end])
    if not len(between) or (kind == BEZIER_CODE and _matches_curve(bezier_points(start, end), between, value)):
        return end
    if not len(after):
        between = between[:1]
    return np.concatenate([new_keys(between, np.array([value(other) for other in between]), "LINEAR"), end])


def cut_after(keys: Keys, frame: float, value: CurveFunction) -> Keys:
    """Cut a curve at ``frame``; return the keys from a new key there to the first key after it.

    They preserve the curve. The caller sets the left handle of the new key.
    """
    outside = keys[keys["co"][:, 0] > frame]
    before = keys[keys["co"][:, 0] <= frame]
    if len(before) and before["co"][-1, 0] == frame:
        return _with_free_handles(before[-1:])
    start = new_keys(np.array([frame]), np.array([value(frame)]), "LINEAR")
    if not len(outside):
        slope = value(frame + 1) - value(frame)
        start["interpolation"] = BEZIER_CODE
        start["handle_right"][0] = start["co"][0] + np.array([1.0, slope]) / 3
    if not len(outside) or not len(before):
        return start
    end = outside[:1]
    between = _whole_frames(frame, float(end["co"][0, 0]))
    kind = int(before["interpolation"][-1])
    if kind in (CONSTANT_CODE, LINEAR_CODE):
        start["interpolation"] = kind
        return start
    if kind == BEZIER_CODE:
        start["interpolation"] = BEZIER_CODE
        points = bezier_points(before[-1:], end)
        start["handle_right"][0] = subdivide_bezier(points, bezier_parameter(points, frame), 1.0)[1]
        if _matches_curve(bezier_points(start, end), between, value):
            return start
        near = between[-1]
        inner = subdivide_bezier(points, bezier_parameter(points, frame), bezier_parameter(points, near))
        last = new_keys(np.array([near]), np.array([value(near)]), "BEZIER")
        start["handle_right"][0], last["handle_left"][0] = inner[1], inner[2]
        last["handle_right"][0] = subdivide_bezier(points, bezier_parameter(points, near), 1.0)[1]
        if _matches_curve(bezier_points(start, last), between, value):
            return np.concatenate([start, last])
        start["interpolation"] = LINEAR_CODE
    return np.concatenate([start, new_keys(between, np.array([value(other) for other in between]), "LINEAR")])


def insert_key(keys: Keys, frame: float, value: float) -> Keys:
    """Return the keys with one inserted at a frame between the first and the last; the curve keeps its shape."""
    times = keys["co"][:, 0]
    if (times == frame).any():
        return keys
    left, right = keys[times < frame].copy(), keys[times > frame].copy()
    key = new_keys(np.array([frame]), np.array([value]), "LINEAR")
    key["interpolation"] = left["interpolation"][-1]
    if key["interpolation"][0] == BEZIER_CODE:
        points = bezier_points(left[-1:], right[:1])
        share = bezier_parameter(points, frame)
        before, after = subdivide_bezier(points, 0.0, share), subdivide_bezier(points, share, 1.0)
        left["handle_right"][-1], key["handle_left"][0] = before[1], before[2]
        key["handle_right"][0], right["handle_left"][0] = after[1], after[2]
        left["handle_right_type"][-1] = right["handle_left_type"][0] = HANDLE_FREE
    return np.concatenate([left, key, right])


def bezier_points(left: Keys, right: Keys) -> Array:
    """Return the control points (4, 2) of the segment between two keys, with handles shortened as Blender does."""
    points = np.array(
        [left["co"][0], left["handle_right"][0], right["handle_left"][0], right["co"][0]], dtype=np.float64
    )
    length = points[3, 0] - points[0, 0]
    for handle, key in ((1, 0), (2, 3)):
        reach = abs(points[handle, 0] - points[key, 0])
        if reach > length:
            points[handle] = points[key] + (points[handle] - points[key]) * (length / reach)
    return points


def bezier_parameter(points: Array, frame: float) -> float:
    """Return the curve parameter, 0 to 1, at which a segment reaches a frame."""
    start, one, two, three = _power_coefficients(points[:, 0])
    low, high = 0.0, 1.0
    for _ in range(BISECTION_STEPS):
        share = (low + high) / 2
        if start + share * (one + share * (two + share * three)) < frame:
            low = share
        else:
            high = share
    return (low + high) / 2


def subdivide_bezier(points: Array, start: float, end: float) -> Array:
    """Return the control points (4, 2) of the part of a segment between two parameters."""
    return np.array(
        [
            _blossom(points, start, start, start),
            _blossom(points, start, start, end),
            _blossom(points, start, end, end),
            _blossom(points, end, end, end),
        ]
    )


def _power_coefficients(points: Array) -> tuple[float, float, float, float]:
    """Return the polynomial coefficients of a segment, given one coordinate (4) of its control points."""
    a, b, c, d = points.tolist()
    return a, 3 * (b - a), 3 * (a - 2 * b + c), d - a + 3 * (b - c)


def _blossom(points: Array, *shares: float) -> Array:
    for share in shares:
        points = points[:-1] * (1 - share) + points[1:] * share
    return points[0]


def _matches_curve(points: Array, frames: Array, value: CurveFunction) -> bool:
    """Return whether a segment takes the curve's values at whole frames."""
    start, one, two, three = _power_coefficients(points[:, 1])
    for frame in frames.tolist():
        share, wanted = bezier_parameter(points, frame), value(frame)
        if abs(start + share * (one + share * (two + share * three)) - wanted) > VALUE_TOLERANCE_RATIO * (
            1 + abs(wanted)
        ):
            return False
    return True


def _whole_frames(start: float, end: float) -> Array:
    """Return the whole frames strictly between two frames."""
    return np.arange(np.floor(start) + 1, np.ceil(end), dtype=np.float64)


def _with_free_handles(key: Keys) -> Keys:
    """Return a key whose handles are free, so that edits of neighboring keys do not move them."""
    result = np.array(key, dtype=KEY_DTYPE)
    result["handle_left_type"] = result["handle_right_type"] = HANDLE_FREE
    return result
