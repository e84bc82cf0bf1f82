"""Adding a character and baking its walk along a path."""

from typing import ClassVar, Final

import bpy

from ....core.body import BodyType
from ....core.control.ball.dribble import plays_ball
from ....core.control.runtime.pose_decoder import standing_rotations
from ....core.errors import FootfallError
from ....core.message import Message
from ...controllers import library
from ...rig.character import add_character
from ...rig.chosen_controller import QUADRUPED, chosen_controller, has_four_legs, why_not_fitting
from ...rig.properties import BODY_TYPE_ITEMS
from ...shot.takes.baking import TakesOperator
from ...ui.modal_operator import ModalWorkOperator, WorkSteps
from ...ui.operator_base import FootfallOperator, active_armature, require_armature, why_not_animatable
from .bake import WalkBake
from .ball_cues import why_no_target

SLICE_FRAMES: Final = 4


class FOOTFALL_OT_add_character(FootfallOperator, bpy.types.Operator):
    """Add an armature with the skeleton of a controller and a body"""

    bl_idname = "footfall.add_character"
    bl_label = "Add Character"

    controller: bpy.props.EnumProperty(
        items=library.enum_items, name="Controller", description="Controller whose skeleton is used"
    )
    filepath: bpy.props.StringProperty(name="File", description="File of a controller", subtype="FILE_PATH")
    body_type: bpy.props.EnumProperty(items=BODY_TYPE_ITEMS, name="Body Type", description="Proportions of the body")

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return None if context.mode == "OBJECT" or active_armature(context) else "Leave Edit Mode first"

    def run(self, context: bpy.types.Context) -> str:
        if not self.properties.is_property_set("controller") and has_four_legs(active_armature(context)):
            self.controller = QUADRUPED
        name, model = library.load(self.controller, self.filepath)
        title, body_type = name.replace("_", " ").title(), BodyType(self.body_type)
        armature = add_character(context, model.skeleton, title, body_type, standing_rotations(model))
        armature.footfall.controller = self.controller
        armature.footfall.controller_file = self.filepath
        return Message("Added '{name}': choose a path and bake", name=armature.name)


def _lacks_ball(settings: bpy.types.PropertyGroup) -> bool:
    """Return whether a ball is wanted that the controller cannot play; what else is wrong with it, the bake says."""
    try:
        return settings.ball != "NONE" and not plays_ball(library.load(*chosen_controller(settings))[1])
    except FootfallError:
        return False


class BakeOperator(ModalWorkOperator):
    """A mix-in for operators that bake with the active armature's settings."""

    cancel_message = "Bake canceled, nothing was changed"
    again: ClassVar[bool] = False
    """True where a walk that is baked already stays at its frames."""

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason = why_not_animatable(context)
        if reason is not None:
            return reason
        settings = require_armature(context).footfall
        if not library.is_known(settings.controller):
            return Message(
                "The controller '{partition}' is gone: choose another one",
                partition=settings.controller.partition(":")[2],
            )
        if settings.path is None and not settings.waypoints:
            return "Choose a path: any curve, or add waypoints"
        misfit = why_not_fitting(settings)
        if misfit is not None:
            return misfit
        if _lacks_ball(settings):
            return "This controller does not play with a ball: choose Dribble, or No Ball"
        return why_no_target(settings)

    def work(self, context: bpy.types.Context) -> WorkSteps:
        bake = WalkBake(require_armature(context), context, again=self.again)
        while bake.advance(SLICE_FRAMES):
            yield bake.fraction, Message("bakes")
        return bake.finish(context.scene).message


class FOOTFALL_OT_bake_walk(BakeOperator, bpy.types.Operator):
    """Bake the walk of the active armature along its path to a new action. The old one is kept"""

    bl_idname = "footfall.bake_walk"
    bl_label = "Bake Walk"


class FOOTFALL_OT_update_bake(BakeOperator, bpy.types.Operator):
    """Bake again at the same frames, after the path or a setting was changed"""

    bl_idname = "footfall.update_bake"
    bl_label = "Update Bake"
    again = True

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason = super().why_not(context)
        if reason is None and require_armature(context).footfall.baked_action is None:
            return "Nothing was baked on this armature yet"
        return reason


class FOOTFALL_OT_bake_takes(TakesOperator, BakeOperator, bpy.types.Operator):
    """Bake the walk several times, each with a different seed. Earlier takes are kept"""

    bl_idname = "footfall.bake_takes"
    bl_label = "Bake Takes"

    def make_bake(self, context: bpy.types.Context, seed_offset: int) -> WalkBake:
        return WalkBake(require_armature(context), context, seed_offset=seed_offset)


CLASSES = (FOOTFALL_OT_add_character, FOOTFALL_OT_bake_walk, FOOTFALL_OT_update_bake, FOOTFALL_OT_bake_takes)
