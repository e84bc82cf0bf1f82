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
from ..path.terrain_profile import DROP, REACH, Profile

# Metres, of an adult.
CELL: Final = 0.15
"""Of the grid."""
BODY: Final = 0.25
"""From the path to where a body is at its sides."""
WIDE: Final = 0.6
"""From walls: nearer costs more."""
KNEE, CHEST = 0.3, 1.0
"""Heights over the ground, and over a step in it, at which something is in the way."""
HEAD: Final = 1.9
ROOM: Final = 0.8
"""Free height under which nobody gets through."""
AROUND: Final = (3.0, 8.0)
"""How far off the path a way is looked for, first and then."""
BEFORE: Final = 1.5
"""Free path before and behind a stretch that is gone round with it."""
STOP: Final = 0.5
"""How far before what is in the way the path ends."""
SHORTEST: Final = 0.1
"""A path that is left, when something is in the way at once; not scaled."""
MOST_CELLS: Final = 250_000

NEIGHBOURS: Final = ((0, 1), (1, 0), (1, 1), (1, -1))


@dataclass(frozen=True, slots=True)
class Route:
    """A path that can be walked, and what was done to it, in sentences."""

    path: Path
    notes: tuple[str, ...] = ()


def walkable(path: Path, surroundings: Surroundings, level: float, scale: float = 1.0) -> Route:
    """The path, led round what is in its way at the walk's first frame, or ended before it.

    Args:
        path: as drawn.
        surroundings: the scene.
        level: about how high the path begins, metres.
        scale: the body's size as a share of an adult's.
    """
    profile = Profile.along(path, surroundings, level, scale)
    stretches = _barred(path, profile, surroundings, scale)
    notes: list[str] = []
    pieces: list[Array] = []
    reached = 0.0
    if stretches and stretches[0][0] == 0.0:
        notes.append("something is in the way where the path begins: it is left as it is there")
        stretches = stretches[1:]
    while stretches:
        first = stretches[0][0]
        begin = max(first - BEFORE * scale, 0.0)
        found = _past(path, profile, surroundings, begin, stretches, scale)
        if found is None:
            notes.append(f"something is in the way {first:.1f} m along the path, with no way round: it ends there")
            stop = max(first - STOP * scale, reached, SHORTEST)
            return Route(Path(np.concatenate([*pieces, _points(path, reached, stop)])), tuple(notes))
        notes.append(f"something is in the way {first:.1f} m along the path: it goes round")
        way, end, passed = found
        pieces += [_points(path, reached, begin), way]
        reached, stretches = end, stretches[passed:]
    if not pieces:
        return Route(path, tuple(notes))
    return Route(Path(np.concatenate([*pieces, _points(path, reached, path.length)])), tuple(notes))


def _points(path: Path, begin: float, end: float) -> Array:
    return path.point(np.linspace(begin, end, max(round((end - begin) / CELL), 1) + 1))


def _barred(path: Path, profile: Profile, surroundings: Surroundings, scale: float) -> list[tuple[float, float]]:
    """The stretches of a path that cannot be walked: arc lengths of their first and last points, far enough apart."""
    s = profile.lengths
    directions = np.stack([-np.sin(path.yaw(s)), np.cos(path.yaw(s))], axis=-1)
    across = np.stack([directions[:, 1], -directions[:, 0]], axis=-1)
    barred = ~profile.firm | (profile.room < ROOM * scale)
    body = [
        _standing(surroundings, path.point(s) + side * scale * across, profile.heights, scale)
        for side in (-BODY, 0.0, BODY)
    ]
    for at in body:
        barred[1:] |= _between(surroundings, at[:-1], at[1:], scale)
        barred |= _avoided(surroundings, at, scale)
    # Posts are thinner than that.
    highest = np.max([at[:, 2] for at in body], axis=0)
    left, right = (np.column_stack([at[:, :2], highest]) for at in (body[0], body[2]))
    barred |= _between(surroundings, left, right, scale)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], barred.astype(int), [0]])))
    result: list[tuple[float, float]] = []
    for start, stop in edges.reshape(-1, 2):
        first, last = float(s[start]), float(s[stop - 1])
        if result and first - result[-1][1] < 2 * BEFORE * scale:
            result[-1] = (result[-1][0], last)
        else:
            result.append((first, last))
    return result


def _standing(surroundings: Surroundings, places: Array, levels: Array, scale: float) -> Array:
    """The ground (N, 3) at places (N, 2) where it is within a step of levels (N), else these."""
    heights = surroundings.ground.heights(np.concatenate([places, (levels + REACH * scale)[:, None]], axis=-1))
    near = np.abs(heights - levels) <= REACH * scale
    return np.concatenate([places, np.where(near, heights, levels)[:, None]], axis=-1)


def _between(surroundings: Surroundings, starts: Array, ends: Array, scale: float) -> NDArray[np.bool_]:
    """Whether something stands between places (N, 3) on the ground, as high as a knee or a chest."""
    higher = np.maximum(starts[:, 2], ends[:, 2])
    result = np.zeros(len(starts), dtype=bool)
    for scene in (surroundings.ground, surroundings.avoid):
        if scene is None:
            continue
        for above in (KNEE, CHEST):
            one, other = starts.copy(), ends.copy()
            one[:, 2] = other[:, 2] = higher + above * scale
            result |= scene.blocked(one, other)
    return result


def _avoided(surroundings: Surroundings, at: Array, scale: float) -> NDArray[np.bool_]:
    """Whether places (N, 3) on the ground are under something that is kept away from, or on it."""
    if surroundings.avoid is None:
        return np.zeros(len(at), dtype=bool)
    tops = surroundings.avoid.heights(at + UP * HEAD * scale)
    return np.asarray(tops > at[:, 2] - KNEE * scale)


def _past(
    path: Path,
    profile: Profile,
    surroundings: Surroundings,
    begin: float,
    stretches: list[tuple[float, float]],
    scale: float,
) -> tuple[Array, float, int] | None:
    """A way from a place of a path past the first stretch, or past as few more as it takes: what is behind the wall
    of a house is in the house. The places (N, 2), where on the path it ends, and how many stretches it passes."""
    for passed, (_, last) in enumerate(stretches, start=1):
        end = min(last + BEFORE * scale, path.length)
        way = None if last == path.length else _way_round(path, profile, surroundings, (begin, end), scale)
        if way is not None:
            return way, end, passed
    return None


def _way_round(
    path: Path, profile: Profile, surroundings: Surroundings, span: tuple[float, float], scale: float
) -> Array | None:
    """Places (N, 2) of the cheapest way past a stretch of a path; ``None`` where there is none."""
    begin, end = (path.point(s) for s in span)
    beside = path.point(np.linspace(*span, 50))
    for around in AROUND:
        grid = _Grid.about(beside, around * scale, profile, path, surroundings, scale)
        way = grid.way(begin, end)
        if way is not None:
            return way
    return None


@dataclass(frozen=True, slots=True, eq=False)
class _Grid:
    """The ground as cells: places (R, C, 2), their cost, whether (R, C) there is room for a body, and whether (R, C, 4)
    one gets from each to its neighbours."""

    places: Array
    cost: Array
    room: NDArray[np.bool_]
    open: NDArray[np.bool_]

    @staticmethod
    def about(
        points: Array, around: float, profile: Profile, path: Path, surroundings: Surroundings, scale: float
    ) -> "_Grid":
        low, high = points.min(axis=0) - around, points.max(axis=0) + around
        cell = max(CELL * scale, float(np.sqrt(np.prod(high - low) / MOST_CELLS)))
        x, y = (np.arange(a, b + cell, cell) for a, b in zip(low, high, strict=True))
        places = np.dstack(np.meshgrid(x, y))
        tree = scipy.spatial.KDTree(path.point(profile.lengths))
        off, nearest = tree.query(places)
        levels = profile.heights[nearest]
        points3 = np.concatenate([places, (levels + REACH * scale)[..., None]], axis=-1)
        heights = surroundings.ground.heights(points3)
        at = np.concatenate([places, heights[..., None]], axis=-1)
        solid = np.isnan(heights)
        at[..., 2] = np.where(solid, levels, heights)
        solid |= _avoided(surroundings, at.reshape(-1, 3), scale).reshape(solid.shape)
        room = surroundings.ground.ceilings(at + UP * REACH * scale) - at[..., 2]
        solid |= room < ROOM * scale
        free = np.zeros((*solid.shape, len(NEIGHBOURS)), dtype=bool)
        for number, (down, right) in enumerate(NEIGHBOURS):
            here, there = _pair(at, down, right)
            steps = there[..., 2] - here[..., 2]
            passable = (np.abs(steps) < REACH * scale) & (np.abs(steps) < DROP * scale)
            between = _between(surroundings, here.reshape(-1, 3), there.reshape(-1, 3), scale).reshape(steps.shape)
            one, other = _pair(solid, down, right)
            _pair(free[..., number], down, right)[0][...] = passable & ~between & ~one & ~other
        # Where one cannot get on from a cell to its neighbour, both are at a wall, and nobody is as thin as that.
        shut = solid.copy()
        for number, (down, right) in enumerate(NEIGHBOURS):
            one, other = _pair(shut, down, right)
            closed = ~_pair(free[..., number], down, right)[0]
            one |= closed
            other |= closed
        for number, (down, right) in enumerate(NEIGHBOURS):
            one, other = _pair(shut, down, right)
            _pair(free[..., number], down, right)[0][...] &= ~one & ~other
        clear = (
            np.asarray(scipy.ndimage.distance_transform_edt(~shut)) * cell
            if shut.any()
            else np.full(shut.shape, np.inf)
        )
        near = np.clip(1 - clear / (WIDE * scale), 0.0, 1.0)
        cost = 1.0 + np.minimum(off, 2.0) + 6.0 * near**2 + np.where(clear < BODY * scale, 50.0, 0.0)
        return _Grid(places, cost, ~shut, free)

    def way(self, begin: Array, end: Array) -> Array | None:
        """Places (N, 2) between ``begin`` (2) and ``end``, through cells from the nearest one to the nearest one with
        room; ``None`` where they are not connected."""
        if not self.room.any():
            return None
        rows, columns = self.cost.shape
        numbers = np.arange(rows * columns).reshape(rows, columns)
        starts: list[NDArray[np.intp]] = []
        stops: list[NDArray[np.intp]] = []
        costs: list[Array] = []
        for number, (down, right) in enumerate(NEIGHBOURS):
            open_here = _pair(self.open[..., number], down, right)[0]
            one, other = _pair(numbers, down, right)
            mean = sum(_pair(self.cost, down, right)) / 2 * np.hypot(down, right)
            starts.append(one[open_here])
            stops.append(other[open_here])
            costs.append(mean[open_here])
        graph = scipy.sparse.csr_array(
            (np.concatenate(costs), (np.concatenate(starts), np.concatenate(stops))), shape=(numbers.size, numbers.size)
        )
        tree, roomy = scipy.spatial.KDTree(self.places[self.room]), numbers[self.room]
        source, target = (int(roomy[tree.query(place)[1]]) for place in (begin, end))
        distances, before = scipy.sparse.csgraph.dijkstra(
            graph, directed=False, indices=source, return_predecessors=True
        )
        if not np.isfinite(distances[target]):
            return None
        cells = [target]
        while cells[-1] != source:
            cells.append(int(before[cells[-1]]))
        return self.places.reshape(-1, 2)[cells[-2:0:-1]]


def _pair(grid: NDArray, down: int, right: int) -> tuple[NDArray, NDArray]:
    """Views of a grid (R, C, ...): cells, and their neighbours so far down and to the right."""
    rows, columns = grid.shape[:2]
    left, before = (0, columns - right) if right >= 0 else (-right, columns)
    return grid[: rows - down, left:before], grid[down:, left + right : before + right]
