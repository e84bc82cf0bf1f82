"""Operators for the list of waypoints: empties are added and removed."""

from typing import Final

import bpy

from ....core.message import Message
from ...ui.list_operators import CharacterListOperator, GoToFrameOperator, RemoveOperator
from ...ui.operator_base import require_armature
from ...units import meters_per_unit

EMPTY_SIZE_M: Final = 0.4
"""Size of the empty's arrows, meters."""
WAYPOINT_PROPERTY: Final = "footfall_waypoint"
"""The property of empties that were created for waypoints, and are removed together with them."""


class _Waypoints(CharacterListOperator):
    """A mix-in that names the list of waypoints."""

    collection, active = "waypoints", "active_waypoint"


class FOOTFALL_OT_add_waypoint(_Waypoints, bpy.types.Operator):
    """Add a waypoint for the current frame at the 3D cursor, or at each selected empty"""

    bl_idname = "footfall.add_waypoint"
    bl_label = "Add Waypoint"

    def run(self, context: bpy.types.Context) -> str:
        settings, scene = require_armature(context).footfall, context.scene
        known = {mark.empty for mark in settings.waypoints}
        chosen = [one for one in context.selected_objects if one.type == "EMPTY" and one not in known]
        for spot in chosen or [_new_empty(context)]:
            mark = settings.waypoints.add()
            mark.empty, mark.frame = spot, scene.frame_current
        settings.active_waypoint = len(settings.waypoints) - 1
        return "Waypoint added: move its empty, set its frame, and bake"


def _new_empty(context: bpy.types.Context) -> bpy.types.Object:
    spot = bpy.data.objects.new("Waypoint", None)
    spot.empty_display_type, spot.empty_display_size = "ARROWS", EMPTY_SIZE_M / meters_per_unit()
    spot.location = context.scene.cursor.location
    spot.show_name = True
    spot[WAYPOINT_PROPERTY] = True
    context.collection.objects.link(spot)
    return spot


class FOOTFALL_OT_remove_waypoint(_Waypoints, RemoveOperator, bpy.types.Operator):
    """Remove the active waypoint, and its empty if both were created together"""

    bl_idname = "footfall.remove_waypoint"
    bl_label = "Remove Waypoint"

    def run(self, context: bpy.types.Context) -> str:
        spot = self.items(context)[self.active_index(context)].empty
        count = self.remove_active(context)
        if spot is not None and WAYPOINT_PROPERTY in spot:
            bpy.data.objects.remove(spot)
        return Message("Waypoint removed, {count} are left", count=count)


class FOOTFALL_OT_go_to_waypoint(_Waypoints, GoToFrameOperator, bpy.types.Operator):
    """Jump to the frame of the active waypoint"""

    bl_idname = "footfall.go_to_waypoint"
    bl_label = "Go to Waypoint"


CLASSES = (FOOTFALL_OT_add_waypoint, FOOTFALL_OT_remove_waypoint, FOOTFALL_OT_go_to_waypoint)
