"""The cells of plan time in the space-time search, by time layer, and the costs of pace and delay."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import Array
from ...tuning import Tuning, tuned
from .lane_grid import CELLS_PER_LAYER, LaneGrid


@dataclass(frozen=True, slots=True)
class SearchWindowTuning(Tuning):
    max_lead: float = tuned(0.5, "s", 0.0, 10.0)
    """Largest time by which an agent may be ahead of its plan."""
    pace_cost: float = tuned(0.3, "1", 0.0, 100.0)
    """Cost of one time layer per squared deviation of the pace from the planned one, relative to the latter."""
    delay_cost: float = tuned(0.01, "1/s^2", 0.0, 10.0)
    """Cost of one time layer per squared second of delay."""
    max_costed_delay: float = tuned(4.0, "s", 0.0, 60.0)
    """Delay above which the cost of delay no longer grows."""


TUNING: Final = SearchWindowTuning()


@dataclass(frozen=True, slots=True, eq=False)
class SearchWindow:
    """The cells of plan time that an agent can reach in each time layer: ``row_count`` cells from ``first_cells`` on.

    Attributes:
        layers: (K) time layers.
        first_cells: (K) first cell of each layer's window.
        row_count: Number of cells in a window.
        cell_count: Number of cells of plan time.
        start_cell: Common time of all agents at which the plan starts, in cells.
    """

    layers: NDArray[np.intp]
    first_cells: NDArray[np.intp]
    row_count: int
    cell_count: int
    start_cell: int

    @staticmethod
    def from_lanes(lanes: LaneGrid, max_delay: float) -> "SearchWindow":
        """Return the window of an agent that may be delayed by up to `max_delay` seconds."""
        behind, early = (round(time / lanes.layer_duration * CELLS_PER_LAYER) for time in (max_delay, TUNING.max_lead))
        count = len(lanes)
        rows = min(behind + early + 1, count)
        layers = np.arange(lanes.first_layer, lanes.last_layer(max_delay) + 1)
        return SearchWindow(
            layers,
            np.clip(CELLS_PER_LAYER * layers - lanes.start_cell - behind, 0, count - rows),
            rows,
            count,
            lanes.start_cell,
        )

    def cells(self, layer_index: int) -> NDArray[np.intp]:
        """Return the cells (rows) of plan time in a layer's window."""
        return self.first_cells[layer_index] + np.arange(self.row_count)

    def base_shift(self, layer_index: int) -> int:
        """Return the number of cells by which a layer's window starts after that of the previous layer."""
        return int(self.first_cells[layer_index] - self.first_cells[layer_index - 1])

    def includes_end(self, layer_index: int) -> bool:
        """Return whether a layer's window includes the last cell of plan time."""
        return bool(self.first_cells[layer_index] + self.row_count == self.cell_count)

    def pace_cost(self, layer_index: int, cells_advanced: int, at_end: bool = False) -> float:
        """Return the cost of advancing `cells_advanced` cells from the previous layer; slow arrival at the end is free.

        Args:
            layer_index: Index of the layer in the window.
            cells_advanced: Number of cells of plan time.
            at_end: Whether the agent is at the last cell of plan time in the layer.
        """
        if at_end and cells_advanced <= CELLS_PER_LAYER:
            return 0.0
        planned = (
            CELLS_PER_LAYER * int(self.layers[layer_index]) - self.start_cell if layer_index == 1 else CELLS_PER_LAYER
        )
        return TUNING.pace_cost * ((planned - cells_advanced) / CELLS_PER_LAYER) ** 2

    def delay_costs(self, lanes: LaneGrid) -> Array:
        """Return the costs (K, rows) of delay or lead against the plan in each layer; zero at the last cell."""
        cells = self.first_cells[:, None] + np.arange(self.row_count)
        late = (
            (CELLS_PER_LAYER * self.layers[:, None] - self.start_cell - cells) / CELLS_PER_LAYER * lanes.layer_duration
        )
        return np.where(
            cells == self.cell_count - 1,
            0.0,
            TUNING.delay_cost * np.clip(late, -TUNING.max_costed_delay, TUNING.max_costed_delay) ** 2,
        ).astype(np.float32)
