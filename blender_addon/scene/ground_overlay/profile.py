"""Profile of the ground along a drawn path, and of the walked path, for the overlay."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ....core.control.navigation.path_repair import repair_path
from ....core.control.path.path import Path
from ....core.control.path.terrain_profile import TUNING as TERRAIN_PROFILE_TUNING
from ....core.control.path.terrain_profile import TerrainProfile
from ....core.motion.root_frame import facing_direction
from ....core.motion.rotations import Array
from ....core.terrain.walk_scene import WalkScene

SIDE_OFFSET_M: Final = 0.25
"""Lateral distance of the height samples from the path, meters of an adult."""
SAMPLE_SPACING_M: Final = 0.12
"""Spacing of samples, meters of an adult."""
ADULT_HEIGHT_M: Final = 1.75
"""Height of an adult, from soles to crown, meters."""
MIN_DETOUR_M: Final = 0.05
"""Distance from the walked path, meters, above which the drawn one counts as different."""


@dataclass(frozen=True, slots=True, eq=False)
class GroundProfile:
    """The ground along a path, at K samples.

    Attributes:
        samples: (K, 3, 3) samples left of the path, on it, and right of it, world, meters; at the path's height without
            ground.
        has_ground: (K, 3) whether there is ground.
        ceilings: (K) heights of low ceilings, world, meters; infinite elsewhere.
        jumps: (K) whether there is an obstacle to jump over.
        unwalked_segments: (M, 2, 3) ends of segments of the drawn path that are not walked, world, meters.
        notes: sentences about changes of the path, each with its position (3), world, meters.
    """

    samples: Array
    has_ground: NDArray[np.bool_]
    ceilings: Array
    jumps: NDArray[np.bool_]
    unwalked_segments: Array
    notes: tuple[tuple[str, Array], ...]


def compute_ground_profile(
    drawn_path: Array, surroundings: WalkScene, level_height: float, scale: float = 1.0
) -> GroundProfile:
    """Return the profile of the ground along a drawn path, as it is at the walk's first frame.

    Args:
        drawn_path: (N, 2), points of the path, meters.
        surroundings: the scene.
        level_height: approximate height of the path's start, meters.
        scale: size of the body relative to an adult's.

    Raises:
        FootfallError: the points do not form a path.
    """
    path = Path(drawn_path)
    route = repair_path(path, surroundings, level_height, scale)
    profile = TerrainProfile.from_path(route.path, surroundings, level_height, scale)
    s = np.linspace(0.0, route.path.length, max(round(route.path.length / (SAMPLE_SPACING_M * scale)), 1) + 1)
    centres, heights = route.path.position_at(s), profile.height_at(s)
    ahead = facing_direction(route.path.yaw_at(s))
    left = np.stack([-ahead[:, 1], ahead[:, 0]], axis=1) * SIDE_OFFSET_M * scale
    places = np.stack([centres + left, centres, centres - left], axis=1)
    above = np.broadcast_to(heights[:, None, None] + TERRAIN_PROFILE_TUNING.max_step_up * scale, (*places.shape[:2], 1))
    found = surroundings.ground.heights(np.concatenate([places, above], axis=2))
    firm = np.isfinite(found)
    firm[:, 1] &= np.interp(s, profile.arc_lengths, profile.is_walkable) > 0.5
    samples = np.concatenate([places, np.where(firm, found, heights[:, None])[..., None]], axis=2)
    room = np.interp(s, profile.arc_lengths, profile.headroom)
    ceilings = np.where(room < ADULT_HEIGHT_M * scale, heights + room, np.inf)
    jumps = np.interp(s, profile.arc_lengths, profile.is_obstacle) > 0.5
    left_out = _unwalked_segments(path, samples[:, 1])
    return GroundProfile(samples, firm, ceilings, jumps, left_out, _place_notes(route.notes, left_out, samples[-1, 1]))


def _unwalked_segments(path: Path, walked_path: Array) -> Array:
    """Return the segments (M, 2, 3) of a drawn path that the walked path (K, 3) leaves out, at the latter's height."""
    s = np.linspace(0.0, path.length, max(round(path.length / SAMPLE_SPACING_M), 1) + 1)
    places = path.position_at(s)
    nearest = np.linalg.norm(places[:, None] - _densify(walked_path)[None, :, :2], axis=2)
    heights = _densify(walked_path)[nearest.argmin(axis=1), 2]
    points = np.column_stack([places, heights])
    away = nearest.min(axis=1) > MIN_DETOUR_M
    pieces = np.stack([points[:-1], points[1:]], axis=1)
    return pieces[away[:-1] | away[1:]]


def _densify(points: Array, subdivisions: int = 4) -> Array:
    """Return the points (K, 3) of a line with extra points inserted between them."""
    at = np.linspace(0, len(points) - 1, subdivisions * (len(points) - 1) + 1)
    return np.stack([np.interp(at, np.arange(len(points)), axis) for axis in points.T], axis=1)


def _place_notes(notes: tuple[str, ...], unwalked_segments: Array, end: Array) -> tuple[tuple[str, Array], ...]:
    """Return each note with its position: the start of the unwalked part it is about, else the path's end."""
    breaks = np.linalg.norm(unwalked_segments[1:, 0] - unwalked_segments[:-1, 1], axis=1) > MIN_DETOUR_M
    starts = [piece[0, 0] for piece in np.split(unwalked_segments, np.flatnonzero(breaks) + 1) if len(piece)]
    return tuple((note, starts[number] if number < len(starts) else end) for number, note in enumerate(notes))
