"""Heights, normals and slopes of a grid, against planes and saddles that are known in closed form."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from footfall.core.terrain.ground import Plane
from footfall.core.terrain.heightfield import Heightfield, sample_heightfield

places = arrays(float, (7, 2), elements=st.floats(-0.9, 0.9))


def field(height: object, cell: float = 0.1) -> Heightfield:
    """The heightfield from -1 m to 1 m of a function of x and y."""
    flat = Heightfield.centred(np.zeros((21, 21)), 0.1)
    x, y, _ = np.moveaxis(flat.grid_points, -1, 0)
    return Heightfield(height(x, y), cell, flat.origin)


@given(xy=places, rise=arrays(float, 2, elements=st.floats(-1, 1)))
def test_a_plane_is_a_plane_everywhere(xy: np.ndarray, rise: np.ndarray):
    plane = field(lambda x, y: 0.3 + rise[0] * x + rise[1] * y)
    np.testing.assert_allclose(plane.heights_at(xy), 0.3 + xy @ rise, atol=1e-12)
    np.testing.assert_allclose(plane.gradients(xy), np.broadcast_to(rise, (7, 2)), atol=1e-12)
    np.testing.assert_allclose(plane.slopes(xy), np.arctan(np.hypot(*rise)), atol=1e-12)
    points = np.concatenate([xy, np.zeros((7, 1))], axis=1)
    up = np.array([-rise[0], -rise[1], 1.0])
    np.testing.assert_allclose(plane.normals(points), np.tile(up / np.linalg.norm(up), (7, 1)), atol=1e-12)


def test_the_row_is_y_and_the_column_is_x():
    grid = np.array([[0.0, 1.0, 2.0], [10.0, 11.0, 12.0]])
    ground = Heightfield(grid, 0.5, np.array([3.0, -1.0]))
    np.testing.assert_array_equal(ground.extent, [[3.0, -1.0], [4.0, -0.5]])
    assert ground.heights_at(np.array([4.0, -1.0])) == 2.0
    assert ground.heights_at(np.array([3.0, -0.5])) == 10.0
    np.testing.assert_array_equal(ground.grid_points[1, 2], [4.0, -0.5, 12.0])


def test_beyond_the_grid_there_is_nothing_or_its_edge_goes_on():
    ground = field(lambda x, y: x)
    beyond = np.array([[1.5, 0.0], [-1.5, 7.0]])
    assert np.isnan(ground.heights_at(beyond)).all()
    np.testing.assert_allclose(ground.heights_at(beyond, extrapolate=True), [1.0, -1.0])
    assert np.isfinite(ground.heights_at(ground.extent)).all()
    np.testing.assert_array_equal(ground.normals(np.array([[9.0, 9.0, 0.0]])), [[0.0, 0.0, 1.0]])


def test_a_hole_takes_the_squares_around_it_and_nothing_else():
    ground = Heightfield(np.ones((5, 5)), 1.0, np.zeros(2))
    ground.grid[2, 2] = np.nan
    assert np.isnan(ground.heights_at(np.array([[1.5, 1.5], [2.9, 2.1], [2.0, 2.0]]))).all()
    np.testing.assert_array_equal(ground.heights_at(np.array([[1.0, 1.0], [1.0, 2.0], [3.0, 2.5], [0.5, 2.0]])), 1.0)
    np.testing.assert_array_equal(ground.normals(np.array([[1.5, 1.5, 0.0]])), [[0.0, 0.0, 1.0]])
    assert np.isnan(ground.slopes(np.array([1.5, 1.5])))


class Roofed:
    """A floor at 0 m, a roof at 3 m over x above 0."""

    def heights(self, points: np.ndarray, frame: float = 0.0) -> np.ndarray:
        return np.where((points[..., 0] > 0) & (points[..., 2] >= 3), 3.0, 0.0)

    normals = ceilings = Plane().normals


@pytest.mark.parametrize(("height", "highest"), [(np.inf, 3.0), (2.0, 0.0)])
def test_ground_is_sampled_from_above_or_from_below_the_roof(height: float, highest: float):
    ground = sample_heightfield(Roofed(), np.array([-1.0, -0.5]), np.array([1.0, 0.5]), 0.1, height)
    assert ground.grid.shape == (11, 21)
    assert ground.grid.max() == highest
    np.testing.assert_allclose(ground.extent, [[-1.0, -0.5], [1.0, 0.5]])


def test_moving_ground_is_sampled_at_its_frame() -> None:
    class Rising(Roofed):
        def heights(self, points: np.ndarray, frame: float = 0.0) -> np.ndarray:
            return points[..., 0] + 10.0 * points[..., 1] + 100.0 * frame

    lower, upper = np.array([0.0, 1.0]), np.array([0.2, 1.3])
    for frame, height in ((0.0, 0.0), (2.0, 200.0)):
        ground = sample_heightfield(Rising(), lower, upper, 0.1, frame=frame)
        np.testing.assert_allclose(ground.grid[:, 1], height + 0.1 + 10.0 * np.array([1.0, 1.1, 1.2, 1.3]))
    np.testing.assert_array_equal(sample_heightfield(Rising(), lower, upper, 0.1).grid[0, 0], 10.0)
