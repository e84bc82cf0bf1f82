"""Detection of edits to an action since its bake."""

import zlib
from typing import Final

import bpy

from ... import compat
from .keys import read_column

LABEL_CURVE_PREFIX: Final = '["footfall_'
"""Beginning of the paths of the curves written by labeling, which may rewrite them at any time."""
KEY_FIELDS: Final = ("co", "handle_left", "handle_right", "interpolation")
"""Compared fields of keys."""


def action_checksum(action: bpy.types.Action) -> str:
    """Return a checksum over all keys of an action except those of its labels."""
    total = 0
    for slot in action.slots:
        channelbag = compat.find_channelbag(action, slot)
        if channelbag is None:
            continue
        curves = {(curve.data_path, curve.array_index): curve for curve in channelbag.fcurves}
        for (path, index), curve in sorted(curves.items()):
            if path.startswith(LABEL_CURVE_PREFIX):
                continue
            total = zlib.crc32(f"{path}[{index}]{curve.mute}{len(curve.modifiers)}".encode(), total)
            for name in KEY_FIELDS:
                total = zlib.crc32(read_column(curve, name).data, total)
    return f"{total:08x}"
