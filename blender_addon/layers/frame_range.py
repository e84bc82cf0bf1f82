"""Tracks into a range of frames of an action that is there, with joins; all keys outside the range stay as they are."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ...core.errors import FootfallError
from ...core.motion.rotations import Array
from .. import compat
from ..clip_bridge.tracks import Track
from .animation import Channel, animated_by_nla, said
from .joins import Blend, Old, differs, join_rotations, join_values
from .keys import FREE, KEY, Keys, new_keys, put_keys, read_keys
from .property_value import read_value
from .segments import CONSTANT, cut_after, cut_before, with_key
from .track_writer import Writer

Switches = Mapping[str, Collection[str]]
"""Data paths of properties that choose between controls, such as IK and FK, and the bones that they choose between."""


@dataclass(frozen=True, slots=True)
class Range:
    """The frames ``first`` to ``last`` of the scene, and how their ends are joined."""

    first: int
    last: int
    blend: Blend

    @property
    def cuts(self) -> tuple[int, int]:
        """The outermost frames at which the old curves are still as they were."""
        return self.first - (self.blend.start == 0), self.last + (self.blend.end == 0)


class Before:
    """What an armature's properties do in an action before a bake changes it."""

    def __init__(
        self, armature: bpy.types.Object, action: bpy.types.Action | None, slot: bpy.types.ActionSlot | None
    ) -> None:
        self._armature = armature
        channelbag = compat.find_channelbag(action, slot) if action and slot else None
        curves = channelbag.fcurves if channelbag else ()
        self.curves = {(curve.data_path, curve.array_index): curve for curve in curves}

    def value(self, path: str, index: int, frame: float) -> float:
        """A channel's value at a frame: its curve's, else the property's own."""
        curve = self.curves.get((path, index))
        if curve is not None and len(curve.keyframe_points):
            return float(curve.evaluate(frame))
        value = read_value(self._armature, path)
        if isinstance(value, list):
            return value[index] if index < len(value) else 0.0
        return float(value) if isinstance(value, bool | int | float) else 0.0

    def row(self, path: str, width: int, frame: float) -> Array:
        """A property's values (n) at a frame."""
        return np.array([self.value(path, index, frame) for index in range(width)])


def require_writable(armature: bpy.types.Object, before: Before, channels: Collection[Channel]) -> None:
    """Raises :class:`FootfallError` where curves cannot be written, or what is written would show outside the range."""
    below = animated_by_nla(armature.animation_data)
    for channel in channels:
        curve, what = before.curves.get(channel), said(channel[0])
        if curve is None:
            if channel in below:
                raise FootfallError(
                    f"NLA strip '{below[channel]}' moves {what}, and the action above it does not: "
                    "bake into an NLA strip instead."
                )
            continue
        if curve.lock or (curve.group is not None and curve.group.lock):
            raise FootfallError(f"The curves of {what} are locked: unlock them in the Graph Editor.")
        if curve.mute or (curve.group is not None and curve.group.mute):
            raise FootfallError(f"The curves of {what} are muted: unmute or remove them in the Graph Editor.")
        if len(curve.sampled_points) or any(not modifier.mute for modifier in curve.modifiers):
            raise FootfallError(
                f"The curves of {what} have modifiers, or samples instead of keys: turn them into keys in the Graph "
                "Editor, or bake into an NLA strip."
            )


def write_range(
    armature: bpy.types.Object,
    before: Before,
    channelbag: bpy.types.ActionChannelbag,
    tracks: Sequence[Track],
    frames: Range,
    writer: Writer,
    switches: Switches,
) -> None:
    """Writes tracks whose values (F, n) are those of the range's frames, or of one row, into curves.

    A property of one row that chooses between controls changes over the joins; the bones that it chooses between are
    not joined where it changes, because what they did while they were not chosen was not seen.
    """
    turning = [track for track in tracks if _is_switch(track)]
    changed = _changed_bones(before, turning, frames, switches)
    moving = [
        _joined(armature, before, track, frames, changed)
        for track in (_every_frame(track, frames) for track in tracks if not _is_switch(track))
    ]
    written = _keys_of(writer, np.arange(frames.first, frames.last + 1, dtype=float), [track for track, _ in moving])
    for track, blend in moving:
        old = {end: before.row(track.path, track.values.shape[1], end) for end in (frames.first, frames.last)}
        turns, own = _turns(track.path), replace(frames, blend=blend)
        jumps = (
            turns and blend.start > 0 and differs(track.values[0], old[frames.first]),
            turns and blend.end > 0 and differs(track.values[-1], old[frames.last]),
        )
        for index, column in track.columns():
            inner = written[track.path, index]
            for jump, frame in zip(jumps, (frames.first + 1, frames.last - 1), strict=True):
                if jump:
                    inner = with_key(inner, frame, float(column[frame - frames.first]))
            _put(before, channelbag, track, index, inner, own, jumps)
    for track in turning:
        gradual = isinstance(read_value(armature, track.path), float)
        own = frames if gradual else replace(frames, blend=Blend(0, 0))
        for index, values in track.columns():
            keys = _switch_keys(before, track.path, index, float(values[0]), own)
            _put(before, channelbag, track, index, keys, own, (False, False))


def _is_switch(track: Track) -> bool:
    return len(track.values) == 1 and track.path.endswith('"]')


def _turns(path: str) -> bool:
    return path.rpartition(".")[2].startswith("rotation_")


def _every_frame(track: Track, frames: Range) -> Track:
    count = frames.last - frames.first + 1
    return replace(track, values=np.repeat(track.values, count, axis=0)) if len(track.values) == 1 else track


def _changed_bones(
    before: Before, turning: Sequence[Track], frames: Range, switches: Switches
) -> tuple[set[str], set[str]]:
    """The bones that are chosen anew at the range's start and end."""
    found: tuple[set[str], set[str]] = (set(), set())
    for track in turning:
        for bones, frame in zip(found, (frames.first, frames.last), strict=True):
            if abs(before.value(track.path, 0, frame) - track.values[0, 0]) > 1e-6:
                bones.update(switches.get(track.path, ()))
    return found


def _joined(
    armature: bpy.types.Object, before: Before, track: Track, frames: Range, changed: tuple[set[str], set[str]]
) -> tuple[Track, Blend]:
    """The track with its ends joined to what was there, and where it was."""
    blend = Blend(
        0 if track.group in changed[0] else frames.blend.start, 0 if track.group in changed[1] else frames.blend.end
    )
    width = track.values.shape[1]
    around = (frames.first - 1, frames.first, frames.last, frames.last + 1)
    old = Old(*(before.row(track.path, width, frame) for frame in around))
    values = track.values
    if _turns(track.path) and not np.isnan(values).any():
        owner = armature if "." not in track.path else armature.path_resolve(track.path.rpartition(".")[0])
        values = join_rotations(values, owner.rotation_mode, old, blend)
    else:
        values = join_values(values, old, blend)
    return replace(track, values=values), blend


def _keys_of(writer: Writer, frames: Array, tracks: Sequence[Track]) -> dict[Channel, Keys]:
    """The keys that a writer makes of tracks."""
    scratch = bpy.data.actions.new("Footfall")
    try:
        slot = scratch.slots.new(id_type="OBJECT", name="Footfall")
        channelbag = compat.ensure_channelbag(scratch, slot)
        writer(channelbag, frames, tracks)
        return {(curve.data_path, curve.array_index): read_keys(curve) for curve in channelbag.fcurves}
    finally:
        bpy.data.actions.remove(scratch)


def _switch_keys(before: Before, path: str, index: int, wanted: float, frames: Range) -> Keys:
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


def _put(
    before: Before,
    channelbag: bpy.types.ActionChannelbag,
    track: Track,
    index: int,
    inner: Keys,
    frames: Range,
    jumps: tuple[bool, bool],
) -> None:
    """Puts the keys of the range between those that are there."""
    curve = before.curves.get((track.path, index))
    old = read_keys(curve)
    left, right = frames.cuts

    def value(frame: float) -> float:
        return before.value(track.path, index, frame)

    before_cut, after_cut = cut_before(old, left, value), cut_after(old, right, value)
    inner = np.array(inner, dtype=KEY)
    if frames.blend.start:
        inner, before_cut = _met(before_cut, inner, jumps[0])
    if frames.blend.end:
        inner, after_cut = _left(inner, after_cut, jumps[1])
    elif len(inner):
        inner["interpolation"][-1] = CONSTANT
    if not frames.blend.start:
        before_cut["interpolation"][-1] = CONSTANT
    times = old["co"][:, 0]
    outside_left, outside_right = old[times < frames.first], old[times > frames.last]
    parts = [outside_left, _absent(before_cut, outside_left), inner, _absent(after_cut, outside_right), outside_right]
    merged = np.concatenate(parts)
    merged = merged[np.argsort(merged["co"][:, 0], kind="stable")]
    if curve is None:
        curve = compat.fresh_curve(channelbag, track.path, index, track.group)
    put_keys(curve, merged)


def _met(cut: Keys, inner: Keys, jump: bool) -> tuple[Keys, Keys]:
    """The range's first key in one with the last of the cut before it; the rest of the cut."""
    first = inner[:1]
    if jump:
        first["interpolation"] = CONSTANT
    for name in ("co", "handle_left"):
        first[name] = cut[-1:][name]
    _freed(first)
    return inner, cut[:-1]


def _left(inner: Keys, cut: Keys, jump: bool) -> tuple[Keys, Keys]:
    """The range's last key in one with the first of the cut after it; the rest of the cut."""
    last = inner[-1:]
    for name in ("co", "handle_right", "interpolation", "easing", "back", "amplitude", "period"):
        last[name] = cut[:1][name]
    _freed(last)
    if jump and len(inner) > 1:
        inner["interpolation"][-2] = CONSTANT
    return inner, cut[1:]


def _freed(key: Keys) -> None:
    """Lets the handles of a key at an end be of different slopes: one is the old curve's, one the new one's."""
    key["handle_left_type"] = key["handle_right_type"] = FREE


def _absent(keys: Keys, others: Keys) -> Keys:
    """Those of the keys at whose frames there is no other."""
    return keys[~np.isin(keys["co"][:, 0], others["co"][:, 0])]
