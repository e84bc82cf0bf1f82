"""Path repair: detours around walls, pits and avoided obstacles.

Free parts of the drawn path are kept. Each blocked span is replaced with the cheapest detour over a grid of the ground,
near the path and away from walls; if there is no detour, the path ends before the span.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...message import Message
from ...motion.rotations import UP, Array, length
from ...scene.body_size import CHEST_HEIGHT_M, HEAD_HEIGHT_M, KNEE_HEIGHT_M, MIN_HEADROOM_M, PATH_HALF_WIDTH_M
from ...terrain.walk_scene import WalkScene
from ...tuning import Tuning, tuned
from ..path.path import Path
from ..path.terrain_profile import TUNING as TERRAIN_PROFILE_TUNING
from ..path.terrain_profile import TerrainProfile
from .grid import NEIGHBOR_OFFSETS, ClearanceCost, CostGrid, close_walls, neighbor_views, wall_clearance


@dataclass(frozen=True, slots=True)
class PathRepairTuning(Tuning):
    """Tuned numbers of path repair.

    Lengths are those of an adult, and are multiplied by the body's scale unless noted.
    """

    cell_size: float = tuned(0.15, "m", 0.02, 1.0)
    """Distance between neighboring cells, and between the points that the repaired path takes from the drawn one."""
    wall_avoidance_range: float = tuned(0.6, "m", 0.1, 5.0)
    """Clearance below which a cell costs more."""
    search_margins: tuple[float, float] = tuned((3.0, 8.0), "m", 0.5, 50.0)
    """Margin of the grid around the path: the usual one, and a larger one to try if no detour is found."""
    detour_lead: float = tuned(1.5, "m", 0.0, 10.0)
    """Length of free path, before and after a blocked span, that a detour also replaces."""
    stop_distance: float = tuned(0.5, "m", 0.0, 5.0)
    """Distance from an impassable obstacle at which the path ends."""
    min_path_length: float = tuned(0.1, "m", 0.05, 1.0)
    """Length of what is kept of a path that is blocked right at its start; not scaled."""
    low_step: float = tuned(0.25, "m", 0.1, 0.5)
    """Highest step of a usual detour. Higher ones, such as a platform's edge, are a last resort."""
    max_cells: int = tuned(250_000, "1", 1000, 100_000_000)
    """Number of cells above which the grid becomes coarser."""
    max_off_path_cost: float = tuned(2.0, "1", 0.0, 100.0)
    """Upper limit of a cell's cost for being off the drawn path, which is its distance from the path in meters."""
    proximity_cost: float = tuned(6.0, "1", 0.0, 1000.0)
    """Additional cost of a cell at a wall."""
    collision_cost: float = tuned(50.0, "1", 0.0, 10000.0)
    """Additional cost of a cell in a collision, on top of the cost at a wall."""


TUNING: Final = PathRepairTuning()


DETOUR_NOTE: Final = "Obstacle at {first} m: walking around it"
"""Template of the message to the user about a detour."""


@dataclass(frozen=True, slots=True)
class RepairedPath:
    """A path changed so that no obstacle blocks it.

    Attributes:
        path: The repaired path.
        notes: One sentence for the user about each change.
    """

    path: Path
    notes: tuple[str, ...] = ()


def repair_path(
    path: Path, surroundings: WalkScene, start_level: float, scale: float = 1.0, via: Sequence[Array] = ()
) -> RepairedPath:
    """Return a path that leads around the obstacles of the walk's first frame, or ends before them.

    Args:
        path: The drawn path.
        surroundings: The scene.
        start_level: Approximate height of the ground at the start, meters.
        scale: Size of the body as a share of an adult's.
        via: points (2) of the path, meters, through which it still leads unless an obstacle is there.
    """
    profile = TerrainProfile.from_path(path, surroundings, start_level, scale)
    kept = path.arc_lengths[[int(np.argmin(length(path.points - point))) for point in via]]
    spans = _blocked_spans(path, profile, surroundings, scale)
    notes: list[str] = []
    pieces: list[Array] = []
    reached = 0.0
    if spans and spans[0][0] == 0.0:
        notes.append(Message("An obstacle stands at the start of the path: move the obstacle or the path"))
        spans = spans[1:]
    while spans:
        first = spans[0][0]
        begin = max(first - TUNING.detour_lead * scale, kept[kept <= first].max(initial=0.0))
        found = _find_detour(path, profile, surroundings, begin, spans, kept, scale)
        if found is None:
            notes.append(
                Message(
                    "There is no way around the obstacle {distance} m along the path, so the walk ends in "
                    "front of it: move the obstacle or the path",
                    distance=f"{first:.1f}",
                )
            )
            stop = max(first - TUNING.stop_distance * scale, reached, TUNING.min_path_length)
            return RepairedPath(Path(np.concatenate([*pieces, _sample_path(path, reached, stop)])), tuple(notes))
        notes.append(Message(DETOUR_NOTE, first=f"{first:.1f}"))
        detour, end, passed = found
        pieces += [_sample_path(path, reached, begin), detour]
        reached, spans = end, spans[passed:]
    if not pieces:
        return RepairedPath(path, tuple(notes))
    return RepairedPath(Path(np.concatenate([*pieces, _sample_path(path, reached, path.length)])), tuple(notes))


def _sample_path(path: Path, begin: float, end: float) -> Array:
    """Return the points (N, 2) of a path from arc length `begin` to `end`, meters."""
    return path.position_at(np.linspace(begin, end, max(round((end - begin) / TUNING.cell_size), 1) + 1))


def _blocked_spans(
    path: Path, profile: TerrainProfile, surroundings: WalkScene, scale: float
) -> list[tuple[float, float]]:
    """Return the blocked spans of a path as arc lengths (first, last), meters; spans near each other are merged."""
    s = profile.arc_lengths
    directions = np.stack([-np.sin(path.yaw_at(s)), np.cos(path.yaw_at(s))], axis=-1)
    across = np.stack([directions[:, 1], -directions[:, 0]], axis=-1)
    blocked = ~profile.is_walkable | (profile.headroom < MIN_HEADROOM_M * scale)
    body = [
        _ground_points(surroundings, path.position_at(s) + side * scale * across, profile.heights, scale)
        for side in (-PATH_HALF_WIDTH_M, 0.0, PATH_HALF_WIDTH_M)
    ]
    for at in body:
        blocked[1:] |= _segments_blocked(surroundings, at[:-1], at[1:], scale)
        blocked |= _in_avoided_region(surroundings, at, scale)
    # A post fits between these lines, so that lines across the path are checked, too.
    highest = np.max([at[:, 2] for at in body], axis=0)
    left, right = (np.column_stack([at[:, :2], highest]) for at in (body[0], body[2]))
    blocked |= _segments_blocked(surroundings, left, right, scale)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], blocked.astype(int), [0]])))
    result: list[tuple[float, float]] = []
    for start, stop in edges.reshape(-1, 2):
        first, last = float(s[start]), float(s[stop - 1])
        if result and first - result[-1][1] < 2 * TUNING.detour_lead * scale:
            result[-1] = (result[-1][0], last)
        else:
            result.append((first, last))
    return result


def _ground_points(surroundings: WalkScene, positions: Array, levels: Array, scale: float) -> Array:
    """Return ground points (N, 3) at positions (N, 2), at the given levels (N) where no ground is within a step."""
    heights = surroundings.ground.heights(
        np.concatenate([positions, (levels + TERRAIN_PROFILE_TUNING.max_step_up * scale)[:, None]], axis=-1)
    )
    near = np.abs(heights - levels) <= TERRAIN_PROFILE_TUNING.max_step_up * scale
    return np.concatenate([positions, np.where(near, heights, levels)[:, None]], axis=-1)


def _segments_blocked(surroundings: WalkScene, starts: Array, ends: Array, scale: float) -> NDArray[np.bool_]:
    """Return a mask (N) of the pairs of ground points (N, 3) with an obstacle at knee or chest height in between."""
    higher = np.maximum(starts[:, 2], ends[:, 2])
    result = np.zeros(len(starts), dtype=bool)
    for scene in (surroundings.ground, surroundings.obstacles):
        if scene is None:
            continue
        for above in (KNEE_HEIGHT_M, CHEST_HEIGHT_M):
            one, other = starts.copy(), ends.copy()
            one[:, 2] = other[:, 2] = higher + above * scale
            result |= scene.blocked(one, other)
    return result


def _in_avoided_region(surroundings: WalkScene, points: Array, scale: float) -> NDArray[np.bool_]:
    """Return which ground points (N, 3) are below or on an avoided obstacle, as a mask (N)."""
    if surroundings.obstacles is None:
        return np.zeros(len(points), dtype=bool)
    tops = surroundings.obstacles.heights(points + UP * HEAD_HEIGHT_M * scale)
    return np.asarray(tops > points[:, 2] - KNEE_HEIGHT_M * scale)


def _find_detour(
    path: Path,
    profile: TerrainProfile,
    surroundings: WalkScene,
    start: float,
    blocked_spans: list[tuple[float, float]],
    kept: Array,
    scale: float,
) -> tuple[Array, float, int] | None:
    """Return a detour past the first blocked span, or past as few spans as possible.

    Behind the wall of a house is its inside, so a path may have to pass several spans at once.

    Returns:
        Points (N, 2), arc length at which the detour returns to the path, and number of spans passed; ``None`` if there
        is no detour.
    """
    for passed, (_, last) in enumerate(blocked_spans, start=1):
        end = min(last + TUNING.detour_lead * scale, kept[kept >= last].min(initial=path.length))
        detour = None if last == path.length else _grid_detour(path, profile, surroundings, (start, end), scale)
        if detour is not None:
            return detour, end, passed
    return None


def _grid_detour(
    path: Path, profile: TerrainProfile, surroundings: WalkScene, span: tuple[float, float], scale: float
) -> Array | None:
    """Return the points (N, 2) of the cheapest detour past a span of a path; ``None`` if there is none."""
    begin, end = (path.position_at(s) for s in span)
    nearby = path.position_at(np.linspace(*span, 50))
    for highest in (TUNING.low_step, TERRAIN_PROFILE_TUNING.max_step_up):
        for margin in TUNING.search_margins:
            grid, is_free = _build_grid(nearby, margin * scale, profile, path, surroundings, scale, highest * scale)
            detour = _shortest_path(grid, is_free, begin, end)
            if detour is not None:
                return detour
    return None


def _build_grid(
    points: Array,
    margin: float,
    profile: TerrainProfile,
    path: Path,
    surroundings: WalkScene,
    scale: float,
    highest_step: float,
) -> tuple[CostGrid, NDArray[np.bool_]]:
    """Return the grid around points (N, 2) of a path, and a mask (R, C) of the cells where the body fits.

    Steps between cells are free up to ``highest_step``, meters.
    """
    low, high = points.min(axis=0) - margin, points.max(axis=0) + margin
    cell_size = max(TUNING.cell_size * scale, float(np.sqrt(np.prod(high - low) / TUNING.max_cells)))
    x, y = (np.arange(a, b + cell_size, cell_size) for a, b in zip(low, high, strict=True))
    centers = np.dstack(np.meshgrid(x, y))
    tree = scipy.spatial.KDTree(path.position_at(profile.arc_lengths))
    path_distances, nearest = tree.query(centers)
    levels = profile.heights[nearest]
    probes = np.concatenate([centers, (levels + TERRAIN_PROFILE_TUNING.max_step_up * scale)[..., None]], axis=-1)
    heights = surroundings.ground.heights(probes)
    at = np.concatenate([centers, heights[..., None]], axis=-1)
    is_solid = np.isnan(heights)
    at[..., 2] = np.where(is_solid, levels, heights)
    is_solid |= _in_avoided_region(surroundings, at.reshape(-1, 3), scale).reshape(is_solid.shape)
    headroom = surroundings.ground.ceilings(at + UP * TERRAIN_PROFILE_TUNING.max_step_up * scale) - at[..., 2]
    is_solid |= headroom < MIN_HEADROOM_M * scale
    is_connected = np.zeros((*is_solid.shape, len(NEIGHBOR_OFFSETS)), dtype=bool)
    for number, (down, right) in enumerate(NEIGHBOR_OFFSETS):
        here, there = neighbor_views(at, down, right)
        steps = there[..., 2] - here[..., 2]
        # A step down in one direction is a step up in the other.
        passable = np.abs(steps) < highest_step
        between = _segments_blocked(surroundings, here.reshape(-1, 3), there.reshape(-1, 3), scale).reshape(steps.shape)
        first, second = neighbor_views(is_solid, down, right)
        neighbor_views(is_connected[..., number], down, right)[0][...] = passable & ~between & ~first & ~second
    at_wall = close_walls(is_solid, is_connected)
    cost = ClearanceCost(
        PATH_HALF_WIDTH_M * scale, TUNING.wall_avoidance_range * scale, TUNING.collision_cost, TUNING.proximity_cost
    )
    costs = cost.add_quadratic(
        1.0 + np.minimum(path_distances, TUNING.max_off_path_cost), wall_clearance(at_wall, cell_size)
    )
    return CostGrid(centers, costs, 1.0, is_connected), ~at_wall


def _shortest_path(grid: CostGrid, is_free: NDArray[np.bool_], start_point: Array, end_point: Array) -> Array | None:
    """Return the points (N, 2) of the shortest path between the free cells nearest to two points (2).

    The result is ``None`` if these cells are not connected.
    """
    if not is_free.any():
        return None
    tree, free_cells = scipy.spatial.KDTree(grid.centers[is_free]), np.flatnonzero(is_free)
    source, target = (int(free_cells[tree.query(point)[1]]) for point in (start_point, end_point))
    cells = grid.shortest_paths(source).path_from(target)
    return None if cells is None else grid.flat_centers[cells[-2:0:-1]]
