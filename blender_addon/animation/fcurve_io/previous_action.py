"""The previous action of an armature, kept on a muted track when a bake replaces it."""

import bpy

from ....core.message import Message
from ... import compat


def keep_and_assign(
    armature: bpy.types.Object, action: bpy.types.Action, slot: bpy.types.ActionSlot | None = None
) -> str | None:
    """Assign an action and its slot; push the previous action down to a muted NLA track.

    Args:
        armature: the armature object.
        action: the new action.
        slot: the action's slot for the armature; by default the one with the armature's name.

    Returns:
        A sentence about the previous action; ``None`` without one.
    """
    data = armature.animation_data or armature.animation_data_create()
    if data.use_tweak_mode:
        data.use_tweak_mode = False
    previous = data.action
    kept = None
    if previous is not None:
        kept = _keep_on_muted_track(data, previous, data.action_slot)
    data.action = action
    data.action_slot = slot or compat.ensure_slot(action, armature)
    data.action_blend_type, data.action_extrapolation, data.action_influence = "REPLACE", "HOLD", 1.0
    return kept


def _keep_on_muted_track(
    data: bpy.types.AnimData, previous: bpy.types.Action, slot: bpy.types.ActionSlot | None
) -> str:
    if not previous.is_editable or any(strip.action == previous for track in data.nla_tracks for strip in track.strips):
        return Message("The previous action '{name}' was kept", name=previous.name)
    start, end = previous.frame_range
    if slot is None or end <= start:
        previous.use_fake_user = True
        return Message("The previous action '{name}' was kept with a fake user", name=previous.name)
    data.action = None
    track = data.nla_tracks.new()
    track.name = previous.name
    strip = track.strips.new(previous.name, int(start), previous)
    strip.action_slot = slot
    track.mute = True
    return Message("The previous action '{name}' was kept on a muted NLA track", name=previous.name)
