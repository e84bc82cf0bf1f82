"""Who yields to whom, when and by how much: the cheapest way of one walker among the ways of others, in space and time.

A walker can slow down, wait, hurry a little and go beside the way. Time goes in layers; in each, a walker is at a cell
of its own clock, on a lane beside its way. What leads to a layer most cheaply follows from the layer before, for all
cells and lanes at once, so that the cheapest of all ways is found (dynamic programming), with all of the future known:
nobody turns back, and nobody is in anybody's way for ever who could have let them pass.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import Array

CELLS_PER_LAYER: Final = 4
"""Cells of a walker's clock in a layer of time: so many quarters of their pace there are, ..."""
MAX_CELLS_PER_LAYER: Final = 5
"""... and so many of them are the fastest."""
LANE_WIDTH_M: Final = 0.2
"""Metres from lane to lane."""
PROXIMITY_RANGE_M: Final = 0.45
"""Metres more than the least distance from which on others do not matter."""
MAX_LEAD_S: Final = 0.5
"""Seconds that a walker may be ahead of its plan."""

# What a layer costs.
PACE_COST: Final = 0.3
"""Of the square of the share by which one is slower or faster than planned."""
DELAY_COST_PER_S2: Final = 0.01
"""Of the square of the seconds that one is behind, ..."""
MAX_COSTED_DELAY_S: Final = 4.0
"""... no more of them than so many."""
OFFSET_COST_PER_M2: Final = 0.12
"""Of the square of the metres beside the way."""
LEFT_SIDE_COST: Final = 0.01
"""Of being left of the way: people go round each other on the right."""
LANE_CHANGE_COST_PER_M: Final = 2.0
"""Of the square of a step to the next lane, for each metre of way in a layer."""
PROXIMITY_COST: Final = 0.25
"""Of being as near to somebody as is just allowed, ..."""
UNCERTAIN_COST_SHARE: Final = 0.4
"""... and the share of that where they have no way yet and are taken to go as they planned."""
COLLISION_COST: Final = 1000.0
"""Of being nearer than allowed, for each share (see :class:`_ProximityCosts`) that is over one, ..."""
BLOCKED_COST: Final = 60.0
"""... and of all layers together that is as if there was no way."""
WALL_COST: Final = 500.0
"""Of being where nobody may be."""
END_OFFSET_COST_PER_M2: Final = 40.0
"""Of the square of the metres beside the way at its start; and at its end."""
UNFINISHED_COST_PER_S: Final = 5.0
"""Of each second of the plan that is left at the end."""


@dataclass(frozen=True, slots=True, eq=False)
class LaneGrid:
    """Where somebody may be.

    Attributes:
        middle: (C) x and (C) y of the way, metres, world, at each cell of their clock.
        right: (C) x and (C) y of the unit vectors to the right of it.
        offsets: (L) metres to the right of the way, of each lane.
        blocked: (C, L) where nobody may be; never on the way itself.
        start: the cell of everybody's time at which their clock begins.
        seconds: of a layer.
    """

    centreline: tuple[Array, Array]
    right_vectors: tuple[Array, Array]
    offsets: Array
    blocked: NDArray[np.bool_]
    start_cell: int
    layer_duration: float

    def __len__(self) -> int:
        """The cells of their clock."""
        return len(self.centreline[0])

    @property
    def first_layer(self) -> int:
        """The layer in which they stand at the start still."""
        return self.start_cell // CELLS_PER_LAYER

    def last_layer(self, max_delay: float) -> int:
        """The layer in which they are at the end at the latest, who wait for so many seconds and no more."""
        return (self.start_cell + len(self) - 1) // CELLS_PER_LAYER + 1 + round(max_delay / self.layer_duration)


@dataclass(frozen=True, slots=True, eq=False)
class MovingObstacles:
    """Everybody else.

    Attributes:
        places: (N, K, 2) metres, world, in each layer.
        apart: (N, K) metres, that one is to be away from them at least, and ...
        beside: (N) ... while one stands.
        certain: (N, K) whether they will be there; else they are likely to.
    """

    positions: Array
    min_distances: Array
    stationary_min_distances: Array
    certain: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class SearchResult:
    """A way found.

    Attributes:
        clock: (K) the cell of the walker's clock, in layers from the first on.
        offsets: (K) metres to the right of the way.
        cost: what it costs.
    """

    cells: NDArray[np.intp]
    offsets: Array
    cost: float

    @property
    def blocked(self) -> bool:
        """Whether it is nearer to somebody than is allowed."""
        return self.cost >= BLOCKED_COST


def search_space_time(lanes: LaneGrid, obstacles: MovingObstacles, max_delay: float) -> SearchResult:
    """The cheapest way among others.

    Args:
        lanes: where one may be.
        obstacles: where they are; after their last layer they stand.
        max_delay: seconds by which one may be late under way; the last stretch may take longer.
    """
    window = _SearchWindow.from_lanes(lanes, max_delay)
    near = _ProximityCosts(lanes, obstacles, window)
    aside = (OFFSET_COST_PER_M2 * lanes.offsets**2 + np.where(lanes.offsets < 0, LEFT_SIDE_COST, 0.0)).astype(
        np.float32
    )
    steps, lateness = _lane_change_costs(lanes), window.delay_costs(lanes)
    walls = np.where(lanes.blocked, WALL_COST, 0.0).astype(np.float32) if lanes.blocked.any() else None

    costs = np.full((window.row_count, len(lanes.offsets)), np.inf, dtype=np.float32)
    costs[0] = (
        END_OFFSET_COST_PER_M2 * lanes.offsets**2 + aside + near.stationary_costs(0, slice(0, lanes.first_layer + 1))[0]
    )
    if walls is not None:
        costs += walls[window.cells(0)]
    history = [costs]
    for number in range(1, len(window.layers)):
        costs = _advance_layer(costs, steps[window.cells(number - 1)], window, number)
        costs += lateness[number, :, None] + aside
        costs += near.layer_costs(number)
        if walls is not None:
            costs += walls[window.cells(number)]
        history.append(costs)

    left = (len(lanes) - 1 - window.cells(len(window.layers) - 1)) / CELLS_PER_LAYER * lanes.layer_duration
    costs = (
        costs
        + UNFINISHED_COST_PER_S * left[:, None]
        + np.where(left == 0, END_OFFSET_COST_PER_M2, 0.0)[:, None] * lanes.offsets**2
    )
    costs += near.stationary_costs(len(window.layers) - 1, slice(lanes.last_layer(max_delay) + 1, None))
    return _trace_back(lanes, window, steps, history, costs)


@dataclass(frozen=True, slots=True, eq=False)
class _SearchWindow:
    """The cells of the clock that one may be at in each layer: ``rows`` of them from ``first_cells`` (K) on.

    There are ``count`` of them, and the first is at the cell ``start`` of everybody's time.
    """

    layers: NDArray[np.intp]
    first_cells: NDArray[np.intp]
    row_count: int
    cell_count: int
    start_cell: int

    @staticmethod
    def from_lanes(lanes: LaneGrid, max_delay: float) -> "_SearchWindow":
        behind, early = (round(time / lanes.layer_duration * CELLS_PER_LAYER) for time in (max_delay, MAX_LEAD_S))
        count = len(lanes)
        rows = min(behind + early + 1, count)
        layers = np.arange(lanes.first_layer, lanes.last_layer(max_delay) + 1)
        return _SearchWindow(
            layers,
            np.clip(CELLS_PER_LAYER * layers - lanes.start_cell - behind, 0, count - rows),
            rows,
            count,
            lanes.start_cell,
        )

    def cells(self, layer_index: int) -> NDArray[np.intp]:
        """The cells (rows) of a layer."""
        return self.first_cells[layer_index] + np.arange(self.row_count)

    def base_shift(self, layer_index: int) -> int:
        """By how many cells a layer's window is farther than that of the layer before."""
        return int(self.first_cells[layer_index] - self.first_cells[layer_index - 1])

    def includes_end(self, layer_index: int) -> bool:
        """Whether the clock's last cell is in a layer's window."""
        return bool(self.first_cells[layer_index] + self.row_count == self.cell_count)

    def pace_cost(self, layer_index: int, cells_advanced: int, at_end: bool = False) -> float:
        """What it costs to get to a layer by so many cells; those who get to the end, or are there, need not hurry."""
        if at_end and cells_advanced <= CELLS_PER_LAYER:
            return 0.0
        planned = (
            CELLS_PER_LAYER * int(self.layers[layer_index]) - self.start_cell if layer_index == 1 else CELLS_PER_LAYER
        )
        return PACE_COST * ((planned - cells_advanced) / CELLS_PER_LAYER) ** 2

    def delay_costs(self, lanes: LaneGrid) -> Array:
        """What it costs (K, rows) to be late, or early, in each layer; who is at the end is neither."""
        clock = self.first_cells[:, None] + np.arange(self.row_count)
        late = (
            (CELLS_PER_LAYER * self.layers[:, None] - self.start_cell - clock) / CELLS_PER_LAYER * lanes.layer_duration
        )
        return np.where(
            clock == self.cell_count - 1,
            0.0,
            DELAY_COST_PER_S2 * np.clip(late, -MAX_COSTED_DELAY_S, MAX_COSTED_DELAY_S) ** 2,
        ).astype(np.float32)


def _advance_layer(costs: Array, lane_change_costs: Array, window: _SearchWindow, layer_index: int) -> Array:
    """The least costs (rows, L) of getting to a layer, from those of the one before: at some pace, and beside it on the
    same lane or the next."""
    beside = _relax_lane_change(costs, lane_change_costs)
    result = np.full_like(costs, np.inf)
    for pace in range(MAX_CELLS_PER_LAYER + 1):
        shift = window.base_shift(layer_index) - pace
        to, since = slice(max(-shift, 0), len(costs) - max(shift, 0)), slice(max(shift, 0), len(costs) - max(-shift, 0))
        if to.start >= to.stop:
            continue
        before = costs[since] if pace == 0 else beside[since]
        np.minimum(result[to], before + window.pace_cost(layer_index, pace), out=result[to])
        if window.includes_end(layer_index) and to.stop == len(costs):
            np.minimum(result[-1], before[-1] + window.pace_cost(layer_index, pace, True), out=result[-1])
    return result


def _relax_lane_change(costs: Array, lane_change_costs: Array) -> Array:
    """The least costs (rows, L) on each lane of who may have come from the next one, for so much (rows)."""
    result, moved = costs.copy(), costs + lane_change_costs[:, None]
    np.minimum(result[:, 1:], moved[:, :-1], out=result[:, 1:])
    np.minimum(result[:, :-1], moved[:, 1:], out=result[:, :-1])
    return result


def _trace_back(
    lanes: LaneGrid, window: _SearchWindow, lane_change_costs: Array, history: list[Array], costs: Array
) -> SearchResult:
    """The cheapest way, from its last layer back: at each, what was cheapest of all that leads there."""
    row, lane = (int(at) for at in np.unravel_index(int(costs.argmin()), costs.shape))
    cost = float(costs[row, lane])
    clock = np.empty(len(window.layers), dtype=np.intp)
    offsets = np.empty(len(window.layers))
    for number in range(len(window.layers) - 1, -1, -1):
        clock[number], offsets[number] = window.first_cells[number] + row, lanes.offsets[lane]
        if number == 0:
            break
        before, ending = history[number - 1], row == window.row_count - 1 and window.includes_end(number)
        lowest, highest = max(lane - 1, 0), min(lane + 1, len(lanes.offsets) - 1)
        best, at = np.inf, (row, lane)
        for pace in range(MAX_CELLS_PER_LAYER + 1):
            since = row + window.base_shift(number) - pace
            if not 0 <= since < window.row_count:
                continue
            price = window.pace_cost(number, pace, ending)
            step = float(lane_change_costs[window.first_cells[number - 1] + since])
            for other in (lane,) if pace == 0 else range(lowest, highest + 1):
                found = float(before[since, other]) + price + (step if other != lane else 0.0)
                if found < best:
                    best, at = found, (since, other)
        row, lane = at
    return SearchResult(clock, offsets, cost)


def _lane_change_costs(lanes: LaneGrid) -> Array:
    """What it costs (C) to go over to the next lane: the more the slower one is."""
    x, y = lanes.centreline
    along = np.hypot(np.gradient(x), np.gradient(y)) * CELLS_PER_LAYER if len(x) > 1 else np.zeros(1)
    return (LANE_CHANGE_COST_PER_M * LANE_WIDTH_M**2 / (along + 0.02)).astype(np.float32)


class _ProximityCosts:
    """What it costs to be near to others, layer by layer."""

    def __init__(self, lanes: LaneGrid, obstacles: MovingObstacles, window: _SearchWindow) -> None:
        self.lanes, self.obstacles, self.window = lanes, obstacles, window
        self._offset_powers = np.stack([np.ones_like(lanes.offsets), lanes.offsets, lanes.offsets**2]).astype(
            np.float32
        )
        places = obstacles.positions[:, np.minimum(window.layers, obstacles.positions.shape[1] - 1)]
        # Whoever is farther than that from some of a window's places is too far from all.
        some = np.unique(np.concatenate([np.arange(0, window.row_count, 2 * CELLS_PER_LAYER), [window.row_count - 1]]))
        x, y = (axis[window.first_cells[:, None] + some].astype(np.float32) for axis in lanes.centreline)
        gap = float(np.hypot(*(np.diff(axis) for axis in lanes.centreline)).max(initial=0.0))
        far = (
            float(obstacles.min_distances.max(initial=0.0))
            + PROXIMITY_RANGE_M
            + float(lanes.offsets[-1])
            + CELLS_PER_LAYER * gap
        )
        xs, ys = places[..., 0, None].astype(np.float32), places[..., 1, None].astype(np.float32)
        self._nearby = ((xs - x) ** 2 + (ys - y) ** 2).min(axis=2) < far**2

    def layer_costs(self, layer_index: int) -> Array | float:
        """The costs (rows, L) in one of the layers."""
        who = np.flatnonzero(self._nearby[:, layer_index])
        if len(who) == 0:
            return 0.0
        layer = min(int(self.window.layers[layer_index]), self.obstacles.positions.shape[1] - 1)
        return self._distance_costs(
            layer_index,
            self.obstacles.positions[who, layer],
            self.obstacles.min_distances[who, layer],
            self.obstacles.certain[who, layer],
        )

    def stationary_costs(self, layer_index: int, layers: slice) -> Array:
        """What it costs (rows, L) to stand in other layers where one is in one of one's own, too near to others."""
        others, clock = self.obstacles, self.window.cells(layer_index)
        middle = np.stack([axis[clock] for axis in self.lanes.centreline], axis=-1)
        centre = middle.mean(axis=0)
        wide = float(np.linalg.norm(middle - centre, axis=-1).max() + self.lanes.offsets[-1])
        places = others.positions[:, layers]
        close = np.linalg.norm(places - centre, axis=-1) < wide + others.stationary_min_distances[:, None]
        who, when = np.nonzero(close & others.certain[:, layers])
        # Who stands is there but once.
        _, first = np.unique(np.column_stack([who, np.round(places[who, when], 2)]), axis=0, return_index=True)
        result = np.zeros((self.window.row_count, len(self.lanes.offsets)), dtype=np.float32)
        for some in np.array_split(first, len(first) // 64 + 1):
            near = (
                places[who[some], when[some]],
                others.stationary_min_distances[who[some]],
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
        proximity_cost: float = PROXIMITY_COST,
    ) -> Array:
        """What it costs (rows, L) in a layer to be near to places (W, 2) of others from whom one is to be so far apart
        (W), and who are sure (W) to be there."""
        begin = self.window.first_cells[layer_index]
        rows = slice(begin, begin + self.window.row_count)
        (x, y), (right, up) = self.lanes.centreline, self.lanes.right_vectors
        to = (x[rows] - positions[:, :1]).astype(np.float32), (y[rows] - positions[:, 1:]).astype(np.float32)
        farthest = (min_distances + PROXIMITY_RANGE_M) ** 2
        scale = (1 / (farthest - min_distances**2)).astype(np.float32)[:, None]
        # How near one is: 1 where one is just allowed to be, 0 where it does not matter. The square of a distance is a
        # polynomial of the offset.
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
            cost += np.where(certain, proximity_cost, proximity_cost * UNCERTAIN_COST_SHARE).astype(np.float32) @ (
                near * near
            )
        if certain.any():
            sure_ones = certain.astype(np.float32)
            cost += COLLISION_COST * (sure_ones @ np.maximum(near, 1.0) - sure_ones.sum())
        return cost.reshape(self.window.row_count, -1)
