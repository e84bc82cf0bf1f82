"""A character's key poses, stored with its armature."""

from typing import Final

import bpy

from ...ui.overridable import choice, flag, integer, number, text

ANCHORS: Final = (
    ("FRAME", "Frame", "Keep the pose at its frame, wherever the character is at that time"),
    ("DISTANCE", "Distance", "Keep the pose at its distance along the path, whenever the character arrives there"),
)


class FOOTFALL_PG_key_pose(bpy.types.PropertyGroup):
    """One key pose."""

    is_used: flag("Use", "Use this pose in the next bake", True)
    frame: integer("Frame", "Scene frame of the pose")
    anchor: choice(
        "Anchor", "Property of the pose that is kept when the path is edited: its frame or its distance", ANCHORS
    )
    distance: number(
        "Distance", "Distance along the path at which the character takes the pose", low=0.0, unit="LENGTH"
    )
    automatic_blend: flag("Automatic Blend", "Choose blends long enough for natural motion of the body", True)
    blend_in: integer("Blend In", "Frames over which the motion blends into the pose", 10, 1, soft_max=100)
    blend_out: integer("Blend Out", "Frames over which the motion blends out of the pose", 10, 1, soft_max=100)
    pose: text(description="Rotations of the pose, as JSON")
    parts: text("Bones", "Bones that the pose sets, together with the bones above and below them in the hierarchy")
    issue: text("Issue", "Reason that the pose cannot be reached from the walk")


class FOOTFALL_UL_key_poses(bpy.types.UIList):
    """The key poses, in the order in which they were kept."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0) -> None:
        """Draw the row for one key pose."""
        row = layout.row(align=True)
        row.prop(item, "is_used", text="")
        place = f"{item.frame}" if item.anchor == "FRAME" else f"{item.distance:.2f} m"
        text = f"{place}  {item.parts}" if item.parts else place
        row.label(text=text, icon="ERROR" if item.issue else "POSE_HLT", translate=False)


CLASSES = (FOOTFALL_PG_key_pose, FOOTFALL_UL_key_poses)
