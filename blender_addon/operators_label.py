"""Labelling an action: find, correct, clear."""

import bpy

from ..core.labelling import label_clip
from .clip_bridge import read_action
from .guard import FootfallOperator, active_armature, require_armature, require_editable, why_no_armature
from .label_curves import can_hold_properties
from .label_edits import settle
from .labels import clear_labels, write_labels


def why_no_action(context: bpy.types.Context) -> str | None:
    """Why the active armature's action cannot be labelled now; ``None`` where it can."""
    reason = why_no_armature(context)
    if reason is not None:
        return reason
    armature = active_armature(context)
    data = armature.animation_data if armature else None
    if data is None or data.action is None:
        return "This armature has no action: import motion capture or assign one"
    if not data.action.is_editable:
        return f"Action '{data.action.name}' is linked from another file: make it local first"
    return None


class FOOTFALL_OT_label_action(FootfallOperator, bpy.types.Operator):
    """Find foot contacts, strikes, phase and gaits in the active armature's action; your own corrections stay"""

    bl_idname = "footfall.label_action"
    bl_label = "Label Action"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return why_no_action(context)

    def run(self, context: bpy.types.Context) -> str:
        armature = require_armature(context)
        action = armature.animation_data.action
        require_editable(action, "Action")
        clip, first = read_action(armature, action, context.scene)
        labels = label_clip(clip)
        write_labels(armature, action, labels, first)
        strikes = len(labels.left_strikes) + len(labels.right_strikes)
        without = "" if can_hold_properties(armature) else "; no curves, for the armature belongs to another file"
        return f"Labelled {len(clip)} frames of '{action.name}': {strikes} foot strikes{without}"


class FOOTFALL_OT_update_labels(FootfallOperator, bpy.types.Operator):
    """Bring phase and curves up to date after foot strikes (pose markers) or segments were moved by hand"""

    bl_idname = "footfall.update_labels"
    bl_label = "Update from Marks"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        reason = why_no_action(context)
        if reason is None and not require_armature(context).animation_data.action.footfall.segments:
            return "Label the action first"
        return reason

    def run(self, context: bpy.types.Context) -> str:
        armature = require_armature(context)
        action = armature.animation_data.action
        require_editable(action, "Action")
        clip, first = read_action(armature, action, context.scene)
        settle(armature, action)
        write_labels(armature, action, label_clip(clip), first)
        return f"Phase and contacts of '{action.name}' follow its marks"


class FOOTFALL_OT_clear_labels(FootfallOperator, bpy.types.Operator):
    """Remove all labels from the active armature's action, your own corrections too"""

    bl_idname = "footfall.clear_labels"
    bl_label = "Clear Labels"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return why_no_action(context)

    def run(self, context: bpy.types.Context) -> str:
        armature = require_armature(context)
        action = armature.animation_data.action
        require_editable(action, "Action")
        clear_labels(armature, action)
        return f"Labels removed from '{action.name}'"
