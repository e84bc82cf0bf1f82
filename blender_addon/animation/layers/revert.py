"""Reversal of the last bake: assignments and settings are restored exactly."""

import bpy

from ....core.errors import FootfallError
from ....core.message import Message
from .animation import keep_with_fake_user, leave_tweak_mode
from .bake_record import (
    FOOTFALL_PG_bake_record,
    PreviousState,
    bake_records,
    edited_actions,
    last_record,
    own_records,
    source_of,
    span_of,
    written_actions,
)
from .destination import Destination
from .property_value import read_value, write_value
from .sources import BakeSource
from .strip_replacement import is_strip_untouched, main_strip, own_strips, remove_unused


def why_not_revertible(armature: bpy.types.Object) -> str | None:
    """Return the reason why the last bake cannot be reverted; ``None`` if it can."""
    entry = last_record(armature)
    if entry is None:
        return Message("There is no bake of '{name}' to revert: bake first", name=armature.name)
    data = armature.animation_data
    if data is None or entry.action is None or (entry.destination == "RANGE" and entry.previous_action is None):
        return Message("The last bake of '{name}' was deleted: there is nothing to revert", name=armature.name)
    if entry.destination == "STRIP":
        is_there = main_strip(data, entry) is not None
    else:
        is_there = _assigned_action(data) == entry.action
    if not is_there:
        return Message(
            "'{armature}' has another action now: assign '{action}' to revert its bake",
            armature=armature.name,
            action=entry.action.name,
        )
    tracks = [*_added_tracks(data, entry), *(track for track, _ in own_strips(data, entry))]
    locked = next((track.name for track in tracks if track.lock), None)
    return (
        None
        if locked is None
        else Message("The NLA track '{track}' is locked: unlock it to revert the bake", track=locked)
    )


def is_untouched(armature: bpy.types.Object) -> bool:
    """Return whether the last bake can be reverted and has not been edited."""
    entry = last_record(armature)
    return entry is not None and why_not_revertible(armature) is None and not edited_actions(entry)


def replaced_bake(
    armature: bpy.types.Object, source: BakeSource, destination: Destination, start: int, count: int
) -> int | None:
    """Return the record number of the bake that a new one of ``count`` frames from ``start`` on replaces, if any.

    The replaced bake is unedited, and has the same source and kind of destination. An action or a frame range must be
    the last bake; a strip may be anywhere. Ranges and strips must share frames with the new bake.

    Raises:
        FootfallError: the destination's frames are not a range.
    """
    first, last = destination.frame_range(start, count)
    data = armature.animation_data
    for number, entry in own_records(armature):
        if entry.destination == destination.kind and is_of_source(entry, source):
            span = span_of(entry)
            if destination.kind == "STRIP":
                strip = main_strip(data, entry)
                span = None if strip is None else (round(strip.frame_start), round(strip.frame_end))
            overlaps = span is None or destination.kind == "ACTION" or (first <= span[1] and span[0] <= last)
            is_whole = is_strip_untouched(data, entry) if destination.kind == "STRIP" else is_untouched(armature)
            if overlaps and is_whole:
                return number
        if destination.kind != "STRIP":
            return None
    return None


def is_of_source(entry: FOOTFALL_PG_bake_record, source: BakeSource) -> bool:
    """Return whether a bake has a source; bakes from before sources were stored count as having any."""
    return source_of(entry) in (BakeSource(), source)


def revert(armature: bpy.types.Object, known_untouched: bool = False) -> str:
    """Revert the armature's last bake; actions edited since then are kept with a fake user.

    Args:
        armature: the armature object.
        known_untouched: whether :func:`replaced_bake` has verified that the bake was not edited afterward.

    Returns:
        A sentence for the report.

    Raises:
        FootfallError: there is no bake to revert, or the armature does not play it.
    """
    reason = why_not_revertible(armature)
    if reason is not None:
        raise FootfallError("{reason}", reason=reason)
    entry, data = bake_records(armature)[-1], armature.animation_data
    leave_tweak_mode(data)
    state, kind = PreviousState.from_json(entry.previous_state), entry.destination
    made, changed, previous = (
        written_actions(entry),
        [] if known_untouched else edited_actions(entry),
        entry.previous_action,
    )
    action = made[0]
    # A strip leaves a later assigned action alone, unless the previous one must be assigned again.
    stray = data.action if kind == "STRIP" else None
    keeps_stray = stray is not None and previous is None
    if kind == "STRIP":
        for track, strip in own_strips(data, entry):
            track.strips.remove(strip)
    for track in _added_tracks(data, entry):
        data.nla_tracks.remove(track)
    bake_records(armature).remove(len(bake_records(armature)) - 1)
    name = action.name
    if kind == "RANGE" and not state.copied and previous is not None:
        _restore_copy(action, previous, action in changed)
    if previous is not None and previous.is_editable:
        previous.use_fake_user = state.fake_user
    if not keeps_stray:
        _assign(data, previous, state)
    for path, value in state.values.items():
        if read_value(armature, path) != value:
            write_value(armature, path, value)
    said: list[str] = [
        Message("The bake into action '{name}' was reverted", name=name)
        if kind == "RANGE"
        else Message("The bake '{name}' was reverted", name=name)
    ]
    if not keeps_stray:
        said.append(
            Message("No action is assigned now")
            if previous is None
            else Message("Action '{name}' is assigned again", name=previous.name)
        )
    if stray is not None and stray != previous and not keeps_stray:
        keep_with_fake_user(stray)
        said.append(Message("Action '{name}' was kept with a fake user", name=stray.name))
    for one in made:
        said += _remove_unused(armature, one, one in changed)
    armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})
    return Message.joined(". ", said)


def _assigned_action(data: bpy.types.AnimData) -> bpy.types.Action | None:
    """Return the assigned action; in tweak mode, the one that Blender has set aside."""
    return data.action_tweak_storage if data.use_tweak_mode else data.action


def _added_tracks(data: bpy.types.AnimData, entry: FOOTFALL_PG_bake_record) -> list[bpy.types.NlaTrack]:
    """Return the tracks that a bake has added and that contain only its strips."""
    names = set(PreviousState.from_json(entry.previous_state).tracks)
    pushed_down, own = entry.previous_action, own_strips(data, entry)
    mine = {strip.as_pointer() for _, strip in own}
    return [
        track
        for track in data.nla_tracks
        if track.name in names
        and all(strip.action == pushed_down or strip.as_pointer() in mine for strip in track.strips)
    ]


def _restore_copy(action: bpy.types.Action, copy: bpy.types.Action, was_edited: bool) -> None:
    """Replace an action with its copy everywhere the action is used, and give the copy the action's name."""
    name = action.name
    action.user_remap(copy)
    action.name = f"{name} edited" if was_edited else f"{name} reverted"
    copy.name = name


def _assign(data: bpy.types.AnimData, action: bpy.types.Action | None, state: PreviousState) -> None:
    data.action = action
    if action is not None:
        slot = action.slots.get(state.slot) if state.slot else None
        data.action_slot = slot
    data.action_blend_type, data.action_extrapolation, data.action_influence = state.blend


def _remove_unused(armature: bpy.types.Object, action: bpy.types.Action, was_edited: bool) -> list[str]:
    """Remove an action without other users unless it was edited; return sentences about an action that is kept."""
    if was_edited:
        action.use_fake_user = True
        return [
            Message("Action '{name}' has been edited since the bake and was kept with a fake user", name=action.name)
        ]
    remove_unused(armature, action)
    return []
