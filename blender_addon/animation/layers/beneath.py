"""The animation beneath a strip: NLA strips, from the lowest track up, and the assigned action above them."""

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass

import bpy

from ..fcurve_io.curves import CurveMap, curves_of
from .animation import Channel, active_strips, goes_on
from .previous_values import PreviousAnimation


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """An action in the scene's time.

    Attributes:
        first, last: the scene's frames in which it plays.
        until: the frame until which the last pose is held; equal to ``last`` if it is not held.
        holds_before: whether its first pose is held before it plays.
        origin: the scene's frame at which the action's frame ``action_origin`` is played.
        action_origin: see ``origin``.
        scale: the scene's frames per frame of the action.
    """

    curves: CurveMap
    first: float
    last: float
    until: float
    holds_before: bool
    origin: float = 0.0
    action_origin: float = 0.0
    scale: float = 1.0

    def plays(self, frame: float) -> bool:
        """Return whether the layer plays its animation at a scene frame."""
        return self.first <= frame <= self.last

    def shows(self, frame: float) -> bool:
        """Return whether the layer plays at a frame, or holds its last pose there."""
        return self.first <= frame and (frame <= self.last or frame < self.until)

    def value(self, channel: Channel, frame: float) -> float:
        """Return the value of one of the layer's channels at a scene frame."""
        at = min(max(frame, self.first), self.last)
        return float(self.curves[channel].evaluate(self.action_origin + (at - self.origin) / self.scale))


class Beneath:
    """The animation beneath a strip.

    Args:
        armature: the owner of the animation.
        tracks: the NLA tracks beneath the strip; by default all, and the assigned action above them.
    """

    def __init__(self, armature: bpy.types.Object, tracks: Collection[bpy.types.NlaTrack] | None = None) -> None:
        data = armature.animation_data
        self.layers = list(_layers_of_strips(data, tracks))
        if tracks is None and data.action is not None and data.action_slot is not None:
            self.layers.append(_layer_of_action(data.action, data.action_slot))
        self._unanimated = PreviousAnimation(armature, None, None)

    def has(self, channel: Channel) -> bool:
        """Return whether any layer animates a channel."""
        return any(channel in layer.curves for layer in self.layers)

    def plays(self, channel: Channel, frame: float) -> bool:
        """Return whether a channel is playing at a frame rather than holding a pose."""
        return any(channel in layer.curves and layer.plays(frame) for layer in self.layers)

    def shows(self, channel: Channel, frame: float) -> bool:
        """Return whether a channel is playing at a frame or holding its last pose."""
        return any(channel in layer.curves and layer.shows(frame) for layer in self.layers)

    def value(self, path: str, index: int, frame: float) -> float:
        """Return a channel's value at a frame in the uppermost layer that has it, whatever the layer's blend type."""
        channel = (path, index)
        for layer in reversed(self.layers):
            if channel in layer.curves and (layer.shows(frame) or (frame < layer.first and layer.holds_before)):
                return layer.value(channel, frame)
        return self._unanimated.value(path, index, frame)


def _layers_of_strips(data: bpy.types.AnimData, tracks: Collection[bpy.types.NlaTrack] | None) -> Iterator[Layer]:
    active = [strip.as_pointer() for strip in active_strips(data)]
    for track in data.nla_tracks if tracks is None else tracks:
        strips = [part for strip in track.strips for part in (strip, *strip.strips)]
        for strip in strips:
            if strip.as_pointer() not in active or strip.action is None or strip.action_slot is None:
                continue
            following = min(
                (one.frame_start for one in strips if one.frame_start > strip.frame_start), default=math.inf
            )
            yield Layer(
                curves_of(strip.action, strip.action_slot),
                strip.frame_start,
                strip.frame_end,
                strip.frame_end if strip.extrapolation == "NOTHING" else following,
                strip.extrapolation == "HOLD" and strip == strips[0],
                strip.frame_start,
                strip.action_frame_start,
                strip.scale,
            )


def _layer_of_action(action: bpy.types.Action, slot: bpy.types.ActionSlot) -> Layer:
    curves = curves_of(action, slot)
    low, high = (float(frame) for frame in action.curve_frame_range)
    if any(map(goes_on, curves.values())):
        low, high = -math.inf, math.inf
    return Layer(curves, low, high, math.inf, holds_before=True)
