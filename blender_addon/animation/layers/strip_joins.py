"""Joins of a strip with the animation beneath: it blends with motion there, else holds its own end poses.

A strip blends in from a preceding motion, or from a motion's held last pose. It blends out into a continuing motion;
without one it holds its last pose, so that a character stays at the end of its walk. It does not glide to or from a
held pose far away: there it begins or ends abruptly.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

import bpy
import numpy as np

from ....core.message import Message
from ..fcurve_io.slots import bone_of_path
from ..fcurve_io.tracks import PropertyTrack
from .animation import Channel, channels_of
from .beneath import Beneath
from .destination import Destination

MAX_HELD_GAP_M: Final = 0.5
"""Largest distance, meters, over which a strip blends with a held pose."""


@dataclass(frozen=True, slots=True)
class StripJoins:
    """The joins of a strip with the animation beneath it.

    Attributes:
        blend_in, blend_out: number of frames over which the strip blends in and out.
        extrapolation: the strip's extrapolation: ``"HOLD"``, ``"HOLD_FORWARD"`` or ``"NOTHING"``.
        unanimated: channels without other animation that keep their current values around the strip.
        held: channels without other animation that hold the strip's first and last pose around it.
        held_on: channels that hold the strip's last pose after it, while others continue with the animation beneath.
        notes: sentences for the report.
    """

    blend_in: int
    blend_out: int
    extrapolation: str
    unanimated: frozenset[Channel]
    held: frozenset[Channel]
    held_on: frozenset[Channel]
    notes: tuple[Message, ...]


def find_joins(
    armature: bpy.types.Object,
    beneath: Beneath,
    tracks: Sequence[PropertyTrack],
    span: tuple[int, int],
    destination: Destination,
    covered: Collection[Channel],
) -> StripJoins:
    """Find how a strip of tracks joins the animation beneath it.

    Args:
        armature: the owner of the tracks.
        beneath: the animation beneath the strip.
        tracks: tracks of the strip.
        span: first and last scene frame of the strip.
        destination: the destination, with the frames of its blends.
        covered: channels of later strips beneath, which would be hidden if the new strip held its last pose.
    """
    every, before, after = set(channels_of(tracks)), float(span[0] - 1), float(span[1] + 1)
    shown = {channel for channel in every if beneath.shows(channel, before)}
    going_on = {channel for channel in every if beneath.plays(channel, after)} | every.intersection(covered)
    extrapolation = "NOTHING" if going_on else "HOLD_FORWARD" if shown else "HOLD"
    if extrapolation == "HOLD":
        nothing: frozenset[Channel] = frozenset()
        return StripJoins(0, 0, extrapolation, nothing, nothing, nothing, ())
    bare = {channel for channel in every if not beneath.has(channel)}
    # Over an animated body, unanimated channels keep the animator's pose, but locations keep the strip's.
    is_body = 2 * len(shown | going_on) >= len(every)
    places = [track for track in tracks if len(track.values) > 1 and track.path.rpartition(".")[2] == "location"]
    staying = set(channels_of(places)) if is_body else every
    held, held_on = bare & staying, (staying - going_on - bare if going_on else set())

    on_others = [track for track in places if not bare.issuperset(channels_of([track]))]
    notes: list[Message] = []
    blend_in, blend_out = (destination.blend_in if shown else 0), 0
    gap = _gap(armature, on_others, 0, span[0], beneath)
    if blend_in and gap > MAX_HELD_GAP_M:
        if _any_plays(beneath, on_others, before):
            notes.append(
                Message("The bake blends in from animation underneath that is {distance} m away", distance=f"{gap:.1f}")
            )
        else:
            blend_in = 0
            notes.append(
                Message(
                    "The bake begins {distance} m away from the animation underneath, without blending",
                    distance=f"{gap:.1f}",
                )
            )
    if going_on:
        on_others = [track for track in on_others if not going_on.isdisjoint(channels_of([track]))]
        blend_out, gap = destination.blend_out, _gap(armature, on_others, -1, span[1], beneath)
        if blend_out and gap > MAX_HELD_GAP_M:
            if _any_plays(beneath, on_others, after):
                notes.append(
                    Message(
                        "The bake blends out to animation underneath that is {distance} m away", distance=f"{gap:.1f}"
                    )
                )
            else:
                blend_out = 0
    return StripJoins(
        blend_in, blend_out, extrapolation, frozenset(bare - held), frozenset(held), frozenset(held_on), tuple(notes)
    )


def _any_plays(beneath: Beneath, tracks: Sequence[PropertyTrack], frame: float) -> bool:
    return any(beneath.plays(channel, frame) for channel in channels_of(tracks))


def _gap(armature: bpy.types.Object, places: Sequence[PropertyTrack], row: int, frame: int, beneath: Beneath) -> float:
    """Return the largest distance, meters, between a strip's locations in a row and those beneath it at a frame."""
    scale, result = max(armature.matrix_world.to_scale()), 0.0
    for track in places:
        apart = [values[row] - beneath.value(track.path, index, float(frame)) for index, values in track.columns()]
        unit = 1.0 if bone_of_path(track.path) is None else scale
        result = max(result, unit * float(np.linalg.norm(apart)))
    return result
