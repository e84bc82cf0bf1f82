"""Operators for takes: bake, use, remove, put into the NLA."""

from typing import Final

import bpy

from ....core.errors import FootfallError
from ....core.message import Message
from ...animation.fcurve_io.slots import slot_for
from ...ui.list_operators import CharacterListOperator, RemoveOperator
from ...ui.modal_operator import WorkSteps
from ...ui.operator_base import FootfallOperator, require_armature
from ..bake import WalkBake
from ..operators import BakeOperator

SLICE_FRAMES: Final = 4
ROLLOUT_SHARE: Final = 0.7
"""Share of the work in which all takes are rolled out; then each is written."""


class _Takes(CharacterListOperator):
    """A mix-in that names the list of takes."""

    collection, active = "takes", "active_take"


class FOOTFALL_OT_bake_takes(BakeOperator, bpy.types.Operator):
    """Bake the walk several times, each with a different seed. Earlier takes are kept"""

    bl_idname = "footfall.bake_takes"
    bl_label = "Bake Takes"

    count: bpy.props.IntProperty(name="Takes", description="Number of takes to bake", default=3, min=1, max=20)

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason = super().why_not(context)
        if reason is None and require_armature(context).footfall.output.destination != "ACTION":
            return "Set Output to New Action: each take is a separate action"
        return reason

    def work(self, context: bpy.types.Context) -> WorkSteps:
        armature = require_armature(context)
        settings = armature.footfall
        seeds = [max(settings.seed, 1) + number for number in range(self.count)]
        bakes = [WalkBake(armature, context, seed_offset=seed - settings.seed) for seed in seeds]
        for number, bake in enumerate(bakes):
            while bake.advance(SLICE_FRAMES):
                yield ROLLOUT_SHARE * (number + bake.fraction) / self.count, Message("bakes")
        for number, bake in enumerate(bakes):
            bake.post_process()
            yield ROLLOUT_SHARE + (1 - ROLLOUT_SHARE) * number / self.count, Message("plants the feet")
        # All at once, so that nothing is changed when the user cancels. The first take is the character's bake.
        first = len(settings.takes)
        for _ in seeds:
            settings.takes.add()
        for number in reversed(range(self.count)):
            made = bakes[number].finish(context.scene).action
            kept = made.copy()
            kept.name, kept.use_fake_user = f"{made.name}_seed_{seeds[number]}", True
            _fill(settings.takes[first + number], kept, seeds[number], settings)
        settings.active_take = first
        _use(armature, settings.takes[first])
        return Message("{count} takes: mark favorites with a star, and use one", count=self.count)


def _fill(
    item: bpy.types.PropertyGroup, action: bpy.types.Action, seed: int, settings: bpy.types.PropertyGroup
) -> None:
    """Store a take."""
    item.action, item.seed, item.quality = action, seed, settings.quality_summary
    item.controller, item.controller_file = settings.controller, settings.controller_file


def _use(armature: bpy.types.Object, item: bpy.types.PropertyGroup) -> None:
    """Make a take the character's bake; raise :class:`FootfallError` if its action was deleted."""
    if item.action is None:
        raise FootfallError("The action of this take was deleted: remove the take")
    settings = armature.footfall
    data = armature.animation_data or armature.animation_data_create()
    data.action = item.action
    data.action_slot = slot_for(armature, item.action)
    settings.baked_action, settings.seed, settings.quality_summary = item.action, item.seed, item.quality
    settings.controller, settings.controller_file = item.controller, item.controller_file


class FOOTFALL_OT_use_take(_Takes, bpy.types.Operator):
    """Make the active take the bake of the character, with its action, seed and controller"""

    bl_idname = "footfall.use_take"
    bl_label = "Use Take"
    least = 1
    too_short = "The list is empty"

    def run(self, context: bpy.types.Context) -> str:
        armature = require_armature(context)
        item = self.items(context)[self.active_index(context)]
        _use(armature, item)
        return Message("'{name}' is used", name=item.action.name)


class FOOTFALL_OT_remove_take(_Takes, RemoveOperator, bpy.types.Operator):
    """Remove the active take from the list. Its action stays if something else uses it"""

    bl_idname = "footfall.remove_take"
    bl_label = "Remove Take"

    def run(self, context: bpy.types.Context) -> str:
        action = self.items(context)[self.active_index(context)].action
        count = self.remove_active(context)
        if action is not None:
            action.use_fake_user = False
        return Message("{count} takes", count=count)


class FOOTFALL_OT_takes_to_nla(_Takes, FootfallOperator, bpy.types.Operator):
    """Add each take as a strip on its own NLA track. All but the active one are muted"""

    bl_idname = "footfall.takes_to_nla"
    bl_label = "Takes to NLA"
    least = 1
    too_short = "The list is empty"

    blend: bpy.props.IntProperty(
        name="Blend", description="Frames over which a strip blends in and out", default=10, min=0, soft_max=100
    )

    def run(self, context: bpy.types.Context) -> str:
        armature = require_armature(context)
        items, active = list(self.items(context)), self.active_index(context)
        if any(item.action is None for item in items):
            raise FootfallError("The action of a take was deleted: remove the take")
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
        return Message("{count} takes added as strips: unmute a track to see another one", count=len(items))


CLASSES = (FOOTFALL_OT_bake_takes, FOOTFALL_OT_use_take, FOOTFALL_OT_remove_take, FOOTFALL_OT_takes_to_nla)
