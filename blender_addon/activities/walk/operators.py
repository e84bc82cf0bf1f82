"""Adding a character, and the reason why one cannot walk."""

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
from ...ui.operator_base import FootfallOperator, active_armature, require_armature
from .ball_cues import why_no_target


class FOOTFALL_OT_add_character(FootfallOperator, bpy.types.Operator):
    """Add a character: an armature with the skeleton of a controller, and a body"""

    bl_idname = "footfall.add_character"
    bl_label = "Add Character"

    controller: bpy.props.EnumProperty(
        items=library.enum_items, name="Controller", description="Controller whose skeleton the new armature gets"
    )
    filepath: bpy.props.StringProperty(
        name="File", description="Controller file whose skeleton the new armature gets", subtype="FILE_PATH"
    )
    body_type: bpy.props.EnumProperty(items=BODY_TYPE_ITEMS, name="Body Type", description="Proportions of the body")

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return (
            None if context.mode == "OBJECT" or active_armature(context) else "Leave Edit Mode before baking the crowd"
        )

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
    """Return whether the settings ask for a ball that the controller cannot play.

    Other faults of the controller are left for the bake to report.
    """
    try:
        return settings.ball != "NONE" and not plays_ball(library.load(*chosen_controller(settings))[1])
    except FootfallError:
        return False


def why_no_walk(context: bpy.types.Context) -> str | None:
    """Return the reason why the active armature cannot walk along its path; ``None`` if it can."""
    settings = require_armature(context).footfall
    if not library.is_known(settings.controller):
        return Message(
            "The controller '{name}' is no longer in the list: choose another one",
            name=settings.controller.partition(":")[2],
        )
    if settings.path is None and not settings.waypoints:
        return "Choose a curve as the path, or add waypoints"
    misfit = why_not_fitting(settings)
    if misfit is not None:
        return misfit
    if _lacks_ball(settings):
        return "This controller does not play with a ball: choose Dribble, or No Ball"
    return why_no_target(settings)


CLASSES = (FOOTFALL_OT_add_character,)
