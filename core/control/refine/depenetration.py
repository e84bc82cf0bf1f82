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
from ...scene.body_capsules import LEG, BodyCapsules
from ...scene.collider_pose import Moving

SOFT: Final = 0.01
"""Metres by which flesh gives way."""
WIDE: Final = 0.2
"""Seconds before and after a frame for which a part is moved as far, about."""
CALM: Final = 0.07
"""Seconds over which that is smoothed (deviation)."""
APART: Final = 0.5
"""Seconds between two times in a thing that are gone round in one."""
NEAR: Final = 1.2
"""Metres between an adult's hips and a thing from which it is not looked at."""
LEAST: Final = 0.3
"""A sphere that moves by less than this share of what its limb is moved by is not what a limb is moved for."""
SIDEWAYS: Final = tuple((axis, sign) for axis in (0, 1) for sign in (-1.0, 1.0))
UP: Final = ((2, 1.0),)
ANY: Final = (*SIDEWAYS, *UP, (2, -1.0))
"""Ways along a thing's own axes."""


@dataclass(frozen=True, eq=False)
class Part:
    """A part of a body that is moved as one.

    Attributes:
        spheres: (N) numbers of the body's spheres.
        levers: (F, N) how far each goes when the part is moved by 1.
        ways: those along which it may be moved, of a thing's axes and their signs.
        farthest: metres by which it is moved at once, at most.
        soft: metres by which it may be in a thing.
    """

    spheres: NDArray[np.intp]
    levers: Array
    ways: tuple[tuple[int, float], ...]
    farthest: float
    soft: float = SOFT


def near_frames(clip: Clip, thing: Moving) -> NDArray[np.intp]:
    """The frames (N) at which somebody is near to a thing."""
    hips, size = clip.positions[:, clip.skeleton.role("hips")], clip.skeleton.leg_length / LEG
    outline = thing.collider.flattened(-np.inf, np.inf)
    return np.flatnonzero(outline.distances(thing.into(hips) * [1.0, 1.0, 0.0]) < NEAR * size)


def ways_round(
    body: BodyCapsules, clip: Clip, things: Sequence[Moving], spared: Sequence[NDArray[np.bool_]], part: Part
) -> Array | None:
    """By how much (F, 3) a part of a body is to be moved to be out of all things, world; ``None`` where it is.

    Args:
        spared: for each thing (F, S) the body's spheres that may be in it.
    """
    ways = [_way_round(body, clip, thing, part, free) for thing, free in zip(things, spared, strict=True)]
    found = [way for way in ways if way is not None]
    return np.sum(found, axis=0) if found else None


def _way_round(body: BodyCapsules, clip: Clip, thing: Moving, part: Part, spared: NDArray[np.bool_]) -> Array | None:
    rows = near_frames(clip, thing)
    if not len(rows):
        return None
    near = Moving(thing.collider, thing.positions[rows], thing.rotations[rows])
    few = replace(clip, root_positions=clip.root_positions[rows], rotations=clip.rotations[rows])
    free = spared[rows][:, part.spheres] | (part.levers[rows] < LEAST)
    deep = ~free & (body.sphere_depths(few, near, part.spheres) > part.soft)
    if not deep.any():
        return None
    row, sphere = np.nonzero(deep)
    inside = near.into(body.spheres(few)[:, part.spheres])[row, sphere]
    room = body.radii[part.spheres][sphere] - part.soft
    far = np.zeros((len(part.ways), len(clip)))
    for number, (axis, sign) in enumerate(part.ways):
        own = thing.collider.far_out(inside, room, axis, sign)
        np.maximum.at(far[number], rows[row], own / part.levers[rows][row, sphere])
    return _followed(clip, thing, part, far)


def _followed(clip: Clip, thing: Moving, part: Part, far: Array) -> Array:
    """The ways (F, 3) of a part that has to go so far (D, F) along each of its ways to be out."""
    result = np.zeros((len(clip), 3))
    apart = max(round(APART * clip.rate), 1)
    about = np.asarray(scipy.ndimage.maximum_filter1d(far.max(axis=0) > 0, apart, mode="constant"), dtype=bool)
    for start, stop in runs_of(about):
        for first, last in _stretches(far[:, start:stop], part.farthest):
            own = far[:, start + first : start + last]
            chosen = int(own.max(axis=1, where=own.min(axis=0) <= part.farthest, initial=0.0).argmin())
            amount = np.zeros(len(clip))
            amount[start + first : start + last] = np.where(own[chosen] > part.farthest, 0.0, own[chosen])
            axis, sign = part.ways[chosen]
            way = rotate(thing.rotations, np.broadcast_to(sign * np.eye(3)[axis], (len(clip), 3)))
            result += smooth_peak(amount, clip.rate)[:, None] * way
    return result


def _stretches(far: Array, farthest: float) -> Iterator[tuple[int, int]]:
    """Frames (D, F), from and up to, over which one way is short enough, each as long as can be."""
    first, most = 0, np.zeros(len(far))
    for frame, own in enumerate(far.T):
        if own.min() > farthest:
            continue
        if np.maximum(most, own).min() > farthest:
            yield first, frame
            first, most = frame, np.zeros(len(far))
        most = np.maximum(most, own)
    yield first, far.shape[1]


def smooth_peak(amount: Array, rate: float) -> Array:
    """Amounts (F) that begin before they are needed and end after, without a jerk."""
    wide = scipy.ndimage.maximum_filter1d(amount, 2 * round(WIDE * rate) + 1, mode="nearest")
    return scipy.ndimage.gaussian_filter1d(wide, CALM * rate, mode="nearest")
