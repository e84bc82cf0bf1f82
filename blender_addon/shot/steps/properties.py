"""A character's edited steps and retimed stretches, stored with its armature."""

from typing import Final

import bpy

from ....core.control.edit.retiming import TUNING as RETIMING_TUNING
from ...ui.overridable import OVERRIDABLE, choice, flag, integer, number, pointer, text

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

    is_used: flag("Use", "Use this edit in the next bake", True)
    foot: choice("Foot", "Foot whose step is edited", FEET)
    frame: integer("Frame", "Scene frame at which the foot is on the ground")
    handle: pointer(
        bpy.types.Object, "Footprint", "Empty that sets where the foot is planted. Move or rotate it to edit the step"
    )
    earlier: integer(
        "Land Earlier",
        "Number of frames by which the foot lands earlier. Negative values land the foot later",
        soft_min=-20,
        soft_max=20,
    )
    later: integer(
        "Lift Later",
        "Number of frames by which the foot lifts later. Negative values lift the foot earlier",
        soft_min=-20,
        soft_max=20,
    )
    time: number()
    home: bpy.props.FloatVectorProperty(override=OVERRIDABLE, size=3)
    home_yaw: number()
    issue: text("Issue", "Reason that the foot cannot stand on its edited footprint")


class FOOTFALL_PG_retimed_stretch(bpy.types.PropertyGroup):
    """One retimed stretch."""

    is_used: flag("Use", "Retime this range in the next bake", True)
    first: integer("First Frame", "First frame of the range, before retiming")
    last: integer("Last Frame", "Last frame of the range, before retiming")
    ratio: number(
        "Duration",
        "New duration divided by the original. 2 takes twice as long, 0.5 half as long",
        1.25,
        *RETIMING_TUNING.duration_range,
        subtype="FACTOR",
    )


class FOOTFALL_UL_edited_steps(bpy.types.UIList):
    """The edited steps, in the order in which they were added."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0) -> None:
        """Draw the row for one edited step."""
        row = layout.row(align=True)
        row.prop(item, "is_used", text="")
        row.label(text=f"{item.frame}  {item.foot}", icon="ERROR" if item.issue else "ANCHOR_BOTTOM", translate=False)


class FOOTFALL_UL_retimed_stretches(bpy.types.UIList):
    """The retimed stretches, in the order in which they were added."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0) -> None:
        """Draw the row for one retimed stretch."""
        row = layout.row(align=True)
        row.prop(item, "is_used", text="")
        row.label(text=f"{item.first} - {item.last}  x {item.ratio:.2f}", icon="TIME", translate=False)


CLASSES = (
    FOOTFALL_PG_edited_step,
    FOOTFALL_PG_retimed_stretch,
    FOOTFALL_UL_edited_steps,
    FOOTFALL_UL_retimed_stretches,
)
