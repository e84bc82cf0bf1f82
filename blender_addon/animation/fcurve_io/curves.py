"""F-curves as arrays."""

from collections.abc import Iterable, Sequence
from typing import Final

import bpy
import numpy as np
from bpy.utils import escape_identifier

from ....core.motion.rotations import Array
from ... import compat

INTERPOLATION_CODES: Final = {"CONSTANT": 0, "LINEAR": 1, "BEZIER": 2}
KEY_TYPE_GENERATED: Final = 5
HANDLE_AUTO_CLAMPED: Final = 4

CurveMap = dict[tuple[str, int], bpy.types.FCurve]


def bone_path(bone: str, channel: str) -> str:
    """Return the data path of a pose bone's channel."""
    return f'pose.bones["{escape_identifier(bone)}"].{channel}'


def curves_of(action: bpy.types.Action, slot: bpy.types.ActionSlot) -> CurveMap:
    """Return the F-curves of a slot by data path and array index, without muted or empty ones."""
    channelbag = compat.find_channelbag(action, slot)
    if channelbag is None:
        return {}
    found = ((curve, len(curve.keyframe_points) or len(curve.sampled_points)) for curve in channelbag.fcurves)
    return {(curve.data_path, curve.array_index): curve for curve, keys in found if keys and not curve.mute}


def sample_curve(curve: bpy.types.FCurve, frames: Array) -> Array:
    """Return the values (F) of a curve at ascending frames (F).

    A key on every frame, as written by importers and bakes, is read as one array; other curves are evaluated by
    Blender.
    """
    count = len(curve.keyframe_points)
    if count and not curve.modifiers:
        keys = np.empty(count * 2, dtype=np.float32)
        curve.keyframe_points.foreach_get("co", keys)
        times, values = keys[0::2], keys[1::2].astype(float)
        first = int(np.searchsorted(times, frames[0]))
        if np.array_equal(times[first : first + len(frames)], frames):
            return values[first : first + len(frames)]
    return np.fromiter((curve.evaluate(float(frame)) for frame in frames), dtype=float, count=len(frames))


def channel_values(curves: CurveMap, path: str, default: Sequence[float], frames: Array) -> Array:
    """Return the values of an array channel such as ``location`` as (F, n), or (1, n) if no curve animates it.

    Components without a curve have the default value.
    """
    if not any((path, index) in curves for index in range(len(default))):
        return np.array([default], dtype=float)
    result = np.empty((len(frames), len(default)))
    for index, value in enumerate(default):
        curve = curves.get((path, index))
        result[:, index] = value if curve is None else sample_curve(curve, frames)
    return result


def write_channel(
    channelbag: bpy.types.ActionChannelbag,
    path: str,
    group: str,
    frames: Array,
    columns: Iterable[Array],
    interpolation: str,
) -> None:
    """Write one F-curve for each column of values (F), with keys of type *generated* at ascending frames (F)."""
    for index, column in enumerate(columns):
        write_curve(channelbag, path, index, group, frames, column, interpolation)


def write_curve(
    channelbag: bpy.types.ActionChannelbag,
    path: str,
    index: int,
    group: str,
    frames: Array,
    values: Array,
    interpolation: str,
) -> None:
    """Replace an F-curve with keys of type *generated* that have values (F) at ascending frames (F)."""
    count = len(frames)
    points = np.empty((count, 2), dtype=np.float32)
    points[:, 0], points[:, 1] = frames, values
    curve = compat.replace_curve(channelbag, path, index, group)
    curve.keyframe_points.add(count)
    curve.keyframe_points.foreach_set("co", points.ravel())
    _set_all(curve, "interpolation", INTERPOLATION_CODES[interpolation], count)
    _set_all(curve, "type", KEY_TYPE_GENERATED, count)
    _set_all(curve, "handle_left_type", HANDLE_AUTO_CLAMPED, count)
    _set_all(curve, "handle_right_type", HANDLE_AUTO_CLAMPED, count)
    curve.update()


def _set_all(curve: bpy.types.FCurve, attribute: str, value: int, count: int) -> None:
    curve.keyframe_points.foreach_set(attribute, np.full(count, value, dtype=np.int32))
