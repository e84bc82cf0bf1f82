"""Operators for the list of strikes, and their bake."""

from typing import ClassVar, Final

import bpy

from ....core.message import Message
from ...ui.list_operators import CharacterListOperator, GoToFrameOperator, RemoveOperator
from ...ui.modal_operator import ModalWorkOperator, WorkSteps
from ...ui.operator_base import require_armature, why_not_animatable
from .bake import StrikeBake
from .combination import copy_aim
from .targets import hangs_on, why_no_target

NEXT_STRIKE_S: Final = 0.9
"""Time from the last strike to a new one."""


def why_no_strikes(context: bpy.types.Context) -> str | None:
    """Return the reason why the active armature cannot strike; ``None`` if it can."""
    reason = why_not_animatable(context)
    if reason is not None:
        return reason
    armature = require_armature(context)
    strikes = armature.footfall.combat.strikes
    if not strikes:
        return "Add a strike: choose its frame, its target, and the hand, foot or weapon that strikes"
    frames = [strike.frame for strike in strikes]
    twice = next((frame for frame in frames if frames.count(frame) > 1), None)
    if twice is not None:
        return Message("Two strikes share frame {frame}: give each its own frame", frame=twice)
    return next(filter(None, (why_no_target(strike, armature, context.scene) for strike in strikes)), None)


class _Strikes(CharacterListOperator):
    """A mix-in that names the list of strikes."""

    @classmethod
    def items(cls, context: bpy.types.Context) -> bpy.types.bpy_prop_collection:
        return require_armature(context).footfall.combat.strikes

    @classmethod
    def active_index(cls, context: bpy.types.Context) -> int:
        settings = require_armature(context).footfall.combat
        return min(settings.active_strike, len(settings.strikes) - 1)

    @classmethod
    def set_active(cls, context: bpy.types.Context, index: int) -> None:
        require_armature(context).footfall.combat.active_strike = index


class FOOTFALL_OT_add_strike(_Strikes, bpy.types.Operator):
    """Add a strike at the current frame or after the last one, with a selected object as target"""

    bl_idname = "footfall.add_strike"
    bl_label = "Add Target Strike"

    def run(self, context: bpy.types.Context) -> str:
        armature, scene = require_armature(context), context.scene
        settings = armature.footfall.combat
        last = max((strike.frame for strike in settings.strikes), default=None)
        previous = self.active_index(context)  # adding would move an item
        strike = settings.strikes.add()
        strike.frame = scene.frame_current
        if last is not None and strike.frame <= last:
            strike.frame = last + round(NEXT_STRIKE_S * scene.render.fps / scene.render.fps_base)
        if previous >= 0:
            strike.effector = settings.strikes[previous].effector
            copy_aim(settings.strikes[previous], strike)
        for chosen in context.selected_objects:
            if not hangs_on(chosen, armature):
                strike.target = chosen
        settings.active_strike = len(settings.strikes) - 1
        return Message("Strike at frame {frame}", frame=strike.frame)


class FOOTFALL_OT_remove_strike(_Strikes, RemoveOperator, bpy.types.Operator):
    """Remove the selected strike from the list"""

    bl_idname = "footfall.remove_strike"
    bl_label = "Remove Target Strike"

    def run(self, context: bpy.types.Context) -> str:
        return Message("{count} strikes", count=self.remove_active(context))


class FOOTFALL_OT_go_to_strike(_Strikes, GoToFrameOperator, bpy.types.Operator):
    """Jump to the frame of the selected strike"""

    bl_idname = "footfall.go_to_strike"
    bl_label = "Go to Strike"


class _BakeStrikesOperator(ModalWorkOperator):
    """A mix-in for operators that bake the active armature's strikes."""

    needs_meters = True

    cancel_message = "Bake canceled, nothing was changed"
    again: ClassVar[bool] = False
    """True to keep the frames of an existing bake."""

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return why_no_strikes(context)

    def work(self, context: bpy.types.Context) -> WorkSteps:
        bake = StrikeBake(require_armature(context), context, self.again)
        message = yield from bake.work(context.scene)
        return message


class FOOTFALL_OT_bake_strikes(_BakeStrikesOperator, bpy.types.Operator):
    """Bake a walk that strikes each target on its frame, to a new action"""

    bl_idname = "footfall.bake_strikes"
    bl_label = "Bake Strikes"


class FOOTFALL_OT_update_strikes(_BakeStrikesOperator, bpy.types.Operator):
    """Bake again after changes to strikes, targets or the rig"""

    bl_idname = "footfall.update_strikes"
    bl_label = "Bake Strikes Again"
    again = True

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason = super().why_not(context)
        if reason is None and require_armature(context).footfall.combat.baked_action is None:
            return "No strikes have been baked on this armature yet"
        return reason


CLASSES: Final = (
    FOOTFALL_OT_add_strike,
    FOOTFALL_OT_remove_strike,
    FOOTFALL_OT_go_to_strike,
    FOOTFALL_OT_bake_strikes,
    FOOTFALL_OT_update_strikes,
)
