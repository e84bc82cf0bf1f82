"""A character's interaction tasks, stored with its armature: each with its object, its place and its time."""

from typing import Final

import bpy

from ....core.actions import ACTION_TABLE, actions_that
from ...ui.overridable import OVERRIDABLE
from ...ui.translations import CONTEXT

TASK_TYPES: Final = tuple(
    (name, one.task.title, one.task.description, one.task.icon, one.task.number)
    for name, one in ACTION_TABLE.items()
    if one.task
)
TYPES_WITH_OBJECT: Final = actions_that(lambda one: one.takes("object"))
TYPES_WITH_TARGET: Final = actions_that(lambda one: one.takes("target"))
WALK_SPEEDS_M_S: Final = {"walk": 1.2, "run": 3.0}
"""Usual speed of each type of walk."""
TYPES_WITH_DURATION: Final = actions_that(lambda one: one.takes("duration"))


def _is_mesh(_owner: bpy.types.PropertyGroup, candidate: bpy.types.Object) -> bool:
    return candidate.type == "MESH"


class FOOTFALL_PG_interaction_task(bpy.types.PropertyGroup):
    """One beat."""

    type: bpy.props.EnumProperty(
        override=OVERRIDABLE,
        items=TASK_TYPES,
        name="Type",
        description="Type of the beat",
        default="sit",
        translation_context=CONTEXT,
    )
    object: bpy.props.PointerProperty(
        override=OVERRIDABLE,
        type=bpy.types.Object,
        poll=_is_mesh,
        name="Object",
        description="Mesh to sit on, lean on, carry, push or open",
    )
    target: bpy.props.PointerProperty(
        override=OVERRIDABLE,
        type=bpy.types.Object,
        name="Target",
        description="Path to walk along, or the empty or object of the beat's place. Its +Y is the facing",
    )
    speed: bpy.props.FloatProperty(
        override=OVERRIDABLE,
        name="Speed",
        description="Speed of a walk along a path or over uneven ground. 0 is the usual speed",
        default=0.0,
        min=0.0,
        soft_max=5.0,
        unit="VELOCITY",
    )
    style: bpy.props.StringProperty(
        override=OVERRIDABLE,
        name="Style",
        description="Style of the controller, such as crouch. Leave empty for plain walking and running",
    )
    duration: bpy.props.FloatProperty(
        override=OVERRIDABLE,
        name="Duration",
        description="Time to stay",
        default=3.0,
        min=0.0,
        soft_max=30.0,
        unit="TIME_ABSOLUTE",
    )


class FOOTFALL_UL_interaction_tasks(bpy.types.UIList):
    """The beats, in order."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0) -> None:
        """Draw the row of one interaction task."""
        row = layout.row(align=True)
        picture = next(picture for action, _, _, picture, _ in TASK_TYPES if action == item.type)
        row.prop(item, "type", text="", icon=picture, emboss=False)
        if item.type in TYPES_WITH_OBJECT:
            row.prop(item, "object", text="")
        elif item.type in TYPES_WITH_TARGET:
            row.prop(item, "target", text="")
        if item.type in TYPES_WITH_DURATION:
            row.prop(item, "duration", text="")


CLASSES = (FOOTFALL_PG_interaction_task, FOOTFALL_UL_interaction_tasks)
