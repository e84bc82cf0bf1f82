"""Operators for the list of path events: add, remove, move."""

import bpy

from ....core.message import Message
from ...ui.list_operators import CharacterListOperator, MoveOperator, RemoveOperator
from ...ui.operator_base import require_armature


class _PathEvents(CharacterListOperator):
    """A mix-in that names the list of path events."""

    collection, active = "path_events", "active_path_event"


class FOOTFALL_OT_add_path_event(_PathEvents, bpy.types.Operator):
    """Add a path event after the active one. A selected object becomes its target"""

    bl_idname = "footfall.add_path_event"
    bl_label = "Add Event"

    def run(self, context: bpy.types.Context) -> str:
        armature = require_armature(context)
        settings = armature.footfall
        before = (
            settings.path_events[settings.active_path_event]
            if settings.active_path_event < len(settings.path_events)
            else None
        )
        unit, start = (before.range_type, before.end_distance) if before else ("DISTANCE", 0.0)
        cue = self.insert_item(context)
        cue.range_type, cue.start_distance, cue.end_distance = unit, start, start + 2.0
        chosen = [one for one in context.selected_objects if one not in (armature, settings.path)]
        if chosen:
            cue.type, cue.target = "FACE_TARGET", chosen[0]
        return "Path event added: set its range and value, and bake"


class FOOTFALL_OT_remove_path_event(_PathEvents, RemoveOperator, bpy.types.Operator):
    """Remove the active path event from the list"""

    bl_idname = "footfall.remove_path_event"
    bl_label = "Remove Event"

    def run(self, context: bpy.types.Context) -> str:
        return Message("Path event removed, {count} are left", count=self.remove_active(context))


class FOOTFALL_OT_move_path_event(_PathEvents, MoveOperator, bpy.types.Operator):
    """Move the active path event up or down. If events overlap, the lower one applies"""

    bl_idname = "footfall.move_path_event"
    bl_label = "Move Event"

    down: bpy.props.BoolProperty(name="Move Down", description="Move the event down in the list instead of up")

    def run(self, context: bpy.types.Context) -> str:
        number, count = self.move_active(context)
        return Message("Event {number} of {count}", number=number, count=count)


CLASSES = (FOOTFALL_OT_add_path_event, FOOTFALL_OT_remove_path_event, FOOTFALL_OT_move_path_event)
