"""Clutter: furniture beside the path, which the character passes without contact."""

from typing import Final

import numpy as np

from ...core.motion import Clip
from ...core.motion.root_frame import root_track
from ...core.motion.rotations import Array, rotation_about_up
from ...core.scene.body_size import BODY_HEIGHT_RANGE_M, CLUTTER_CLEARANCE_M
from ...core.scene.collider import Collider
from ...core.scene.collider_pose import PosedCollider
from .props.prop_sampling import sample_prop
from .take import TakeObject

CLUTTER_KINDS: Final = ("chair", "stool", "table", "desk", "box", "sofa", "wall")
MAX_CLUTTER_COUNT: Final = 4
PATH_DISTANCE_M: Final = (0.5, 2.0)
"""Distance of an object's edge from the path."""


def scatter_clutter(
    clip: Clip, existing_objects: tuple[TakeObject, ...], generator: np.random.Generator
) -> tuple[TakeObject, ...]:
    """Return up to four objects at random poses beside the path of a clip, clear of it (rejection sampling).

    Args:
        clip: the motion.
        existing_objects: objects that are avoided.
        generator: random generator.
    """
    track, found = root_track(clip), []
    for _ in range(int(generator.integers(0, MAX_CLUTTER_COUNT + 1))):
        kind = CLUTTER_KINDS[int(generator.integers(len(CLUTTER_KINDS)))]
        collider = Collider.from_mesh(*sample_prop(kind, generator).mesh())
        at, side = int(generator.integers(len(clip))), generator.uniform(*PATH_DISTANCE_M) * generator.choice([-1, 1])
        lower, upper = collider.bounds
        side += np.sign(side) * float((upper - lower)[:2].max()) / 2
        across = np.array([np.cos(track.yaws[at]), np.sin(track.yaws[at])])
        place = np.append(track.positions[at] + side * across, 0.0)
        turn = rotation_about_up(np.array(generator.uniform(-np.pi, np.pi)))
        candidate = TakeObject(
            kind, "obstacle", collider, np.tile(place, (len(clip), 1)), np.tile(turn, (len(clip), 1))
        )
        apart = all(_do_not_overlap(candidate, other) for other in (*existing_objects, *found))
        if apart and is_clear(clip, candidate, range(len(clip))):
            found.append(candidate)
    return tuple(found)


def is_clear(
    clip: Clip, take_object: TakeObject, frames: range | list[int], clearance: float = CLUTTER_CLEARANCE_M
) -> bool:
    """Return whether the root keeps a clearance from an object.

    Args:
        clip: the motion.
        take_object: the object, at its first pose.
        frames: the frames, of which every fourth is checked.
        clearance: smallest distance of the root, m.
    """
    rows = np.asarray(list(frames)[::4], dtype=int)
    if len(rows) == 0:
        return True
    placed = PosedCollider(take_object.collider, take_object.positions[0], take_object.rotations[0])
    return bool(placed.horizontal_distances(root_track(clip).positions[rows], *BODY_HEIGHT_RANGE_M).min() > clearance)


def _do_not_overlap(first: TakeObject, second: TakeObject) -> bool:
    """Return whether the bounding circles of two objects are apart."""
    return bool(
        np.linalg.norm(first.positions[0] - second.positions[0])
        > _bounding_radius(first.collider) + _bounding_radius(second.collider)
    )


def _bounding_radius(collider: Collider) -> float:
    """Return the radius of the bounding circle on the ground, m."""
    lower, upper = collider.bounds
    corners: Array = np.maximum(np.abs(lower), np.abs(upper))[:2]
    return float(np.linalg.norm(corners))
