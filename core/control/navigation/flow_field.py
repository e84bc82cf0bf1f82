"""Shortest ways to a place among things, from anywhere: what leads an actor round a table and through a gap.

The ground is a grid. What is near to a thing costs more, and what is within it so much
that only who stands there already goes on in it. From the place's cell outwards every cell learns the next on its way.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...motion.rotations import Array
from ...scene.collider_pose import PosedCollider

CELL_SIZE_M: Final = 0.1
"""Metres between cells."""
GRID_MARGIN_M: Final = 1.5
"""Metres about all that matters."""
MAX_OBSTACLE_DISTANCE_M: Final = 12.0
"""Metres from the place beyond which things do not matter."""
BODY_HEIGHT_RANGE_M: Final = (0.2, 1.7)
"""Metres over the ground between which something is in the way."""
BODY_RADIUS_M: Final = 0.24
"""Metres from a thing within which nobody walks, ..."""
CLEARANCE_M: Final = 0.5
"""... and within which it costs more to."""
COLLISION_COST_PER_M, CLEARANCE_COST_PER_M = 40.0, 2.0
"""How much more, for each metre."""
NEIGHBOUR_OFFSETS: Final = ((0, 1), (1, 0), (1, 1), (1, -1))
LOOK_AHEAD_M: Final = 0.9
"""Metres along a way at which somebody looks."""


@dataclass(frozen=True, slots=True, eq=False)
class FlowField:
    """The shortest ways to one place.

    Attributes:
        place: (2) metres, world.
        corner: (2) of the first cell.
        lengths: (X, Y) metres from each cell to the place, along its way.
        next_cells: (X Y) the cell after each on its way, itself at the end.
    """

    goal: Array
    origin: Array
    path_lengths: Array
    next_cells: NDArray[np.intp]

    @staticmethod
    def build(goal: Array, start: Array, obstacles: Sequence[PosedCollider]) -> "FlowField":
        """The ways to a place (2) among things, from ``start`` (2) or elsewhere; metres, world."""
        near = [thing for thing in obstacles if np.linalg.norm(thing.position[:2] - goal) < MAX_OBSTACLE_DISTANCE_M]
        points = np.stack([goal, start, *(thing.position[:2] for thing in near)])
        corner = points.min(axis=0) - GRID_MARGIN_M
        shape = np.ceil((points.max(axis=0) + GRID_MARGIN_M - corner) / CELL_SIZE_M).astype(int) + 1
        costs = _cell_costs(corner, shape, near)
        end = _nearest_cell(goal, corner, shape)
        weights, predecessors = scipy.sparse.csgraph.dijkstra(
            _cost_graph(costs), directed=False, indices=int(np.ravel_multi_index(end, shape)), return_predecessors=True
        )
        following = np.where(predecessors < 0, np.arange(len(predecessors)), predecessors).astype(np.intp)
        return FlowField(np.asarray(goal, dtype=float), corner, _path_lengths(weights, following, shape), following)

    def look_ahead(self, position: Array) -> tuple[Array, float]:
        """Where (2) one who stands at a position (2) looks along their way, and how long that is, metres."""
        shape = np.array(self.path_lengths.shape)
        cell = int(np.ravel_multi_index(_nearest_cell(position, self.origin, shape), shape))
        left = float(self.path_lengths.flat[cell])
        beside = float(np.linalg.norm(position - self._cell_centre(cell)))
        if left < LOOK_AHEAD_M:
            return self.goal, max(float(np.linalg.norm(self.goal - position)), left)
        while left - float(self.path_lengths.flat[cell]) < LOOK_AHEAD_M - beside and self.next_cells[cell] != cell:
            cell = int(self.next_cells[cell])
        return self._cell_centre(cell), left + beside

    def _cell_centre(self, cell: int) -> Array:
        return self.origin + CELL_SIZE_M * np.array(np.unravel_index(cell, self.path_lengths.shape))


def _nearest_cell(point: Array, origin: Array, shape: Array) -> tuple[int, int]:
    """The cell that a point (2) is in, or is nearest to."""
    row, column = np.clip(np.rint((np.asarray(point) - origin) / CELL_SIZE_M), 0, shape - 1).astype(int)
    return int(row), int(column)


def _cell_costs(origin: Array, shape: Array, obstacles: Sequence[PosedCollider]) -> Array:
    """What a metre costs in each cell (X, Y): 1 where nothing is near."""
    axes = [origin[axis] + CELL_SIZE_M * np.arange(shape[axis]) for axis in range(2)]
    ground = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
    nearest = np.full(len(ground), np.inf)
    for thing in obstacles:
        reach = float(np.abs(np.stack(thing.collider.bounds)).max()) * 2 + CLEARANCE_M
        rows = np.flatnonzero(np.abs(ground - thing.position[:2]).max(axis=1) < reach)
        nearest[rows] = np.minimum(nearest[rows], thing.horizontal_distances(ground[rows], *BODY_HEIGHT_RANGE_M))
    dear = np.where(
        nearest < BODY_RADIUS_M,
        COLLISION_COST_PER_M,
        CLEARANCE_COST_PER_M * np.clip((CLEARANCE_M - nearest) / (CLEARANCE_M - BODY_RADIUS_M), 0.0, 1.0),
    )
    return (1.0 + dear).reshape(tuple(shape))


def _cost_graph(costs: Array) -> "scipy.sparse.csr_array":
    """What it costs to go from each cell to its neighbours."""
    numbers = np.arange(costs.size).reshape(costs.shape)
    parts = []
    for down, across in NEIGHBOUR_OFFSETS:
        rows, other_rows = slice(0, costs.shape[0] - down), slice(down, None)
        columns, other_columns = slice(max(-across, 0), costs.shape[1] - max(across, 0)), slice(max(across, 0), None)
        if across < 0:
            other_columns = slice(0, costs.shape[1] + across)
        mean = (costs[rows, columns] + costs[other_rows, other_columns]) / 2
        length = CELL_SIZE_M * float(np.hypot(down, across))
        parts.append(
            (numbers[rows, columns].ravel(), numbers[other_rows, other_columns].ravel(), (length * mean).ravel())
        )
    first, second, weight = (np.concatenate(part) for part in zip(*parts, strict=True))
    return scipy.sparse.csr_array((weight, (first, second)), shape=(costs.size, costs.size))


def _path_lengths(costs_to_go: Array, next_cells: NDArray[np.intp], shape: Array) -> Array:
    """Metres (X, Y) along the way of each cell: those nearer to the end first."""
    places = np.stack(np.unravel_index(np.arange(len(next_cells)), tuple(shape)), axis=-1)
    steps = CELL_SIZE_M * np.linalg.norm(places - places[next_cells], axis=-1)
    lengths = np.zeros(len(next_cells))
    for cell in np.argsort(costs_to_go):
        lengths[cell] = lengths[next_cells[cell]] + steps[cell] if next_cells[cell] != cell else 0.0
    return lengths.reshape(tuple(shape))
