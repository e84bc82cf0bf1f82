"""Clutter: furniture that stands beside a character's path and is never touched."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...core.motion import Clip
from ...core.motion.root_frame import root_track
from ...core.motion.rotations import Array, rotation_about_up
from ...core.scene.body_size import BODY_HEIGHT_RANGE_M, CLUTTER_CLEARANCE_M
from ...core.scene.collider import Collider
from ...core.scene.collider_pose import PosedCollider
from ...core.tuning import Tuning, tuned
from .props.prop_sampling import sample_prop
from .take import TakeObject

CLUTTER_KINDS: Final = ("chair", "stool", "table", "desk", "box", "sofa", "wall")


@dataclass(frozen=True, slots=True)
class ClutterTuning(Tuning):
    max_clutter_count: int = tuned(4, "1", 0, 20)
    """Largest number of clutter objects."""
    path_distance: tuple[float, float] = tuned((0.5, 2.0), "m", 0.1, 10.0)
    """Distance of an object's edge from the path."""
    chord: tuple[int, int] = tuned((150, 330), "frames", 10, 1200)
    """Range of the duration of a path section that bends around an obstacle on the straight line between its ends."""
    chord_attempts: int = tuned(12, "1", 1, 200)
    """Number of obstacles tried on such lines; most block the path itself, which is nearly straight."""
    max_chord_distance: float = tuned(0.25, "m", 0.0, 2.0)
    """Largest distance of an obstacle from the straight line that it blocks."""


TUNING: Final = ClutterTuning()


def scatter_clutter(
    clip: Clip, existing_objects: tuple[TakeObject, ...], generator: np.random.Generator
) -> tuple[TakeObject, ...]:
    """Return up to four random objects beside the path of a clip that do not block it (rejection sampling)."""
    track, found = root_track(clip), []
    for _ in range(int(generator.integers(0, TUNING.max_clutter_count + 1))):
        kind = CLUTTER_KINDS[int(generator.integers(len(CLUTTER_KINDS)))]
        collider = Collider.from_mesh(*sample_prop(kind, generator).mesh())
        at, side = (
            int(generator.integers(len(clip))),
            generator.uniform(*TUNING.path_distance) * generator.choice([-1, 1]),
        )
        lower, upper = collider.bounds
        side += np.sign(side) * float((upper - lower)[:2].max()) / 2
        across = np.array([np.cos(track.yaws[at]), np.sin(track.yaws[at])])
        candidate = _stand_at(kind, collider, track.positions[at] + side * across, len(clip), generator)
        if _fits(clip, candidate, (*existing_objects, *found)):
            found.append(candidate)
    return tuple(found)


def find_obstacle(
    clip: Clip, existing_objects: tuple[TakeObject, ...], generator: np.random.Generator
) -> TakeObject | None:
    """Return an object that fits inside a bend of a clip's path, so that the clip seems to walk around it.

    ``None`` if none of the tried objects fits.
    """
    positions = root_track(clip).positions
    for _ in range(TUNING.chord_attempts):
        kind = CLUTTER_KINDS[int(generator.integers(len(CLUTTER_KINDS)))]
        collider = Collider.from_mesh(*sample_prop(kind, generator).mesh())
        start = int(generator.integers(max(len(clip) - TUNING.chord[0], 1)))
        stop = min(start + int(generator.integers(*TUNING.chord)), len(clip) - 1)
        line = positions[start] + np.linspace(0.0, 1.0, 21)[:, None] * (positions[stop] - positions[start])
        middle = line[int(generator.integers(5, 16))]
        candidate = _stand_at(kind, collider, middle, len(clip), generator)
        placed = PosedCollider(collider, candidate.positions[0], candidate.rotations[0])
        blocks = placed.horizontal_distances(line, *BODY_HEIGHT_RANGE_M).min() < TUNING.max_chord_distance
        if blocks and _fits(clip, candidate, existing_objects):
            return candidate
    return None


def _stand_at(kind: str, collider: Collider, position: Array, count: int, generator: np.random.Generator) -> TakeObject:
    """Return an obstacle standing on the ground at ``position`` (2), m, with a random yaw, for ``count`` frames."""
    turn = rotation_about_up(np.array(generator.uniform(-np.pi, np.pi)))
    return TakeObject(
        kind, "obstacle", collider, np.tile(np.append(position, 0.0), (count, 1)), np.tile(turn, (count, 1))
    )


def _fits(clip: Clip, candidate: TakeObject, others: tuple[TakeObject, ...]) -> bool:
    """Return whether an obstacle is clear of the other objects and of a clip's path."""
    return all(_do_not_overlap(candidate, other) for other in others) and is_clear(clip, candidate, range(len(clip)))


def is_clear(
    clip: Clip, take_object: TakeObject, frames: range | list[int], clearance: float = CLUTTER_CLEARANCE_M
) -> bool:
    """Return whether the root keeps a minimum distance from an object.

    Args:
        clip: the motion.
        take_object: the object, at its first pose.
        frames: frames of the clip, of which every fourth is checked.
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
