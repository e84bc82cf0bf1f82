"""Reverting bakes."""

from typing import Final

import bpy

from ..ui.operator_base import FootfallOperator, active_armature, require_armature, why_not_animatable
from .layers import revert_with_companions, why_not_revertible


class FOOTFALL_OT_revert_bake(FootfallOperator, bpy.types.Operator):
    """Undo the last bake of the active armature. Action, NLA tracks and settings are restored"""

    bl_idname = "footfall.revert_bake"
    bl_label = "Revert Last Bake"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason, armature = why_not_animatable(context), active_armature(context)
        return reason if reason is not None or armature is None else why_not_revertible(armature)

    def run(self, context: bpy.types.Context) -> str:
        return revert_with_companions(require_armature(context))


CLASSES: Final = (FOOTFALL_OT_revert_bake,)
