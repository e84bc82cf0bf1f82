"""The animation of an armature's properties before a bake changes it."""

import bpy
import numpy as np

from ....core.motion.rotations import Array
from ... import compat
from .property_value import read_value


class PreviousAnimation:
    """The animation of an armature's properties in an action, or without one."""

    def __init__(
        self, armature: bpy.types.Object, action: bpy.types.Action | None, slot: bpy.types.ActionSlot | None
    ) -> None:
        self._armature = armature
        channelbag = compat.find_channelbag(action, slot) if action and slot else None
        curves = channelbag.fcurves if channelbag else ()
        self.curves = {(curve.data_path, curve.array_index): curve for curve in curves}

    def value(self, path: str, index: int, frame: float) -> float:
        """Return a channel's value at a frame: from its curve, or the property's own value without a curve."""
        curve = self.curves.get((path, index))
        if curve is not None and len(curve.keyframe_points):
            return float(curve.evaluate(frame))
        value = read_value(self._armature, path)
        if isinstance(value, list):
            return value[index] if index < len(value) else 0.0
        return float(value) if isinstance(value, bool | int | float) else 0.0

    def values(self, path: str, width: int, frame: float) -> Array:
        """Return the values (n) of a property at a frame."""
        return np.array([self.value(path, index, frame) for index in range(width)])
