"""Ways round what cannot be walked through: walls, pits and what shall be kept away from.

The drawn path stays as it is where it is free. Round each stretch that is not, the cheapest way is looked for over a
grid of the ground, near to the path and away from walls; where there is none, the path ends before it.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...motion.rotations import UP, Array
from ...terrain.walk_scene import Surroundings
from ..path.path import Path
from ..path.terrain_profile import MAX_STEP_DOWN_M, MAX_STEP_UP_M, TerrainProfile

# Metres, of an adult.
CELL_SIZE_M: Final = 0.15
"""Of the grid."""
BODY_HALF_WIDTH_M: Final = 0.25
"""From the path to where a body is at its sides."""
WALL_AVOIDANCE_RANGE_M: Final = 0.6
"""From walls: nearer costs more."""
KNEE_HEIGHT_M, CHEST_HEIGHT_M = 0.3, 1.0
"""Heights over the ground, and over a step in it, at which something is in the way."""
HEAD_HEIGHT_M: Final = 1.9
MIN_HEADROOM_M: Final = 0.8
"""Free height under which nobody gets through."""
SEARCH_MARGINS_M: Final = (3.0, 8.0)
"""How far off the path a way is looked for, first and then."""
DETOUR_LEAD_M: Final = 1.5
"""Free path before and behind a stretch that is gone round with it."""
STOP_DISTANCE_M: Final = 0.5
"""How far before what is in the way the path ends."""
MIN_PATH_LENGTH_M: Final = 0.1
"""A path that is left, when something is in the way at once; not scaled."""
MAX_CELLS: Final = 250_000

NEIGHBOUR_OFFSETS: Final = ((0, 1), (1, 0), (1, 1), (1, -1))


@dataclass(frozen=True, slots=True)
class RepairedPath:
    """A path that can be walked, and what was done to it, in sentences."""

    path: Path
    notes: tuple[str, ...] = ()


def repair_path(path: Path, surroundings: Surroundings, start_level: float, scale: float = 1.0) -> RepairedPath:
    """The path, led round what is in its way at the walk's first frame, or ended before it.

    Args:
        path: as drawn.
        surroundings: the scene.
        start_level: about how high the path begins, metres.
        scale: the body's size as a share of an adult's.
    """
    profile = TerrainProfile.from_path(path, surroundings, start_level, scale)
    stretches = _blocked_spans(path, profile, surroundings, scale)
    notes: list[str] = []
    pieces: list[Array] = []
    reached = 0.0
    if stretches and stretches[0][0] == 0.0:
        notes.append("something is in the way where the path begins: it is left as it is there")
        stretches = stretches[1:]
    while stretches:
        first = stretches[0][0]
        begin = max(first - DETOUR_LEAD_M * scale, 0.0)
        found = _find_detour(path, profile, surroundings, begin, stretches, scale)
        if found is None:
            notes.append(f"something is in the way {first:.1f} m along the path, with no way round: it ends there")
            stop = max(first - STOP_DISTANCE_M * scale, reached, MIN_PATH_LENGTH_M)
            return RepairedPath(Path(np.concatenate([*pieces, _sample_path(path, reached, stop)])), tuple(notes))
        notes.append(f"something is in the way {first:.1f} m along the path: it goes round")
        way, end, passed = found
        pieces += [_sample_path(path, reached, begin), way]
        reached, stretches = end, stretches[passed:]
    if not pieces:
        return RepairedPath(path, tuple(notes))
    return RepairedPath(Path(np.concatenate([*pieces, _sample_path(path, reached, path.length)])), tuple(notes))


def _sample_path(path: Path, begin: float, end: float) -> Array:
    return path.position_at(np.linspace(begin, end, max(round((end - begin) / CELL_SIZE_M), 1) + 1))


def _blocked_spans(
    path: Path, profile: TerrainProfile, surroundings: Surroundings, scale: float
) -> list[tuple[float, float]]:
    """The stretches of a path that cannot be walked: arc lengths of their first and last points, far enough apart."""
    s = profile.arc_lengths
    directions = np.stack([-np.sin(path.yaw_at(s)), np.cos(path.yaw_at(s))], axis=-1)
    across = np.stack([directions[:, 1], -directions[:, 0]], axis=-1)
    barred = ~profile.is_walkable | (profile.headroom < MIN_HEADROOM_M * scale)
    body = [
        _ground_points(surroundings, path.position_at(s) + side * scale * across, profile.heights, scale)
        for side in (-BODY_HALF_WIDTH_M, 0.0, BODY_HALF_WIDTH_M)
    ]
    for at in body:
        barred[1:] |= _segments_blocked(surroundings, at[:-1], at[1:], scale)
        barred |= _in_avoided_region(surroundings, at, scale)
    # Posts are thinner than that.
    highest = np.max([at[:, 2] for at in body], axis=0)
    left, right = (np.column_stack([at[:, :2], highest]) for at in (body[0], body[2]))
    barred |= _segments_blocked(surroundings, left, right, scale)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], barred.astype(int), [0]])))
    result: list[tuple[float, float]] = []
    for start, stop in edges.reshape(-1, 2):
        first, last = float(s[start]), float(s[stop - 1])
        if result and first - result[-1][1] < 2 * DETOUR_LEAD_M * scale:
            result[-1] = (result[-1][0], last)
        else:
            result.append((first, last))
    return result


def _ground_points(surroundings: Surroundings, positions: Array, levels: Array, scale: float) -> Array:
    """The ground (N, 3) at places (N, 2) where it is within a step of levels (N), else these."""
    heights = surroundings.ground.heights(
        np.concatenate([positions, (levels + MAX_STEP_UP_M * scale)[:, None]], axis=-1)
    )
    near = np.abs(heights - levels) <= MAX_STEP_UP_M * scale
    return np.concatenate([positions, np.where(near, heights, levels)[:, None]], axis=-1)


def _segments_blocked(surroundings: Surroundings, starts: Array, ends: Array, scale: float) -> NDArray[np.bool_]:
    """Whether something stands between places (N, 3) on the ground, as high as a knee or a chest."""
    higher = np.maximum(starts[:, 2], ends[:, 2])
    result = np.zeros(len(starts), dtype=bool)
    for scene in (surroundings.ground, surroundings.avoid):
        if scene is None:
            continue
        for above in (KNEE_HEIGHT_M, CHEST_HEIGHT_M):
            one, other = starts.copy(), ends.copy()
            one[:, 2] = other[:, 2] = higher + above * scale
            result |= scene.blocked(one, other)
    return result


def _in_avoided_region(surroundings: Surroundings, points: Array, scale: float) -> NDArray[np.bool_]:
    """Whether places (N, 3) on the ground are under something that is kept away from, or on it."""
    if surroundings.avoid is None:
        return np.zeros(len(points), dtype=bool)
    tops = surroundings.avoid.heights(points + UP * HEAD_HEIGHT_M * scale)
    return np.asarray(tops > points[:, 2] - KNEE_HEIGHT_M * scale)


def _find_detour(
    path: Path,
    profile: TerrainProfile,
    surroundings: Surroundings,
    start: float,
    blocked_spans: list[tuple[float, float]],
    scale: float,
) -> tuple[Array, float, int] | None:
    """A way from a place of a path past the first stretch, or past as few more as it takes: what is behind the wall
    of a house is in the house. The places (N, 2), where on the path it ends, and how many stretches it passes."""
    for passed, (_, last) in enumerate(blocked_spans, start=1):
        end = min(last + DETOUR_LEAD_M * scale, path.length)
        way = None if last == path.length else _grid_detour(path, profile, surroundings, (start, end), scale)
        if way is not None:
            return way, end, passed
    return None


def _grid_detour(
    path: Path, profile: TerrainProfile, surroundings: Surroundings, span: tuple[float, float], scale: float
) -> Array | None:
    """Places (N, 2) of the cheapest way past a stretch of a path; ``None`` where there is none."""
    begin, end = (path.position_at(s) for s in span)
    beside = path.position_at(np.linspace(*span, 50))
    for around in SEARCH_MARGINS_M:
        grid = _CostGrid.build(beside, around * scale, profile, path, surroundings, scale)
        way = grid.shortest_path(begin, end)
        if way is not None:
            return way
    return None


@dataclass(frozen=True, slots=True, eq=False)
class _CostGrid:
    """The ground as cells: places (R, C, 2), their cost, whether (R, C) there is room for a body, and whether (R, C, 4)
    one gets from each to its neighbours."""

    cell_centres: Array
    cost: Array
    is_free: NDArray[np.bool_]
    is_connected: NDArray[np.bool_]

    @staticmethod
    def build(
        points: Array, margin: float, profile: TerrainProfile, path: Path, surroundings: Surroundings, scale: float
    ) -> "_CostGrid":
        low, high = points.min(axis=0) - margin, points.max(axis=0) + margin
        cell = max(CELL_SIZE_M * scale, float(np.sqrt(np.prod(high - low) / MAX_CELLS)))
        x, y = (np.arange(a, b + cell, cell) for a, b in zip(low, high, strict=True))
        places = np.dstack(np.meshgrid(x, y))
        tree = scipy.spatial.KDTree(path.position_at(profile.arc_lengths))
        off, nearest = tree.query(places)
        levels = profile.heights[nearest]
        points3 = np.concatenate([places, (levels + MAX_STEP_UP_M * scale)[..., None]], axis=-1)
        heights = surroundings.ground.heights(points3)
        at = np.concatenate([places, heights[..., None]], axis=-1)
        solid = np.isnan(heights)
        at[..., 2] = np.where(solid, levels, heights)
        solid |= _in_avoided_region(surroundings, at.reshape(-1, 3), scale).reshape(solid.shape)
        room = surroundings.ground.ceilings(at + UP * MAX_STEP_UP_M * scale) - at[..., 2]
        solid |= room < MIN_HEADROOM_M * scale
        free = np.zeros((*solid.shape, len(NEIGHBOUR_OFFSETS)), dtype=bool)
        for number, (down, right) in enumerate(NEIGHBOUR_OFFSETS):
            here, there = _neighbour_views(at, down, right)
            steps = there[..., 2] - here[..., 2]
            passable = (np.abs(steps) < MAX_STEP_UP_M * scale) & (np.abs(steps) < MAX_STEP_DOWN_M * scale)
            between = _segments_blocked(surroundings, here.reshape(-1, 3), there.reshape(-1, 3), scale).reshape(
                steps.shape
            )
            one, other = _neighbour_views(solid, down, right)
            _neighbour_views(free[..., number], down, right)[0][...] = passable & ~between & ~one & ~other
        # Where one cannot get on from a cell to its neighbour, both are at a wall, and nobody is as thin as that.
        shut = solid.copy()
        for number, (down, right) in enumerate(NEIGHBOUR_OFFSETS):
            one, other = _neighbour_views(shut, down, right)
            closed = ~_neighbour_views(free[..., number], down, right)[0]
            one |= closed
            other |= closed
        for number, (down, right) in enumerate(NEIGHBOUR_OFFSETS):
            one, other = _neighbour_views(shut, down, right)
            _neighbour_views(free[..., number], down, right)[0][...] &= ~one & ~other
        clear = (
            np.asarray(scipy.ndimage.distance_transform_edt(~shut)) * cell
            if shut.any()
            else np.full(shut.shape, np.inf)
        )
        near = np.clip(1 - clear / (WALL_AVOIDANCE_RANGE_M * scale), 0.0, 1.0)
        cost = 1.0 + np.minimum(off, 2.0) + 6.0 * near**2 + np.where(clear < BODY_HALF_WIDTH_M * scale, 50.0, 0.0)
        return _CostGrid(places, cost, ~shut, free)

    def shortest_path(self, start_point: Array, end_point: Array) -> Array | None:
        """Places (N, 2) between ``start_point`` (2) and ``end_point``, through cells from the nearest one to the nearest one with
        room; ``None`` where they are not connected."""
        if not self.is_free.any():
            return None
        rows, columns = self.cost.shape
        numbers = np.arange(rows * columns).reshape(rows, columns)
        starts: list[NDArray[np.intp]] = []
        stops: list[NDArray[np.intp]] = []
        costs: list[Array] = []
        for number, (down, right) in enumerate(NEIGHBOUR_OFFSETS):
            open_here = _neighbour_views(self.is_connected[..., number], down, right)[0]
            one, other = _neighbour_views(numbers, down, right)
            mean = sum(_neighbour_views(self.cost, down, right)) / 2 * np.hypot(down, right)
            starts.append(one[open_here])
            stops.append(other[open_here])
            costs.append(mean[open_here])
        graph = scipy.sparse.csr_array(
            (np.concatenate(costs), (np.concatenate(starts), np.concatenate(stops))), shape=(numbers.size, numbers.size)
        )
        tree, roomy = scipy.spatial.KDTree(self.cell_centres[self.is_free]), numbers[self.is_free]
        source, target = (int(roomy[tree.query(place)[1]]) for place in (start_point, end_point))
        distances, before = scipy.sparse.csgraph.dijkstra(
            graph, directed=False, indices=source, return_predecessors=True
        )
        if not np.isfinite(distances[target]):
            return None
        cells = [target]
        while cells[-1] != source:
            cells.append(int(before[cells[-1]]))
        return self.cell_centres.reshape(-1, 2)[cells[-2:0:-1]]


def _neighbour_views(grid: NDArray, down: int, right: int) -> tuple[NDArray, NDArray]:
    """Views of a grid (R, C, ...): cells, and their neighbours so far down and to the right."""
    rows, columns = grid.shape[:2]
    left, before = (0, columns - right) if right >= 0 else (-right, columns)
    return grid[: rows - down, left:before], grid[down:, left + right : before + right]
