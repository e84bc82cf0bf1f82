"""A character's path events, stored with its armature: changes over a range of the path or of time."""

from typing import Final

import bpy

from ....core.control.path.path_events import RIM_RADIUS_M
from ...ui.overridable import choice, integer, number, pointer, text
from ...ui.translations import CONTEXT
from .hands import HANDS

EVENT_TYPES: Final = (
    ("SPEED", "Speed", "Walk or run at another speed", "FORWARD", 0),
    ("STYLE", "Style", "Move in a style of the controller, or crouch", "OUTLINER_OB_ARMATURE", 1),
    (
        "STRAFE",
        "Strafe",
        "Face at an angle to the path, to side-step or walk backward",
        "LOOP_FORWARDS",
        2,
    ),
    (
        "FACE_TARGET",
        "Face Target",
        "Keep the body facing an object, side-stepping or walking backward as needed",
        "HIDE_OFF",
        3,
    ),
    (
        "LOOK_AT",
        "Look At",
        "Keep walking while turning the head, and the trunk a little, toward an object",
        "CAMERA_DATA",
        11,
    ),
    ("WAIT", "Wait", "Stop and stand for a time", "PAUSE", 4),
    ("JUMP", "Jump", "Jump, with the highest point at the start of the event", "TRIA_UP_BAR", 12),
    ("HAND", "Ball Hand", "Choose the hand that dribbles the ball", "SPHERE", 5),
    ("HOLD", "Hold Ball", "Hold the ball with both hands", "LOCKED", 6),
    ("PICK_UP", "Pick Up Ball", "Stop and pick the ball up from the ground", "TRIA_UP", 7),
    ("PASS", "Pass Ball", "Stop and pass the ball to a target, or into the hands of a character", "EXPORT", 8),
    ("CATCH", "Catch Ball", "Stop and catch a ball that comes from a target or a character", "IMPORT", 9),
    ("SHOOT", "Shoot Ball", "Stop and shoot the ball through a hoop", "ANCHOR_TOP", 10),
)
RANGE_TYPES: Final = (
    ("DISTANCE", "Distance", "Start and end are distances along the path"),
    ("FRAMES", "Frames", "Start and end are scene frames"),
    ("MARKERS", "Markers", "Start and end are timeline markers"),
)


class FOOTFALL_PG_path_event(bpy.types.PropertyGroup):
    """One cue."""

    type: choice(
        "Event",
        "Change that the event makes to the walk",
        EVENT_TYPES,
        default="SPEED",
        translation_context=CONTEXT,
    )
    range_type: choice("Range", "Unit of the event's start and end", RANGE_TYPES)
    start_distance: number("Start", "Start of the event, as a distance along the path", low=0.0, unit="LENGTH")
    end_distance: number(
        "End",
        "End of the event, as a distance along the path",
        2.0,
        0.0,
        unit="LENGTH",
        translation_context=CONTEXT,
    )
    start_frame: integer("Start Frame", "Scene frame at which the event begins", 25)
    end_frame: integer("End Frame", "Scene frame at which the event ends", 75)
    start_marker: text("Start Marker", "Timeline marker at which the event begins")
    end_marker: text("End Marker", "Timeline marker at which the event ends. Leave empty to use the next one")
    speed: number("Speed", "Speed during the event", 0.7, 0.3, 8.0, soft_max=4.0, unit="VELOCITY")
    style: text("Style", "Style of the controller, such as crouch. Leave empty for plain walking and running")
    angle: number(
        "Angle",
        "Facing angle relative to the path, positive to the left. 180° walks backward",
        1.5707963,
        -3.1415927,
        3.1415927,
        unit="ROTATION",
    )
    target: pointer(
        bpy.types.Object,
        "Target",
        "Object to face or look at, ball to pick up, character to pass to or catch from, or hoop",
    )
    duration: number("Duration", "Duration of the stop", 2.0, 0.0, soft_max=30.0, unit="TIME_ABSOLUTE")
    rim_radius: number("Rim Radius", "Inner radius of the hoop's rim", RIM_RADIUS_M, 0.05, soft_max=1.0, unit="LENGTH")
    hand: choice("Hand", "Hand that dribbles the ball", HANDS, default="LEFT")


VALUE_PROPERTIES: Final = {
    "SPEED": "speed",
    "STYLE": "style",
    "STRAFE": "angle",
    "FACE_TARGET": "target",
    "LOOK_AT": "target",
    "WAIT": "duration",
    "JUMP": "type",
    "HAND": "hand",
    "HOLD": "type",
    "PICK_UP": "target",
    "PASS": "target",
    "CATCH": "target",
    "SHOOT": "target",
}
"""The property with the value of each kind of path event; the kind itself for events without a value."""
PLACE_TYPES: Final = ("WAIT", "JUMP", "PICK_UP", "PASS", "CATCH", "SHOOT")
"""Kinds of path events at one place, without an end along the path."""
RANGE_PROPERTIES: Final = {
    "DISTANCE": ("start_distance", "end_distance"),
    "FRAMES": ("start_frame", "end_frame"),
    "MARKERS": ("start_marker", "end_marker"),
}
"""The properties with the start and the end of a path event."""


class FOOTFALL_UL_path_events(bpy.types.UIList):
    """The cues, in order: where two overlap, the later one counts."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0) -> None:
        """Draw the row for one path event."""
        row = layout.row(align=True)
        picture = next(picture for kind, _, _, picture, _ in EVENT_TYPES if kind == item.type)
        row.prop(item, "type", text="", icon=picture, emboss=False)
        if VALUE_PROPERTIES[item.type] != "type":
            row.prop(item, VALUE_PROPERTIES[item.type], text="", emboss=VALUE_PROPERTIES[item.type] == "target")
        row.prop(item, RANGE_PROPERTIES[item.range_type][0], text="", emboss=False)


CLASSES = (FOOTFALL_PG_path_event, FOOTFALL_UL_path_events)
