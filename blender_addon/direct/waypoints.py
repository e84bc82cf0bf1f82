"""From a character's marks to those of its walk, and back to what became of them."""

from collections.abc import Sequence

import bpy
import numpy as np

from ...core.control.path.timed_waypoints import Waypoint, WaypointResult, path_through_waypoints
from ...core.errors import FootfallError
from ...core.motion.root_frame import yaw_of
from ..animation.fcurve_io.reader import scene_rate
from ..scene.path_reader import WorldPath


def marks_of(armature: bpy.types.Object, scene: bpy.types.Scene, start: int) -> list[Waypoint]:
    """The marks of an armature's walk that begins at a frame of the scene, in the order of their frames.

    Raises:
        FootfallError: an empty is gone, or a mark is before the walk.
    """
    result: list[Waypoint] = []
    for number, mark in enumerate(armature.footfall.marks, start=1):
        if mark.spot is None:
            raise FootfallError(f"Mark {number} has no empty: choose one, or remove the mark.")
        if mark.frame <= start:
            raise FootfallError(
                f"'{mark.spot.name}' is to be reached at frame {mark.frame}, but the walk begins at {start}: choose a "
                "later frame."
            )
        world = np.array(mark.spot.matrix_world, dtype=float)
        yaw = float(yaw_of(world[:2, 1])) if mark.faces else None
        foot = "" if mark.foot == "ANY" else mark.foot
        result.append(Waypoint((mark.frame - start) / scene_rate(scene), world[:2, 3], yaw, foot))
    return sorted(result, key=lambda mark: mark.time)


def path_through(armature: bpy.types.Object, marks: Sequence[Waypoint]) -> WorldPath:
    """The way from where an armature stands from mark to mark.

    Raises:
        FootfallError: there are no marks, or all are where it stands.
    """
    if not marks:
        raise FootfallError("No path is chosen: draw a curve and choose it as the path.")
    here = np.array(armature.matrix_world.translation, dtype=float)
    points = path_through_waypoints(here[:2], marks)
    if len(points) < 2:
        raise FootfallError("All marks are where the character stands: move them, or draw a path.")
    return WorldPath(points, np.full(len(points), here[2]), ())


def remember_met(armature: bpy.types.Object, met: Sequence[WaypointResult]) -> list[str]:
    """Writes down what became of the marks, those of ``met`` in the order of their frames; returns what went wrong."""
    wrong: list[str] = []
    for mark, one in zip(sorted(armature.footfall.marks, key=lambda mark: mark.frame), met, strict=True):
        told = in_words(one, mark.foot)
        mark.met, mark.missed = told, bool(one.failure_reason) or not one.foot_planted
        if mark.missed:
            wrong.append(f"'{mark.spot.name}' at frame {mark.frame}: {told}")
    return wrong


def in_words(met: WaypointResult, foot: str) -> str:
    """What became of a mark, in a few words."""
    if met.failure_reason:
        return met.failure_reason
    words = [f"reached, {1000 * met.position_error:.0f} mm off"]
    if met.yaw_error > np.radians(1.0):
        words.append(f"{np.degrees(met.yaw_error):.0f}° turned")
    if not met.foot_planted:
        words.append(f"but the {'left' if foot == 'L' else 'right'} foot does not stand")
    return ", ".join(words)
