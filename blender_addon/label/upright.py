"""The question about a motion that may lie on its side, and the button that rights its armature."""

import bpy
import numpy as np
from mathutils import Matrix

from ...core.errors import FootfallError
from ...core.message import Message
from ...core.motion.axes import UP_AXES, UpAxis, to_world
from ..animation.fcurve_io.curves import curves_of
from ..animation.fcurve_io.slots import slot_for
from ..ui.operator_base import FootfallOperator
from ..ui.panel_parts import draw_note
from .operators import active_action, require_action, why_no_action
from .store import store_question


def draw_question(layout: bpy.types.UILayout, action: bpy.types.Action) -> None:
    """Draw the question about an action, and the button that answers it; draw nothing without a question."""
    if action.footfall.up_question:
        column = layout.column(align=True)
        draw_note(column, action.footfall.up_question, "QUESTION")
        column.operator(FOOTFALL_OT_turn_upright.bl_idname, icon="ORIENTATION_GLOBAL")


class FOOTFALL_OT_turn_upright(FootfallOperator, bpy.types.Operator):
    """Turn the active armature so that the axis detected as vertical points up"""

    bl_idname = "footfall.turn_upright"
    bl_label = "Turn Upright"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason = why_no_action(context)
        action = active_action(context)
        if reason is None and action is not None and not action.footfall.up_question:
            return "There is no sign that the motion lies on its side: press Detect Labels first"
        return reason

    def run(self, context: bpy.types.Context) -> str:
        armature, action = require_action(context)
        axes: dict[str, UpAxis] = {axis: axis for axis in UP_AXES}
        axis = axes.get(action.footfall.up_axis, "Z")
        slot = slot_for(armature, action)
        if slot is not None and any(path.startswith("rotation") for path, _ in curves_of(action, slot)):
            raise FootfallError("The rotation of '{name}' is animated: turn its parent instead", name=armature.name)
        turn = Matrix(to_world(np.eye(3), axis).T.tolist()).to_4x4()
        armature.matrix_world = turn @ armature.matrix_world
        store_question(action, None)
        return Message("'{name}' was turned: detect its labels again", name=armature.name)


CLASSES = (FOOTFALL_OT_turn_upright,)
