"""Depenetration: smooth displacements that move body parts out of colliders, in one direction per penetration.

Each displacement is along an axis of the collider (axis-aligned minimum translation out of a union of boxes; Ericson
2005, Real-Time Collision Detection).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...motion import Clip
from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.rotations import Array, rotate
from ...motion.signals import runs_of
from ...scene.body_capsules import BodyCapsules
from ...scene.collider_pose import AnimatedCollider
from ...tuning import Tuning, tuned

MAX_ITERATIONS: Final = 3
"""Largest number of depenetration rounds, since each round can push the body into another obstacle."""


@dataclass(frozen=True, slots=True)
class Depenetration(Tuning):
    allowed_depth: float = tuned(0.01, "m", 0.0, 0.1)
    """Penetration depth that is allowed, since flesh is soft."""
    shift_hold: float = tuned(0.2, "s", 0.0, 1.0)
    """Time before and after a penetrating frame in which its displacement is held."""
    shift_smoothing: float = tuned(0.07, "s", 0.01, 0.5)
    """Standard deviation of the Gaussian that smooths displacements over time."""
    merge_gap: float = tuned(0.5, "s", 0.0, 3.0)
    """Gap between two penetrations of a collider below which both are resolved in the same direction."""
    near_obstacle: float = tuned(1.2, "m", 0.5, 3.0)
    """Distance from an adult's hips beyond which an obstacle is ignored."""


TUNING: Final = Depenetration()
MIN_LEVER_RATIO: Final = 0.3
"""Lever of a sphere (see :class:`BodyPart`) below which its penetration cannot be resolved by moving the body part."""
HORIZONTAL_DIRECTIONS: Final = tuple((axis, sign) for axis in (0, 1) for sign in (-1.0, 1.0))
UPWARD_DIRECTIONS: Final = ((2, 1.0),)
ALL_DIRECTIONS: Final = (*HORIZONTAL_DIRECTIONS, *UPWARD_DIRECTIONS, (2, -1.0))
"""Signed axes of the collider along which a body part may be displaced."""


@dataclass(frozen=True, eq=False)
class BodyPart:
    """A body part that is displaced as a whole.

    Attributes:
        sphere_indices: (N) indices of the body's spheres.
        levers: (F, N) displacement of each sphere per meter by which the part is displaced.
        directions: Axis and sign, in the collider's space, of each direction in which the part may be displaced.
        max_shift: Largest displacement, meters.
        allowed_depth: Penetration depth that is allowed to remain, meters.
    """

    sphere_indices: NDArray[np.intp]
    levers: Array
    directions: tuple[tuple[int, float], ...]
    max_shift: float
    allowed_depth: float = TUNING.allowed_depth


def near_frames(clip: Clip, obstacle: AnimatedCollider) -> NDArray[np.intp]:
    """Return the indices (N) of the frames in which the body is near an obstacle."""
    hips, size = clip.positions[:, clip.skeleton.joint("hips")], clip.skeleton.leg_length / ADULT_LEG_LENGTH_M
    outline = obstacle.collider.footprint(-np.inf, np.inf)
    return np.flatnonzero(outline.distances(obstacle.to_local(hips) * [1.0, 1.0, 0.0]) < TUNING.near_obstacle * size)


def depenetrate(
    body: BodyCapsules,
    clip: Clip,
    obstacles: Sequence[AnimatedCollider],
    collision_masks: Sequence[NDArray[np.bool_]],
    part: BodyPart,
    near: Sequence[NDArray[np.intp]] | None = None,
) -> Array | None:
    """Return the displacements (F, 3) that move a body part out of all colliders, meters, world.

    The result is ``None`` if nothing penetrates.

    Args:
        body: Capsules of the body.
        clip: The motion, F frames.
        obstacles: Animated colliders.
        collision_masks: For each obstacle (F, S) whether it ignores a sphere of :class:`BodyCapsules`.
        part: The body part that is displaced.
        near: For each obstacle the result of :func:`near_frames`, if it is known.
    """
    near = [near_frames(clip, obstacle) for obstacle in obstacles] if near is None else near
    displacements = [
        _depenetrate_obstacle(body, clip, obstacle, part, collision_mask, rows)
        for obstacle, collision_mask, rows in zip(obstacles, collision_masks, near, strict=True)
    ]
    found = [displacement for displacement in displacements if displacement is not None]
    return np.sum(found, axis=0) if found else None


def _depenetrate_obstacle(
    body: BodyCapsules,
    clip: Clip,
    obstacle: AnimatedCollider,
    part: BodyPart,
    collision_mask: NDArray[np.bool_],
    rows: NDArray[np.intp],
) -> Array | None:
    """Return the displacements (F, 3), meters, that move a body part out of one collider that is near in frames `rows`.

    ``None`` if none are needed.
    """
    if not len(rows):
        return None
    near = AnimatedCollider(obstacle.collider, obstacle.positions[rows], obstacle.rotations[rows])
    inside = near.to_local(body.sphere_centres(clip, part.sphere_indices, rows))
    ignored = collision_mask[rows][:, part.sphere_indices] | (part.levers[rows] < MIN_LEVER_RATIO)
    is_penetrating = ~ignored & (body.depths(inside, near, part.sphere_indices) > part.allowed_depth)
    if not is_penetrating.any():
        return None
    row, sphere = np.nonzero(is_penetrating)
    required = body.radii[part.sphere_indices][sphere] - part.allowed_depth
    distances = np.zeros((len(part.directions), len(clip)))
    for number, (axis, sign) in enumerate(part.directions):
        exits = obstacle.collider.exit_distances(inside[row, sphere], required, axis, sign)
        np.maximum.at(distances[number], rows[row], exits / part.levers[rows][row, sphere])
    return _smooth_displacement(clip, obstacle, part, distances)


def _smooth_displacement(clip: Clip, obstacle: AnimatedCollider, part: BodyPart, exit_distances: Array) -> Array:
    """Return smooth displacements (F, 3), meters, made from exit distances (D, F), meters, in each direction.

    Each penetration is resolved to one side.
    """
    result = np.zeros((len(clip), 3))
    apart = max(round(TUNING.merge_gap * clip.rate), 1)
    penetrating = np.asarray(
        scipy.ndimage.maximum_filter1d(exit_distances.max(axis=0) > 0, apart, mode="constant"), dtype=bool
    )
    for start, stop in runs_of(penetrating):
        for first, last in _single_direction_spans(exit_distances[:, start:stop], part.max_shift):
            exits = exit_distances[:, start + first : start + last]
            chosen = int(exits.max(axis=1, where=exits.min(axis=0) <= part.max_shift, initial=0.0).argmin())
            amount = np.zeros(len(clip))
            amount[start + first : start + last] = np.where(exits[chosen] > part.max_shift, 0.0, exits[chosen])
            axis, sign = part.directions[chosen]
            direction = rotate(obstacle.rotations, np.broadcast_to(sign * np.eye(3)[axis], (len(clip), 3)))
            result += smooth_envelope(amount, clip.rate)[:, None] * direction
    return result


def _single_direction_spans(exit_distances: Array, max_shift: float) -> Iterator[tuple[int, int]]:
    """Yield the longest possible spans of exit distances (D, F) throughout which one direction is short enough."""
    first, most = 0, np.zeros(len(exit_distances))
    for frame, exits in enumerate(exit_distances.T):
        if exits.min() > max_shift:
            continue
        if np.maximum(most, exits).min() > max_shift:
            yield first, frame
            first, most = frame, np.zeros(len(exit_distances))
        most = np.maximum(most, exits)
    yield first, exit_distances.shape[1]


def smooth_envelope(amounts: Array, rate: float) -> Array:
    """Return amounts (F) smoothed so that they rise before they are needed and fall afterward.

    A maximum filter widens them, and a Gaussian smooths them.
    """
    wide = scipy.ndimage.maximum_filter1d(amounts, 2 * round(TUNING.shift_hold * rate) + 1, mode="nearest")
    return scipy.ndimage.gaussian_filter1d(wide, TUNING.shift_smoothing * rate, mode="nearest")
