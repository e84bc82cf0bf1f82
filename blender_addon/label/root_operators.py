"""Creation of a character's root empty."""

import bpy

from ...core.errors import FootfallError
from ...core.message import Message
from ..animation.fcurve_io.body_reader import read_body
from ..rig.store import rig_map_of
from ..ui.modal_operator import ModalWorkOperator, WorkSteps, part_of_work
from ..ui.operator_base import active_armature, require_armature, why_not_animatable
from .root_curves import action_with_root, compute_root_curves, write_root

READ_WORK_SHARE = 0.95
"""Share of the work for reading the motion."""


class FOOTFALL_OT_add_root_empty(ModalWorkOperator, bpy.types.Operator):
    """Add or update an empty that follows the character on the ground and turns with it"""

    bl_idname = "footfall.add_root_empty"
    bl_label = "Add Root Empty"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason, armature = why_not_animatable(context), active_armature(context)
        if reason is None and armature is not None and action_with_root(armature) is None:
            return "The character has no action: bake or animate the character first"
        return reason

    def work(self, context: bpy.types.Context) -> WorkSteps:
        armature, scene = require_armature(context), context.scene
        action = action_with_root(armature)
        if action is None:
            raise FootfallError(
                "The character '{name}' has no action: bake or animate the character first", name=armature.name
            )
        reading = read_body(armature, action, scene, rig_map_of(armature))
        clip, first = yield from part_of_work(reading, 0.0, READ_WORK_SHARE, Message("Reading the motion"))
        curves = compute_root_curves(armature, action, clip, first)
        empty = write_root(armature, curves, scene)
        return Message(
            "The empty '{empty}' follows '{character}' from frame {start} to {end}",
            empty=empty.name,
            character=armature.name,
            start=f"{curves.frames[0]:g}",
            end=f"{curves.frames[-1]:g}",
        )


CLASSES = (FOOTFALL_OT_add_root_empty,)
