"""How the ground lies along a path, and how the path leads over it: what the overlay shows."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ....core.control.navigation.path_repair import repair_path
from ....core.control.path.path import Path
from ....core.control.path.terrain_profile import MAX_STEP_UP_M, TerrainProfile
from ....core.motion.root_frame import facing
from ....core.motion.rotations import Array
from ....core.terrain.walk_scene import Surroundings

SIDE: Final = 0.25
"""Metres to the left and to the right at which heights are sampled, of an adult."""
EVERY: Final = 0.12
"""Metres from one sample to the next, of an adult."""
UPRIGHT: Final = 1.75
"""Metres from the soles to the crown, of an adult."""
OFF: Final = 0.05
"""Metres from the path that is walked at which the drawn one is another."""


@dataclass(frozen=True, slots=True, eq=False)
class Lie:
    """The ground along a path, at K places.

    Attributes:
        samples: (K, 3, 3) metres, world: left of the path, on it, right of it; where there is no ground, as high as it
            was before.
        firm: (K, 3) whether there is ground.
        ceilings: (K) heights of ceilings under which one has to duck, metres; infinite where one need not.
        jumps: (K) whether there is something to jump over.
        left_out: (M, 2, 3) pieces of the drawn path that are not walked, metres.
        notes: what becomes of the path, and where (3), metres.
    """

    samples: Array
    firm: NDArray[np.bool_]
    ceilings: Array
    jumps: NDArray[np.bool_]
    left_out: Array
    notes: tuple[tuple[str, Array], ...]


def find_lie(drawn: Array, surroundings: Surroundings, level: float, scale: float = 1.0) -> Lie:
    """How the ground lies, at the walk's first frame, along a drawn path.

    Args:
        drawn: points (N, 2) of the path, metres.
        surroundings: the scene.
        level: about how high the path begins, metres.
        scale: the body's size as a share of an adult's.

    Raises:
        FootfallError: the points are no path.
    """
    path = Path(drawn)
    route = repair_path(path, surroundings, level, scale)
    profile = TerrainProfile.from_path(route.path, surroundings, level, scale)
    s = np.linspace(0.0, route.path.length, max(round(route.path.length / (EVERY * scale)), 1) + 1)
    centres, heights = route.path.position_at(s), profile.height_at(s)
    ahead = facing(route.path.yaw_at(s))
    left = np.stack([-ahead[:, 1], ahead[:, 0]], axis=1) * SIDE * scale
    places = np.stack([centres + left, centres, centres - left], axis=1)
    above = np.broadcast_to(heights[:, None, None] + MAX_STEP_UP_M * scale, (*places.shape[:2], 1))
    found = surroundings.ground.heights(np.concatenate([places, above], axis=2))
    firm = np.isfinite(found)
    firm[:, 1] &= np.interp(s, profile.arc_lengths, profile.is_walkable) > 0.5
    samples = np.concatenate([places, np.where(firm, found, heights[:, None])[..., None]], axis=2)
    room = np.interp(s, profile.arc_lengths, profile.headroom)
    ceilings = np.where(room < UPRIGHT * scale, heights + room, np.inf)
    jumps = np.interp(s, profile.arc_lengths, profile.is_obstacle) > 0.5
    left_out = _left_out(path, samples[:, 1])
    return Lie(samples, firm, ceilings, jumps, left_out, _placed(route.notes, left_out, samples[-1, 1]))


def _left_out(path: Path, walked: Array) -> Array:
    """The pieces (M, 2, 3) of a drawn path that are away from the one that is walked (K, 3), at its height there."""
    s = np.linspace(0.0, path.length, max(round(path.length / EVERY), 1) + 1)
    places = path.position_at(s)
    nearest = np.linalg.norm(places[:, None] - _dense(walked)[None, :, :2], axis=2)
    heights = _dense(walked)[nearest.argmin(axis=1), 2]
    points = np.column_stack([places, heights])
    away = nearest.min(axis=1) > OFF
    pieces = np.stack([points[:-1], points[1:]], axis=1)
    return pieces[away[:-1] | away[1:]]


def _dense(points: Array, each: int = 4) -> Array:
    """A line of points (K, 3) with more of them in between."""
    at = np.linspace(0, len(points) - 1, each * (len(points) - 1) + 1)
    return np.stack([np.interp(at, np.arange(len(points)), axis) for axis in points.T], axis=1)


def _placed(notes: tuple[str, ...], left_out: Array, end: Array) -> tuple[tuple[str, Array], ...]:
    """Each note, and where it is shown: at the beginning of the piece that it is about, else at the path's end."""
    breaks = np.linalg.norm(left_out[1:, 0] - left_out[:-1, 1], axis=1) > OFF
    starts = [piece[0, 0] for piece in np.split(left_out, np.flatnonzero(breaks) + 1) if len(piece)]
    return tuple((note, starts[number] if number < len(starts) else end) for number, note in enumerate(notes))
