"""Columns through colliders of a few cuboids, whose heights and free room are known."""

import numpy as np
import pytest

from footfall.core.motion.signals import Mask
from footfall.core.scene.collider import Collider
from footfall.core.scene.column_grid import (
    COLUMN_SPACING_M,
    ColumnGrid,
    largest_rectangle,
)


def cuboids(*corners: tuple[tuple[float, float, float], tuple[float, float, float]]) -> Collider:
    lower, upper = np.array(corners, dtype=float).transpose(1, 0, 2)
    return Collider(lower, upper)


SHELF = cuboids(((0.0, 0.0, 0.0), (0.1, 0.06, 0.4)), ((0.0, 0.0, 0.7), (0.04, 0.06, 0.8)))
"""A block of 5 by 3 columns that is 40 cm high, and a board over the first two of each row, 30 cm above it."""


def test_columns_are_as_many_as_fit_and_in_the_middle_of_the_outline() -> None:
    grid = ColumnGrid.from_collider(SHELF)
    assert grid.shape == (5, 3) and grid.cell == COLUMN_SPACING_M
    np.testing.assert_allclose(grid.origin, [0.01, 0.01])
    np.testing.assert_allclose(grid.to_object_space(4, 2), [0.09, 0.05])
    np.testing.assert_allclose(grid.to_object_space(2.0, 1.0), [0.05, 0.03])
    np.testing.assert_array_equal(grid.forward, [0.0, 1.0])


def test_each_column_knows_the_cuboids_that_it_meets() -> None:
    overlaps = ColumnGrid.from_collider(SHELF).overlaps
    assert overlaps.shape == (5, 3, 2)
    assert overlaps[..., 0].all()
    np.testing.assert_array_equal(overlaps[..., 1], np.repeat([[True], [True], [False], [False], [False]], 3, axis=1))


def turned_bar(degrees: float) -> Collider:
    """A row of 81 posts, 80 cm long and 4 cm wide, turned about the vertical."""
    along = np.linspace(-0.4, 0.4, 81)
    middles = np.column_stack([np.cos(np.radians(degrees)) * along, np.sin(np.radians(degrees)) * along])
    ends = [np.column_stack([middles + side, np.full(81, top)]) for side, top in ((-0.01, 0.0), (0.01, 0.5))]
    return Collider(*ends)


@pytest.mark.parametrize("degrees", [25, 45, 65])
def test_a_bar_that_is_turned_has_its_columns_along_it(degrees: float) -> None:
    grid = ColumnGrid.from_collider(turned_bar(degrees))
    turn = np.radians(degrees)
    np.testing.assert_allclose(grid.axes, [[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]], atol=1e-9)
    assert grid.shape[0] > 40 and grid.shape[1] <= 2
    np.testing.assert_allclose(grid.to_object_space((grid.shape[0] - 1) / 2, (grid.shape[1] - 1) / 2), 0.0, atol=1e-9)


def picture(*rows: str) -> Mask:
    return np.array([[place == "#" for place in row] for row in rows])


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (("...", "..."), ((0, 0), (0, 0))),
        (("###", "###"), ((0, 2), (0, 3))),
        (("#..", "###", "###"), ((1, 3), (0, 3))),
        (("#.#", "#.#", "#.#", "###"), ((0, 4), (0, 1))),
        (("..##.", ".####", "..##.", "#...."), ((0, 3), (2, 4))),
        (("##.###",), ((0, 1), (3, 6))),
        ((".", "#", "#", "."), ((1, 3), (0, 1))),
    ],
)
def test_the_largest_rectangle_of_free_places_is_found(
    rows: tuple[str, ...], expected: tuple[tuple[int, int], tuple[int, int]]
) -> None:
    assert largest_rectangle(picture(*rows)) == expected
