"""A character's edited steps and retimed stretches, stored with its armature."""

from typing import Final

import bpy

from ....core.control.edit.retiming import TUNING as RETIMING_TUNING
from ...ui.overridable import OVERRIDABLE

FEET: Final = (
    ("L", "Left", "Left foot, or left hind paw"),
    ("R", "Right", "Right foot, or right hind paw"),
    ("front_L", "Front Left", "Left front paw"),
    ("front_R", "Front Right", "Right front paw"),
)


class FOOTFALL_PG_edited_step(bpy.types.PropertyGroup):
    """One edited step.

    ``time`` is that of the step in the walk before it is retimed, seconds; ``home`` (3) and ``home_yaw`` are where its
    foot stands without the edit, meters and radians, world.
    """

    is_used: bpy.props.BoolProperty(override=OVERRIDABLE, name="Use", description="Bake with this edit", default=True)
    foot: bpy.props.EnumProperty(override=OVERRIDABLE, items=FEET, name="Foot", description="Foot of the step")
    frame: bpy.props.IntProperty(override=OVERRIDABLE, name="Frame", description="Scene frame of the step")
    handle: bpy.props.PointerProperty(
        override=OVERRIDABLE,
        type=bpy.types.Object,
        name="Footprint",
        description="Empty to move and rotate to where the foot is planted",
    )
    earlier: bpy.props.IntProperty(
        override=OVERRIDABLE,
        name="Land Earlier",
        description="Frames by which the foot lands earlier. Negative values land later",
        soft_min=-20,
        soft_max=20,
    )
    later: bpy.props.IntProperty(
        override=OVERRIDABLE,
        name="Lift Later",
        description="Frames by which the foot leaves the ground later. Negative values lift earlier",
        soft_min=-20,
        soft_max=20,
    )
    time: bpy.props.FloatProperty(override=OVERRIDABLE)
    home: bpy.props.FloatVectorProperty(override=OVERRIDABLE, size=3)
    home_yaw: bpy.props.FloatProperty(override=OVERRIDABLE)
    issue: bpy.props.StringProperty(
        override=OVERRIDABLE, name="Issue", description="Why the foot does not stand at its footprint"
    )


class FOOTFALL_PG_retimed_stretch(bpy.types.PropertyGroup):
    """One retimed stretch."""

    is_used: bpy.props.BoolProperty(
        override=OVERRIDABLE, name="Use", description="Bake with this stretch retimed", default=True
    )
    first: bpy.props.IntProperty(
        override=OVERRIDABLE, name="First Frame", description="First frame of the stretch, before retiming"
    )
    last: bpy.props.IntProperty(
        override=OVERRIDABLE, name="Last Frame", description="Last frame of the stretch, before retiming"
    )
    ratio: bpy.props.FloatProperty(
        override=OVERRIDABLE,
        name="Duration",
        description="Factor by which the stretch takes longer",
        default=1.25,
        min=RETIMING_TUNING.duration_range[0],
        max=RETIMING_TUNING.duration_range[1],
        subtype="FACTOR",
    )


class FOOTFALL_UL_edited_steps(bpy.types.UIList):
    """The edited steps, in the order in which they were added."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0) -> None:
        """Draw the row of one edited step."""
        row = layout.row(align=True)
        row.prop(item, "is_used", text="")
        row.label(text=f"{item.frame}  {item.foot}", icon="ERROR" if item.issue else "ANCHOR_BOTTOM", translate=False)


class FOOTFALL_UL_retimed_stretches(bpy.types.UIList):
    """The retimed stretches, in the order in which they were added."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0) -> None:
        """Draw the row of one retimed stretch."""
        row = layout.row(align=True)
        row.prop(item, "is_used", text="")
        row.label(text=f"{item.first} - {item.last}  x {item.ratio:.2f}", icon="TIME", translate=False)


CLASSES = (
    FOOTFALL_PG_edited_step,
    FOOTFALL_PG_retimed_stretch,
    FOOTFALL_UL_edited_steps,
    FOOTFALL_UL_retimed_stretches,
)
