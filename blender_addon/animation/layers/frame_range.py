"""Tracks in a range of frames of an existing action, with joins; all keys outside the range are unchanged."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ....core.errors import FootfallError
from ....core.motion.rotations import Array
from ... import compat
from ..fcurve_io.tracks import PropertyTrack
from .animation import Channel, animated_by_nla, describe_path
from .blend_keys import BlendFrames, BoundaryValues, is_other_representation, join_rotations, join_values
from .keys import Keys, read_keys, replace_keys
from .previous_values import PreviousAnimation
from .property_value import read_value
from .segments import insert_key
from .splice import BlendedRange, splice_keys
from .switches import Switches, is_switch, switch_keys, switched_bones
from .track_writer import TrackWriter


@dataclass(frozen=True, slots=True, eq=False)
class CurveKeys:
    """All keys of one F-curve: its data path and array index, its group if it is new, and the keys."""

    channel: Channel
    group: str
    keys: Keys


def require_writable(armature: bpy.types.Object, previous: PreviousAnimation, channels: Collection[Channel]) -> None:
    """Raise :class:`FootfallError` if curves are not writable, or writing would change motion outside the range."""
    below = animated_by_nla(armature.animation_data)
    for channel in channels:
        curve, what = previous.curves.get(channel), describe_path(channel[0])
        if curve is None:
            if channel in below:
                raise FootfallError(
                    "The NLA strip '{strip}' animates {channel}, but the action above the strip does not: bake "
                    "into an NLA strip instead",
                    strip=below[channel],
                    channel=what,
                )
            continue
        if curve.lock or (curve.group is not None and curve.group.lock):
            raise FootfallError("The F-curves of {channel} are locked: unlock them in the Graph Editor", channel=what)
        if curve.mute or (curve.group is not None and curve.group.mute):
            raise FootfallError(
                "The F-curves of {channel} are muted: unmute or remove them in the Graph Editor", channel=what
            )
        if len(curve.sampled_points) or any(not modifier.mute for modifier in curve.modifiers):
            raise FootfallError(
                "The F-curves of {channel} have modifiers, or samples instead of keys: convert them to keys in "
                "the Graph Editor, or bake into an NLA strip",
                channel=what,
            )


def range_keys(
    armature: bpy.types.Object,
    previous: PreviousAnimation,
    tracks: Sequence[PropertyTrack],
    frames: BlendedRange,
    writer: TrackWriter,
    switches: Switches,
) -> list[CurveKeys]:
    """Return the curves of an action after inserting tracks into a range of its frames; nothing is written.

    Args:
        armature: the armature that plays the action.
        previous: the current action.
        tracks: tracks with a row for each of the range's frames, or with one row.
        frames: the range.
        writer: writer that turns tracks into keys.
        switches: see :mod:`.switches`.
    """
    turning = [track for track in tracks if is_switch(track)]
    changed = switched_bones(previous.value, turning, frames.first, frames.last, switches)
    moving = [
        _blend_ends(armature, previous, track, frames, changed)
        for track in (_every_frame(track, frames) for track in tracks if not is_switch(track))
    ]
    written = _written_keys(
        writer, np.arange(frames.first, frames.last + 1, dtype=float), [track for track, _ in moving]
    )
    result: list[CurveKeys] = []

    def put(
        track: PropertyTrack, index: int, inner: Keys, own: BlendedRange, jumps: tuple[bool, bool] = (False, False)
    ) -> None:
        def value(frame: float) -> float:
            return previous.value(track.path, index, frame)

        old = read_keys(previous.curves.get((track.path, index)))
        result.append(CurveKeys((track.path, index), track.group, splice_keys(old, inner, own, value, jumps)))

    for track, blend in moving:
        jumps = _representation_jumps(previous, track, frames, blend)
        for index, column in track.columns():
            inner = written[track.path, index]
            for jump, frame in zip(jumps, (frames.first + 1, frames.last - 1), strict=True):
                if jump:
                    inner = insert_key(inner, frame, float(column[frame - frames.first]))
            put(track, index, inner, replace(frames, blend=blend), jumps)
    for track in turning:
        gradual = isinstance(read_value(armature, track.path), float)
        own = frames if gradual else replace(frames, blend=BlendFrames(0, 0))
        for index, values in track.columns():
            put(track, index, switch_keys(previous, track.path, index, float(values[0]), own), own)
    return result


def replace_curve_keys(channelbag: bpy.types.ActionChannelbag, curves: Sequence[CurveKeys]) -> None:
    """Replace curves of an action; curves that exist keep their colors, groups and order."""
    there = {(curve.data_path, curve.array_index): curve for curve in channelbag.fcurves}
    for curve in curves:
        path, index = curve.channel
        replace_keys(there.get(curve.channel) or compat.replace_curve(channelbag, path, index, curve.group), curve.keys)


def _is_rotation_path(path: str) -> bool:
    return path.rpartition(".")[2].startswith("rotation_")


def _every_frame(track: PropertyTrack, frames: BlendedRange) -> PropertyTrack:
    count = frames.last - frames.first + 1
    return replace(track, values=np.repeat(track.values, count, axis=0)) if len(track.values) == 1 else track


def _blend_ends(
    armature: bpy.types.Object,
    previous: PreviousAnimation,
    track: PropertyTrack,
    frames: BlendedRange,
    switched: tuple[set[str], set[str]],
) -> tuple[PropertyTrack, BlendFrames]:
    """Blend the ends of a track into the previous values; return it, and the frames of the blend."""
    blend = BlendFrames(
        0 if track.group in switched[0] else frames.blend.start, 0 if track.group in switched[1] else frames.blend.end
    )
    width = track.values.shape[1]
    around = (frames.first - 1, frames.first, frames.last, frames.last + 1)
    old = BoundaryValues(*(previous.values(track.path, width, frame) for frame in around))
    values = track.values
    if _is_rotation_path(track.path) and not np.isnan(values).any():
        owner = armature if "." not in track.path else armature.path_resolve(track.path.rpartition(".")[0])
        values = join_rotations(values, owner.rotation_mode, old, blend)
    else:
        values = join_values(values, old, blend)
    return replace(track, values=values), blend


def _representation_jumps(
    previous: PreviousAnimation, track: PropertyTrack, frames: BlendedRange, blend: BlendFrames
) -> tuple[bool, bool]:
    """Return whether a blended rotation changes its representation at the start, and at the end."""

    def says_other(row: int, frame: int) -> bool:
        return is_other_representation(track.values[row], previous.values(track.path, track.values.shape[1], frame))

    if not _is_rotation_path(track.path):
        return False, False
    return blend.start > 0 and says_other(0, frames.first), blend.end > 0 and says_other(-1, frames.last)


def _written_keys(writer: TrackWriter, frames: Array, tracks: Sequence[PropertyTrack]) -> dict[Channel, Keys]:
    """Return the keys that a writer would create from tracks, by channel."""
    scratch = bpy.data.actions.new("Footfall")
    try:
        slot = scratch.slots.new(id_type="OBJECT", name="Footfall")
        channelbag = compat.ensure_channelbag(scratch, slot)
        writer(channelbag, frames, tracks)
        return {(curve.data_path, curve.array_index): read_keys(curve) for curve in channelbag.fcurves}
    finally:
        bpy.data.actions.remove(scratch)
