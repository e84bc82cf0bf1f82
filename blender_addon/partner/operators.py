"""Bakes of a character with its partner, and taking them back."""

from typing import Final

import bpy

from ...core.message import Message
from ..animation.layers import revert, why_not_revertible
from ..ui.modal_operator import ModalWorkOperator, WorkSteps
from ..ui.operator_base import FootfallOperator, require_armature
from .dance_bake import DanceBake
from .pair import require_pair, why_no_pair


class _BakePairOperator(ModalWorkOperator):
    """A mix-in for operators that bake the active armature and its partner."""

    cancel_message = "Bake cancelled, nothing was changed"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason = why_no_pair(context)
        if reason is None and require_armature(context).footfall.path is None:
            return "Choose a path: any curve, along which the middle of the pair goes"
        return reason

    def work(self, context: bpy.types.Context) -> WorkSteps:
        message = yield from DanceBake(require_pair(context), context).work(context.scene)
        return message


class FOOTFALL_OT_bake_pair(_BakePairOperator, bpy.types.Operator):
    """Dance with the partner along the path: both get new actions, their old ones are kept"""

    bl_idname = "footfall.bake_pair"
    bl_label = "Bake Pair"


class FOOTFALL_OT_update_pair(_BakePairOperator, bpy.types.Operator):
    """Bake both with the same settings after the path, the dance or a rig was changed"""

    bl_idname = "footfall.update_pair"
    bl_label = "Bake Pair Again"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason = super().why_not(context)
        if reason is None and require_armature(context).footfall.partner.baked_action is None:
            return "Nothing was baked with this partner yet"
        return reason


class FOOTFALL_OT_revert_pair(FootfallOperator, bpy.types.Operator):
    """Take the last bake of both characters back: their actions, NLA tracks and settings are what they were before"""

    bl_idname = "footfall.revert_pair"
    bl_label = "Revert Pair"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason = why_no_pair(context)
        if reason is not None:
            return reason
        return next(filter(None, map(why_not_revertible, require_pair(context))), None)

    def run(self, context: bpy.types.Context) -> str:
        return Message.joined("; ", [revert(armature) for armature in require_pair(context)])


CLASSES: Final = (FOOTFALL_OT_bake_pair, FOOTFALL_OT_update_pair, FOOTFALL_OT_revert_pair)
