"""A character's interaction tasks, stored with its armature: each with its object, its place and its time."""

from typing import Final

import bpy

from ..ui.overridable import OVERRIDABLE
from ..ui.translations import CONTEXT

TASK_TYPES: Final = (
    ("walk", "Walk To", "Walk to a target", "TRACKING_FORWARDS", 0),
    ("run", "Run To", "Run to a target", "FF", 1),
    ("sit", "Sit On", "Walk to an object, sit down and stay. The next task makes it get up", "ALIGN_BOTTOM", 2),
    ("lie", "Lie Down", "Walk to a target, lie down, stay and get up", "TRIA_DOWN_BAR", 6),
    ("sit_ground", "Sit on Ground", "Walk to a target, sit down on the ground, stay and get up", "TRIA_DOWN", 8),
    ("carry", "Carry", "Pick up an object and put it down at the target", "PACKAGE", 3),
    ("lean", "Lean On", "Walk to a table, a rail or a wall, lean on it with both hands and stay", "TRIA_RIGHT_BAR", 9),
    ("push", "Push", "Push an object along the floor to a target", "FORWARD", 7),
    ("open", "Open Door", "Open a door, walk through and let it close", "MOD_PHYSICS", 4),
    ("idle", "Wait", "Stand in place", "PAUSE", 5),
)
TYPES_WITH_OBJECT: Final = ("sit", "lean", "carry", "push", "open")
TYPES_WITH_TARGET: Final = ("walk", "run", "lie", "sit_ground", "carry", "push")
TYPES_WITH_DURATION: Final = ("walk", "run", "sit", "lie", "sit_ground", "lean", "idle")


def _is_mesh(_owner: bpy.types.PropertyGroup, candidate: bpy.types.Object) -> bool:
    return candidate.type == "MESH"


class FOOTFALL_PG_interaction_task(bpy.types.PropertyGroup):
    """One errand."""

    type: bpy.props.EnumProperty(
        override=OVERRIDABLE,
        items=TASK_TYPES,
        name="Type",
        description="Type of the task",
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
        description="Empty or object to go to, lie or sit at, or put the object on. Its +Y axis is the facing",
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
    """The errands, in order."""

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
