"""Furniture that stands about, beside the way: what somebody walks by, and does not walk through."""

from typing import Final

import numpy as np

from ...core.control.navigation.flow_field import BODY_HEIGHT_RANGE_M
from ...core.motion import Clip
from ...core.motion.root_frame import root_track
from ...core.motion.rotations import Array, about_up
from ...core.scene.collider import Collider
from ...core.scene.collider_pose import PosedCollider
from .props.furniture import sample_prop
from .take import Thing

PIECES: Final = ("chair", "stool", "table", "desk", "box", "sofa", "wall")
MOST: Final = 4
ROOM: Final = 0.3
"""Metres from the root to the nearest thing, at least: somebody's half width and a little."""
REACH: Final = (0.5, 2.0)
"""Metres from the way at which things stand."""


def strewn(clip: Clip, others: tuple[Thing, ...], generator: np.random.Generator) -> tuple[Thing, ...]:
    """Up to four things beside the way of a clip, which nobody touches."""
    track, found = root_track(clip), []
    for _ in range(int(generator.integers(0, MOST + 1))):
        kind = PIECES[int(generator.integers(len(PIECES)))]
        collider = Collider.from_mesh(*sample_prop(kind, generator).mesh())
        at, side = int(generator.integers(len(clip))), generator.uniform(*REACH) * generator.choice([-1, 1])
        lower, upper = collider.bounds
        side += np.sign(side) * float((upper - lower)[:2].max()) / 2
        across = np.array([np.cos(track.yaws[at]), np.sin(track.yaws[at])])
        place = np.append(track.positions[at] + side * across, 0.0)
        turn = about_up(np.array(generator.uniform(-np.pi, np.pi)))
        thing = Thing(kind, "obstacle", collider, np.tile(place, (len(clip), 1)), np.tile(turn, (len(clip), 1)))
        apart = all(_apart(thing, other) for other in (*others, *found))
        if apart and clear(clip, thing, range(len(clip))):
            found.append(thing)
    return tuple(found)


def clear(clip: Clip, thing: Thing, frames: range | list[int], room: float = ROOM) -> bool:
    """Whether nobody's root comes nearer to a thing than ``room``, metres, at some frames."""
    rows = np.asarray(list(frames)[::4], dtype=int)
    if len(rows) == 0:
        return True
    placed = PosedCollider(thing.collider, thing.positions[0], thing.rotations[0])
    return bool(placed.horizontal_distances(root_track(clip).positions[rows], *BODY_HEIGHT_RANGE_M).min() > room)


def _apart(one: Thing, other: Thing) -> bool:
    """Whether two things do not stand in each other, by the circles about them."""
    return bool(np.linalg.norm(one.positions[0] - other.positions[0]) > _radius(one.collider) + _radius(other.collider))


def _radius(collider: Collider) -> float:
    lower, upper = collider.bounds
    corners: Array = np.maximum(np.abs(lower), np.abs(upper))[:2]
    return float(np.linalg.norm(corners))
