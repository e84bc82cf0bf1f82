"""Lanes beside a path, and trajectories converted from search results."""

import numpy as np
import pytest

from footfall.core.control.crowd.lane_grid import CELLS_PER_LAYER, LANE_WIDTH_M
from footfall.core.control.crowd.lanes import LaneGraph
from footfall.core.control.crowd.space_time_search import SearchResult
from footfall.tests.core.control.crowd.plans import RATE, walker

SECONDS = 0.25
EAST = walker((0.0, 0.0), (12.0, 0.0))
LAYERS = 60


def found(clock: np.ndarray, offsets: np.ndarray | None = None) -> SearchResult:
    return SearchResult(clock.astype(int), np.zeros(len(clock)) if offsets is None else offsets, 0.0)


def cells(side: LaneGraph, late: np.ndarray) -> np.ndarray:
    """Return the cells of plan time with delays (K), in cells."""
    return np.clip(CELLS_PER_LAYER * np.arange(len(late)) - late, 0, len(side.lanes) - 1)


def test_lanes_lie_beside_the_way_where_the_plan_is_at_each_cell() -> None:
    side = LaneGraph(EAST, RATE, SECONDS)
    assert side.lanes.offsets[0] == pytest.approx(-1.2) and np.allclose(np.diff(side.lanes.offsets), LANE_WIDTH_M)
    x, y = side.lanes.centerline
    np.testing.assert_allclose(
        x[:8], EAST.distances[np.round(np.arange(8) * RATE * SECONDS / CELLS_PER_LAYER).astype(int)], atol=0.02
    )
    assert x[-1] == pytest.approx(12.0) and np.abs(y).max() < 1e-9
    np.testing.assert_allclose(side.lanes.right_vectors[1], -1.0, atol=1e-9)
    np.testing.assert_allclose(
        side.positions(np.array([1.0, 2.0]), np.array([0.5, -0.5])), [[1, -0.5], [2, 0.5]], atol=1e-9
    )


def test_who_waits_is_late_by_that_and_stands_at_one_place() -> None:
    side = LaneGraph(EAST, RATE, SECONDS)
    # Two seconds from the fifth on.
    late = np.clip(CELLS_PER_LAYER * (np.arange(LAYERS) - 20), 0, 8 * CELLS_PER_LAYER)
    course = side.trajectory_from(found(cells(side, late)))
    assert course.changed and len(course.plan_times) == pytest.approx(len(EAST.distances) + 2 * RATE, abs=2)
    assert (np.diff(course.plan_times) >= 0).all() and course.plan_times[-1] == pytest.approx(
        side.arc_length(np.inf) and (len(EAST.distances) - 1) / RATE
    )
    pace = np.diff(course.plan_times) * RATE
    assert pace.max() < 1.0 + 1e-6 and pace[round(6 * RATE)] < 0.02
    assert np.abs(np.diff(pace)).max() * RATE < 1.3, "people slow down over some time"
