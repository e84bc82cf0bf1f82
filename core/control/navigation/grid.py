"""Grid planning: shortest paths over a square lattice of the ground whose cells cost more near obstacles.

The cost is that of an inflated costmap (Lu, Hershberger and Smart 2014): a collision within the body's radius, and an
avoidance range around it. Clearance comes from colliders, or from steps between cells that rays show to be blocked.
Each cell has eight neighbors; Dijkstra's algorithm gives each its successor on the shortest path to one cell.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...motion.rotations import Array
from ...scene.collider_pose import PosedCollider

NEIGHBOR_OFFSETS: Final = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Offsets, in rows and columns, from a cell to four of its eight neighbors.

The steps to the four other neighbors are stored with those neighbors.
"""


@dataclass(frozen=True, slots=True)
class ClearanceCost:
    """The cost of a cell as a function of its clearance.

    Attributes:
        body_radius: Clearance below which a cell is a collision, meters.
        avoidance_range: Clearance below which a cell costs more, meters.
        collision_cost: Additional cost of a collision.
        proximity_cost: Largest additional cost within the avoidance range.
    """

    body_radius: float
    avoidance_range: float
    collision_cost: float
    proximity_cost: float

    def add_linear(self, base_cost: float, clearance: Array) -> Array:
        """Return `base_cost` plus the costs (...) of clearances (...), meters, which fall linearly with the clearance.

        They are zero beyond the avoidance range.
        """
        share = np.clip((self.avoidance_range - clearance) / (self.avoidance_range - self.body_radius), 0.0, 1.0)
        return base_cost + np.where(clearance < self.body_radius, self.collision_cost, self.proximity_cost * share)

    def add_quadratic(self, base_cost: Array, clearance: Array) -> Array:
        """Return `base_cost` plus costs (...) of clearances (...), meters, that fall quadratically with the clearance.

        They are zero beyond the avoidance range; collisions cost extra.
        """
        share = np.clip(1 - clearance / self.avoidance_range, 0.0, 1.0)
        return (
            base_cost
            + self.proximity_cost * share**2
            + np.where(clearance < self.body_radius, self.collision_cost, 0.0)
        )


@dataclass(frozen=True, slots=True, eq=False)
class ShortestPaths:
    """The shortest paths from all cells of a grid, R rows by C columns, to one cell.

    Attributes:
        costs_to_go: (R C) cost of the path from each cell; infinite if there is no path.
        next_cells: (R C) next cell on each cell's path; the cell itself at the end, or if there is no path.
    """

    costs_to_go: Array
    next_cells: NDArray[np.intp]

    def path_from(self, cell: int) -> list[int] | None:
        """Return the cells of the path from a cell to the end cell, both included; ``None`` if there is no path."""
        if not np.isfinite(self.costs_to_go[cell]):
            return None
        cells = [cell]
        while self.next_cells[cells[-1]] != cells[-1]:
            cells.append(int(self.next_cells[cells[-1]]))
        return cells

    def lengths(self, shape: tuple[int, int], cell_size: float) -> Array:
        """Return the length (R, C) of the path from each cell to the end cell, in the unit of `cell_size`.

        Args:
            shape: Rows and columns of the grid.
            cell_size: Distance between adjacent cells.
        """
        indices = np.stack(np.unravel_index(np.arange(len(self.next_cells)), shape), axis=-1)
        steps = cell_size * np.linalg.norm(indices - indices[self.next_cells], axis=-1)
        lengths = np.zeros(len(self.next_cells))
        # In the order of costs-to-go, the successor's length is always known.
        for cell in np.argsort(self.costs_to_go):
            successor = self.next_cells[cell]
            lengths[cell] = lengths[successor] + steps[cell] if successor != cell else 0.0
        return lengths.reshape(shape)


@dataclass(frozen=True, slots=True, eq=False)
class CostGrid:
    """The ground as a grid of cells, R rows by C columns, with costs.

    Attributes:
        centers: (R, C, 2) centers of the cells, meters, world.
        costs: (R, C) cost of each cell per meter of path.
        cell_size: Distance between adjacent cells, meters.
        is_connected: (R, C, 4) whether the step to each of ``NEIGHBOR_OFFSETS`` is free; by default all steps are free.
    """

    centers: Array
    costs: Array
    cell_size: float
    is_connected: NDArray[np.bool_] | None = None

    @property
    def flat_centers(self) -> Array:
        """The centers (R C, 2) of the cells, meters, world, in the order of cell indices."""
        return self.centers.reshape(-1, 2)

    def shortest_paths(self, end_cell: int) -> ShortestPaths:
        """Return the shortest paths from all cells to one cell (Dijkstra 1959, outward from that cell)."""
        costs, predecessors = scipy.sparse.csgraph.dijkstra(
            self._graph(), directed=False, indices=end_cell, return_predecessors=True
        )
        following = np.where(predecessors < 0, np.arange(len(predecessors)), predecessors).astype(np.intp)
        return ShortestPaths(costs, following)

    def _graph(self) -> "scipy.sparse.csr_array":
        """Return the graph of the costs of steps between cells, which are length times mean cost."""
        cells = np.arange(self.costs.size).reshape(self.costs.shape)
        parts = []
        for number, (down, right) in enumerate(NEIGHBOR_OFFSETS):
            first, second = neighbor_views(cells, down, right)
            first_cost, second_cost = neighbor_views(self.costs, down, right)
            weight = self.cell_size * float(np.hypot(down, right)) * ((first_cost + second_cost) / 2)
            free = np.ones(first.shape, dtype=bool)
            if self.is_connected is not None:
                free = neighbor_views(self.is_connected[..., number], down, right)[0]
            parts.append((first[free], second[free], weight[free]))
        first, second, weight = (np.concatenate(part) for part in zip(*parts, strict=True))
        return scipy.sparse.csr_array((weight, (first, second)), shape=(cells.size, cells.size))


def collider_clearance(
    centers: Array, obstacles: Sequence[PosedCollider], height_range: tuple[float, float], max_clearance: float
) -> Array:
    """Return the horizontal distance (R, C) from each cell to the nearest obstacle, meters.

    Args:
        centers: (R, C, 2) centers, meters, world.
        obstacles: Posed colliders of the obstacles.
        height_range: Lowest and highest height at which obstacles matter, meters, world.
        max_clearance: Largest distance of interest, meters; larger ones may be returned as infinite.
    """
    points = centers.reshape(-1, 2)
    nearest = np.full(len(points), np.inf)
    for obstacle in obstacles:
        reach = float(np.abs(np.stack(obstacle.collider.bounds)).max()) * 2 + max_clearance
        rows = np.flatnonzero(np.abs(points - obstacle.position[:2]).max(axis=1) < reach)
        nearest[rows] = np.minimum(nearest[rows], obstacle.horizontal_distances(points[rows], *height_range))
    return nearest.reshape(centers.shape[:2])


def close_walls(is_solid: NDArray[np.bool_], is_connected: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a mask (R, C) of the cells at a wall, and disconnect these cells from all others in place.

    The cells on both sides of a blocked step are at a wall, since the body fits into neither.

    Args:
        is_solid: (R, C) whether a cell is solid.
        is_connected: (R, C, 4) whether the step to each of ``NEIGHBOR_OFFSETS`` is free; modified in place.
    """
    at_wall = is_solid.copy()
    for number, (down, right) in enumerate(NEIGHBOR_OFFSETS):
        first, second = neighbor_views(at_wall, down, right)
        blocked = ~neighbor_views(is_connected[..., number], down, right)[0]
        first |= blocked
        second |= blocked
    for number, (down, right) in enumerate(NEIGHBOR_OFFSETS):
        first, second = neighbor_views(at_wall, down, right)
        neighbor_views(is_connected[..., number], down, right)[0][...] &= ~first & ~second
    return at_wall


def wall_clearance(at_wall: NDArray[np.bool_], cell_size: float) -> Array:
    """Return the distance (R, C) from each cell to the nearest cell at a wall, in the unit of ``cell_size``."""
    if not at_wall.any():
        return np.full(at_wall.shape, np.inf)
    return np.asarray(scipy.ndimage.distance_transform_edt(~at_wall)) * cell_size


def neighbor_views(array: NDArray, down: int, right: int) -> tuple[NDArray, NDArray]:
    """Return two equal-sized views of a grid: its cells, and their neighbors `down` rows and `right` columns away.

    Args:
        array: (R, C, ...) values of the cells.
        down: Rows, 0 or more.
        right: Columns; negative to the left.
    """
    rows, columns = array.shape[:2]
    left, before = (0, columns - right) if right >= 0 else (-right, columns)
    return array[: rows - down, left:before], array[down:, left + right : before + right]
