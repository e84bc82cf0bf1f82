"""A character's interaction tasks, stored with its armature: each with its object, its place and its time."""

from typing import Final

import bpy

from ..ui.overridable import OVERRIDABLE
from ..ui.translations import CONTEXT

TASK_TYPES: Final = (
    ("walk", "Walk To", "Walk to a place", "TRACKING_FORWARDS", 0),
    ("run", "Run To", "Run to a place", "FF", 1),
    ("sit", "Sit On", "Walk to an object, sit down on it, stay, stand up", "ALIGN_BOTTOM", 2),
    ("lie", "Lie Down", "Walk to a place, lie down there, stay, get up", "TRIA_DOWN_BAR", 6),
    ("carry", "Carry", "Fetch an object and put it down at a place", "PACKAGE", 3),
    ("push", "Push", "Push an object along the floor to a place", "FORWARD", 7),
    ("open", "Go Through", "Open a door, go through, let it close", "MOD_PHYSICS", 4),
    ("idle", "Wait", "Stand where one is", "PAUSE", 5),
)
TYPES_WITH_OBJECT: Final = ("sit", "carry", "push", "open")
TYPES_WITH_TARGET: Final = ("walk", "run", "lie", "carry", "push")
TYPES_WITH_DURATION: Final = ("sit", "lie", "idle")


def _is_mesh(_owner: bpy.types.PropertyGroup, candidate: bpy.types.Object) -> bool:
    return candidate.type == "MESH"


class FOOTFALL_PG_interaction_task(bpy.types.PropertyGroup):
    """One errand."""

    type: bpy.props.EnumProperty(
        override=OVERRIDABLE,
        items=TASK_TYPES,
        name="Action",
        description="What to do",
        default="sit",
        translation_context=CONTEXT,
    )
    object: bpy.props.PointerProperty(
        override=OVERRIDABLE,
        type=bpy.types.Object,
        poll=_is_mesh,
        name="Object",
        description="What to sit on, to carry, to push or to open: any mesh",
    )
    target: bpy.props.PointerProperty(
        override=OVERRIDABLE,
        type=bpy.types.Object,
        name="Place",
        description="Where to go or to lie down, or where to put what is carried or pushed: an empty, whose +Y is "
        "where to face, or where the head lies; or an object, on whose top it is put",
    )
    duration: bpy.props.FloatProperty(
        override=OVERRIDABLE,
        name="Duration",
        description="How long to stay",
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
