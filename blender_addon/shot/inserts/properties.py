"""A character's inserted clips, stored with its armature."""

import bpy

from ...ui.overridable import flag, integer, pointer, text


class FOOTFALL_PG_inserted_clip(bpy.types.PropertyGroup):
    """One inserted clip."""

    is_used: flag("Use", "Insert this action when the walk is baked", True)
    action: pointer(bpy.types.Action, "Action", "Motion of this rig to insert, such as a clip retargeted to the rig")
    frame: integer("Frame", "Frame at which the action begins. It may shift by up to 0.6 s for a better fit")
    repeats: integer("Repeats", "Number of times the action is played", 1, 1, 100)
    issue: text("Issue", "Reason that the action does not fit the walk")


class FOOTFALL_UL_inserted_clips(bpy.types.UIList):
    """The inserted clips, in the order in which they were added."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0) -> None:
        """Draw the row for one inserted clip."""
        row = layout.row(align=True)
        row.prop(item, "is_used", text="")
        name = item.action.name if item.action else "-"
        row.label(text=f"{item.frame}  {name}", icon="ERROR" if item.issue else "ACTION", translate=False)


CLASSES = (FOOTFALL_PG_inserted_clip, FOOTFALL_UL_inserted_clips)
