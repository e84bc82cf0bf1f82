"""Recorded drives, as curves with path events in the character's settings."""

from typing import Final

import bpy
import numpy as np

from ....core.control.drive.recording import DrivenPath
from ....core.message import Message

RADIUS_RANGE: Final = (0.1, 10.0)
"""Radii of a curve's points that a speed may have."""


def store_driven_path(
    armature: bpy.types.Object, path: DrivenPath, scale: float, collection: bpy.types.Collection
) -> Message:
    """Make what was driven the path of a character, with its path events; return the sentence that says so.

    Args:
        armature: the character.
        path: the path, meters of the controller.
        scale: meters of the world per meter of the controller.
        collection: where the curve goes.
    """
    settings = armature.footfall
    curve = _add_curve(f"{armature.name} Drive", scale * path.points, path.factors)
    collection.objects.link(curve)
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
    length = float(np.linalg.norm(np.diff(scale * path.points, axis=0), axis=1).sum())
    return Message(
        "'{name}' is the driven path, {length} m with {count} events: bake it",
        name=curve.name,
        length=f"{length:.1f}",
        count=len(settings.path_events),
    )


def _add_curve(name: str, points: np.ndarray, factors: np.ndarray) -> bpy.types.Object:
    """Return a curve through points (P, 3), meters, world, whose radii are the factors (P) of the speed."""
    data = bpy.data.curves.new(name, "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("POLY")
    spline.points.add(len(points) - 1)
    spline.points.foreach_set("co", np.column_stack([points, np.ones(len(points))]).astype(np.float32).ravel())
    spline.points.foreach_set("radius", np.clip(factors, *RADIUS_RANGE).astype(np.float32))
    return bpy.data.objects.new(name, data)
