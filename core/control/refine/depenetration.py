"""Which way out of things: parts of a body that would be in one go round it on one side, for as long as they would be
in it, smoothly.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...motion import Clip
from ...motion.rotations import Array, rotate
from ...motion.signals import runs_of
from ...scene.body_capsules import ADULT_LEG_M, BodyCapsules
from ...scene.collider_pose import AnimatedCollider

ALLOWED_DEPTH_M: Final = 0.01
"""Metres by which flesh gives way."""
SHIFT_HOLD_S: Final = 0.2
"""Seconds before and after a frame for which a part is moved as far, about."""
SHIFT_SMOOTHING_S: Final = 0.07
"""Seconds over which that is smoothed (deviation)."""
MERGE_GAP_S: Final = 0.5
"""Seconds between two times in a thing that are gone round in one."""
NEAR_OBSTACLE_M: Final = 1.2
"""Metres between an adult's hips and a thing from which it is not looked at."""
MIN_LEVER_RATIO: Final = 0.3
"""A sphere that moves by less than this share of what its limb is moved by is not what a limb is moved for."""
HORIZONTAL_DIRECTIONS: Final = tuple((axis, sign) for axis in (0, 1) for sign in (-1.0, 1.0))
UPWARD_DIRECTIONS: Final = ((2, 1.0),)
ALL_DIRECTIONS: Final = (*HORIZONTAL_DIRECTIONS, *UPWARD_DIRECTIONS, (2, -1.0))
"""Ways along a thing's own axes."""


@dataclass(frozen=True, eq=False)
class BodyPart:
    """A part of a body that is moved as one.

    Attributes:
        spheres: (N) numbers of the body's spheres.
        levers: (F, N) how far each goes when the part is moved by 1.
        ways: those along which it may be moved, of a thing's axes and their signs.
        max_shift: metres by which it is moved at once, at most.
        allowed_depth: metres by which it may be in a thing.
    """

    sphere_indices: NDArray[np.intp]
    levers: Array
    directions: tuple[tuple[int, float], ...]
    max_shift: float
    allowed_depth: float = ALLOWED_DEPTH_M


def near_frames(clip: Clip, obstacle: AnimatedCollider) -> NDArray[np.intp]:
    """The frames (N) at which somebody is near to a thing."""
    hips, size = clip.positions[:, clip.skeleton.role("hips")], clip.skeleton.leg_length / ADULT_LEG_M
    outline = obstacle.collider.footprint(-np.inf, np.inf)
    return np.flatnonzero(outline.distances(obstacle.to_local(hips) * [1.0, 1.0, 0.0]) < NEAR_OBSTACLE_M * size)


def depenetrate(
    body: BodyCapsules,
    clip: Clip,
    obstacles: Sequence[AnimatedCollider],
    collision_masks: Sequence[NDArray[np.bool_]],
    part: BodyPart,
) -> Array | None:
    """By how much (F, 3) a part of a body is to be moved to be out of all things, world; ``None`` where it is.

    Args:
        collision_masks: for each thing (F, S) the body's spheres that may be in it.
    """
    ways = [
        _depenetrate_obstacle(body, clip, thing, part, free)
        for thing, free in zip(obstacles, collision_masks, strict=True)
    ]
    found = [way for way in ways if way is not None]
    return np.sum(found, axis=0) if found else None


def _depenetrate_obstacle(
    body: BodyCapsules, clip: Clip, obstacle: AnimatedCollider, part: BodyPart, collision_mask: NDArray[np.bool_]
) -> Array | None:
    rows = near_frames(clip, obstacle)
    if not len(rows):
        return None
    near = AnimatedCollider(obstacle.collider, obstacle.positions[rows], obstacle.rotations[rows])
    few = replace(clip, root_positions=clip.root_positions[rows], rotations=clip.rotations[rows])
    free = collision_mask[rows][:, part.sphere_indices] | (part.levers[rows] < MIN_LEVER_RATIO)
    deep = ~free & (body.sphere_penetrations(few, near, part.sphere_indices) > part.allowed_depth)
    if not deep.any():
        return None
    row, sphere = np.nonzero(deep)
    inside = near.to_local(body.sphere_centres(few)[:, part.sphere_indices])[row, sphere]
    room = body.radii[part.sphere_indices][sphere] - part.allowed_depth
    far = np.zeros((len(part.directions), len(clip)))
    for number, (axis, sign) in enumerate(part.directions):
        own = obstacle.collider.exit_distances(inside, room, axis, sign)
        np.maximum.at(far[number], rows[row], own / part.levers[rows][row, sphere])
    return _smooth_displacement(clip, obstacle, part, far)


def _smooth_displacement(clip: Clip, obstacle: AnimatedCollider, part: BodyPart, exit_distances: Array) -> Array:
    """The ways (F, 3) of a part that has to go so far (D, F) along each of its ways to be out."""
    result = np.zeros((len(clip), 3))
    apart = max(round(MERGE_GAP_S * clip.rate), 1)
    about = np.asarray(
        scipy.ndimage.maximum_filter1d(exit_distances.max(axis=0) > 0, apart, mode="constant"), dtype=bool
    )
    for start, stop in runs_of(about):
        for first, last in _single_direction_spans(exit_distances[:, start:stop], part.max_shift):
            own = exit_distances[:, start + first : start + last]
            chosen = int(own.max(axis=1, where=own.min(axis=0) <= part.max_shift, initial=0.0).argmin())
            amount = np.zeros(len(clip))
            amount[start + first : start + last] = np.where(own[chosen] > part.max_shift, 0.0, own[chosen])
            axis, sign = part.directions[chosen]
            way = rotate(obstacle.rotations, np.broadcast_to(sign * np.eye(3)[axis], (len(clip), 3)))
            result += smooth_envelope(amount, clip.rate)[:, None] * way
    return result


def _single_direction_spans(exit_distances: Array, max_shift: float) -> Iterator[tuple[int, int]]:
    """Frames (D, F), from and up to, over which one way is short enough, each as long as can be."""
    first, most = 0, np.zeros(len(exit_distances))
    for frame, own in enumerate(exit_distances.T):
        if own.min() > max_shift:
            continue
        if np.maximum(most, own).min() > max_shift:
            yield first, frame
            first, most = frame, np.zeros(len(exit_distances))
        most = np.maximum(most, own)
    yield first, exit_distances.shape[1]


def smooth_envelope(amounts: Array, rate: float) -> Array:
    """Amounts (F) that begin before they are needed and end after, without a jerk."""
    wide = scipy.ndimage.maximum_filter1d(amounts, 2 * round(SHIFT_HOLD_S * rate) + 1, mode="nearest")
    return scipy.ndimage.gaussian_filter1d(wide, SHIFT_SMOOTHING_S * rate, mode="nearest")
