"""The cells that can be reached in each layer, and what pace and delay cost, in numbers."""

import numpy as np
import pytest

from footfall.core.control.crowd.search_window import SearchWindow

from .grids import grid


def test_a_window_goes_from_the_largest_delay_to_half_a_second_of_lead() -> None:
    window = SearchWindow.from_lanes(grid(81), 1.0)
    assert window.row_count == 16 + 8 + 1 and (window.cell_count, window.start_cell) == (81, 0)
    np.testing.assert_array_equal(window.layers, np.arange(26))
    np.testing.assert_array_equal(window.first_cells, np.clip(4 * np.arange(26) - 16, 0, 56))
    np.testing.assert_array_equal(window.cells(5), np.arange(4, 29))
    assert [window.base_shift(layer) for layer in (1, 4, 5, 18, 19)] == [0, 0, 4, 4, 0]
    assert [window.includes_end(layer) for layer in (0, 17, 18, 25)] == [False, False, True, True]


def test_a_short_plan_is_all_in_the_window() -> None:
    window = SearchWindow.from_lanes(grid(9), 1.0)
    assert window.row_count == 9 and not window.first_cells.any() and len(window.layers) == 8
    assert window.includes_end(1)


def test_a_plan_that_starts_between_two_layers_begins_in_the_one_before() -> None:
    lanes = grid(81, start_cell=10)
    assert lanes.first_layer == 2 and lanes.last_layer(1.0) == 90 // 4 + 1 + 4 and len(lanes) == 81
    window = SearchWindow.from_lanes(lanes, 1.0)
    np.testing.assert_array_equal(window.layers, np.arange(2, 28))
    np.testing.assert_array_equal(window.first_cells, np.clip(4 * np.arange(2, 28) - 10 - 16, 0, 56))
    assert window.pace_cost(1, 2) == 0.0 and window.pace_cost(1, 4) == pytest.approx(0.3 / 4)
    assert window.pace_cost(2, 4) == 0.0


@pytest.mark.parametrize(
    "cells, cost", [(0, 0.3), (1, 0.3 * 9 / 16), (2, 0.3 / 4), (3, 0.3 / 16), (4, 0.0), (5, 0.3 / 16)]
)
def test_another_pace_costs_the_square_of_its_share(cells: int, cost: float) -> None:
    window = SearchWindow.from_lanes(grid(), 1.0)
    assert window.pace_cost(7, cells) == pytest.approx(cost)
    assert window.pace_cost(7, cells, at_end=True) == pytest.approx(cost if cells == 5 else 0.0)


@pytest.mark.parametrize("start_cell", [0, 8])
def test_a_delay_costs_a_hundredth_of_its_square_up_to_four_seconds(start_cell: int) -> None:
    lanes = grid(161, start_cell=start_cell)
    window = SearchWindow.from_lanes(lanes, 8.0)
    costs = window.delay_costs(lanes)
    for number in (0, 8, 30, len(window.layers) - 1):
        for row in (0, 20, 64, window.row_count - 1):
            cell = int(window.first_cells[number]) + row
            late = (4 * int(window.layers[number]) - start_cell - cell) / 16
            expected = 0.0 if cell == 160 else 0.01 * min(late**2, 16.0)
            assert costs[number, row] == pytest.approx(expected, rel=1e-6)
