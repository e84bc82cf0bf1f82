"""Objects near a path: a part of a shot avoids only these, so that moving any other one does not change the part."""

from collections.abc import Sequence

import numpy as np

from ...motion.rotations import Array, length
from ...scene.interaction_object import InteractionObject


def near_way(objects: Sequence[InteractionObject], way: Array, reach: float) -> tuple[int, ...]:
    """Return the indices of the objects within `reach` of a path.

    Args:
        objects: the objects, in any unit.
        way: (N, 2) corners of the path, in the same unit.
        reach: largest distance from the path to an object's bounding circle on the ground, in the same unit.
    """
    found = []
    for index, one in enumerate(objects):
        lower, upper = one.collider.bounds
        radius = float(length(np.maximum(np.abs(lower), np.abs(upper))[:2]))
        if _distance(one.position[:2], way) - radius < reach:
            found.append(index)
    return tuple(found)


def _distance(point: Array, way: Array) -> float:
    """Return the distance, meters, of a point (2) from a way (N, 2)."""
    starts, steps = way[:-1], np.diff(way, axis=0)
    if not len(steps):
        return float(length(point - way[0]))
    along = ((point - starts) * steps).sum(axis=1) / np.maximum((steps**2).sum(axis=1), 1e-12)
    return float(length(starts + np.clip(along, 0.0, 1.0)[:, None] * steps - point).min())
