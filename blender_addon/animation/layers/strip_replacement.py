"""The strip of a bake, found by its record, and replaced in its place."""

from dataclasses import dataclass

import bpy

from .animation import uses_action
from .bake_record import (
    UNDERNEATH,
    FOOTFALL_PG_bake_record,
    PreviousState,
    bake_records,
    edited_actions,
    span_of,
    written_actions,
)
from .property_value import read_value, write_value
from .strip_place import StripPlace, later_channels

OnTrack = tuple[bpy.types.NlaTrack, bpy.types.NlaStrip]


def own_strips(data: bpy.types.AnimData, entry: FOOTFALL_PG_bake_record) -> list[OnTrack]:
    """Return a bake's strips with their tracks, not counting copies that the animator has made."""
    state, actions = PreviousState.from_json(entry.previous_state), written_actions(entry)
    found: list[OnTrack] = []
    for action in actions:
        strips = [(track, strip) for track in data.nla_tracks for strip in track.strips if strip.action == action]
        named = [(track, strip) for track, strip in strips if strip.name in state.strips]
        # A renamed strip still counts as the bake's if there is no other.
        found += named or (strips if len(strips) == 1 or not state.strips else [])
    return found


def main_strip(data: bpy.types.AnimData | None, entry: FOOTFALL_PG_bake_record) -> bpy.types.NlaStrip | None:
    """Return the strip that plays a bake's action; ``None`` if it is gone."""
    if data is None or entry.action is None:
        return None
    return next((strip for _, strip in own_strips(data, entry) if strip.action == entry.action), None)


def is_strip_untouched(data: bpy.types.AnimData | None, entry: FOOTFALL_PG_bake_record) -> bool:
    """Return whether a bake's strip exists with unedited keys and timing, even if it was moved."""
    strip = main_strip(data, entry)
    if data is None or strip is None or edited_actions(entry):
        return False
    if any(track.lock for track, _ in own_strips(data, entry)):
        return False
    span = span_of(entry)
    is_whole = span is None or (strip.action_frame_start, strip.action_frame_end) == span
    plain = strip.scale == strip.repeat == 1.0 and strip.blend_type == "REPLACE"
    return is_whole and plain and not (strip.use_reverse or strip.use_animated_time or strip.use_animated_influence)


@dataclass(slots=True)
class ReplacedStrip:
    """A removed strip, whose place a new one takes.

    Attributes:
        armature: owner of the strip.
        index: number of the record of the strip's bake.
        name: name of the strip; empty if it was that of the action.
        mute: whether the strip was muted.
        blends: number of frames over which the strip blends in and out, if the animator has set them.
        tracks: the strip's own tracks, now empty, from the lowest up.
        shared: the track that the strip shared with others.
        below: the tracks beneath the strip.
    """

    armature: bpy.types.Object
    index: int
    name: str
    mute: bool
    blends: tuple[float, float] | None
    tracks: list[bpy.types.NlaTrack]
    shared: bpy.types.NlaTrack | None
    below: list[bpy.types.NlaTrack]

    def place(self, span: tuple[int, int]) -> StripPlace | None:
        """Return the place for a new strip with a span of frames; ``None`` if other strips are in the way."""
        if self.shared is not None and any(
            strip.frame_start < span[1] and span[0] < strip.frame_end for strip in self.shared.strips
        ):
            return None
        above = self.below[-1] if self.below else None
        covered = later_channels(self.armature, self.below, span[1])
        return StripPlace(self.armature, list(self.tracks), above, self.shared, covered, below=self.below)

    def entry(self) -> FOOTFALL_PG_bake_record:
        return bake_records(self.armature)[self.index]

    def restore(self, strip: bpy.types.NlaStrip, state: PreviousState) -> None:
        """Give the new strip the animator's settings of the old one; its record keeps the state before both."""
        if self.name:
            strip.name = self.name
        strip.mute = self.mute
        if self.blends is not None:
            strip.blend_in, strip.blend_out = self.blends
        before = PreviousState.from_json(self.entry().previous_state)
        state.slot, state.blend, state.fake_user = before.slot, before.blend, before.fake_user
        state.values = state.values | before.values
        state.tracks = list(dict.fromkeys([*before.tracks, *state.tracks]))


def take_out(armature: bpy.types.Object, index: int) -> ReplacedStrip:
    """Remove the strip of a bake, and its actions unless something else uses them; return what was removed."""
    data, entry = armature.animation_data, bake_records(armature)[index]
    state, own, main = PreviousState.from_json(entry.previous_state), own_strips(data, entry), main_strip(data, entry)
    assert main is not None
    blends = (main.blend_in, main.blend_out)
    mine = {track.as_pointer() for track, _ in own}
    tracks = list(data.nla_tracks)
    lowest = min(number for number, track in enumerate(tracks) if track.as_pointer() in mine)
    result = ReplacedStrip(
        armature,
        index,
        "" if main.name == main.action.name else main.name,
        main.mute,
        None if list(blends) == state.joins else blends,
        [],
        None,
        tracks[:lowest],
    )
    actions = written_actions(entry)
    for track, strip in own:
        track.strips.remove(strip)
    for track in tracks[lowest:]:
        if track.as_pointer() in mine:
            if len(track.strips):
                result.shared = track
            else:
                result.tracks.append(track)
    for path, value in state.values.items():
        if read_value(armature, path) != value:
            write_value(armature, path, value)
    for name in ("action", *UNDERNEATH):
        setattr(entry, name, None)
    for action in actions:
        remove_unused(armature, action)
    return result


def remove_unused(armature: bpy.types.Object, action: bpy.types.Action) -> bool:
    """Remove an action if only its armature's settings use it; return whether it was removed."""
    # The armature's settings alone do not keep it.
    if uses_action(armature.animation_data, action) or bpy.data.user_map(subset=[action])[action] - {armature}:
        return False
    bpy.data.actions.remove(action)
    return True
