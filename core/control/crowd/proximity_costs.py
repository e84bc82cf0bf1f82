"""The costs of proximity to moving obstacles in the space-time search."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import Array
from ...tuning import Tuning, tuned
from .lane_grid import CELLS_PER_LAYER, LaneGrid
from .search_window import SearchWindow


@dataclass(frozen=True, slots=True)
class ProximityCostsTuning(Tuning):
    proximity_range: float = tuned(0.45, "m", 0.0, 5.0)
    """Margin over the required distance within which proximity has a cost."""
    proximity_cost: float = tuned(0.25, "1", 0.0, 100.0)
    """Cost of one time layer spent exactly at the required distance from an obstacle."""
    uncertain_share: float = tuned(0.4, "1", 0.0, 1.0)
    """Share of ``proximity_cost`` for agents not yet planned, which are assumed to follow their original plans."""
    collision_cost: float = tuned(1000.0, "1", 1.0, 1e6)
    """Cost of one time layer per unit of nearness above 1, that is, nearer than required; see :class:`ProximityCosts`.
    """


TUNING: Final = ProximityCostsTuning()


@dataclass(frozen=True, slots=True, eq=False)
class MovingObstacles:
    """The trajectories of N other agents in K time layers.

    Attributes:
        positions: (N, K, 2) positions, meters, world, in each time layer.
        min_distances: (N, K) required distances, meters.
        stationary_min_distances: (N) required distances while the searching agent stands, meters.
        certain: (N, K) whether the positions are final, not those of an original plan that may still change.
    """

    positions: Array
    min_distances: Array
    stationary_min_distances: Array
    certain: NDArray[np.bool_]


class ProximityCosts:
    """The costs of proximity to moving obstacles at the cells of a search window, by time layer.

    Nearness is 1 at the required distance and 0 at ``TUNING.proximity_range`` beyond it, linear in the squared
    distance.
    """

    def __init__(self, lanes: LaneGrid, obstacles: MovingObstacles, window: SearchWindow) -> None:
        self.lanes, self.obstacles, self.window = lanes, obstacles, window
        self._offset_powers = np.stack([np.ones_like(lanes.offsets), lanes.offsets, lanes.offsets**2]).astype(
            np.float32
        )
        places = obstacles.positions[:, np.minimum(window.layers, obstacles.positions.shape[1] - 1)]
        # An obstacle farther than ``far`` from these sampled cells is too far from all cells of the window.
        some = np.unique(np.concatenate([np.arange(0, window.row_count, 2 * CELLS_PER_LAYER), [window.row_count - 1]]))
        x, y = (axis[window.first_cells[:, None] + some].astype(np.float32) for axis in lanes.centerline)
        gap = float(np.hypot(*(np.diff(axis) for axis in lanes.centerline)).max(initial=0.0))
        far = (
            float(obstacles.min_distances.max(initial=0.0))
            + TUNING.proximity_range
            + float(lanes.offsets[-1])
            + CELLS_PER_LAYER * gap
        )
        xs, ys = places[..., 0, None].astype(np.float32), places[..., 1, None].astype(np.float32)
        self._nearby = ((xs - x) ** 2 + (ys - y) ** 2).min(axis=2) < far**2

    def layer_costs(self, layer_index: int) -> Array | float:
        """Return the costs (rows, L) of the window's cells on all lanes in one time layer; 0 if no obstacle is near."""
        nearby = np.flatnonzero(self._nearby[:, layer_index])
        if len(nearby) == 0:
            return 0.0
        layer = min(int(self.window.layers[layer_index]), self.obstacles.positions.shape[1] - 1)
        return self._distance_costs(
            layer_index,
            self.obstacles.positions[nearby, layer],
            self.obstacles.min_distances[nearby, layer],
            self.obstacles.certain[nearby, layer],
        )

    def stationary_costs(self, layer_index: int, layers: slice) -> Array:
        """Return the costs (rows, L) of standing at each cell of one time layer through the time layers `layers`."""
        obstacles, cells = self.obstacles, self.window.cells(layer_index)
        centers = np.stack([axis[cells] for axis in self.lanes.centerline], axis=-1)
        mean_center = centers.mean(axis=0)
        extent = float(np.linalg.norm(centers - mean_center, axis=-1).max() + self.lanes.offsets[-1])
        places = obstacles.positions[:, layers]
        close = np.linalg.norm(places - mean_center, axis=-1) < extent + obstacles.stationary_min_distances[:, None]
        nearby, moments = np.nonzero(close & obstacles.certain[:, layers])
        # A stationary obstacle is counted only once.
        _, first = np.unique(np.column_stack([nearby, np.round(places[nearby, moments], 2)]), axis=0, return_index=True)
        result = np.zeros((self.window.row_count, len(self.lanes.offsets)), dtype=np.float32)
        for some in np.array_split(first, len(first) // 64 + 1):
            near = (
                places[nearby[some], moments[some]],
                obstacles.stationary_min_distances[nearby[some]],
                np.ones(len(some), dtype=bool),
            )
            result += self._distance_costs(layer_index, *near, proximity_cost=0.0)
        return result

    def _distance_costs(
        self,
        layer_index: int,
        positions: Array,
        min_distances: Array,
        certain: NDArray[np.bool_],
        proximity_cost: float = TUNING.proximity_cost,
    ) -> Array:
        """Return the costs (rows, L) of proximity to obstacles in a layer.

        Args:
            layer_index: Index of the layer in the window.
            positions: (W, 2) positions, meters, world.
            min_distances: (W) required distances, meters.
            certain: (W) whether the positions are final.
            proximity_cost: Cost at the required distance.
        """
        begin = self.window.first_cells[layer_index]
        rows = slice(begin, begin + self.window.row_count)
        (x, y), (right, up) = self.lanes.centerline, self.lanes.right_vectors
        to = (x[rows] - positions[:, :1]).astype(np.float32), (y[rows] - positions[:, 1:]).astype(np.float32)
        farthest = (min_distances + TUNING.proximity_range) ** 2
        scale = (1 / (farthest - min_distances**2)).astype(np.float32)[:, None]
        # The squared distance, and thus the nearness, is a polynomial of the lateral offset.
        parts = np.empty((*to[0].shape, 3), dtype=np.float32)
        parts[..., 0] = farthest.astype(np.float32)[:, None] * scale - (to[0] ** 2 + to[1] ** 2) * scale
        parts[..., 1] = -2 * scale * (to[0] * right[rows] + to[1] * up[rows])
        parts[..., 2] = -scale
        near = (parts.reshape(-1, 3) @ self._offset_powers).reshape(
            len(positions), self.window.row_count * self._offset_powers.shape[1]
        )
        np.maximum(near, 0.0, out=near)
        cost = np.zeros(near.shape[1], dtype=np.float32)
        if proximity_cost:
            cost += np.where(certain, proximity_cost, proximity_cost * TUNING.uncertain_share).astype(np.float32) @ (
                near * near
            )
        if certain.any():
            certainty = certain.astype(np.float32)
            cost += TUNING.collision_cost * (certainty @ np.maximum(near, 1.0) - certainty.sum())
        return cost.reshape(self.window.row_count, -1)
