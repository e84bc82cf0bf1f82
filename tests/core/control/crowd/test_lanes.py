"""The places beside a plan's way, and courses that are made of what is found."""

import numpy as np
import pytest

from footfall.core.control.crowd.lanes import Course, Wayside
from footfall.core.control.crowd.space_time_search import CELLS, LANE, Yielded
from footfall.tests.core.control.crowd.plans import RATE, walker

SECONDS = 0.25
EAST = walker((0.0, 0.0), (12.0, 0.0))
LAYERS = 60


def found(clock: np.ndarray, offsets: np.ndarray | None = None) -> Yielded:
    return Yielded(clock.astype(int), np.zeros(len(clock)) if offsets is None else offsets, 0.0)


def cells(side: Wayside, late: np.ndarray) -> np.ndarray:
    """The clock in layers of who is so late (K), in cells."""
    return np.clip(CELLS * np.arange(len(late)) - late, 0, len(side.lanes) - 1)


def test_lanes_lie_beside_the_way_where_the_plan_is_at_each_cell() -> None:
    side = Wayside(EAST, RATE, SECONDS)
    assert side.lanes.offsets[0] == pytest.approx(-1.2) and np.allclose(np.diff(side.lanes.offsets), LANE)
    x, y = side.lanes.middle
    np.testing.assert_allclose(
        x[:8], EAST.distances[np.round(np.arange(8) * RATE * SECONDS / CELLS).astype(int)], atol=0.02
    )
    assert x[-1] == pytest.approx(12.0) and np.abs(y).max() < 1e-9
    np.testing.assert_allclose(side.lanes.right[1], -1.0, atol=1e-9)
    np.testing.assert_allclose(
        side.places(np.array([1.0, 2.0]), np.array([0.5, -0.5])), [[1, -0.5], [2, 0.5]], atol=1e-9
    )


def test_who_is_where_they_planned_does_as_planned() -> None:
    side = Wayside(EAST, RATE, SECONDS)
    course = side.course(found(cells(side, np.zeros(LAYERS))))
    assert not course.changed
    np.testing.assert_array_equal(course.clock, np.arange(len(EAST.distances)) / RATE)


def test_who_waits_is_late_by_that_and_stands_at_one_place() -> None:
    side = Wayside(EAST, RATE, SECONDS)
    # Two seconds from the fifth on.
    late = np.clip(CELLS * (np.arange(LAYERS) - 20), 0, 8 * CELLS)
    course = side.course(found(cells(side, late)))
    assert course.changed and len(course.clock) == pytest.approx(len(EAST.distances) + 2 * RATE, abs=2)
    assert (np.diff(course.clock) >= 0).all() and course.clock[-1] == pytest.approx(
        side.along(np.inf) and (len(EAST.distances) - 1) / RATE
    )
    pace = np.diff(course.clock) * RATE
    assert pace.max() < 1.0 + 1e-6 and pace[round(6 * RATE)] < 0.02
    assert np.abs(np.diff(pace)).max() * RATE < 1.3, "people slow down over some time"


def test_who_never_gets_there_stops_where_they_were() -> None:
    side = Wayside(EAST, RATE, SECONDS)
    clock = np.minimum(CELLS * np.arange(LAYERS), 100)
    course = side.course(found(clock))
    assert course.clock[-1] == pytest.approx(100 * SECONDS / CELLS)
    places, along = side.track(course, np.array([0.0, 100.0]))
    np.testing.assert_allclose(places[1], [along[1], 0.0], atol=1e-9)
    assert 5.0 < along[1] < 8.0


def test_offsets_belong_to_places_not_to_times() -> None:
    side = Wayside(EAST, RATE, SECONDS)
    offsets = np.where(np.arange(LAYERS) > 20, 0.6, 0.0)
    course = side.course(found(cells(side, np.zeros(LAYERS)), offsets))
    np.testing.assert_allclose(side.offsets(course, np.array([0.0, 3.0, 9.0, 12.0])), [0.0, 0.0, 0.6, 0.6])
    places, along = side.track(course, np.array([2.0, 8.0, 30.0]))
    np.testing.assert_allclose(places, np.column_stack([along, [0.0, -0.6, -0.6]]), atol=1e-9)


def test_who_starts_later_stands_until_then() -> None:
    side = Wayside(walker((0.0, 0.0), (12.0, 0.0), start=90), RATE, SECONDS)
    assert side.lanes.start == round(1.5 / SECONDS * CELLS) and side.lanes.first == 6
    places, _ = side.track(side.as_planned(), np.array([0.0, 1.5, 2.5]))
    np.testing.assert_allclose(places[:2], 0.0, atol=1e-9)
    assert places[2, 0] > 0.3


def test_who_stands_has_a_place_and_no_way() -> None:
    side = Wayside(walker((2.0, 1.0)), RATE, SECONDS)
    course = side.as_planned()
    assert isinstance(course, Course) and len(course.clock) == 1
    np.testing.assert_allclose(side.track(course, np.array([0.0, 9.0]))[0], [[2.0, 1.0], [2.0, 1.0]])


def test_lanes_are_shut_where_there_is_no_room() -> None:
    free = np.where(EAST.points[:, :1] > 6.0, [0.5, 0.3], [2.0, 2.0])
    side = Wayside(walker((0.0, 0.0), (12.0, 0.0), free=free), RATE, SECONDS)
    np.testing.assert_allclose(side.bounds[[0, -1]], [[-1.2, 1.2], [-0.5, 0.3]])
    assert not side.lanes.shut[0].any()
    np.testing.assert_allclose(side.lanes.offsets[~side.lanes.shut[-1]], [-0.4, -0.2, 0.0, 0.2])
