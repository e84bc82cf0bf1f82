"""A character's key poses, stored with its armature."""

from typing import Final

import bpy

from ...ui.overridable import OVERRIDABLE

ANCHORS: Final = (
    ("FRAME", "Frame", "Keep the pose at its frame, wherever the character is at that time"),
    ("DISTANCE", "Distance", "Keep the pose at its distance along the path, whenever the character arrives there"),
)


class FOOTFALL_PG_key_pose(bpy.types.PropertyGroup):
    """One key pose."""

    is_used: bpy.props.BoolProperty(
        override=OVERRIDABLE, name="Use", description="Bake through this pose", default=True
    )
    frame: bpy.props.IntProperty(override=OVERRIDABLE, name="Frame", description="Scene frame of the pose")
    anchor: bpy.props.EnumProperty(
        override=OVERRIDABLE, items=ANCHORS, name="Anchor", description="What the pose keeps when the path is edited"
    )
    distance: bpy.props.FloatProperty(
        override=OVERRIDABLE,
        name="Distance",
        description="Distance that the character has covered at the pose",
        min=0.0,
        unit="LENGTH",
    )
    automatic_blend: bpy.props.BoolProperty(
        override=OVERRIDABLE,
        name="Automatic Blend",
        description="Blend to and from the pose as slowly as a body moves",
        default=True,
    )
    blend_in: bpy.props.IntProperty(
        override=OVERRIDABLE,
        name="Blend In",
        description="Frames over which the motion blends into the pose",
        default=10,
        min=1,
        soft_max=100,
    )
    blend_out: bpy.props.IntProperty(
        override=OVERRIDABLE,
        name="Blend Out",
        description="Frames over which the motion blends out of the pose",
        default=10,
        min=1,
        soft_max=100,
    )
    pose: bpy.props.StringProperty(override=OVERRIDABLE, description="The pose, as JSON")
    parts: bpy.props.StringProperty(
        override=OVERRIDABLE, name="Bones", description="Posed bones. Their parents are kept, too"
    )
    issue: bpy.props.StringProperty(
        override=OVERRIDABLE, name="Issue", description="Why the pose cannot be reached from the walk"
    )


class FOOTFALL_UL_key_poses(bpy.types.UIList):
    """The key poses, in the order in which they were kept."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0) -> None:
        """Draw the row of one key pose."""
        row = layout.row(align=True)
        row.prop(item, "is_used", text="")
        place = f"{item.frame}" if item.anchor == "FRAME" else f"{item.distance:.2f} m"
        text = f"{place}  {item.parts}" if item.parts else place
        row.label(text=text, icon="ERROR" if item.issue else "POSE_HLT", translate=False)


CLASSES = (FOOTFALL_PG_key_pose, FOOTFALL_UL_key_poses)
