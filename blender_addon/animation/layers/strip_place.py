"""Places of strips among the NLA tracks of an armature."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

import bpy

from ..fcurve_io.curves import curves_of
from .animation import Channel, active_strips


@dataclass(slots=True)
class StripPlace:
    """The place of the new strips of one bake, from the lowest up.

    Attributes:
        armature: the owner of the NLA tracks.
        free: empty tracks for the first strips.
        above: the track below the other strips; ``None`` to put them on top.
        shared: a track with other strips for a single new one.
        covered: channels of later strips beneath.
        added: names of the added or used tracks.
        below: the tracks beneath the strips; ``None`` if all others are.
    """

    armature: bpy.types.Object
    free: list[bpy.types.NlaTrack] = field(default_factory=list)
    above: bpy.types.NlaTrack | None = None
    shared: bpy.types.NlaTrack | None = None
    covered: frozenset[Channel] = frozenset()
    added: list[str] = field(default_factory=list)
    below: list[bpy.types.NlaTrack] | None = None

    def next_track(self, name: str) -> bpy.types.NlaTrack:
        """Return the track for the next strip; it is named after the strip."""
        if self.shared is not None:
            return self.shared
        track = self.free.pop(0) if self.free else self.armature.animation_data.nla_tracks.new(prev=self.above)
        track.name, self.above = name, track
        self.added.append(name)
        return track

    def remove_unused(self) -> None:
        """Remove the free tracks that no strip has used."""
        for track in self.free:
            self.armature.animation_data.nla_tracks.remove(track)
        self.free = []


def find_place(
    armature: bpy.types.Object, channels: Collection[Channel], span: tuple[int, int], own_tracks: Collection[str]
) -> StripPlace:
    """Find the place for a new strip: on top, but beneath later strips in frames where it holds its last pose.

    Args:
        armature: the owner of the NLA tracks.
        channels: channels that the strip animates.
        span: first and last scene frame of the strip.
        own_tracks: names of the tracks added by bakes, on which strips may follow each other.
    """
    data = armature.animation_data
    earlier, later = -1, []
    for number, track in enumerate(data.nla_tracks):
        strips = [strip for strip, own in _channels_by_strip(data, track) if not own.isdisjoint(channels)]
        if any(strip.frame_start <= span[1] for strip in strips):
            earlier = number
        if any(strip.frame_start > span[1] for strip in strips):
            later.append(number)
    if not later:
        return StripPlace(armature)
    lowest = data.nla_tracks[later[0]]
    below = list(data.nla_tracks)[: later[0]]
    holding = [number for number in later if data.nla_tracks[number].strips[0].extrapolation == "HOLD"]
    if earlier < later[0] and not holding and below:
        return StripPlace(armature, above=below[-1], below=below)
    is_free = all(strip.frame_start > span[1] or strip.frame_end < span[0] for strip in lowest.strips)
    if earlier <= later[0] and set(holding) <= {later[0]} and is_free and not lowest.lock and lowest.name in own_tracks:
        return StripPlace(armature, shared=lowest, below=below)
    return StripPlace(armature, covered=later_channels(armature, data.nla_tracks, span[1]))


def later_channels(armature: bpy.types.Object, tracks: Iterable[bpy.types.NlaTrack], end: int) -> frozenset[Channel]:
    """Return the channels that strips on the given tracks animate after a frame."""
    found = [_channels_by_strip(armature.animation_data, track) for track in tracks]
    return frozenset(one for strips in found for strip, own in strips if strip.frame_start > end for one in own)


def _channels_by_strip(
    data: bpy.types.AnimData, track: bpy.types.NlaTrack
) -> list[tuple[bpy.types.NlaStrip, set[Channel]]]:
    """Return the strips of a track that have an effect, each with the channels it animates."""
    active = [strip.as_pointer() for strip in active_strips(data)]
    return [
        (
            strip,
            {
                channel
                for part in (strip, *strip.strips)
                if part.action is not None and part.action_slot is not None
                for channel in curves_of(part.action, part.action_slot)
            },
        )
        for strip in track.strips
        if strip.as_pointer() in active
    ]
