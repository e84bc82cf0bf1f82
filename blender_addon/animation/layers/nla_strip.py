"""An action as an NLA strip above all other animation of an armature, blended in and out.

An assigned action plays above all NLA tracks, so it is first moved to its own track, like Blender's *Push Down*, with
its blending and its whole length. The strip's track is added on top. Channels without animation underneath would jump
to their defaults around the strip; each gets one key, with the animator's value, in an action underneath. For the
beginning and the end of a strip see :mod:`.strip_joins`.
"""

import math
from collections.abc import Collection

import bpy
import numpy as np

from ....core.errors import FootfallError
from ... import compat
from ..fcurve_io.curves import write_curve
from ..fcurve_io.slots import bone_of_path
from .animation import Channel, active_strips, blend_settings, goes_on
from .property_value import read_value


def require_nla_enabled(data: bpy.types.AnimData | None) -> None:
    """Raise :class:`FootfallError` if the NLA strips of an object are disabled."""
    if data is not None and not data.use_nla and len(data.nla_tracks):
        raise FootfallError(
            "The NLA of the armature is switched off: switch it on in the NLA Editor, or bake into a new action"
        )


def push_down(data: bpy.types.AnimData, visible_range: tuple[float, float]) -> str:
    """Push the assigned action down to a new NLA track on top; return the track's name.

    No action is assigned afterward. The animation looks the same, even over the frames ``visible_range``, where curves
    may continue beyond their keys.
    """
    action, slot = data.action, data.action_slot
    # Without NLA tracks, an action is not blended, whatever its settings.
    alone = next(active_strips(data), None) is None
    blending, extrapolation, influence = ("REPLACE", "HOLD", 1.0) if alone else blend_settings(data)
    low, high = (float(frame) for frame in action.curve_frame_range)
    is_endless = any(map(goes_on, _fcurves(action, slot)))
    data.action = None
    track = data.nla_tracks.new()
    track.name = action.name
    strip = track.strips.new(action.name, math.floor(low), action)
    strip.action_slot = slot
    if is_endless:
        low, high = min(low, visible_range[0]), max(high, visible_range[1])
        strip.use_sync_length = False
    _set_range(strip, low, max(high, low + 1))
    strip.blend_type, strip.extrapolation = blending, extrapolation
    if influence < 1.0:
        strip.use_animated_influence = True
        strip.fcurves.find("influence").keyframe_points.insert(low, influence)
    return track.name


def put_strip(track: bpy.types.NlaTrack, action: bpy.types.Action, slot: bpy.types.ActionSlot) -> bpy.types.NlaStrip:
    """Add a strip of an action to a track and return it; it replaces what lies below, without extrapolation."""
    low, high = (float(frame) for frame in action.curve_frame_range)
    strip = track.strips.new(action.name, math.floor(low), action)
    strip.action_slot = slot
    _set_range(strip, low, max(high, low + 1))
    strip.blend_type, strip.extrapolation, strip.use_auto_blend = "REPLACE", "NOTHING", False
    return strip


def set_blend_frames(strip: bpy.types.NlaStrip, blend_in: int, blend_out: int) -> None:
    """Set the numbers of frames over which a strip blends in and out, limited to its length."""
    length = strip.frame_end - strip.frame_start
    strip.blend_in = min(float(blend_in), length)
    strip.blend_out = min(float(blend_out), length - strip.blend_in)


def make_base_action(
    armature: bpy.types.Object, channels: Collection[Channel], name: str, frame: float
) -> tuple[bpy.types.Action, bpy.types.ActionSlot]:
    """Return an action, and its slot, with one key for the current value of each channel."""
    action = bpy.data.actions.new(name)
    slot = compat.ensure_slot(action, armature)
    channelbag = compat.ensure_channelbag(action, slot)
    for path, index in channels:
        value = read_value(armature, path)
        now = value[index] if isinstance(value, list) else value
        if isinstance(now, bool | int | float):
            group = bone_of_path(path) or "Object Transforms"
            write_curve(channelbag, path, index, group, np.array([frame]), np.array([float(now)]), "CONSTANT")
    return action, slot


def _fcurves(action: bpy.types.Action, slot: bpy.types.ActionSlot) -> list[bpy.types.FCurve]:
    channelbag = compat.find_channelbag(action, slot)
    return list(channelbag.fcurves) if channelbag else []


def _set_range(strip: bpy.types.NlaStrip, low: float, high: float) -> None:
    """Set the frame range of a strip from ``low`` to ``high`` without stretching its time."""
    strip.action_frame_end, strip.action_frame_start = high, low
    strip.frame_start, strip.frame_end = low, high
