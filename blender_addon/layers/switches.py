"""Switches between controls, such as IK and FK, in a range of frames.

A switch that is a share fades over the joins. What the bones did that it had not chosen was not seen, so they are not
joined to it: they are where they shall be from the first frame on, and are seen as the switch comes.
"""

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from ..clip_bridge.tracks import Track
from .before import Before
from .keys import Keys, new_keys
from .splice import Range

Switches = Mapping[str, Collection[str]]
"""Data paths of properties that choose between controls, and the bones that they choose between."""


def is_switch(track: Track) -> bool:
    """Whether a track is one value of a custom property."""
    return len(track.values) == 1 and track.path.endswith('"]')


def changed_bones(
    before: Before, turning: Sequence[Track], frames: Range, switches: Switches
) -> tuple[set[str], set[str]]:
    """The bones that are chosen anew at the range's start and end."""
    found: tuple[set[str], set[str]] = (set(), set())
    for track in turning:
        for bones, frame in zip(found, (frames.first, frames.last), strict=True):
            if abs(before.value(track.path, 0, frame) - track.values[0, 0]) > 1e-6:
                bones.update(switches.get(track.path, ()))
    return found


def switch_keys(before: Before, path: str, index: int, wanted: float, frames: Range) -> Keys:
    """The keys of a property that has one value all along, going there and back over the joins."""
    start, end = (before.value(path, index, frame) for frame in (frames.first, frames.last))
    blend = frames.blend
    points = {
        frames.first: start if blend.start else wanted,
        frames.last: end if blend.end else wanted,
    }
    if blend.start and start != wanted:
        points.setdefault(frames.first + blend.start, wanted)
    if blend.end and end != wanted:
        points.setdefault(frames.last - blend.end, wanted)
    ordered = sorted(points)
    values = np.array([points[frame] for frame in ordered])
    return new_keys(np.array(ordered, dtype=float), values, "LINEAR" if blend.start or blend.end else "CONSTANT")
