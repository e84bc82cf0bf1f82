"""From a character's waypoint settings to the waypoints of its walk, and back to their results."""

from collections.abc import Sequence

import bpy
import numpy as np

from ....core.control.path.timed_waypoints import Waypoint, WaypointResult, path_through_waypoints
from ....core.errors import FootfallError
from ....core.message import Message
from ....core.motion.root_frame import yaw_of
from ...animation.fcurve_io.reader import scene_rate
from ...scene.path_reader import WorldPath
from ...ui.translations import translate_interface
from ...units import world_location, world_matrix


def read_waypoints(armature: bpy.types.Object, scene: bpy.types.Scene, start_frame: int) -> list[Waypoint]:
    """Return an armature's waypoints in order of their frames, for a walk that begins at a scene frame.

    Raises:
        FootfallError: an empty was deleted, or a waypoint is before the walk.
    """
    result: list[Waypoint] = []
    for number, mark in enumerate(armature.footfall.waypoints, start=1):
        if mark.empty is None:
            raise FootfallError("Waypoint {number} has no empty: choose one, or remove the waypoint", number=number)
        if mark.frame <= start_frame:
            raise FootfallError(
                "Waypoint '{name}' is at frame {frame}, but the walk starts at frame {start}: choose a later frame",
                name=mark.empty.name,
                frame=mark.frame,
                start=start_frame,
            )
        world = world_matrix(mark.empty)
        yaw = float(yaw_of(world[:2, 1])) if mark.match_rotation else None
        foot = "" if mark.planted_foot == "EITHER" else mark.planted_foot
        result.append(Waypoint((mark.frame - start_frame) / scene_rate(scene), world[:2, 3], yaw, foot))
    return sorted(result, key=lambda mark: mark.time)


def path_from_waypoints(armature: bpy.types.Object, waypoints: Sequence[Waypoint]) -> WorldPath:
    """Return the path from an armature's position through its waypoints.

    Raises:
        FootfallError: there are no waypoints, or all are at the armature's position.
    """
    if not waypoints:
        raise FootfallError("No path is chosen: draw a curve and choose it as the path")
    here = world_location(armature)
    points = path_through_waypoints(here[:2], waypoints)
    if len(points) < 2:
        raise FootfallError("All waypoints are at the position of the character: move them, or draw a path")
    return WorldPath(points, np.full(len(points), here[2]), ())


def store_waypoint_results(armature: bpy.types.Object, results: Sequence[WaypointResult]) -> list[str]:
    """Store the results of waypoints, given in the order of frames; return sentences about the failures."""
    wrong: list[str] = []
    for mark, one in zip(sorted(armature.footfall.waypoints, key=lambda mark: mark.frame), results, strict=True):
        told = describe_result(one, mark.planted_foot)
        mark.result, mark.missed = translate_interface(told), bool(one.failure_reason) or not one.foot_planted
        if mark.missed:
            wrong.append(
                Message(
                    "Waypoint '{name}' at frame {frame}: {result}", name=mark.empty.name, frame=mark.frame, result=told
                )
            )
    return wrong


def describe_result(result: WaypointResult, planted_foot: str) -> str:
    """Return a short description of a waypoint's result."""
    if result.failure_reason:
        return result.failure_reason
    words = [Message("{distance} mm away from the waypoint", distance=f"{1000 * result.position_error:.0f}")]
    if result.yaw_error > np.radians(1.0):
        words.append(Message("turned {angle}° away from it", angle=f"{np.degrees(result.yaw_error):.0f}"))
    if not result.foot_planted:
        words.append(
            Message("the left foot is not planted" if planted_foot == "L" else "the right foot is not planted")
        )
    return Message.joined(", ", words)
