"""A character's path events, stored with its armature: changes over a range of the path or of time."""

from typing import Final

import bpy

from ...core.control.path.path_events import RIM_RADIUS_M
from ..ui.overridable import OVERRIDABLE
from ..ui.translations import CONTEXT

EVENT_TYPES: Final = (
    ("SPEED", "Speed", "Go faster or slower", "FORWARD", 0),
    ("STYLE", "Style", "Move in a style that the controller was taught, or crouched", "OUTLINER_OB_ARMATURE", 1),
    (
        "STRAFE",
        "Face Aside",
        "Side step or walk backwards: face to the left or right of the way ahead",
        "LOOP_FORWARDS",
        2,
    ),
    (
        "FACE_TARGET",
        "Look At",
        "Face an object all along, side stepping and walking backwards where need be",
        "HIDE_OFF",
        3,
    ),
    ("WAIT", "Wait", "Stop, stand, and go on", "PAUSE", 4),
    ("HAND", "Ball Hand", "Dribble the ball with this hand", "SPHERE", 5),
    ("HOLD", "Hold Ball", "Hold the ball with both hands", "LOCKED", 6),
    ("PICK_UP", "Pick Up Ball", "Stop and pick the ball up from the ground", "TRIA_UP", 7),
    ("PASS", "Pass Ball", "Stop and pass the ball to a place, or into the hands of a character", "EXPORT", 8),
    ("CATCH", "Catch Ball", "Stop and catch a ball that comes from a place or a character", "IMPORT", 9),
    ("SHOOT", "Shoot Ball", "Stop and shoot the ball through a hoop", "ANCHOR_TOP", 10),
)
HANDS: Final = (
    ("RIGHT", "Right Hand", "Dribble with the right hand"),
    ("LEFT", "Left Hand", "Dribble with the left hand"),
)
RANGE_TYPES: Final = (
    ("DISTANCE", "Meters", "Meters along the path"),
    ("FRAMES", "Frames", "Frames of the scene"),
    ("MARKERS", "Markers", "From one marker of the timeline to another"),
)


class FOOTFALL_PG_path_event(bpy.types.PropertyGroup):
    """One cue."""

    type: bpy.props.EnumProperty(
        override=OVERRIDABLE,
        items=EVENT_TYPES,
        name="Cue",
        description="What is done there",
        default="SPEED",
        translation_context=CONTEXT,
    )
    range_type: bpy.props.EnumProperty(
        override=OVERRIDABLE,
        items=RANGE_TYPES,
        name="Told In",
        description="How it is told where the cue begins and ends",
    )
    start_distance: bpy.props.FloatProperty(
        override=OVERRIDABLE,
        name="From",
        description="Meters from the start of the path at which the cue begins",
        min=0.0,
        unit="LENGTH",
    )
    end_distance: bpy.props.FloatProperty(
        override=OVERRIDABLE,
        name="To",
        description="Meters from the start of the path at which the cue ends",
        default=2.0,
        min=0.0,
        unit="LENGTH",
        translation_context=CONTEXT,
    )
    start_frame: bpy.props.IntProperty(
        override=OVERRIDABLE, name="From Frame", description="The scene's frame at which the cue begins", default=25
    )
    end_frame: bpy.props.IntProperty(
        override=OVERRIDABLE, name="To Frame", description="The scene's frame at which the cue ends", default=75
    )
    start_marker: bpy.props.StringProperty(
        override=OVERRIDABLE, name="From Marker", description="The marker of the timeline at which the cue begins"
    )
    end_marker: bpy.props.StringProperty(
        override=OVERRIDABLE,
        name="To Marker",
        description="The marker of the timeline at which the cue ends; none: the one after",
    )
    speed: bpy.props.FloatProperty(
        override=OVERRIDABLE,
        name="Speed",
        description="How fast to go there",
        default=0.7,
        min=0.3,
        max=8.0,
        soft_max=4.0,
        unit="VELOCITY",
    )
    style: bpy.props.StringProperty(
        override=OVERRIDABLE,
        name="Style",
        description="A way of moving that the controller was taught, such as crouch; empty: plain walking and running",
    )
    angle: bpy.props.FloatProperty(
        override=OVERRIDABLE,
        name="Turn",
        description="How far to the left of the way ahead to face: a quarter turn side steps, half a turn walks "
        "backwards, less than nothing faces to the right",
        default=1.5707963,
        min=-3.1415927,
        max=3.1415927,
        unit="ROTATION",
    )
    target: bpy.props.PointerProperty(
        override=OVERRIDABLE,
        type=bpy.types.Object,
        name="Target",
        description="What to look at, where it is at each frame; of a ball: where it lies on the ground, whom or where "
        "it is passed to, where it comes from, or the center of the hoop's rim",
    )
    duration: bpy.props.FloatProperty(
        override=OVERRIDABLE,
        name="Stay",
        description="How long to stand",
        default=2.0,
        min=0.0,
        soft_max=30.0,
        unit="TIME_ABSOLUTE",
    )
    rim_radius: bpy.props.FloatProperty(
        override=OVERRIDABLE,
        name="Rim Radius",
        description="Inner radius of the hoop",
        default=RIM_RADIUS_M,
        min=0.05,
        soft_max=1.0,
        unit="LENGTH",
    )
    hand: bpy.props.EnumProperty(
        override=OVERRIDABLE, items=HANDS, name="Hand", description="Which hand dribbles the ball there", default="LEFT"
    )


VALUE_PROPERTIES: Final = {
    "SPEED": "speed",
    "STYLE": "style",
    "STRAFE": "angle",
    "FACE_TARGET": "target",
    "WAIT": "duration",
    "HAND": "hand",
    "HOLD": "type",
    "PICK_UP": "target",
    "PASS": "target",
    "CATCH": "target",
    "SHOOT": "target",
}
"""The property with the value of each kind of path event; that of holding a ball has none but its kind."""
STANDING_TYPES: Final = ("WAIT", "PICK_UP", "PASS", "CATCH", "SHOOT")
"""Kinds of path events that are done standing, and have no end along the path."""
RANGE_PROPERTIES: Final = {
    "DISTANCE": ("start_distance", "end_distance"),
    "FRAMES": ("start_frame", "end_frame"),
    "MARKERS": ("start_marker", "end_marker"),
}
"""The properties with the start and the end of a path event."""


class FOOTFALL_UL_path_events(bpy.types.UIList):
    """The cues, in order: where two overlap, the later one counts."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0) -> None:
        """Draw the row of one path event."""
        row = layout.row(align=True)
        picture = next(picture for kind, _, _, picture, _ in EVENT_TYPES if kind == item.type)
        row.prop(item, "type", text="", icon=picture, emboss=False)
        if VALUE_PROPERTIES[item.type] != "type":
            row.prop(item, VALUE_PROPERTIES[item.type], text="", emboss=VALUE_PROPERTIES[item.type] == "target")
        row.prop(item, RANGE_PROPERTIES[item.range_type][0], text="", emboss=False)


CLASSES = (FOOTFALL_PG_path_event, FOOTFALL_UL_path_events)
