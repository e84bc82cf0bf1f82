"""Flow fields: shortest paths to one goal from every cell of a grid on the ground.

Cells near an obstacle cost more; cells nearer than the body's radius cost so much that only paths that start there
cross them. Dijkstra's algorithm from the goal gives each cell its successor.

On open ground hundreds of paths have the same length, and rounding errors would choose between them: moving a chair by
a millimeter would change the take. Therefore the cells have fixed positions in the world, and a path costs slightly
more the farther it is from the straight line, on the right slightly more than on the left.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import Array
from ...scene.body_size import BODY_HEIGHT_RANGE_M, WALK_RADIUS_M
from ...scene.collider_pose import PosedCollider
from ...tuning import Tuning, tuned
from .grid import ClearanceCost, CostGrid, collider_clearance


@dataclass(frozen=True, slots=True)
class FlowFieldTuning(Tuning):
    cell_size: float = tuned(0.1, "m", 0.02, 1.0)
    """Distance between neighboring cells."""
    grid_margin: float = tuned(1.5, "m", 0.2, 10.0)
    """Width of the margin of the grid around the start, the goal and all obstacles."""
    max_obstacle_distance: float = tuned(12.0, "m", 1.0, 100.0)
    """Distance from the goal beyond which obstacles are ignored."""
    grid_anchor: float = tuned(0.0137, "m", 0.0, 0.1)
    """World coordinate of one of the cells, along both axes, to which the grid is aligned.

    It is not round, so that no round coordinate lies exactly between two cells.
    """
    line_distance_costs: tuple[float, float] = tuned((1.0e-4, 1.3e-4), "1/m", 0.0, 0.01)
    """Additional costs per meter of distance to the left and to the right of the straight line from start to goal."""
    look_ahead: float = tuned(0.9, "m", 0.1, 5.0)
    """Distance along the path to the look-ahead point, for which the character heads."""


TUNING: Final = FlowFieldTuning()

CLEARANCE_COST_PER_M: Final = ClearanceCost(WALK_RADIUS_M, avoidance_range=0.5, collision_cost=40.0, proximity_cost=2.0)
"""Additional cost per meter of path as a function of the clearance, meters."""


@dataclass(frozen=True, slots=True, eq=False)
class FlowField:
    """Shortest paths from the cells of a grid of X by Y cells to one goal.

    Attributes:
        goal: (2) goal, meters, world.
        centers: (X, Y, 2) positions of the cells, meters, world.
        path_lengths: (X, Y) length of each cell's path to the goal, meters.
        next_cells: (X Y) index of the next cell on each cell's path to the goal; the goal's cell follows itself.
    """

    goal: Array
    centers: Array
    path_lengths: Array
    next_cells: NDArray[np.intp]
    _points_ahead: dict[int, Array] = field(default_factory=dict, init=False, repr=False)

    @staticmethod
    def build(goal: Array, start: Array, obstacles: Sequence[PosedCollider]) -> "FlowField":
        """Return the flow field of a goal (Dijkstra 1959, from the goal outward).

        Args:
            goal: (2) goal, meters, world.
            start: (2) position of the character, meters, world.
            obstacles: Posed colliders; those far from the goal are ignored.
        """
        nearby = [
            obstacle
            for obstacle in obstacles
            if np.linalg.norm(obstacle.position[:2] - goal) < TUNING.max_obstacle_distance
        ]
        points = np.stack([goal, start, *(obstacle.position[:2] for obstacle in nearby)])
        first = np.floor((points.min(axis=0) - TUNING.grid_margin - TUNING.grid_anchor) / TUNING.cell_size)
        origin = TUNING.grid_anchor + TUNING.cell_size * first
        shape = np.ceil((points.max(axis=0) + TUNING.grid_margin - origin) / TUNING.cell_size).astype(int) + 1
        axes = [origin[axis] + TUNING.cell_size * np.arange(shape[axis]) for axis in range(2)]
        centers = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
        clearance = collider_clearance(centers, nearby, BODY_HEIGHT_RANGE_M, CLEARANCE_COST_PER_M.avoidance_range)
        costs = CLEARANCE_COST_PER_M.add_linear(1.0, clearance)
        grid = CostGrid(centers, costs + _line_distance_cost(centers, start, goal), TUNING.cell_size)
        paths = grid.shortest_paths(_nearest_cell(goal, centers))
        lengths = paths.lengths(grid.costs.shape, TUNING.cell_size)
        return FlowField(np.asarray(goal, dtype=float), centers, lengths, paths.next_cells)

    def look_ahead(self, position: Array) -> tuple[Array, float]:
        """Return the point (2), meters, world, ahead on the path from `position` (2), and the path's length, meters.

        The point is ``TUNING.look_ahead`` ahead on the path (pure pursuit, Coulter 1992). Point and length are
        interpolated between the cells around the position, so that neither jumps as a character enters a cell.
        """
        rows, columns = (
            _cells_around(float(place), float(first), count)
            for place, first, count in zip(position, self.centers[0, 0], self.centers.shape[:2], strict=True)
        )
        weights = np.array([row_weight * weight for _, row_weight in rows for _, weight in columns])
        cells = [row * self.centers.shape[1] + column for row, _ in rows for column, _ in columns]
        point = weights @ np.array([self._point_ahead(cell) for cell in cells])
        length = float(weights @ self.path_lengths.take(cells))
        return point, max(float(np.linalg.norm(self.goal - position)), length)

    def _point_ahead(self, cell: int) -> Array:
        """Return the point (2) ``TUNING.look_ahead`` ahead on the path from a cell, at most the path's end."""
        if cell not in self._points_ahead:
            lengths, left = self.path_lengths.flat, float(self.path_lengths.flat[cell]) - TUNING.look_ahead
            before = after = cell
            while lengths[after] > left and self.next_cells[after] != after:
                before, after = after, int(self.next_cells[after])
            if left <= 0.0 or before == after:
                self._points_ahead[cell] = self.goal
            else:
                share = float((lengths[before] - left) / (lengths[before] - lengths[after]))
                centers = self.centers.reshape(-1, 2)
                self._points_ahead[cell] = centers[before] + share * (centers[after] - centers[before])
        return self._points_ahead[cell]


def _cells_around(place: float, first: float, count: int) -> tuple[tuple[int, float], tuple[int, float]]:
    """Return the numbers of the two cells around a place along an axis, meters, with their weights.

    Args:
        place: the place.
        first: place of the first cell, meters.
        count: number of cells.
    """
    at = min(max((place - first) / TUNING.cell_size, 0.0), count - 1.0)
    before = min(int(at), max(count - 2, 0))
    share = at - before
    return (before, 1 - share), (min(before + 1, count - 1), share)


def _line_distance_cost(centers: Array, start: Array, goal: Array) -> Array:
    """Return the cost (X, Y) that cells add for their distance from the straight line between two points (2)."""
    along = np.asarray(goal, dtype=float) - start
    length = float(np.linalg.norm(along))
    if length < TUNING.cell_size:
        return np.zeros(centers.shape[:2])
    side = np.array([-along[1], along[0]]) / length
    distance = (centers - start) @ side
    left, right = TUNING.line_distance_costs
    return np.where(distance > 0, left * distance, -right * distance)


def _nearest_cell(point: Array, centers: Array) -> int:
    """Return the index of the cell nearest to a point (2)."""
    shape = np.array(centers.shape[:2])
    row, column = np.clip(np.rint((np.asarray(point) - centers[0, 0]) / TUNING.cell_size), 0, shape - 1).astype(int)
    return int(np.ravel_multi_index((row, column), centers.shape[:2]))
