"""Costs of being near to obstacles, compared with those of each cell by itself."""

import numpy as np

from footfall.core.control.crowd.lane_grid import LaneGrid
from footfall.core.control.crowd.proximity_costs import MovingObstacles, ProximityCosts
from footfall.core.control.crowd.search_window import SearchWindow
from footfall.core.motion.rotations import Array

from .grids import grid, obstacles

LANES = grid(offsets=(-0.4, -0.2, 0.0, 0.2, 0.4))
WINDOW = SearchWindow.from_lanes(LANES, 1.0)


def nearness(layer: int, place: Array, distance: float, lanes: LaneGrid = LANES) -> Array:
    """1 at the distance and 0 at 0.45 m beyond it, linear in the squared distance, of a layer's cells (rows, L)."""
    cells = WINDOW.cells(layer)
    x, y = (axis[cells, None] for axis in lanes.centerline)
    right, up = (axis[cells, None] for axis in lanes.right_vectors)
    squares = (x + right * lanes.offsets - place[0]) ** 2 + (y + up * lanes.offsets - place[1]) ** 2
    far = (distance + 0.45) ** 2
    return np.maximum((far - squares) / (far - distance**2), 0.0)


def costs(of: MovingObstacles, layer: int) -> Array:
    found = ProximityCosts(LANES, of, WINDOW).layer_costs(layer)
    return np.broadcast_to(found, (WINDOW.row_count, len(LANES.offsets)))


PLACES = [(1.5, 0.0), (2.0, 0.6), (2.0, -0.9), (3.0, 1.4), (-0.8, 0.3), (8.7, 0.1), (3.0, 1.6), (40.0, 0.0)]


def test_obstacles_add_up() -> None:
    several = obstacles(*(np.array([place]) for place in PLACES), certain=(True, False) * 4)
    alone = [costs(obstacles(np.array([place]), certain=(n % 2 == 0,)), 5) for n, place in enumerate(PLACES)]
    np.testing.assert_allclose(costs(several, 5), np.sum(alone, axis=0), rtol=1e-4, atol=1e-3)


def test_an_obstacle_is_where_it_is_in_the_layer_and_stays_at_its_last_place() -> None:
    track = np.column_stack([np.arange(10) * 0.4, np.full(10, 0.5)])
    short = obstacles(track, layers=10)
    for layer, place in ((4, track[4]), (9, track[9]), (12, track[9]), (20, track[9])):
        np.testing.assert_allclose(
            costs(short, layer),
            0.25 * nearness(layer, place, 0.6) ** 2 + 1000 * np.maximum(nearness(layer, place, 0.6) - 1, 0),
            rtol=1e-4,
            atol=1e-3,
        )


def test_the_required_distance_may_change_with_the_layer() -> None:
    of = obstacles(np.array([[1.5, 0.5]]))
    of.min_distances[0, 5] = 0.9
    for layer, distance in ((4, 0.6), (5, 0.9)):
        near = nearness(layer, np.array([1.5, 0.5]), distance)
        np.testing.assert_allclose(
            costs(of, layer), 0.25 * near**2 + 1000 * np.maximum(near - 1, 0), rtol=1e-4, atol=1e-3
        )


def standing(of: MovingObstacles, layer: int, layers: slice) -> Array:
    return ProximityCosts(LANES, of, WINDOW).stationary_costs(layer, layers)


def test_only_the_layers_in_which_the_agent_stands_count_and_each_place_once() -> None:
    track = np.array([[0.3, 0.2]] * 5 + [[0.1, 0.4]] * 5 + [[30.0, 0.0]])
    first, second = (1000 * np.maximum(nearness(0, track[at], 0.5) - 1, 0) for at in (0, 5))
    of = obstacles(track)
    for layers, expected in (
        (slice(0, 5), first),
        (slice(5, 10), second),
        (slice(0, 30), first + second),
        (slice(10, None), 0 * first),
    ):
        np.testing.assert_allclose(standing(of, 0, layers), expected, rtol=1e-4, atol=1e-3)


def test_two_obstacles_at_one_place_both_count_and_assumed_ones_do_not() -> None:
    place = np.array([[0.3, 0.2]])
    one = standing(obstacles(place), 0, slice(0, 3))
    np.testing.assert_allclose(standing(obstacles(place, place), 0, slice(0, 3)), 2 * one)
    assert not standing(obstacles(place, certain=(False,)), 0, slice(0, 3)).any()
    assert not standing(obstacles(), 0, slice(0, 3)).any()


def test_many_places_are_added_in_parts() -> None:
    track = np.column_stack([np.linspace(-0.6, 0.6, 200), np.full(200, 0.45)])
    expected = np.sum([1000 * np.maximum(nearness(0, place, 0.5) - 1, 0) for place in np.round(track, 2)], axis=0)
    distinct = len(np.unique(np.round(track, 2), axis=0))
    found = standing(obstacles(track, layers=200), 0, slice(0, 200))
    np.testing.assert_allclose(found, expected * distinct / 200, rtol=0.1, atol=30.0)
