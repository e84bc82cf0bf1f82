"""Bakes, updates and takes of a shot: of its beats or, without beats, of a walk along the path."""

from typing import ClassVar, Final

import bpy

from ....core.message import Message
from ...shot.takes.baking import SeededBake, TakesOperator
from ...ui.modal_operator import ModalWorkOperator, WorkSteps
from ...ui.operator_base import require_armature, why_not_animatable
from ...units import METERS_ONLY, is_in_meters
from ..interaction.operators import why_no_beats
from ..interaction.partners import cast_of
from ..interaction.shot_bake import ShotBake
from ..walk.bake import WalkBake
from ..walk.operators import why_no_walk

SLICE_FRAMES: Final = 4


def why_no_shot(context: bpy.types.Context) -> str | None:
    """Return the reason why the active armature's shot cannot be baked; ``None`` if it can."""
    reason = why_not_animatable(context)
    if reason is not None:
        return reason
    if not require_armature(context).footfall.interaction_tasks:
        return why_no_walk(context)
    return why_no_beats(context) if is_in_meters(context.scene) else METERS_ONLY


def shot_bake(
    armature: bpy.types.Object, context: bpy.types.Context, seed_offset: int = 0, again: bool = False
) -> SeededBake:
    """Return the bake of a character's beats or, without beats, of its walk.

    Args:
        armature: the character.
        context: the context.
        seed_offset: added to the seed of the settings.
        again: whether the last bake keeps its frames.

    Raises:
        FootfallError: something is missing or does not fit; the message is one sentence.
    """
    if armature.footfall.interaction_tasks:
        return ShotBake(armature, context, seed_offset, again)
    return WalkBake(armature, context, seed_offset=seed_offset, again=again)


class ShotOperator(ModalWorkOperator):
    """A mix-in for operators that bake the active armature's shot."""

    cancel_message = "The bake was canceled: nothing was changed"
    again: ClassVar[bool] = False
    """True if the last bake keeps its frames."""

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return why_no_shot(context)

    def work(self, context: bpy.types.Context) -> WorkSteps:
        bake = shot_bake(require_armature(context), context, again=self.again)
        while bake.advance(SLICE_FRAMES):
            yield bake.fraction, Message("Baking")
        return bake.finish(context.scene).message


class FOOTFALL_OT_bake_shot(ShotOperator, bpy.types.Operator):
    """Bake the walk and beats of the active armature to a new action. The old action is kept"""

    bl_idname = "footfall.bake_shot"
    bl_label = "Bake Shot"


class FOOTFALL_OT_update_bake(ShotOperator, bpy.types.Operator):
    """Bake the shot again from the first frame that is affected by a change"""

    bl_idname = "footfall.update_bake"
    bl_label = "Update Bake"
    again = True

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason = super().why_not(context)
        if reason is None and require_armature(context).footfall.baked_action is None:
            return "Nothing has been baked on the active armature yet: press Bake Shot"
        return reason


class FOOTFALL_OT_bake_takes(TakesOperator, bpy.types.Operator):
    """Bake the shot several times, each with a different seed. Earlier takes are kept"""

    bl_idname = "footfall.bake_takes"
    bl_label = "Bake Takes"
    cancel_message = "The bake was canceled: nothing was changed"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason = why_no_shot(context) or super().why_not(context)
        if reason is None and cast_of(require_armature(context)):
            return "Only shots of a single character have takes: remove the beats with partners"
        return reason

    def make_bake(self, context: bpy.types.Context, seed_offset: int) -> SeededBake:
        return shot_bake(require_armature(context), context, seed_offset)


CLASSES: Final = (FOOTFALL_OT_bake_shot, FOOTFALL_OT_update_bake, FOOTFALL_OT_bake_takes)
