"""Flow fields: shortest paths to one goal from every cell of a grid of the ground.

A cell near an obstacle costs more, and a cell within the body's radius of one so much that only a path that starts
there crosses it. Dijkstra's algorithm from the goal gives each cell its successor.
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
"""Distance between cells."""
GRID_MARGIN_M: Final = 1.5
"""Width of the grid around the start, the goal and all obstacles."""
MAX_OBSTACLE_DISTANCE_M: Final = 12.0
"""Distance from the goal beyond which obstacles are ignored."""
BODY_HEIGHT_RANGE_M: Final = (0.2, 1.7)
"""Heights above the ground between which an obstacle blocks the body."""
BODY_RADIUS_M: Final = 0.24
"""Clearance below which a cell counts as a collision."""
CLEARANCE_M: Final = 0.5
"""Clearance below which a cell costs more."""
COLLISION_COST_PER_M, CLEARANCE_COST_PER_M = 40.0, 2.0
"""Additional cost per meter in a collision, and beside one; the latter falls to zero at ``CLEARANCE_M``."""
NEIGHBOUR_OFFSETS: Final = ((0, 1), (1, 0), (1, 1), (1, -1))
LOOK_AHEAD_M: Final = 0.9
"""Distance along the path at which a character looks ahead."""


@dataclass(frozen=True, slots=True, eq=False)
class FlowField:
    """Shortest paths to one goal.

    Attributes:
        goal: (2) meters, world.
        origin: (2) position of the first cell, meters, world.
        path_lengths: (X, Y) length of the path from each cell to the goal, meters.
        next_cells: (X Y) successor of each cell on its path; the last cell is its own successor.
    """

    goal: Array
    origin: Array
    path_lengths: Array
    next_cells: NDArray[np.intp]

    @staticmethod
    def build(goal: Array, start: Array, obstacles: Sequence[PosedCollider]) -> "FlowField":
        """Build the flow field of a goal (Dijkstra 1959, from the goal outward).

        Args:
            goal: (2) meters, world.
            start: (2) position that the grid has to include, meters, world.
            obstacles: Posed colliders; those far from the goal are ignored.
        """
        nearby = [
            obstacle for obstacle in obstacles if np.linalg.norm(obstacle.position[:2] - goal) < MAX_OBSTACLE_DISTANCE_M
        ]
        points = np.stack([goal, start, *(obstacle.position[:2] for obstacle in nearby)])
        origin = points.min(axis=0) - GRID_MARGIN_M
        shape = np.ceil((points.max(axis=0) + GRID_MARGIN_M - origin) / CELL_SIZE_M).astype(int) + 1
        costs = _cell_costs(origin, shape, nearby)
        end = _nearest_cell(goal, origin, shape)
        weights, predecessors = scipy.sparse.csgraph.dijkstra(
            _cost_graph(costs), directed=False, indices=int(np.ravel_multi_index(end, shape)), return_predecessors=True
        )
        following = np.where(predecessors < 0, np.arange(len(predecessors)), predecessors).astype(np.intp)
        return FlowField(np.asarray(goal, dtype=float), origin, _path_lengths(weights, following, shape), following)

    def look_ahead(self, position: Array) -> tuple[Array, float]:
        """Return the look-ahead point (2) on the path from a position (2), and the length of that path, meters.

        The point lies ``LOOK_AHEAD_M`` ahead on the path (pure pursuit, Coulter 1992).
        """
        shape = np.array(self.path_lengths.shape)
        cell = int(np.ravel_multi_index(_nearest_cell(position, self.origin, shape), shape))
        remaining = float(self.path_lengths.flat[cell])
        offset = float(np.linalg.norm(position - self._cell_centre(cell)))
        if remaining < LOOK_AHEAD_M:
            return self.goal, max(float(np.linalg.norm(self.goal - position)), remaining)
        while remaining - float(self.path_lengths.flat[cell]) < LOOK_AHEAD_M - offset and self.next_cells[cell] != cell:
            cell = int(self.next_cells[cell])
        return self._cell_centre(cell), remaining + offset

    def _cell_centre(self, cell: int) -> Array:
        """Return the center (2) of a cell."""
        return self.origin + CELL_SIZE_M * np.array(np.unravel_index(cell, self.path_lengths.shape))


def _nearest_cell(point: Array, origin: Array, shape: Array) -> tuple[int, int]:
    """Return the row and column of the cell nearest to a point (2)."""
    row, column = np.clip(np.rint((np.asarray(point) - origin) / CELL_SIZE_M), 0, shape - 1).astype(int)
    return int(row), int(column)


def _cell_costs(origin: Array, shape: Array, obstacles: Sequence[PosedCollider]) -> Array:
    """Return the cost per meter (X, Y) in each cell: 1 where no obstacle is near."""
    axes = [origin[axis] + CELL_SIZE_M * np.arange(shape[axis]) for axis in range(2)]
    ground = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
    nearest = np.full(len(ground), np.inf)
    for obstacle in obstacles:
        reach = float(np.abs(np.stack(obstacle.collider.bounds)).max()) * 2 + CLEARANCE_M
        rows = np.flatnonzero(np.abs(ground - obstacle.position[:2]).max(axis=1) < reach)
        nearest[rows] = np.minimum(nearest[rows], obstacle.horizontal_distances(ground[rows], *BODY_HEIGHT_RANGE_M))
    additional = np.where(
        nearest < BODY_RADIUS_M,
        COLLISION_COST_PER_M,
        CLEARANCE_COST_PER_M * np.clip((CLEARANCE_M - nearest) / (CLEARANCE_M - BODY_RADIUS_M), 0.0, 1.0),
    )
    return (1.0 + additional).reshape(tuple(shape))


def _cost_graph(costs: Array) -> "scipy.sparse.csr_array":
    """Return the graph of the costs from each cell to its neighbors."""
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
    """Return the path length (X, Y) from each cell, meters, computed in the order of the cost-to-go."""
    places = np.stack(np.unravel_index(np.arange(len(next_cells)), tuple(shape)), axis=-1)
    steps = CELL_SIZE_M * np.linalg.norm(places - places[next_cells], axis=-1)
    lengths = np.zeros(len(next_cells))
    for cell in np.argsort(costs_to_go):
        lengths[cell] = lengths[next_cells[cell]] + steps[cell] if next_cells[cell] != cell else 0.0
    return lengths.reshape(tuple(shape))
