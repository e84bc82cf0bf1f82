"""Operators for takes: use, remove, put into the NLA."""

import bpy

from ....core.errors import FootfallError
from ....core.message import Message
from ...animation.fcurve_io.slots import slot_for
from ...ui.list_operators import CharacterListOperator, RemoveOperator
from ...ui.operator_base import FootfallOperator, require_armature
from .store import use_take


class _Takes(CharacterListOperator):
    """A mix-in that names the list of takes."""

    collection, active = "takes", "active_take"


class FOOTFALL_OT_use_take(_Takes, bpy.types.Operator):
    """Use the active take as the bake of the character, with its action, seed and controller"""

    bl_idname = "footfall.use_take"
    bl_label = "Use Take"
    least = 1
    too_short = "The list of takes is empty: press Bake Takes"

    def run(self, context: bpy.types.Context) -> str:
        armature = require_armature(context)
        item = self.items(context)[self.active_index(context)]
        use_take(armature, item)
        return Message("The take '{name}' is now the bake of the character", name=item.action.name)


class FOOTFALL_OT_remove_take(_Takes, RemoveOperator, bpy.types.Operator):
    """Remove the active take from the list. Its action stays if something else uses it"""

    bl_idname = "footfall.remove_take"
    bl_label = "Remove Take"

    def run(self, context: bpy.types.Context) -> str:
        item = self.items(context)[self.active_index(context)]
        actions = [item.action, *(one.action for one in item.things)]
        count = self.remove_active(context)
        for action in actions:
            if action is not None:
                action.use_fake_user = False
        return Message("The list has {count} takes", count=count)


class FOOTFALL_OT_takes_to_nla(_Takes, FootfallOperator, bpy.types.Operator):
    """Add each take as a strip on its own NLA track, all muted except the active take"""

    bl_idname = "footfall.takes_to_nla"
    bl_label = "Takes to NLA"
    least = 1
    too_short = "The list of takes is empty: press Bake Takes"

    blend: bpy.props.IntProperty(
        name="Blend", description="Frames over which a strip blends in and out", default=10, min=0, soft_max=100
    )

    def run(self, context: bpy.types.Context) -> str:
        armature = require_armature(context)
        items, active = list(self.items(context)), self.active_index(context)
        if any(item.action is None for item in items):
            raise FootfallError("The action of a take was deleted: remove the take from the list")
        data = armature.animation_data or armature.animation_data_create()
        for number, item in enumerate(items):
            start, end = (int(value) for value in item.action.frame_range)
            track = data.nla_tracks.new()
            track.name = item.action.name
            strip = track.strips.new(item.action.name, start, item.action)
            strip.action_slot = slot_for(armature, item.action)
            strip.blend_in = strip.blend_out = min(self.blend, (end - start) // 2)
            track.mute = number != active
        data.action = None
        return Message("Added {count} takes as strips: unmute another track to see another take", count=len(items))


CLASSES = (FOOTFALL_OT_use_take, FOOTFALL_OT_remove_take, FOOTFALL_OT_takes_to_nla)
