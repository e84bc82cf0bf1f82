"""Columns through colliders of a few cuboids, whose heights and free room are known."""

import numpy as np
import pytest

from footfall.core.motion.rotations import Array
from footfall.core.motion.signals import Mask
from footfall.core.scene.collider import Collider
from footfall.core.scene.column_grid import (
    COLUMN_SPACING_M,
    ColumnGrid,
    largest_rectangle,
    rotate_columns,
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


def test_what_is_no_multiple_of_the_spacing_has_one_column_more() -> None:
    grid = ColumnGrid.from_collider(cuboids(((0.0, 0.0, 0.0), (0.05, 0.02, 1.0))))
    assert grid.shape == (3, 1)
    np.testing.assert_allclose(grid.origin, [0.025 - 0.02, 0.01])


def test_a_sheet_without_width_has_one_column() -> None:
    grid = ColumnGrid.from_collider(cuboids(((0.3, 0.0, 0.0), (0.3, 0.1, 1.0))))
    assert grid.shape == (1, 5)
    np.testing.assert_allclose(grid.origin, [0.3, 0.01])


def test_each_column_knows_the_cuboids_that_it_meets() -> None:
    overlaps = ColumnGrid.from_collider(SHELF).overlaps
    assert overlaps.shape == (5, 3, 2)
    assert overlaps[..., 0].all()
    np.testing.assert_array_equal(overlaps[..., 1], np.repeat([[True], [True], [False], [False], [False]], 3, axis=1))


def test_a_column_on_the_edge_of_a_cuboid_meets_it() -> None:
    # The outline is 5 columns wide, the upper cuboid ends on the second and on the fourth of them.
    grid = ColumnGrid.from_collider(cuboids(((0.0, 0.0, 0.0), (0.1, 0.02, 0.1)), ((0.03, 0.0, 0.1), (0.07, 0.02, 0.2))))
    np.testing.assert_array_equal(grid.overlaps[:, 0, 1], [False, True, True, True, False])


def test_levels_are_the_upward_faces_in_a_range_whose_ends_count() -> None:
    grid = ColumnGrid.from_collider(SHELF)
    assert grid.surface_levels(0.0, 1.0) == pytest.approx([0.4, 0.8])
    assert grid.surface_levels(0.4, 0.8) == pytest.approx([0.4, 0.8])
    assert grid.surface_levels(0.41, 0.8) == pytest.approx([0.8])
    assert grid.surface_levels(0.4, 0.79) == pytest.approx([0.4])
    assert grid.surface_levels(0.9, 1.0) == []


def test_of_levels_near_each_other_the_highest_is_kept() -> None:
    steps = cuboids(*(((0.1 * i, 0.0, 0.0), (0.1 * i + 0.1, 0.1, top)) for i, top in enumerate((0.4, 0.425, 0.5))))
    grid = ColumnGrid.from_collider(steps)
    assert grid.surface_levels(0.0, 1.0) == pytest.approx([0.4, 0.425, 0.5])
    assert grid.surface_levels(0.0, 1.0, min_spacing=0.05) == pytest.approx([0.425, 0.5])
    assert grid.surface_levels(0.0, 1.0, min_spacing=0.2) == pytest.approx([0.5])
    # By default a centimeter apart is enough.
    close = cuboids(((0.0, 0.0, 0.0), (0.1, 0.1, 0.4)), ((0.1, 0.0, 0.0), (0.2, 0.1, 0.408)))
    assert ColumnGrid.from_collider(close).surface_levels(0.0, 1.0) == pytest.approx([0.408])


def covered(grid: ColumnGrid, height: float, headroom: float, tolerance: float = 0.05) -> list[bool]:
    """The first column of each row: whether it is free."""
    return grid.free_columns(height, headroom, tolerance)[:, 0].tolist()


def test_many_cuboids_over_a_column_leave_it_as_little_room_as_one() -> None:
    # Two boards of the same column: one of them is too high to matter, the other is in the way.
    boards = cuboids(
        ((0.0, 0.0, 0.0), (0.04, 0.02, 0.4)),
        ((0.0, 0.0, 0.5), (0.02, 0.02, 0.55)),
        ((0.0, 0.0, 2.0), (0.04, 0.02, 2.1)),
    )
    assert covered(ColumnGrid.from_collider(boards), 0.4, headroom=0.5) == [False, True]


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


@pytest.mark.parametrize(
    ("side", "expected"),
    [(0, [[2, 5], [1, 4], [0, 3]]), (1, [[0, 1, 2], [3, 4, 5]]), (2, [[3, 0], [4, 1], [5, 2]]),
     (3, [[5, 4, 3], [2, 1, 0]])],
)  # fmt: skip
def test_rotated_columns_end_at_a_side(side: int, expected: list[list[int]]) -> None:
    np.testing.assert_array_equal(rotate_columns(np.arange(6).reshape(2, 3), side), expected)


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


def test_no_other_rectangle_of_a_random_picture_is_larger() -> None:
    chance = np.random.default_rng(5)
    for _ in range(20):
        free = chance.random((6, 7)) < 0.7
        (first, last), (start, stop) = largest_rectangle(free)
        assert free[first:last, start:stop].all()
        assert (last - first) * (stop - start) == _most(free)


def _most(free: Array) -> int:
    """The area of the largest rectangle, by trying all."""
    rows, columns = free.shape
    return max(
        (b - a) * (d - c)
        for a in range(rows) for b in range(a + 1, rows + 1)
        for c in range(columns) for d in range(c + 1, columns + 1)
        if free[a:b, c:d].all()
    )  # fmt: skip
