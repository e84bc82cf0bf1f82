"""New actions from tracks."""

from collections.abc import Sequence

import bpy
import numpy as np

from ... import compat
from ..fcurve_io.tracks import PropertyTrack
from .track_writer import TrackWriter


def new_action(
    armature: bpy.types.Object, tracks: Sequence[PropertyTrack], start: int, count: int, name: str, writer: TrackWriter
) -> tuple[bpy.types.Action, bpy.types.ActionSlot]:
    """Return a new action and its slot, with tracks of ``count`` rows, or one row, from a scene frame on."""
    action = bpy.data.actions.new(name)
    slot = compat.ensure_slot(action, armature)
    frames = np.arange(start, start + count, dtype=float)
    writer(compat.ensure_channelbag(action, slot), frames, tracks)
    action.use_frame_range = True
    action.frame_start, action.frame_end = float(frames[0]), float(frames[-1])
    return action, slot
