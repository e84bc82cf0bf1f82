"""Rotations of a strip, represented like the rotations beneath it.

The NLA blends numbers, not rotations. A quaternion and its negative are one rotation, and so are angles that differ by
whole turns, but values halfway between them are meaningless. So a strip's rotations begin with the sign, and the number
of turns, of the values beneath; if they must end with other ones, the representation changes between two frames in the
strip's middle.
"""

from dataclasses import dataclass, replace

import bpy
import numpy as np

from ....core.motion.rotations import Array
from ..fcurve_io.tracks import PropertyTrack
from .destination import Destination
from .keys import read_keys, replace_keys
from .segments import CONSTANT_CODE, insert_key
from .switches import ChannelValue


@dataclass(frozen=True, slots=True, eq=False)
class RepresentationChange:
    """A change of a rotation's representation from a frame on: channels (n) times a factor, plus a shift (n)."""

    frame: int
    factor: float
    offset: Array


def match_representation(
    track: PropertyTrack, start: int, destination: Destination, previous_value: ChannelValue
) -> tuple[PropertyTrack, RepresentationChange | None]:
    """Match the representation of a rotation track to the animation beneath its start; return the track and the change.

    The change is the one of representation needed before the track's end, if any. Other tracks, and rotations with a
    locked channel, are unchanged.
    """
    kind, count = track.path.rpartition(".")[2], len(track.values)
    if kind not in ("rotation_quaternion", "rotation_euler") or count < 4 or np.isnan(track.values).any():
        return track, None
    blend_in, blend_out = (min(max(n, 0), count // 2 - 1) for n in (destination.blend_in, destination.blend_out))

    def apart(values: Array, row: int) -> tuple[float, Array]:
        width = values.shape[1]
        old = np.array([previous_value(track.path, index, float(start + row)) for index in range(width)])
        if kind == "rotation_quaternion":
            return (-1.0 if float(old @ values[row]) < 0 else 1.0), np.zeros(width)
        return 1.0, 2 * np.pi * np.round((old - values[row]) / (2 * np.pi))

    values = track.values
    factor, shift = apart(values, blend_in // 2 if blend_in else count - 1 - blend_out // 2)
    values = values * factor + shift
    change = None
    if blend_in and blend_out:
        factor, shift = apart(values, count - 1 - blend_out // 2)
        if factor < 0 or shift.any():
            change = RepresentationChange(start + (blend_in + count - 1 - blend_out) // 2, factor, shift)
    return replace(track, values=values), change


def change_representation(curve: bpy.types.FCurve, index: int, representation: RepresentationChange) -> None:
    """Change a written curve to another rotation representation after a frame; the motion looks the same."""
    keys = read_keys(curve)
    for frame in (representation.frame, representation.frame + 1):
        keys = insert_key(keys, frame, float(curve.evaluate(frame)))
    times = keys["co"][:, 0]
    keys["interpolation"][times == representation.frame] = CONSTANT_CODE
    later = times > representation.frame
    for name in ("co", "handle_left", "handle_right"):
        keys[name][later, 1] = keys[name][later, 1] * representation.factor + representation.offset[index]
    replace_keys(curve, keys)
