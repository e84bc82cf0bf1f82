"""The cheapest trajectory among obstacles: as planned where it is free, else beside it, slower or later."""

import numpy as np
import pytest

from footfall.core.control.crowd.lane_grid import CELLS_PER_LAYER, LaneGrid
from footfall.core.control.crowd.lanes import LaneGraph
from footfall.core.control.crowd.proximity_costs import MovingObstacles, ProximityCosts
from footfall.core.control.crowd.search_window import SearchWindow
from footfall.core.control.crowd.space_time_search import SearchResult, search_space_time
from footfall.tests.core.control.crowd.plans import RATE, walker

from .grids import grid, obstacles

SECONDS = 0.25
SIDE = LaneGraph(walker((0.0, 0.0), (12.0, 0.0)), RATE, SECONDS)
LAYERS = 160


def others(*tracks: np.ndarray, apart: float = 0.6, sure: bool = True) -> MovingObstacles:
    shape = len(tracks), LAYERS
    places = np.empty((*shape, 2))
    for row, track in enumerate(tracks):
        places[row] = track[np.minimum(np.arange(LAYERS), len(track) - 1)]
    return MovingObstacles(places, np.full(shape, apart), np.full(len(tracks), apart), np.full(shape, sure))


@pytest.mark.parametrize("track", [[], [np.full((1, 2), 30.0)]])
def test_a_free_way_is_gone_as_planned_and_costs_nothing(track: list) -> None:
    found = search_space_time(SIDE.lanes, others(*track), 3.0)
    expected = np.minimum(CELLS_PER_LAYER * np.arange(len(found.cells)), len(SIDE.lanes) - 1)
    np.testing.assert_array_equal(found.cells, expected)
    assert found.cost == pytest.approx(0.0, abs=1e-4) and not found.offsets.any() and not found.blocked


def cheapest(lanes: LaneGrid, among: MovingObstacles, max_delay: float) -> float:
    """The cost of the cheapest trajectory, found by trying every step of every state."""
    window = SearchWindow.from_lanes(lanes, max_delay)
    near, late = ProximityCosts(lanes, among, window), window.delay_costs(lanes)
    offsets, last = lanes.offsets, len(lanes) - 1
    aside = 0.12 * offsets**2 + 0.01 * (offsets < 0)
    change = 2.0 * 0.04 / (np.hypot(*(np.gradient(axis) for axis in lanes.centerline)) * 4 + 0.02)
    start = 40.0 * offsets**2 + aside + near.stationary_costs(0, slice(0, lanes.first_layer + 1))[0]
    states = {(0, lane): start[lane] + 500.0 * lanes.blocked[0, lane] for lane in range(len(offsets))}
    for number in range(1, len(window.layers)):
        here, first = near.layer_costs(number), int(window.first_cells[number])
        beside = np.broadcast_to(here, (window.row_count, len(offsets)))
        found: dict[tuple[int, int], float] = {}
        for (cell, lane), cost in states.items():
            for to in range(max(cell, first), min(cell + 6, first + window.row_count)):
                for other in range(len(offsets)) if to > cell else (lane,):
                    if abs(other - lane) > 1:
                        continue
                    total = cost + window.pace_cost(number, to - cell, to == last) + change[cell] * (other != lane)
                    total += late[number, to - first] + aside[other] + 500.0 * lanes.blocked[to, other]
                    total += beside[to - first, other]
                    found[to, other] = min(found.get((to, other), np.inf), total)
        states = found
    end = near.stationary_costs(len(window.layers) - 1, slice(lanes.last_layer(max_delay) + 1, None))
    first = int(window.first_cells[-1])
    return min(
        cost + 5.0 * (last - cell) / 16 + 40.0 * offsets[lane] ** 2 * (cell == last) + end[cell - first, lane]
        for (cell, lane), cost in states.items()
    )


WIDE = (-0.4, -0.2, 0.0, 0.2, 0.4)
STEPS = np.arange(60)
MET = {
    "nobody": (),
    "comes towards": (np.column_stack([4.0 - 0.3 * STEPS, 0.1 + 0.0 * STEPS]),),
    "crosses": (np.column_stack([1.5 + 0.0 * STEPS, -1.5 + 0.4 * STEPS]),),
    "stands": (np.array([[1.6, 0.25]]),),
    "stands at the start": (np.array([[-0.1, 0.3]]),),
    "stands at the end": (np.array([[3.3, 0.2]]),),
    "a wall": tuple(np.array([[1.5, y]]) for y in (-0.8, -0.4, 0.0, 0.4, 0.8)),
}


@pytest.mark.parametrize("start_cell", [0, 6])
@pytest.mark.parametrize("max_delay", [0.5, 2.0])
@pytest.mark.parametrize("met", MET.values(), ids=MET.keys())
def test_the_search_finds_the_cheapest_of_all_trajectories(
    met: tuple[np.ndarray, ...], max_delay: float, start_cell: int
) -> None:
    lanes = grid(33, WIDE, start_cell)
    among = obstacles(*met)
    found = search_space_time(lanes, among, max_delay)
    assert found.cost == pytest.approx(cheapest(lanes, among, max_delay), rel=1e-3, abs=2e-3)
    assert explained(lanes, among, max_delay, found) == pytest.approx(found.cost, rel=1e-3, abs=2e-3)


def explained(lanes: LaneGrid, among: MovingObstacles, max_delay: float, found: SearchResult) -> float:
    """The cost of a trajectory, layer by layer."""
    window = SearchWindow.from_lanes(lanes, max_delay)
    near, late = ProximityCosts(lanes, among, window), window.delay_costs(lanes)
    last = len(lanes) - 1
    change = 2.0 * 0.04 / (np.hypot(*(np.gradient(axis) for axis in lanes.centerline)) * 4 + 0.02)
    total = 0.0
    for number, (cell, offset) in enumerate(zip(found.cells, found.offsets, strict=True)):
        lane = int(np.argmin(np.abs(lanes.offsets - offset)))
        total += 0.12 * offset**2 + 0.01 * (offset < 0) + 500.0 * lanes.blocked[cell, lane]
        if number == 0:
            assert cell == 0
            total += 40.0 * offset**2 + near.stationary_costs(0, slice(0, lanes.first_layer + 1))[0, lane]
            continue
        row, before = int(cell - window.first_cells[number]), int(found.cells[number - 1])
        beside = np.broadcast_to(near.layer_costs(number), (window.row_count, len(lanes.offsets)))
        total += window.pace_cost(number, int(cell) - before, bool(cell == last)) + late[number, row]
        total += float(beside[row, lane])
        moved = abs(offset - found.offsets[number - 1])
        assert moved < 0.21 and (moved == 0.0 or cell > before)
        total += change[before] * (moved > 0.1)
    total += 5.0 * (last - found.cells[-1]) / 16 + 40.0 * found.offsets[-1] ** 2 * (found.cells[-1] == last)
    end = near.stationary_costs(len(window.layers) - 1, slice(lanes.last_layer(max_delay) + 1, None))
    return total + float(end[int(found.cells[-1] - window.first_cells[-1]), lane])
