"""A character's waypoints, stored with its armature: empties that it reaches at given frames."""

from typing import Final

import bpy

from ..ui.overridable import OVERRIDABLE
from ..ui.translations import CONTEXT

PLANTED_FOOT_ITEMS: Final = (
    ("EITHER", "Either", "Whichever foot stands there"),
    ("L", "Left", "The left foot stands on the ground"),
    ("R", "Right", "The right foot stands on the ground"),
)


def _is_empty(_owner: bpy.types.PropertyGroup, candidate: bpy.types.Object) -> bool:
    return candidate.type == "EMPTY"


class FOOTFALL_PG_waypoint(bpy.types.PropertyGroup):
    """One mark."""

    empty: bpy.props.PointerProperty(
        override=OVERRIDABLE,
        type=bpy.types.Object,
        poll=_is_empty,
        name="Mark",
        description="The empty at which to be; its +Y is where to face",
    )
    frame: bpy.props.IntProperty(
        override=OVERRIDABLE, name="Frame", description="The scene's frame at which to be there", default=100
    )
    match_rotation: bpy.props.BoolProperty(
        override=OVERRIDABLE,
        name="Face",
        description="Face where the empty's +Y points, side stepping if need be",
        translation_context=CONTEXT,
    )
    planted_foot: bpy.props.EnumProperty(
        override=OVERRIDABLE,
        items=PLANTED_FOOT_ITEMS,
        name="Foot",
        description="Which foot stands on the ground at that frame",
        translation_context=CONTEXT,
    )
    result: bpy.props.StringProperty(
        override=OVERRIDABLE, name="Reached", description="What became of the mark in the last bake"
    )
    missed: bpy.props.BoolProperty(
        override=OVERRIDABLE, name="Missed", description="Whether the mark was missed in the last bake"
    )


class FOOTFALL_UL_waypoints(bpy.types.UIList):
    """The marks, in the order in which they were made; they are met in the order of their frames."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0) -> None:
        """Draw the row of one waypoint."""
        row = layout.row(align=True)
        picture = "EMPTY_ARROWS" if not item.result else "ERROR" if item.missed else "CHECKMARK"
        row.prop(item, "empty", text="", icon=picture, emboss=False)
        row.prop(item, "frame", text="", emboss=False)


CLASSES = (FOOTFALL_PG_waypoint, FOOTFALL_UL_waypoints)
