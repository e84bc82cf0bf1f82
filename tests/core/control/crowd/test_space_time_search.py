"""The cheapest trajectory among obstacles: as planned where it is free, else beside it, slower or later."""

import numpy as np
import pytest

from footfall.core.control.crowd.lane_grid import CELLS_PER_LAYER, LANE_WIDTH_M
from footfall.core.control.crowd.lanes import LaneGraph
from footfall.core.control.crowd.proximity_costs import MovingObstacles
from footfall.core.control.crowd.space_time_search import BLOCKED_COST, SearchResult, search_space_time
from footfall.tests.core.control.crowd.plans import RATE, walker

SECONDS = 0.25
SIDE = LaneGraph(walker((0.0, 0.0), (12.0, 0.0)), RATE, SECONDS)
LAYERS = 160
TIMES = SECONDS * np.arange(LAYERS)


def others(*tracks: np.ndarray, apart: float = 0.6, sure: bool = True) -> MovingObstacles:
    shape = len(tracks), LAYERS
    places = np.empty((*shape, 2))
    for row, track in enumerate(tracks):
        places[row] = track[np.minimum(np.arange(LAYERS), len(track) - 1)]
    return MovingObstacles(places, np.full(shape, apart), np.full(len(tracks), apart), np.full(shape, sure))


def distances(found: SearchResult, track: np.ndarray, side: LaneGraph = SIDE) -> np.ndarray:
    """Return the distances (K) from another agent, meters, in each layer of a result."""
    places = side.positions(side.arc_length(found.cells * SECONDS / CELLS_PER_LAYER), found.offsets)
    rows = np.minimum(side.lanes.first_layer + np.arange(len(places)), len(track) - 1)
    return np.linalg.norm(places - track[rows], axis=-1)


@pytest.mark.parametrize("track", [[], [np.full((1, 2), 30.0)]])
def test_a_free_way_is_gone_as_planned_and_costs_nothing(track: list) -> None:
    found = search_space_time(SIDE.lanes, others(*track), 3.0)
    expected = np.minimum(CELLS_PER_LAYER * np.arange(len(found.cells)), len(SIDE.lanes) - 1)
    np.testing.assert_array_equal(found.cells, expected)
    assert found.cost == pytest.approx(0.0, abs=1e-4) and not found.offsets.any() and not found.blocked


def test_who_comes_towards_one_is_passed_on_the_right() -> None:
    track = np.column_stack([12.0 - 1.2 * TIMES, 0.0 * TIMES])
    found = search_space_time(SIDE.lanes, others(track), 3.0)
    assert not found.blocked and distances(found, track).min() > 0.6
    assert found.offsets.max() >= 0.6 - LANE_WIDTH_M and found.offsets.min() >= 0.0
    assert found.offsets[-1] == 0.0 and found.cells[-1] == len(SIDE.lanes) - 1


def test_a_wall_of_people_is_waited_for_until_it_is_gone() -> None:
    row = [np.repeat([[6.0, y]], LAYERS, axis=0) for y in np.arange(-2.0, 2.1, 0.4)]
    for one in row:
        one[30:, 0] += 100.0
    found = search_space_time(SIDE.lanes, others(*row), 8.0)
    assert not found.blocked and min(distances(found, one).min() for one in row) > 0.6
    assert found.cells[-1] == len(SIDE.lanes) - 1
    late = CELLS_PER_LAYER * np.arange(len(found.cells)) - found.cells
    assert late[35] * SECONDS / CELLS_PER_LAYER > 1.0


def test_who_is_blocked_for_ever_stops_before_it() -> None:
    row = [np.array([[6.0, y]]) for y in np.arange(-2.0, 2.1, 0.4)]
    found = search_space_time(SIDE.lanes, others(*row), 8.0)
    assert not found.blocked or found.cost < 2 * BLOCKED_COST
    assert found.cells[-1] < len(SIDE.lanes) - 1
    assert min(distances(found, one).min() for one in row) > 0.55


def test_who_is_only_likely_to_be_there_matters_less() -> None:
    track = np.column_stack([12.0 - 1.2 * TIMES, 0.0 * TIMES])
    sure, likely = (search_space_time(SIDE.lanes, others(track, sure=known), 3.0) for known in (True, False))
    assert likely.cost < sure.cost and distances(likely, track).min() < distances(sure, track).min()


def test_who_passes_the_end_later_is_waited_for() -> None:
    track = np.column_stack([np.full(LAYERS, 12.0), 0.8 * (TIMES - 12.0)])
    found = search_space_time(SIDE.lanes, others(track), 3.0)
    assert not found.blocked
    assert distances(found, track).min() > 0.5
    assert found.cells[-1] == len(SIDE.lanes) - 1


def test_who_starts_later_stays_at_the_start() -> None:
    side = LaneGraph(walker((0.0, 0.0), (12.0, 0.0), start=150), RATE, SECONDS)
    found = search_space_time(side.lanes, others(), 3.0)
    assert found.cells[0] == 0 and found.cost == pytest.approx(0.0, abs=1e-4)
    times = (side.lanes.first_layer + np.arange(len(found.cells))) * CELLS_PER_LAYER - side.lanes.start_cell
    np.testing.assert_array_equal(found.cells, np.clip(times, 0, len(side.lanes) - 1))


def test_the_start_is_left_to_who_stands_there() -> None:
    found = search_space_time(SIDE.lanes, others(np.zeros((1, 2)), apart=0.5), 3.0)
    assert abs(found.offsets[0]) >= 0.5 - LANE_WIDTH_M / 2 and not found.blocked


def test_slowing_down_begins_in_time() -> None:
    """The path is free except for one agent that crosses it: no running up and stopping."""
    side = LaneGraph(walker((0.0, 0.0), (12.0, 0.0), max_offset=0.0), RATE, SECONDS)
    crossing = np.column_stack([np.full(LAYERS, 6.0), 1.2 * (TIMES - 5.6)])
    found = search_space_time(side.lanes, others(crossing), 3.0)
    assert not found.blocked and distances(found, crossing, side).min() > 0.6
    assert np.diff(found.cells).max() <= 5 and (np.diff(found.cells)[:40] > 0).all(), "it never stands"
