"""Shortest paths over a grid of costs: closed forms, walls that are closed, and clearance costs."""

import numpy as np

from footfall.core.control.navigation.grid import (
    NEIGHBOR_OFFSETS,
    CostGrid,
    close_walls,
    collider_clearance,
    neighbor_views,
    wall_clearance,
)
from footfall.core.scene.collider import Collider
from footfall.core.scene.collider_pose import PosedCollider


def grid(costs: np.ndarray, cell_size: float = 0.5, is_connected: np.ndarray | None = None) -> CostGrid:
    rows, columns = costs.shape
    x, y = cell_size * np.arange(columns), cell_size * np.arange(rows)
    return CostGrid(np.dstack(np.meshgrid(x, y)), costs, cell_size, is_connected)


def test_on_even_ground_a_path_is_the_octile_distance() -> None:
    shape, cell_size = (9, 13), 0.5
    paths = grid(np.ones(shape), cell_size).shortest_paths(int(np.ravel_multi_index((3, 4), shape)))
    down, right = np.abs(np.indices(shape) - np.array([3, 4])[:, None, None])
    expected = cell_size * (np.maximum(down, right) + (np.sqrt(2) - 1) * np.minimum(down, right))
    np.testing.assert_allclose(paths.costs_to_go.reshape(shape), expected, atol=1e-12)
    np.testing.assert_allclose(paths.lengths(shape, cell_size), expected, atol=1e-12)


def test_a_path_takes_the_cheap_row() -> None:
    costs = np.full((5, 9), 10.0)
    costs[4], costs[:, 0], costs[:, 8] = 1.0, 1.0, 1.0
    cells = grid(costs).shortest_paths(8).path_from(0)
    assert cells is not None and cells[0] == 0 and cells[-1] == 8
    rows, _ = np.unravel_index(cells, costs.shape)
    assert (rows == 4).sum() >= 7


def test_a_closed_wall_parts_the_grid() -> None:
    shape = 6, 7
    is_connected = np.zeros((*shape, len(NEIGHBOR_OFFSETS)), dtype=bool)
    columns = np.broadcast_to(np.arange(shape[1]), shape)
    for number, (down, right) in enumerate(NEIGHBOR_OFFSETS):
        first, second = neighbor_views(columns, down, right)
        crosses = np.minimum(first, second) < 3
        crosses &= np.maximum(first, second) >= 3
        neighbor_views(is_connected[..., number], down, right)[0][...] = ~crosses
    at_wall = close_walls(np.zeros(shape, dtype=bool), is_connected)
    assert (at_wall == ((columns == 2) | (columns == 3))).all(), "on both sides of the blocked steps"
    paths = grid(np.ones(shape), is_connected=is_connected).shortest_paths(0)
    assert paths.path_from(1) == [1, 0] and paths.path_from(6) is None and paths.path_from(2) is None
    np.testing.assert_allclose(wall_clearance(at_wall, 0.5)[0], [1.0, 0.5, 0.0, 0.0, 0.5, 1.0, 1.5])


def posed(x: float, half: float, height: float = 1.5) -> PosedCollider:
    collider = Collider(np.array([[-half, -half, 0.0]]), np.array([[half, half, height]]))
    return PosedCollider(collider, np.array([x, 0.0, 0.0]), np.array([1.0, 0.0, 0.0, 0.0]))


def test_clearance_is_the_distance_from_the_nearest_collider() -> None:
    centers = np.dstack(np.meshgrid(np.arange(-3.0, 3.1, 0.5), np.array([0.0, 1.0])))
    found = collider_clearance(centers, [posed(-2.0, 0.25), posed(1.0, 0.5)], (0.2, 1.7), 9.0)
    expected = np.minimum(
        *(
            np.linalg.norm(np.maximum(np.abs(centers - [x, 0.0]) - half, 0.0), axis=-1)
            for x, half in ((-2.0, 0.25), (1.0, 0.5))
        )
    )
    np.testing.assert_allclose(found, expected, atol=1e-9)
    near = collider_clearance(centers, [posed(1.0, 0.5)], (0.2, 1.7), 0.7)
    alone = np.linalg.norm(np.maximum(np.abs(centers - [1.0, 0.0]) - 0.5, 0.0), axis=-1)
    np.testing.assert_allclose(near[alone < 0.7], alone[alone < 0.7], atol=1e-9)
    assert np.isinf(collider_clearance(centers, [], (0.2, 1.7), 0.7)).all()
    assert np.isinf(collider_clearance(centers, [posed(1.0, 0.5, 0.1)], (0.2, 1.7), 9.0)).all()
