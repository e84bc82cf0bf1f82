"""Switches between controls, such as IK and FK, at the start and end of a bake.

A switch with fractional values fades. The previous motion of unselected bones was invisible, so their new motion is not
joined or blended with it: they have their final motion from the first frame on, and become visible with the switch.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

import numpy as np

from ..fcurve_io.tracks import PropertyTrack
from .keys import Keys, new_keys
from .previous_values import PreviousAnimation
from .splice import BlendedRange

Switches = Mapping[str, Collection[str]]
"""Data paths of properties that select controls, with the bones of these controls."""

ChannelValue = Callable[[str, int, float], float]
"""Function of a data path, a channel and a frame that returns the value without the bake."""
VALUE_TOLERANCE: Final = 1e-6


def is_switch(track: PropertyTrack) -> bool:
    """Return whether a track holds a custom property at a single value."""
    return len(track.values) == 1 and track.path.endswith('"]')


def switched_bones(
    value: ChannelValue, tracks: Sequence[PropertyTrack], first: float, last: float, switches: Switches
) -> tuple[set[str], set[str]]:
    """Return the bones whose controls a switch among the tracks changes at a bake's first, and at its last frame."""
    found: tuple[set[str], set[str]] = (set(), set())
    for track in filter(is_switch, tracks):
        for bones, frame in zip(found, (first, last), strict=True):
            if abs(value(track.path, 0, frame) - track.values[0, 0]) > VALUE_TOLERANCE:
                bones.update(switches.get(track.path, ()))
    return found


def switch_keys(previous: PreviousAnimation, path: str, index: int, switch_value: float, frames: BlendedRange) -> Keys:
    """Return keys that hold a property at one value and fade to the old values where the bake joins them."""
    start, end = (previous.value(path, index, frame) for frame in (frames.first, frames.last))
    blend = frames.blend
    points = {
        frames.first: start if blend.start else switch_value,
        frames.last: end if blend.end else switch_value,
    }
    if blend.start and start != switch_value:
        points.setdefault(frames.first + blend.start, switch_value)
    if blend.end and end != switch_value:
        points.setdefault(frames.last - blend.end, switch_value)
    ordered = sorted(points)
    values = np.array([points[frame] for frame in ordered])
    return new_keys(np.array(ordered, dtype=float), values, "LINEAR" if blend.start or blend.end else "CONSTANT")
