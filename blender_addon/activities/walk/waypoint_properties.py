"""A character's waypoints, stored with its armature: empties to reach at given frames."""

from typing import Final

import bpy

from ...ui.overridable import choice, flag, integer, pointer, text
from ...ui.translations import CONTEXT

PLANTED_FOOT_ITEMS: Final = (
    ("EITHER", "Either", "Plant whichever foot is on the ground"),
    ("L", "Left", "Plant the left foot"),
    ("R", "Right", "Plant the right foot"),
)


def _is_empty(_owner: bpy.types.PropertyGroup, candidate: bpy.types.Object) -> bool:
    return candidate.type == "EMPTY"


class FOOTFALL_PG_waypoint(bpy.types.PropertyGroup):
    """One mark."""

    empty: pointer(
        bpy.types.Object, "Waypoint", "Empty to reach. With Match Rotation, its +Y axis sets the facing", poll=_is_empty
    )
    frame: integer("Frame", "Scene frame at which the waypoint is reached", 100)
    match_rotation: flag(
        "Match Rotation", "Face along the +Y axis of the empty, side-stepping if needed", translation_context=CONTEXT
    )
    planted_foot: choice(
        "Planted Foot",
        "Foot that is on the ground at the frame of the waypoint",
        PLANTED_FOOT_ITEMS,
        translation_context=CONTEXT,
    )
    result: text("Accuracy", "Distance and angle by which the last bake missed the waypoint")
    missed: flag("Missed", "Whether the last bake missed the waypoint")


class FOOTFALL_UL_waypoints(bpy.types.UIList):
    """The marks, in the order in which they were made; they are met in the order of their frames."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0) -> None:
        """Draw the row for one waypoint."""
        row = layout.row(align=True)
        picture = "EMPTY_ARROWS" if not item.result else "ERROR" if item.missed else "CHECKMARK"
        row.prop(item, "empty", text="", icon=picture, emboss=False)
        row.prop(item, "frame", text="", emboss=False)


CLASSES = (FOOTFALL_PG_waypoint, FOOTFALL_UL_waypoints)
