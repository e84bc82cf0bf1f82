"""The cells that can be reached in each layer, and what pace and delay cost, in numbers."""

import numpy as np
import pytest

from footfall.core.control.crowd.search_window import SearchWindow

from .grids import grid


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
