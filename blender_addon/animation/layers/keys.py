"""The keys of an F-curve as one array, read and written without loss."""

from collections.abc import Sequence
from typing import Final

import bpy
import numpy as np
from numpy.typing import NDArray

from ..fcurve_io.curves import INTERPOLATION_CODES, KEY_TYPE_GENERATED

KEY_DTYPE: Final = np.dtype(
    [
        ("co", np.float32, 2),
        ("handle_left", np.float32, 2),
        ("handle_right", np.float32, 2),
        ("back", np.float32),
        ("amplitude", np.float32),
        ("period", np.float32),
        ("interpolation", np.int32),
        ("easing", np.int32),
        ("type", np.int32),
        ("handle_left_type", np.int32),
        ("handle_right_type", np.int32),
        ("select_control_point", np.bool_),
        ("select_left_handle", np.bool_),
        ("select_right_handle", np.bool_),
    ]
)
HANDLE_FREE: Final = 0
Keys = NDArray[np.void]
"""Keys (n) of the type KEY, in the order of their frames."""


def read_keys(curve: bpy.types.FCurve | None, names: Sequence[str] = KEY_DTYPE.names or ()) -> Keys:
    """Return the named fields of a curve's keys; empty if there is no curve."""
    keys = np.zeros(0 if curve is None else len(curve.keyframe_points), dtype=KEY_DTYPE)
    if curve is not None:
        for name in names:
            keys[name] = read_column(curve, name).reshape(keys[name].shape)
    return keys


def read_column(curve: bpy.types.FCurve, name: str) -> NDArray[np.generic]:
    """Return one field of all keys of a curve as a flat array."""
    kind = KEY_DTYPE[name]
    column = np.empty(len(curve.keyframe_points) * int(np.prod(kind.shape)), dtype=kind.base)
    curve.keyframe_points.foreach_get(name, column)
    return column


def replace_keys(curve: bpy.types.FCurve, keys: Keys) -> None:
    """Replace all keys of a curve.

    The curve is not updated, since an update would recompute automatic handles, even those of unchanged keys.
    """
    curve.keyframe_points.clear()
    curve.keyframe_points.add(len(keys))
    for name in KEY_DTYPE.names or ():
        curve.keyframe_points.foreach_set(name, np.ascontiguousarray(keys[name]).ravel())


def new_keys(frames: NDArray[np.floating], values: NDArray[np.floating], interpolation: str) -> Keys:
    """Return *generated* keys at frames (n) with values (n), and level handles a third of a frame long."""
    keys = np.zeros(len(frames), dtype=KEY_DTYPE)
    keys["co"] = np.stack([frames, values], axis=-1)
    keys["handle_left"] = keys["co"] - np.array([1 / 3, 0.0], dtype=np.float32)
    keys["handle_right"] = keys["co"] + np.array([1 / 3, 0.0], dtype=np.float32)
    keys["interpolation"] = INTERPOLATION_CODES[interpolation]
    keys["type"] = KEY_TYPE_GENERATED
    keys["handle_left_type"] = keys["handle_right_type"] = HANDLE_FREE
    # Blender's defaults of a new key, which matter if a user chooses another interpolation.
    keys["back"], keys["amplitude"], keys["period"] = 1.70158, 0.8, 4.1
    return keys
