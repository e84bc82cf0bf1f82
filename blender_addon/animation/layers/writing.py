"""Tracks into actions: a new one, an NLA strip's, or a range of the existing one."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import bpy

from ....core.errors import FootfallError
from ....core.message import Message
from ... import compat
from ...ui.operator_base import require_editable
from ..fcurve_io import keep_and_assign
from ..fcurve_io.slots import slot_for
from ..fcurve_io.tracks import PropertyTrack
from .animation import channels_of, is_shared, keep_with_fake_user, leave_tweak_mode, warnings_about
from .bake_record import BakeRecord, PreviousState, store_record
from .blend_keys import BlendFrames
from .destination import Destination
from .frame_range import range_keys, replace_curve_keys, require_writable
from .new_action import new_action
from .previous_values import PreviousAnimation
from .splice import BlendedRange
from .strip_replacement import ReplacedStrip
from .strip_writing import write_strip
from .switches import Switches
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
    replaced: ReplacedStrip | None = None,
) -> BakeRecord:
    """Write tracks to their destination and return a record with which the bake can be reverted.

    Args:
        armature: the armature that the tracks move.
        tracks: tracks whose first row belongs to ``start_frame``; all have the same number of rows, or one row.
        start_frame: scene frame of the first row.
        destination: destination of the tracks.
        name: name of a new action.
        writer: writer that turns tracks into keys.
        switches: data paths of IK/FK switches, with the bones that each affects. At a change of a switch, these bones
            are not blended with their hidden motion; the switch itself fades.
        replaced: the strip that was removed for the new one.

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
        record = write_strip(armature, tracks, start_frame, count, destination, name, writer, switches, replaced)
    else:
        record = _into_action(armature, tracks, start_frame, count, name, writer)
    armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})
    said = [record.message, *warnings_about(data, tracks)]
    return replace(record, message=Message.joined(". ", (part for part in said if part)))


def _into_action(
    armature: bpy.types.Object, tracks: Sequence[PropertyTrack], start: int, count: int, name: str, writer: TrackWriter
) -> BakeRecord:
    data = armature.animation_data
    leave_tweak_mode(data)
    state, previous = PreviousState.capture(armature, tracks), data.action
    action, _ = new_action(armature, tracks, start, count, name, writer)
    there = {track.name for track in data.nla_tracks}
    message = keep_and_assign(armature, action) or ""
    state.tracks = [track.name for track in data.nla_tracks if track.name not in there]
    state.span = [start, start + count - 1]
    record = BakeRecord("ACTION", action, previous, message)
    store_record(armature, record, state)
    return record


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
        raise FootfallError(
            "'{name}' has no action in which to replace a range: set Output to New Action", name=armature.name
        )
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
            "Action '{name}' is also used elsewhere and was kept: the bake is in its copy '{copy}'",
            name=previous.name,
            copy=action.name,
        )
    else:
        previous.name, previous.use_fake_user = f"{action.name} before bake", True
        message = Message("The previous version of the action was kept as '{name}'", name=previous.name)
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
