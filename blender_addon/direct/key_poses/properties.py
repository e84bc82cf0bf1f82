"""A character's key poses, stored with its armature."""

from typing import Final

import bpy

from ...ui.overridable import OVERRIDABLE

ANCHORS: Final = (
    ("FRAME", "Frame", "The pose stays at its frame, wherever the character is then"),
    ("DISTANCE", "Distance", "The pose stays where it is along the way, whenever the character comes there"),
)


class FOOTFALL_PG_key_pose(bpy.types.PropertyGroup):
    """One key pose."""

    is_used: bpy.props.BoolProperty(
        override=OVERRIDABLE, name="Use", description="Bake through this pose", default=True
    )
    frame: bpy.props.IntProperty(override=OVERRIDABLE, name="Frame", description="The scene's frame of the pose")
    anchor: bpy.props.EnumProperty(
        override=OVERRIDABLE, items=ANCHORS, name="Stays At", description="What the pose keeps as the path is edited"
    )
    distance: bpy.props.FloatProperty(
        override=OVERRIDABLE,
        name="Distance",
        description="How far the character has come at the pose",
        min=0.0,
        unit="LENGTH",
    )
    automatic_blend: bpy.props.BoolProperty(
        override=OVERRIDABLE,
        name="Automatic Blend",
        description="Come to the pose and leave it as slowly as bodies need for it",
        default=True,
    )
    blend_in: bpy.props.IntProperty(
        override=OVERRIDABLE,
        name="Blend In",
        description="Frames in which the motion comes to the pose",
        default=10,
        min=1,
        soft_max=100,
    )
    blend_out: bpy.props.IntProperty(
        override=OVERRIDABLE,
        name="Blend Out",
        description="Frames in which the motion leaves the pose",
        default=10,
        min=1,
        soft_max=100,
    )
    pose: bpy.props.StringProperty(override=OVERRIDABLE, description="The pose, as JSON")
    parts: bpy.props.StringProperty(
        override=OVERRIDABLE, name="Parts", description="The bones that were posed; those that they hang on stay, too"
    )
    issue: bpy.props.StringProperty(
        override=OVERRIDABLE, name="Issue", description="Why no body can take the pose from there"
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
