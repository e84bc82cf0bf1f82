"""Animation of an armature other than the action written by a bake, and other users of that action."""

from collections.abc import Iterable, Iterator, Sequence

import bpy
import numpy as np

from ....core.message import Message
from ..fcurve_io.curves import curves_of
from ..fcurve_io.slots import bone_of_path
from ..fcurve_io.tracks import PropertyTrack

Channel = tuple[str, int]
"""An F-curve's data path and array index."""


def channels_of(tracks: Iterable[PropertyTrack]) -> list[Channel]:
    """Return the channels that the F-curves of tracks animate."""
    return [(track.path, index) for track in tracks for index, _ in track.columns()]


def describe_path(path: str) -> str:
    """Return a user-readable name for the property at a data path."""
    bone = bone_of_path(path)
    return Message("the object") if bone is None else Message("bone '{bone}'", bone=bone)


def _first_of(names: Sequence[str]) -> str:
    if len(names) == 1:
        return names[0]
    return Message("{names} and {count} more", names=names[0], count=len(names) - 1)


def all_strips(data: bpy.types.AnimData) -> Iterator[bpy.types.NlaStrip]:
    """Yield all strips of all NLA tracks, including those inside meta strips."""

    def inside(strips: Iterable[bpy.types.NlaStrip]) -> Iterator[bpy.types.NlaStrip]:
        for strip in strips:
            yield strip
            yield from inside(strip.strips)

    for track in data.nla_tracks:
        yield from inside(track.strips)


def active_strips(data: bpy.types.AnimData) -> Iterator[bpy.types.NlaStrip]:
    """Yield the strips that contribute to the evaluated animation."""
    if not data.use_nla:
        return
    solo = any(track.is_solo for track in data.nla_tracks)
    for track in data.nla_tracks:
        if track.is_solo if solo else not track.mute:
            for strip in track.strips:
                if not strip.mute:
                    yield strip
                    yield from strip.strips


def scene_frame(data: bpy.types.AnimData | None, action: bpy.types.Action, frame: float) -> float:
    """Return the scene frame at which an action's frame plays; the two differ only for an action in a strip."""
    if data is not None and data.action != action:
        for strip in all_strips(data):
            if strip.action == action:
                return strip.frame_start + (frame - strip.action_frame_start) * strip.scale
    return frame


def animated_by_nla(data: bpy.types.AnimData | None) -> dict[Channel, str]:
    """Return each channel that NLA strips animate, with the name of one such strip."""
    found: dict[Channel, str] = {}
    for strip in active_strips(data) if data else ():
        if strip.action is not None and strip.action_slot is not None:
            found |= dict.fromkeys(curves_of(strip.action, strip.action_slot), strip.name)
    return found


def goes_on(curve: bpy.types.FCurve) -> bool:
    """Return whether a curve's value keeps changing beyond its keys."""
    return curve.extrapolation == "LINEAR" or any(not modifier.mute for modifier in curve.modifiers)


def animated_by_action(data: bpy.types.AnimData | None) -> set[Channel]:
    """Return the channels that the assigned action animates."""
    if data is None or data.action is None or data.action_slot is None:
        return set()
    return set(curves_of(data.action, data.action_slot))


def key_value_ranges(data: bpy.types.AnimData | None) -> dict[Channel, tuple[float, float]]:
    """Return the lowest and highest key value of each channel in the assigned action and the NLA strips."""
    if data is None:
        return {}
    sources = [(data.action, data.action_slot), *((strip.action, strip.action_slot) for strip in active_strips(data))]
    found: dict[Channel, tuple[float, float]] = {}
    for action, slot in sources:
        if action is None or slot is None:
            continue
        for channel, curve in curves_of(action, slot).items():
            keys = np.empty(2 * len(curve.keyframe_points), dtype=np.float32)
            curve.keyframe_points.foreach_get("co", keys)
            values = np.append(keys[1::2], found.get(channel, ()))
            if len(values):
                found[channel] = float(values.min()), float(values.max())
    return found


def uses_action(data: bpy.types.AnimData | None, action: bpy.types.Action) -> bool:
    """Return whether an action is assigned, or used by a strip."""
    return data is not None and (data.action == action or any(strip.action == action for strip in all_strips(data)))


def is_shared(armature: bpy.types.Object, action: bpy.types.Action) -> bool:
    """Return whether changing an action would affect more than this armature's assigned action."""
    data = armature.animation_data
    if data is not None and any(strip.action == action for strip in all_strips(data)):
        return True
    users = bpy.data.user_map(subset=[action])[action]
    return any(uses_action(getattr(user, "animation_data", None), action) for user in users if user != armature)


def keep_with_fake_user(action: bpy.types.Action) -> None:
    """Give an action without users a fake user, so that it is saved with the file."""
    users = bpy.data.user_map(subset=[action])[action]
    if action.is_editable and not any(uses_action(getattr(user, "animation_data", None), action) for user in users):
        action.use_fake_user = True


def blend_settings(data: bpy.types.AnimData) -> tuple[str, str, float]:
    """Return how the assigned action blends with the NLA tracks: blend type, extrapolation and influence."""
    return data.action_blend_type, data.action_extrapolation, data.action_influence


def leave_tweak_mode(data: bpy.types.AnimData) -> None:
    """Leave tweak mode, in which the action of a strip is assigned."""
    if data.use_tweak_mode:
        data.use_tweak_mode = False


def warnings_about(data: bpy.types.AnimData | None, tracks: Sequence[PropertyTrack]) -> list[str]:
    """Return warnings about animation that would hide the keys of tracks."""
    if data is None:
        return []
    result: list[str] = []
    solo = next((track.name for track in data.nla_tracks if track.is_solo), None)
    if solo is not None:
        result.append(Message("The NLA track '{track}' is set to solo and hides the baked motion", track=solo))
    driven = {driver.data_path for driver in data.drivers if not driver.mute}
    hidden = sorted({describe_path(track.path) for track in tracks if track.path in driven})
    if hidden:
        result.append(Message("Drivers override the baked keys of {names}", names=_first_of(hidden)))
    return result
