"""Tracks into actions: a new one, that of an NLA strip, or a range of the existing one."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import bpy
import numpy as np

from ....core.errors import FootfallError
from ....core.message import Message
from ... import compat
from ...ui.operator_base import require_editable
from ..fcurve_io import keep_and_assign
from ..fcurve_io.curves import curves_of
from ..fcurve_io.slots import slot_for
from ..fcurve_io.tracks import PropertyTrack
from .animation import (
    animated_by_action,
    animated_by_nla,
    channels_of,
    is_shared,
    keep_with_fake_user,
    leave_tweak_mode,
    value_in_nla,
    warnings_about,
)
from .bake_record import BakeRecord, PreviousState, store_record
from .blend_keys import BlendFrames
from .destination import Destination
from .frame_range import range_keys, replace_curve_keys, require_writable
from .nla_strip import make_base_action, push_down, put_strip, require_nla_enabled, set_blend_frames
from .previous_values import PreviousAnimation
from .rotation_match import RepresentationChange, change_representation, match_representation
from .splice import BlendedRange
from .switches import ChannelValue, Switches, switched_bones
from .track_writer import TrackWriter, write_tracks

NO_SWITCHES: Final[Switches] = {}


def write(
    armature: bpy.types.Object,
    tracks: Sequence[PropertyTrack],
    start_frame: int,
    destination: Destination,
    name: str,
    writer: TrackWriter = write_tracks,
    switches: Switches = NO_SWITCHES,
) -> BakeRecord:
    """Write tracks to their destination; the previous animation is kept, named in the message and can be restored.

    Args:
        armature: the owner of the tracks.
        tracks: their values' first row belongs to ``start_frame``; all have the same number of rows, or one.
        start_frame: the scene's frame.
        destination: where they go.
        name: what a new action is called.
        writer: what turns tracks into keys.
        switches: the data paths of IK/FK switches, and the bones among which they choose. Where a switch changes, these
            bones are not blended with what they did unseen; the switch itself fades.

    Raises:
        FootfallError: the bake is impossible; no key, action or track was changed.
    """
    require_editable(armature, "Armature")
    count = max((len(track.values) for track in tracks), default=0)
    if count < 2:
        raise FootfallError("Nothing was baked: a motion needs at least two frames")
    data = armature.animation_data or armature.animation_data_create()
    frames = destination.frame_range(start_frame, count)
    if destination.kind == "RANGE":
        record = _into_range(armature, tracks, start_frame, frames, destination, writer, switches)
    elif destination.kind == "STRIP":
        record = _into_strip(armature, tracks, start_frame, count, destination, name, writer, switches)
    else:
        record = _into_action(armature, tracks, start_frame, count, name, writer)
    armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})
    said = [record.message, *warnings_about(data, tracks)]
    return replace(record, message=Message.joined("; ", (part for part in said if part)))


def _into_action(
    armature: bpy.types.Object, tracks: Sequence[PropertyTrack], start: int, count: int, name: str, writer: TrackWriter
) -> BakeRecord:
    data = armature.animation_data
    leave_tweak_mode(data)
    state, previous = PreviousState.capture(armature, tracks), data.action
    action, _ = _new_action(armature, tracks, start, count, name, writer)
    there = {track.name for track in data.nla_tracks}
    message = keep_and_assign(armature, action) or ""
    state.tracks = [track.name for track in data.nla_tracks if track.name not in there]
    state.span = [start, start + count - 1]
    record = BakeRecord("ACTION", action, previous, message)
    store_record(armature, record, state)
    return record


def _into_strip(
    armature: bpy.types.Object,
    tracks: Sequence[PropertyTrack],
    start: int,
    count: int,
    destination: Destination,
    name: str,
    writer: TrackWriter,
    switches: Switches,
) -> BakeRecord:
    data, scene, end = armature.animation_data, bpy.context.scene, start + count - 1
    require_nla_enabled(data)
    leave_tweak_mode(data)
    state, previous, own = PreviousState.capture(armature, tracks), data.action, animated_by_action(data)
    beneath = own | animated_by_nla(data).keys()
    there = {track.name for track in data.nla_tracks}
    value = _previous_values(armature)
    said = [match_representation(track, start, destination, value) for track in tracks]
    changed = switched_bones(value, tracks, start, end, switches)

    action, slot = _new_action(armature, [track for track, _ in said], start, count, name, writer)
    _change_representations(action, slot, said)
    hidden = [track for track, _ in said if len(track.values) > 1 and track.group in changed[0] | changed[1]]
    unseen = _new_action(armature, hidden, start, count, f"{name} unseen", writer) if hidden else None

    data.use_nla = True
    message = ""
    if own:
        over = (float(min(scene.frame_start, start)), float(max(scene.frame_end, end)))
        message = Message(
            "previous action '{name}' kept on NLA track '{push_down}' underneath",
            name=previous.name,
            push_down=push_down(data, over),
        )
    elif previous is not None:
        data.action = None
        keep_with_fake_user(previous)
        message = Message("previous action '{name}', which had no effect, kept with a fake user", name=previous.name)
    bare = [channel for channel in channels_of(tracks) if channel not in beneath]
    base = None
    if bare and (beneath or destination.blend_in or destination.blend_out):
        base, base_slot = make_base_action(armature, bare, f"{name} underneath", float(start))
        put_strip(data, base, base_slot).extrapolation = "HOLD"
    if unseen is not None:
        # Where a switch changes, its bones are at once where the strip has them, whatever its influence is.
        blend_in, blend_out = (
            0 if bones else frames
            for bones, frames in zip(changed, (destination.blend_in, destination.blend_out), strict=True)
        )
        set_blend_frames(put_strip(data, *unseen), blend_in, blend_out)
    strip = put_strip(data, action, slot)
    set_blend_frames(strip, destination.blend_in, destination.blend_out)
    if bare and base is None:
        strip.extrapolation = "HOLD"
    state.tracks = [track.name for track in data.nla_tracks if track.name not in there]
    state.span = [start, start + count - 1]
    record = BakeRecord("STRIP", action, previous, message)
    store_record(armature, record, state, base, unseen[0] if unseen else None)
    return record


def _previous_values(armature: bpy.types.Object) -> ChannelValue:
    """Return the values of the armature's properties without the bake, in its action and NLA strips."""
    data = armature.animation_data
    before = PreviousAnimation(armature, data.action, data.action_slot)

    def value(path: str, index: int, frame: float) -> float:
        in_nla = None if (path, index) in before.curves else value_in_nla(data, path, index, frame)
        return before.value(path, index, frame) if in_nla is None else in_nla

    return value


def _change_representations(
    action: bpy.types.Action,
    slot: bpy.types.ActionSlot,
    changes: Sequence[tuple[PropertyTrack, RepresentationChange | None]],
) -> None:
    """Change the representation of rotations within a strip."""
    curves = curves_of(action, slot)
    for track, how in changes:
        if how is not None:
            for index, _ in track.columns():
                change_representation(curves[track.path, index], index, how)


def _into_range(
    armature: bpy.types.Object,
    tracks: Sequence[PropertyTrack],
    start: int,
    frames: tuple[int, int],
    destination: Destination,
    writer: TrackWriter,
    switches: Switches,
) -> BakeRecord:
    data = armature.animation_data
    first, last = frames
    leave_tweak_mode(data)
    action = data.action
    if action is None:
        raise FootfallError("'{name}' has no action to bake a range into: bake into a new action", name=armature.name)
    slot = slot_for(armature, action)
    before = PreviousAnimation(armature, action, slot)
    require_writable(armature, before, channels_of(tracks))
    cut = [
        replace(track, values=track.values[first - start : last - start + 1]) if len(track.values) > 1 else track
        for track in tracks
    ]
    span = BlendedRange(
        first, last, BlendFrames(destination.blend_in, destination.blend_out).clamped_to(last - first + 1)
    )
    curves = range_keys(armature, before, cut, span, writer, switches)

    state, previous = PreviousState.capture(armature, tracks), action.copy()
    state.copied = is_shared(armature, action) or not action.is_editable
    if state.copied:
        action, previous = previous, action
        data.action = action
        keep_with_fake_user(previous)
        message = Message(
            "action '{name}' is also used elsewhere and kept: '{name_2}' is a copy of it",
            name=previous.name,
            name_2=action.name,
        )
    else:
        previous.name, previous.use_fake_user = f"{action.name} before bake", True
        message = Message("the previous version of the action is kept as '{name}'", name=previous.name)
    slot = compat.ensure_slot(action, armature) if slot is None else action.slots[slot.identifier]
    data.action_slot = slot
    replace_curve_keys(compat.ensure_channelbag(action, slot), curves)
    if action.use_frame_range:
        action.frame_start, action.frame_end = min(action.frame_start, first), max(action.frame_end, last)
    action.update_tag()
    state.span = [first, last]
    record = BakeRecord("RANGE", action, previous, message)
    store_record(armature, record, state)
    return record


def _new_action(
    armature: bpy.types.Object, tracks: Sequence[PropertyTrack], start: int, count: int, name: str, writer: TrackWriter
) -> tuple[bpy.types.Action, bpy.types.ActionSlot]:
    action = bpy.data.actions.new(name)
    slot = compat.ensure_slot(action, armature)
    frames = np.arange(start, start + count, dtype=float)
    writer(compat.ensure_channelbag(action, slot), frames, tracks)
    action.use_frame_range = True
    action.frame_start, action.frame_end = float(frames[0]), float(frames[-1])
    return action, slot
