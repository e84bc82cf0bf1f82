"""Panels of the path events and waypoints along a path."""

import bpy

from ...shot.subpanel import MIN_LIST_ROWS, DirectSubpanel, draw_list
from ...ui.operator_base import active_armature
from ...ui.panel_parts import draw_note, split_column
from .path_event_operators import FOOTFALL_OT_add_path_event, FOOTFALL_OT_move_path_event, FOOTFALL_OT_remove_path_event
from .path_event_properties import PLACE_TYPES, RANGE_PROPERTIES, VALUE_PROPERTIES
from .waypoint_operators import FOOTFALL_OT_add_waypoint, FOOTFALL_OT_go_to_waypoint, FOOTFALL_OT_remove_waypoint


class FOOTFALL_PT_path_events(DirectSubpanel, bpy.types.Panel):
    """Cues: what holds from where to where on the path."""

    bl_label = "Path Events"

    def draw(self, context: bpy.types.Context) -> None:
        layout, armature = self.layout, active_armature(context)
        assert armature is not None
        settings = armature.footfall
        row = layout.row()
        row.template_list(
            "FOOTFALL_UL_path_events", "", settings, "path_events", settings, "active_path_event", rows=MIN_LIST_ROWS
        )
        buttons = row.column(align=True)
        buttons.operator(FOOTFALL_OT_add_path_event.bl_idname, text="", icon="ADD")
        buttons.operator(FOOTFALL_OT_remove_path_event.bl_idname, text="", icon="REMOVE")
        buttons.separator()
        buttons.operator(FOOTFALL_OT_move_path_event.bl_idname, text="", icon="TRIA_UP").down = False
        buttons.operator(FOOTFALL_OT_move_path_event.bl_idname, text="", icon="TRIA_DOWN").down = True
        if settings.active_path_event < len(settings.path_events):
            self._draw_event(settings.path_events[settings.active_path_event], context.scene)
        split_column(layout).prop(settings, "speed_from_radius")

    def _draw_event(self, event: bpy.types.PropertyGroup, scene: bpy.types.Scene) -> None:
        column = split_column(self.layout)
        column.prop(event, "type")
        if VALUE_PROPERTIES[event.type] != "type":
            column.prop(event, VALUE_PROPERTIES[event.type])
        if event.type == "SHOOT":
            column.prop(event, "rim_radius")
        column.prop(event, "range_type")
        first, last = RANGE_PROPERTIES[event.range_type]
        if event.range_type == "MARKERS":
            column.prop_search(event, first, scene, "timeline_markers", icon="MARKER")
            if event.type not in PLACE_TYPES:
                column.prop_search(event, last, scene, "timeline_markers", icon="MARKER")
        else:
            column.prop(event, first)
            if event.type not in PLACE_TYPES:
                column.prop(event, last)


class FOOTFALL_PT_waypoints(DirectSubpanel, bpy.types.Panel):
    """Marks: where to be at which frame."""

    bl_label = "Waypoints"

    def draw(self, context: bpy.types.Context) -> None:
        layout, armature = self.layout, active_armature(context)
        assert armature is not None
        edits = (FOOTFALL_OT_add_waypoint, "ADD"), (FOOTFALL_OT_remove_waypoint, "REMOVE")
        names = "FOOTFALL_UL_waypoints", "waypoints", "active_waypoint"
        mark = draw_list(layout, armature.footfall, names, edits, [(FOOTFALL_OT_go_to_waypoint, "TIME")])
        if mark is None:
            return
        column = split_column(layout)
        for name in ("empty", "frame", "match_rotation", "planted_foot"):
            column.prop(mark, name)
        if mark.result:
            draw_note(layout, mark.result, "ERROR" if mark.missed else "CHECKMARK")


CLASSES = (FOOTFALL_PT_path_events, FOOTFALL_PT_waypoints)
