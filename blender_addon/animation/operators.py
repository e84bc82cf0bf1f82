"""Reverting bakes."""

from typing import Final

import bpy

from ...core.message import Message
from ..ui.operator_base import FootfallOperator, active_armature, require_armature, why_not_animatable
from .layers import MADE_PROPERTY, last_record, revert, why_not_revertible


class FOOTFALL_OT_revert_bake(FootfallOperator, bpy.types.Operator):
    """Take the active armature's last bake back: its action, NLA tracks and settings are what they were before"""

    bl_idname = "footfall.revert_bake"
    bl_label = "Revert Last Bake"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason, armature = why_not_animatable(context), active_armature(context)
        return reason if reason is not None or armature is None else why_not_revertible(armature)

    def run(self, context: bpy.types.Context) -> str:
        armature = require_armature(context)
        entry = last_record(armature)
        companion = bpy.data.objects.get(entry.companion) if entry is not None and entry.companion else None
        said = revert(armature)
        if companion is None:
            return said
        return Message.joined("; ", [said, _revert_companion(companion)])


def _revert_companion(companion: bpy.types.Object) -> str:
    """Take the last bake of an object back that an armature's bake animated, and the object if that made it."""
    name = companion.name
    if why_not_revertible(companion) is None:
        revert(companion)
    if not companion.get(MADE_PROPERTY) or last_record(companion) is not None or has_action(companion):
        return Message("'{name}' is as it was before", name=name)
    data = companion.data
    bpy.data.objects.remove(companion)
    if isinstance(data, bpy.types.Mesh) and not data.users:
        bpy.data.meshes.remove(data)
    return Message("'{name}' was removed", name=name)


def has_action(thing: bpy.types.Object) -> bool:
    """Return whether an object has an action."""
    return thing.animation_data is not None and thing.animation_data.action is not None


CLASSES: Final = (FOOTFALL_OT_revert_bake,)
