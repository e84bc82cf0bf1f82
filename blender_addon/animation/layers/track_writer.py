"""Tracks as F-curves: the only place where a bake's values become keys."""

from collections.abc import Sequence
from typing import Protocol

import bpy

from ....core.motion.rotations import Array
from ..fcurve_io.curves import write_curve
from ..fcurve_io.tracks import PropertyTrack


class TrackWriter(Protocol):
    """Protocol of functions that turn tracks into keys: :func:`write_tracks`, or a writer of fewer keys.

    It replaces every curve of the tracks, with keys at least at the first and the last frame (for a track of one row,
    at the first), and touches no other curve. It must not fail for reasons that a user can cause.
    """

    def __call__(self, channelbag: bpy.types.ActionChannelbag, frames: Array, tracks: Sequence[PropertyTrack]) -> None:
        """Write tracks whose rows belong to ascending scene frames (F)."""
        ...


def write_tracks(channelbag: bpy.types.ActionChannelbag, frames: Array, tracks: Sequence[PropertyTrack]) -> None:
    """Write a key on each of the ascending scene frames (F); a track of one row gets one key at the first frame."""
    for track in tracks:
        at = frames[: len(track.values)]
        for index, values in track.columns():
            write_curve(channelbag, track.path, index, track.group, at, values, track.interpolation)
