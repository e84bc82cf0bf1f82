"""The cells of an agent's lanes: its path and curves parallel to it, divided into steps of plan time."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import Array

CELLS_PER_LAYER: Final = 4
"""Cells of plan time that an agent advances per time layer at its planned pace; every pace is a whole number of cells.
"""
LANE_WIDTH_M: Final = 0.2
"""Distance between neighboring lanes, meters."""


@dataclass(frozen=True, slots=True, eq=False)
class LaneGrid:
    """The cells of an agent's lanes: C cells of plan time along its path on each of L lanes.

    Attributes:
        centerline: (C) x and (C) y of the path at each cell of plan time, meters, world.
        right_vectors: (C) x and (C) y of the unit vectors to the right of the path, world.
        offsets: (L) lateral offset of each lane to the right, meters.
        blocked: (C, L) whether an obstacle blocks a cell; cells on the path itself never are.
        start_cell: Common time of all agents at which the plan starts, in cells.
        layer_duration: Duration of a time layer, seconds.
    """

    centerline: tuple[Array, Array]
    right_vectors: tuple[Array, Array]
    offsets: Array
    blocked: NDArray[np.bool_]
    start_cell: int
    layer_duration: float

    def __len__(self) -> int:
        """Return the number of cells of plan time."""
        return len(self.centerline[0])

    @property
    def first_layer(self) -> int:
        """The last time layer in which the agent still stands at the start of its plan."""
        return self.start_cell // CELLS_PER_LAYER

    def last_layer(self, max_delay: float) -> int:
        """Return the time layer of the agent's arrival if it is delayed by `max_delay` seconds."""
        return (self.start_cell + len(self) - 1) // CELLS_PER_LAYER + 1 + round(max_delay / self.layer_duration)
