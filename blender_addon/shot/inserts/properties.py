"""A character's inserted clips, stored with its armature."""

import bpy

from ...ui.overridable import OVERRIDABLE


class FOOTFALL_PG_inserted_clip(bpy.types.PropertyGroup):
    """One inserted clip."""

    is_used: bpy.props.BoolProperty(
        override=OVERRIDABLE, name="Use", description="Insert this action when the walk is baked", default=True
    )
    action: bpy.props.PointerProperty(
        override=OVERRIDABLE,
        type=bpy.types.Action,
        name="Action",
        description="Motion of this rig, such as one retargeted to it",
    )
    frame: bpy.props.IntProperty(
        override=OVERRIDABLE,
        name="Frame",
        description="Frame at which the action begins, moved by up to 0.6 s to where it fits best",
    )
    repeats: bpy.props.IntProperty(
        override=OVERRIDABLE,
        name="Repeats",
        description="Number of times the action is played",
        default=1,
        min=1,
        max=100,
    )
    issue: bpy.props.StringProperty(
        override=OVERRIDABLE, name="Issue", description="How the action does not fit the walk"
    )


class FOOTFALL_UL_inserted_clips(bpy.types.UIList):
    """The inserted clips, in the order in which they were added."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0) -> None:
        """Draw the row of one inserted clip."""
        row = layout.row(align=True)
        row.prop(item, "is_used", text="")
        name = item.action.name if item.action else "-"
        row.label(text=f"{item.frame}  {name}", icon="ERROR" if item.issue else "ACTION", translate=False)


CLASSES = (FOOTFALL_PG_inserted_clip, FOOTFALL_UL_inserted_clips)
