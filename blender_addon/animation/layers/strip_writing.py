"""Tracks into an NLA strip, on new tracks or in the place of a replaced strip."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ....core.message import Message
from ..fcurve_io.curves import curves_of
from ..fcurve_io.tracks import PropertyTrack
from .animation import Channel, animated_by_action, channels_of, keep_with_fake_user, leave_tweak_mode
from .bake_record import BakeRecord, PreviousState, bake_records, store_record
from .beneath import Beneath
from .destination import Destination
from .new_action import new_action
from .nla_strip import make_base_action, push_down, put_strip, require_nla_enabled, set_blend_frames
from .rotation_match import RepresentationChange, change_representation, match_representation
from .strip_joins import StripJoins, find_joins
from .strip_place import StripPlace, find_place
from .strip_replacement import ReplacedStrip
from .switches import Switches, switched_bones
from .track_writer import TrackWriter

ActionAndSlot = tuple[bpy.types.Action, bpy.types.ActionSlot]


@dataclass(frozen=True, slots=True, eq=False)
class _Parts:
    """The actions of a strip: its own, and one for bones that are not blended because a switch changes."""

    main: ActionAndSlot
    unseen: ActionAndSlot | None
    unseen_blends: tuple[int, int]


def write_strip(
    armature: bpy.types.Object,
    tracks: Sequence[PropertyTrack],
    start: int,
    count: int,
    destination: Destination,
    name: str,
    writer: TrackWriter,
    switches: Switches,
    replaced: ReplacedStrip | None = None,
) -> BakeRecord:
    """Write tracks to a new strip, at the place of the strip it replaces, if any; see :func:`.writing.write`."""
    data, span, every = armature.animation_data, (start, start + count - 1), channels_of(tracks)
    require_nla_enabled(data)
    leave_tweak_mode(data)
    state, previous, own = PreviousState.capture(armature, tracks), data.action, animated_by_action(data)
    there = {track.name for track in data.nla_tracks}
    message = ""
    if replaced is None:
        data.use_nla = True
        if previous is not None:
            message = _put_aside(data, previous, bool(own), span)
        state.tracks = [track.name for track in data.nla_tracks if track.name not in there]
    place = replaced.place(span) if replaced is not None else None
    place = place or find_place(armature, every, span, _tracks_of_bakes(armature))
    beneath = Beneath(armature, list(data.nla_tracks) if place.below is None else place.below)
    joins = find_joins(armature, beneath, tracks, span, destination, place.covered)
    if place.shared is not None:  # before or after the others of its track; no other track is needed
        joins, switches = replace(joins, unanimated=frozenset(), held=frozenset(), held_on=frozenset()), {}

    fitted = replace(destination, blend_in=joins.blend_in, blend_out=joins.blend_out)
    parts = _make_parts(armature, tracks, start, count, fitted, name, writer, switches, beneath.value)
    under = _put_underneath(armature, tracks, start, count, name, writer, joins, place)
    if parts.unseen is not None:
        set_blend_frames(_put(place, parts.unseen), *parts.unseen_blends)
        under.append(parts.unseen[0])
    strip = _put(place, parts.main)
    place.remove_unused()
    set_blend_frames(strip, joins.blend_in, joins.blend_out)
    strip.extrapolation = joins.extrapolation

    state.tracks += place.added
    state.strips = [
        one.name for track in data.nla_tracks for one in track.strips if one.action in (parts.main[0], *under)
    ]
    state.span, state.joins = list(span), [strip.blend_in, strip.blend_out]
    told = Message.joined(". ", [part for part in (message, *joins.notes) if part])
    record = BakeRecord("STRIP", parts.main[0], previous, told)
    if replaced is not None:
        replaced.restore(strip, state)
    store_record(armature, record, state, under, replaced.entry() if replaced else None)
    return record


def _tracks_of_bakes(armature: bpy.types.Object) -> set[str]:
    """Return the names of the NLA tracks added by bakes of an armature."""
    states = (PreviousState.from_json(entry.previous_state) for entry in bake_records(armature))
    return {name for state in states for name in state.tracks}


def _put_aside(
    data: bpy.types.AnimData, previous: bpy.types.Action, has_effect: bool, span: tuple[int, int]
) -> Message:
    """Push down the assigned action, or keep it with a fake user if it has no effect; return a message about it."""
    if not has_effect:
        data.action = None
        keep_with_fake_user(previous)
        return Message(
            "The previous action '{name}', which had no effect, was kept with a fake user", name=previous.name
        )
    scene = bpy.context.scene
    over = (float(min(scene.frame_start, span[0] - 1)), float(max(scene.frame_end, span[1] + 1)))
    return Message(
        "The previous action '{name}' was kept on the NLA track '{track}' underneath",
        name=previous.name,
        track=push_down(data, over),
    )


def _make_parts(
    armature: bpy.types.Object,
    tracks: Sequence[PropertyTrack],
    start: int,
    count: int,
    destination: Destination,
    name: str,
    writer: TrackWriter,
    switches: Switches,
    value: Callable[[str, int, float], float],
) -> _Parts:
    """Make the strip's action, and one for bones that are not blended because a switch changes; return both."""
    said = [match_representation(track, start, destination, value) for track in tracks]
    changed = switched_bones(value, tracks, start, start + count - 1, switches)
    main = new_action(armature, [track for track, _ in said], start, count, name, writer)
    _change_representations(*main, said)
    blends = (destination.blend_in, destination.blend_out)
    groups = set().union(*(bones for bones, frames in zip(changed, blends, strict=True) if frames))
    hidden = [track for track, _ in said if len(track.values) > 1 and track.group in groups]
    if not hidden:
        return _Parts(main, None, (0, 0))
    # At a change of a switch, its bones take the strip's pose immediately, whatever the strip's influence.
    at_once = [0 if bones else frames for bones, frames in zip(changed, blends, strict=True)]
    unseen = new_action(armature, hidden, start, count, f"{name} unseen", writer)
    return _Parts(main, unseen, (at_once[0], at_once[1]))


def _put_underneath(
    armature: bpy.types.Object,
    tracks: Sequence[PropertyTrack],
    start: int,
    count: int,
    name: str,
    writer: TrackWriter,
    joins: StripJoins,
    place: StripPlace,
) -> list[bpy.types.Action]:
    """Add strips beneath a strip for channels that nothing animates or that hold its poses; return their actions."""
    made: list[bpy.types.Action] = []
    if joins.unanimated:
        base = make_base_action(armature, joins.unanimated, f"{name} underneath", float(start))
        _put(place, base).extrapolation = "HOLD"
        made.append(base[0])
    for channels, extrapolation, blend_in in (
        (joins.held, "HOLD", 0),
        (joins.held_on, "HOLD_FORWARD", joins.blend_in),
    ):
        if channels:
            still = new_action(armature, _only(tracks, channels), start, count, f"{name} held", writer)
            strip = _put(place, still)
            strip.extrapolation = extrapolation
            set_blend_frames(strip, blend_in, 0)
            made.append(still[0])
    return made


def _only(tracks: Sequence[PropertyTrack], channels: Collection[Channel]) -> list[PropertyTrack]:
    """Return the tracks reduced to the given channels."""
    result: list[PropertyTrack] = []
    for track in tracks:
        wanted = [(track.path, index) in channels for index in range(track.values.shape[1])]
        if any(wanted):
            result.append(replace(track, values=np.where(wanted, track.values, np.nan)))
    return result


def _put(place: StripPlace, action: ActionAndSlot) -> bpy.types.NlaStrip:
    return put_strip(place.next_track(action[0].name), *action)


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
