"""Operators for the list of path events: add, remove, move."""

import bpy

from ...core.message import Message
from ..ui.operator_base import FootfallOperator, require_armature, why_no_armature


class _PathEventOperator(FootfallOperator):
    """A mix-in for operators on the active armature's list; ``lacks`` says why the list is too short."""

    @classmethod
    def too_short_reason(cls, _count: int) -> str | None:
        return None

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return why_no_armature(context) or cls.too_short_reason(len(require_armature(context).footfall.path_events))


class FOOTFALL_OT_add_path_event(_PathEventOperator, bpy.types.Operator):
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
        settings.path_events.add()
        after = min(settings.active_path_event + 1, len(settings.path_events) - 1)
        settings.path_events.move(len(settings.path_events) - 1, after)
        settings.active_path_event = after
        cue = settings.path_events[after]
        cue.range_type, cue.start_distance, cue.end_distance = unit, start, start + 2.0
        chosen = [one for one in context.selected_objects if one not in (armature, settings.path)]
        if chosen:
            cue.type, cue.target = "FACE_TARGET", chosen[0]
        return "Cue added: say what holds from where to where, and bake"


class FOOTFALL_OT_remove_path_event(_PathEventOperator, bpy.types.Operator):
    """Take the marked cue off the list"""

    bl_idname = "footfall.remove_path_event"
    bl_label = "Remove Cue"

    @classmethod
    def too_short_reason(cls, count: int) -> str | None:
        return None if count else "The list is empty"

    def run(self, context: bpy.types.Context) -> str:
        settings = require_armature(context).footfall
        index = min(settings.active_path_event, len(settings.path_events) - 1)
        settings.path_events.remove(index)
        settings.active_path_event = max(index - 1, 0)
        return f"{len(settings.path_events)} cues"


class FOOTFALL_OT_move_path_event(_PathEventOperator, bpy.types.Operator):
    """Move the marked cue up or down the list: where two overlap, the lower one counts"""

    bl_idname = "footfall.move_path_event"
    bl_label = "Move Cue"

    down: bpy.props.BoolProperty(name="Down", description="Down the list, not up")

    @classmethod
    def too_short_reason(cls, count: int) -> str | None:
        return None if count > 1 else "There is nothing to change"

    def run(self, context: bpy.types.Context) -> str:
        settings = require_armature(context).footfall
        index = min(settings.active_path_event, len(settings.path_events) - 1)
        other = min(max(index + (1 if self.down else -1), 0), len(settings.path_events) - 1)
        settings.path_events.move(index, other)
        settings.active_path_event = other
        return Message("Cue {other} of {len}", other=other + 1, len=len(settings.path_events))


CLASSES = (FOOTFALL_OT_add_path_event, FOOTFALL_OT_remove_path_event, FOOTFALL_OT_move_path_event)
