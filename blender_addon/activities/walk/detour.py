"""Sentences about the detour of a walk around obstacles."""

from typing import Final

import bpy
import numpy as np

from ....core.evaluation.path_error import cross_track_error
from ....core.message import Message
from ....core.motion.rotations import Array
from ....core.scene.body_size import PATH_HALF_WIDTH_M
from ...scene.ground_choice import choose_ground
from ...scene.ground_tags import OBSTACLE, WALKABLE, list_objects
from ...units import world_matrix

LEAST_TOLD_M: Final = 0.1
"""Least detour that is reported, meters."""


def describe_detour(
    armature: bpy.types.Object, context: bpy.types.Context, drawn: Array, walked: Array
) -> Message | None:
    """Return a message about a planned walk's detour and its obstacles; ``None`` without a detour.

    Args:
        armature: the character.
        context: the context of the scene and view layer.
        drawn: (N, 2), points of the drawn path, meters, world.
        walked: (M, 2) points of the planned way, meters, world.
    """
    beside = cross_track_error(walked, drawn)
    if beside.max() < LEAST_TOLD_M:
        return None
    # The walk has left the parts of the path that are far from the planned path.
    left = drawn_samples(drawn)
    left = left[cross_track_error(left, walked) > LEAST_TOLD_M / 2]
    around = [thing for thing in _obstacles(armature, context) if _is_on(thing, left)]
    far = f"{beside.max():.1f}"
    if not around:
        return Message("The walk leaves the path by up to {distance} m to avoid obstacles", distance=far)
    return Message(
        "The walk leaves the path by up to {distance} m to avoid {names}", distance=far, names=list_objects(around)
    )


def drawn_samples(points: Array, spacing: float = 0.05) -> Array:
    """Return points (K, 2), meters, about evenly spaced along a polyline (N, 2)."""
    legs = np.linalg.norm(np.diff(points, axis=0), axis=-1)
    lengths = np.concatenate([[0.0], np.cumsum(legs)])
    at = np.linspace(0.0, lengths[-1], max(int(lengths[-1] / spacing), 1) + 1)
    return np.stack([np.interp(at, lengths, points[:, axis]) for axis in (0, 1)], axis=-1)


def _obstacles(armature: bpy.types.Object, context: bpy.types.Context) -> list[bpy.types.Object]:
    uses = choose_ground(armature, context.scene, context.view_layer).object_uses
    return [thing for thing in context.scene.objects if uses.get(thing.session_uid) in (OBSTACLE, WALKABLE)]


def _is_on(thing: bpy.types.Object, points: Array) -> bool:
    """Return whether points (K, 2) are on an object that is an obstacle, or within half a body's width of it."""
    matrix = world_matrix(thing)
    corners = np.array([corner[:] for corner in thing.bound_box]) @ matrix[:3, :3].T + matrix[:3, 3]
    low, high = corners.min(axis=0), corners.max(axis=0)
    if high[2] - low[2] < PATH_HALF_WIDTH_M:
        return False
    inside = (points > low[:2] - PATH_HALF_WIDTH_M) & (points < high[:2] + PATH_HALF_WIDTH_M)
    return bool(inside.all(axis=1).any())
