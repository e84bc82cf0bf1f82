"""Bakes of a character with its partner, and their reversal."""

from typing import ClassVar, Final

import bpy

from ....core.message import Message
from ...animation.layers import revert, why_not_revertible
from ...ui.modal_operator import ModalWorkOperator, WorkSteps
from ...ui.operator_base import FootfallOperator, is_in_scene, require_armature
from .answer_bake import AnswerBake
from .dance_bake import DanceBake
from .pair import Pair, require_pair, why_no_pair
from .properties import DANCE


def why_no_dance(armature: bpy.types.Object) -> str | None:
    """Return the reason why a character cannot dance with its partner; ``None`` if it can."""
    partner = armature.footfall.partner.character
    if not partner.is_editable:
        return Message("'{name}' is linked from another file: make a library override first", name=partner.name)
    if armature.footfall.path is None:
        return "Choose a path: any curve, which the middle of the pair then follows"
    return None


def why_no_answer(armature: bpy.types.Object, scene: bpy.types.Scene) -> str | None:
    """Return the reason why a character cannot respond to its partner's motion; ``None`` if it can."""
    settings = armature.footfall.partner
    data = settings.character.animation_data
    if data is None or data.action is None:
        return Message(
            "'{name}' has no action for the partner to respond to: bake or assign one first",
            name=settings.character.name,
        )
    if settings.relation == "DEFEND" and (settings.goal is None or not is_in_scene(settings.goal, scene)):
        return "Choose a goal to defend: an empty or any other object in this scene"
    return None


class _BakePairOperator(ModalWorkOperator):
    """A mix-in for operators that bake the active armature with its partner."""

    needs_meters = True

    cancel_message = "Bake canceled, nothing was changed"
    again: ClassVar[bool] = False
    """True to keep the frames of an existing dance."""

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason = why_no_pair(context)
        if reason is not None:
            return reason
        armature = require_armature(context)
        dances = armature.footfall.partner.relation == DANCE
        return why_no_dance(armature) if dances else why_no_answer(armature, context.scene)

    def work(self, context: bpy.types.Context) -> WorkSteps:
        pair = require_pair(context)
        dances = pair[0].footfall.partner.relation == DANCE
        bake = DanceBake(pair, context, again=self.again) if dances else AnswerBake(pair, context)
        message = yield from bake.work(context.scene)
        return message


class FOOTFALL_OT_bake_pair(_BakePairOperator, bpy.types.Operator):
    """Dance with the partner along the path, or respond to its motion, in new actions"""

    bl_idname = "footfall.bake_pair"
    bl_label = "Bake Pair"


class FOOTFALL_OT_update_pair(_BakePairOperator, bpy.types.Operator):
    """Bake both characters again with the same settings, after changes to path, dance or rig"""

    bl_idname = "footfall.update_pair"
    bl_label = "Update Pair"
    again = True

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason = super().why_not(context)
        if reason is None and require_armature(context).footfall.partner.baked_action is None:
            return "Nothing has been baked with this partner yet"
        return reason


class FOOTFALL_OT_revert_pair(FootfallOperator, bpy.types.Operator):
    """Undo the last bake with the partner. Actions and settings are restored"""

    bl_idname = "footfall.revert_pair"
    bl_label = "Revert Pair"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason = why_no_pair(context)
        if reason is not None:
            return reason
        return next(filter(None, map(why_not_revertible, _baked_of(require_pair(context)))), None)

    def run(self, context: bpy.types.Context) -> str:
        return Message.joined("; ", [revert(armature) for armature in _baked_of(require_pair(context))])


def _baked_of(pair: Pair) -> Pair | tuple[bpy.types.Object]:
    """Return the characters whose motion the pair's bake writes: both dancers, or only the responding one."""
    return pair if pair[0].footfall.partner.relation == DANCE else pair[:1]


CLASSES: Final = (FOOTFALL_OT_bake_pair, FOOTFALL_OT_update_pair, FOOTFALL_OT_revert_pair)
