"""Space-time search: the cheapest trajectory of one agent among moving obstacles with known trajectories.

An agent can slow down, wait, speed up slightly and change lanes. Time is divided into layers; in each layer the agent
is at a cell of its own plan time, on one lane. The least cost of each state of a layer follows from the layer before,
for all cells and lanes at once (dynamic programming, Bellman 1957). This is the search of one agent in prioritized
planning (Erdmann and Lozano-Perez 1987); the obstacles' whole future is known. Path and speed are searched together, on
lanes.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import Array
from ...tuning import Tuning, tuned
from .lane_grid import CELLS_PER_LAYER, LANE_WIDTH_M, LaneGrid
from .proximity_costs import MovingObstacles, ProximityCosts
from .search_window import SearchWindow


@dataclass(frozen=True, slots=True)
class SpaceTimeSearchTuning(Tuning):
    max_cells_per_layer: int = tuned(5, "1", 1, 50)
    """Cells of plan time that an agent advances per time layer at its fastest pace."""
    offset_cost: float = tuned(0.12, "1/m^2", 0.0, 100.0)
    """Cost of one time layer per squared meter of lateral offset."""
    left_side_cost: float = tuned(0.01, "1", 0.0, 10.0)
    """Cost of one time layer spent left of the path, so that agents prefer to pass on the right."""
    lane_change_cost: float = tuned(2.0, "1/m", 0.0, 100.0)
    """Cost of a lane change: per squared meter of sideways step, over the meters of path in the time layer."""
    blocked_cost: float = tuned(60.0, "1", 1.0, 1e5)
    """Total cost from which a trajectory counts as blocked."""
    wall_cost: float = tuned(500.0, "1", 1.0, 1e6)
    """Cost of one time layer spent on a blocked cell of a lane."""
    end_offset_cost: float = tuned(40.0, "1/m^2", 0.0, 1e4)
    """Cost per squared meter of lateral offset at the start and at the end of the plan."""
    unfinished_cost: float = tuned(5.0, "1/s", 0.0, 1e3)
    """Cost per second of remaining plan time after the last layer."""


TUNING: Final = SpaceTimeSearchTuning()


@dataclass(frozen=True, slots=True, eq=False)
class SearchResult:
    """A trajectory found by the search.

    Attributes:
        cells: (K) cell of plan time in each layer from the first one on.
        offsets: (K) lateral offset to the right, meters.
        cost: Total cost of pace, delay, lanes and proximity.
    """

    cells: NDArray[np.intp]
    offsets: Array
    cost: float

    @property
    def blocked(self) -> bool:
        """True if the trajectory comes nearer to an obstacle than required, or crosses blocked cells."""
        return self.cost >= TUNING.blocked_cost


def search_space_time(lanes: LaneGrid, obstacles: MovingObstacles, max_delay: float) -> SearchResult:
    """Return an agent's cheapest trajectory among moving obstacles, by dynamic programming.

    Args:
        lanes: The lanes of the agent.
        obstacles: The other agents; after their last layer they stand.
        max_delay: Largest delay before the end of the path is near, seconds; the last part may take longer.
    """
    window = SearchWindow.from_lanes(lanes, max_delay)
    near = ProximityCosts(lanes, obstacles, window)
    offset_costs = (
        TUNING.offset_cost * lanes.offsets**2 + np.where(lanes.offsets < 0, TUNING.left_side_cost, 0.0)
    ).astype(np.float32)
    change_costs, delay_costs = _lane_change_costs(lanes), window.delay_costs(lanes)
    wall_costs = np.where(lanes.blocked, TUNING.wall_cost, 0.0).astype(np.float32) if lanes.blocked.any() else None

    costs = np.full((window.row_count, len(lanes.offsets)), np.inf, dtype=np.float32)
    costs[0] = (
        TUNING.end_offset_cost * lanes.offsets**2
        + offset_costs
        + near.stationary_costs(0, slice(0, lanes.first_layer + 1))[0]
    )
    if wall_costs is not None:
        costs += wall_costs[window.cells(0)]
    history = [costs]
    for number in range(1, len(window.layers)):
        costs = _advance_layer(costs, change_costs[window.cells(number - 1)], window, number)
        costs += delay_costs[number, :, None] + offset_costs
        costs += near.layer_costs(number)
        if wall_costs is not None:
            costs += wall_costs[window.cells(number)]
        history.append(costs)

    remaining = (len(lanes) - 1 - window.cells(len(window.layers) - 1)) / CELLS_PER_LAYER * lanes.layer_duration
    costs = (
        costs
        + TUNING.unfinished_cost * remaining[:, None]
        + np.where(remaining == 0, TUNING.end_offset_cost, 0.0)[:, None] * lanes.offsets**2
    )
    costs += near.stationary_costs(len(window.layers) - 1, slice(lanes.last_layer(max_delay) + 1, None))
    return _trace_back(lanes, window, change_costs, history, costs)


def _advance_layer(costs: Array, lane_change_costs: Array, window: SearchWindow, layer_index: int) -> Array:
    """Return the least costs (rows, L) of a layer over all paces and lane changes: a step of the dynamic program."""
    changed = _relax_lane_change(costs, lane_change_costs)
    result = np.full_like(costs, np.inf)
    for pace in range(TUNING.max_cells_per_layer + 1):
        shift = window.base_shift(layer_index) - pace
        to, source = (
            slice(max(-shift, 0), len(costs) - max(shift, 0)),
            slice(max(shift, 0), len(costs) - max(-shift, 0)),
        )
        if to.start >= to.stop:
            continue
        before = costs[source] if pace == 0 else changed[source]
        np.minimum(result[to], before + window.pace_cost(layer_index, pace), out=result[to])
        if window.includes_end(layer_index) and to.stop == len(costs):
            np.minimum(result[-1], before[-1] + window.pace_cost(layer_index, pace, True), out=result[-1])
    return result


def _relax_lane_change(costs: Array, lane_change_costs: Array) -> Array:
    """Return the least costs (rows, L) with changes from neighboring lanes, at costs (rows)."""
    result, moved = costs.copy(), costs + lane_change_costs[:, None]
    np.minimum(result[:, 1:], moved[:, :-1], out=result[:, 1:])
    np.minimum(result[:, :-1], moved[:, 1:], out=result[:, :-1])
    return result


def _trace_back(
    lanes: LaneGrid, window: SearchWindow, lane_change_costs: Array, history: list[Array], costs: Array
) -> SearchResult:
    """Return the cheapest trajectory, traced from its last layer back to the first."""
    row, lane = (int(at) for at in np.unravel_index(int(costs.argmin()), costs.shape))
    cost = float(costs[row, lane])
    cells = np.empty(len(window.layers), dtype=np.intp)
    offsets = np.empty(len(window.layers))
    for number in range(len(window.layers) - 1, -1, -1):
        cells[number], offsets[number] = window.first_cells[number] + row, lanes.offsets[lane]
        if number == 0:
            break
        before, ending = history[number - 1], row == window.row_count - 1 and window.includes_end(number)
        lowest, highest = max(lane - 1, 0), min(lane + 1, len(lanes.offsets) - 1)
        best, at = np.inf, (row, lane)
        for pace in range(TUNING.max_cells_per_layer + 1):
            source = row + window.base_shift(number) - pace
            if not 0 <= source < window.row_count:
                continue
            pace_cost = window.pace_cost(number, pace, ending)
            change_cost = float(lane_change_costs[window.first_cells[number - 1] + source])
            for other in (lane,) if pace == 0 else range(lowest, highest + 1):
                found = float(before[source, other]) + pace_cost + (change_cost if other != lane else 0.0)
                if found < best:
                    best, at = found, (source, other)
        row, lane = at
    return SearchResult(cells, offsets, cost)


def _lane_change_costs(lanes: LaneGrid) -> Array:
    """Return the cost (C) of a change to the next lane, higher for a slower agent."""
    x, y = lanes.centerline
    along = np.hypot(np.gradient(x), np.gradient(y)) * CELLS_PER_LAYER if len(x) > 1 else np.zeros(1)
    return (TUNING.lane_change_cost * LANE_WIDTH_M**2 / (along + 0.02)).astype(np.float32)
