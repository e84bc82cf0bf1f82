"""Operators for the list of path events: add, remove, move."""

import bpy

from ...core.message import Message
from ..ui.list_operators import CharacterListOperator, MoveOperator, RemoveOperator
from ..ui.operator_base import require_armature


class _PathEvents(CharacterListOperator):
    """A mix-in that names the list of path events."""

    collection, active = "path_events", "active_path_event"


class FOOTFALL_OT_add_path_event(_PathEvents, bpy.types.Operator):
    """Add a cue after the marked one: a speed, a style, where to face, or a wait; a selected object is looked at"""

    bl_idname = "footfall.add_path_event"
    bl_label = "Add Cue"

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
        return "Cue added: say what holds from where to where, and bake"


class FOOTFALL_OT_remove_path_event(_PathEvents, RemoveOperator, bpy.types.Operator):
    """Take the marked cue off the list"""

    bl_idname = "footfall.remove_path_event"
    bl_label = "Remove Cue"

    def run(self, context: bpy.types.Context) -> str:
        return Message("{count} cues", count=self.remove_active(context))


class FOOTFALL_OT_move_path_event(_PathEvents, MoveOperator, bpy.types.Operator):
    """Move the marked cue up or down the list: where two overlap, the lower one counts"""

    bl_idname = "footfall.move_path_event"
    bl_label = "Move Cue"

    down: bpy.props.BoolProperty(name="Down", description="Down the list, not up")

    def run(self, context: bpy.types.Context) -> str:
        number, count = self.move_active(context)
        return Message("Cue {other} of {len}", other=number, len=count)


CLASSES = (FOOTFALL_OT_add_path_event, FOOTFALL_OT_remove_path_event, FOOTFALL_OT_move_path_event)
