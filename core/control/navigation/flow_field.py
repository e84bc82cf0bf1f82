"""Shortest ways to a place among things, from anywhere: what leads an actor round a table and through a gap.

The ground is a grid. What is near to a thing costs more, and what is within it so much
that only who stands there already goes on in it. From the place's cell outwards every cell learns the next on its way.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...motion.rotations import Array
from ...scene.collider_pose import Placed

CELL: Final = 0.1
"""Metres between cells."""
MARGIN: Final = 1.5
"""Metres about all that matters."""
FARTHEST: Final = 12.0
"""Metres from the place beyond which things do not matter."""
HEIGHTS: Final = (0.2, 1.7)
"""Metres over the ground between which something is in the way."""
BODY: Final = 0.24
"""Metres from a thing within which nobody walks, ..."""
WIDE: Final = 0.5
"""... and within which it costs more to."""
WITHIN, NEAR = 40.0, 2.0
"""How much more, for each metre."""
NEIGHBOURS: Final = ((0, 1), (1, 0), (1, 1), (1, -1))
AHEAD: Final = 0.9
"""Metres along a way at which somebody looks."""


@dataclass(frozen=True, slots=True, eq=False)
class Ways:
    """The shortest ways to one place.

    Attributes:
        place: (2) metres, world.
        corner: (2) of the first cell.
        lengths: (X, Y) metres from each cell to the place, along its way.
        following: (X Y) the cell after each on its way, itself at the end.
    """

    place: Array
    corner: Array
    lengths: Array
    following: NDArray[np.intp]

    @staticmethod
    def to(place: Array, start: Array, things: Sequence[Placed]) -> "Ways":
        """The ways to a place (2) among things, from ``start`` (2) or elsewhere; metres, world."""
        near = [thing for thing in things if np.linalg.norm(thing.position[:2] - place) < FARTHEST]
        points = np.stack([place, start, *(thing.position[:2] for thing in near)])
        corner = points.min(axis=0) - MARGIN
        shape = np.ceil((points.max(axis=0) + MARGIN - corner) / CELL).astype(int) + 1
        costs = _costs(corner, shape, near)
        end = _cell(place, corner, shape)
        weights, predecessors = scipy.sparse.csgraph.dijkstra(
            _graph(costs), directed=False, indices=int(np.ravel_multi_index(end, shape)), return_predecessors=True
        )
        following = np.where(predecessors < 0, np.arange(len(predecessors)), predecessors).astype(np.intp)
        return Ways(np.asarray(place, dtype=float), corner, _lengths(weights, following, shape), following)

    def ahead(self, position: Array) -> tuple[Array, float]:
        """Where (2) one who stands at a position (2) looks along their way, and how long that is, metres."""
        shape = np.array(self.lengths.shape)
        cell = int(np.ravel_multi_index(_cell(position, self.corner, shape), shape))
        left = float(self.lengths.flat[cell])
        beside = float(np.linalg.norm(position - self._middle(cell)))
        if left < AHEAD:
            return self.place, max(float(np.linalg.norm(self.place - position)), left)
        while left - float(self.lengths.flat[cell]) < AHEAD - beside and self.following[cell] != cell:
            cell = int(self.following[cell])
        return self._middle(cell), left + beside

    def _middle(self, cell: int) -> Array:
        return self.corner + CELL * np.array(np.unravel_index(cell, self.lengths.shape))


def _cell(point: Array, corner: Array, shape: Array) -> tuple[int, int]:
    """The cell that a point (2) is in, or is nearest to."""
    row, column = np.clip(np.rint((np.asarray(point) - corner) / CELL), 0, shape - 1).astype(int)
    return int(row), int(column)


def _costs(corner: Array, shape: Array, things: Sequence[Placed]) -> Array:
    """What a metre costs in each cell (X, Y): 1 where nothing is near."""
    axes = [corner[axis] + CELL * np.arange(shape[axis]) for axis in range(2)]
    ground = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
    nearest = np.full(len(ground), np.inf)
    for thing in things:
        reach = float(np.abs(np.stack(thing.collider.box)).max()) * 2 + WIDE
        rows = np.flatnonzero(np.abs(ground - thing.position[:2]).max(axis=1) < reach)
        nearest[rows] = np.minimum(nearest[rows], thing.beside(ground[rows], *HEIGHTS))
    dear = np.where(nearest < BODY, WITHIN, NEAR * np.clip((WIDE - nearest) / (WIDE - BODY), 0.0, 1.0))
    return (1.0 + dear).reshape(tuple(shape))


def _graph(costs: Array) -> "scipy.sparse.csr_array":
    """What it costs to go from each cell to its neighbours."""
    numbers = np.arange(costs.size).reshape(costs.shape)
    parts = []
    for down, across in NEIGHBOURS:
        rows, other_rows = slice(0, costs.shape[0] - down), slice(down, None)
        columns, other_columns = slice(max(-across, 0), costs.shape[1] - max(across, 0)), slice(max(across, 0), None)
        if across < 0:
            other_columns = slice(0, costs.shape[1] + across)
        mean = (costs[rows, columns] + costs[other_rows, other_columns]) / 2
        length = CELL * float(np.hypot(down, across))
        parts.append(
            (numbers[rows, columns].ravel(), numbers[other_rows, other_columns].ravel(), (length * mean).ravel())
        )
    first, second, weight = (np.concatenate(part) for part in zip(*parts, strict=True))
    return scipy.sparse.csr_array((weight, (first, second)), shape=(costs.size, costs.size))


def _lengths(weights: Array, following: NDArray[np.intp], shape: Array) -> Array:
    """Metres (X, Y) along the way of each cell: those nearer to the end first."""
    places = np.stack(np.unravel_index(np.arange(len(following)), tuple(shape)), axis=-1)
    steps = CELL * np.linalg.norm(places - places[following], axis=-1)
    lengths = np.zeros(len(following))
    for cell in np.argsort(weights):
        lengths[cell] = lengths[following[cell]] + steps[cell] if following[cell] != cell else 0.0
    return lengths.reshape(tuple(shape))
