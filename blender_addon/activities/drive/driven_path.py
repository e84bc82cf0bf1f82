"""Recorded drives, as curves with path events in the character's settings."""

from typing import Final

import bpy
import numpy as np

from ....core.control.drive.recording import DrivenPath
from ....core.message import Message
from ....core.motion.polyline import arc_lengths_of
from .driven_curve import add_curve

RADIUS_RANGE: Final = (0.1, 10.0)
"""Radii of a curve's points that a speed may have."""


def store_driven_path(
    armature: bpy.types.Object, path: DrivenPath, scale: float, collection: bpy.types.Collection
) -> Message:
    """Store a driving session as a character's path with path events; return a message for the report.

    Args:
        armature: the character.
        path: the path, in controller meters.
        scale: world meters per controller meter.
        collection: collection for the curve.
    """
    settings = armature.footfall
    curve = add_curve(f"{armature.name} Drive", path.curve, scale, collection)
    curve.data.splines[0].bezier_points.foreach_set("radius", np.clip(path.factors, *RADIUS_RANGE).astype(np.float32))
    settings.path, settings.speed, settings.speed_from_radius = curve, scale * path.speed, True
    settings.path_events.clear()
    for span in path.spans:
        event = settings.path_events.add()
        event.start_distance, event.end_distance = scale * span.start, scale * span.end
        if span.style:
            event.type, event.style = "STYLE", span.style
        elif span.hand:
            event.type, event.hand = "HAND", span.hand.upper()
        else:
            event.type, event.angle = "STRAFE", span.yaw_offset
    for place, seconds in path.waits:
        event = settings.path_events.add()
        event.type, event.start_distance, event.duration = "WAIT", scale * place, seconds
    for place in path.jumps:
        event = settings.path_events.add()
        event.type, event.start_distance = "JUMP", scale * place
    length = scale * float(arc_lengths_of(path.curve.line())[-1])
    return Message(
        "Recorded the path '{name}', {length} m long with {count} events: bake it",
        name=curve.name,
        length=f"{length:.1f}",
        count=len(settings.path_events),
    )
