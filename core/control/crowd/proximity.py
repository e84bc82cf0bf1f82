"""Who of several walkers is near to whom, and when."""

from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import Array, normalize

STATIONARY_DISTANCE_RATIO: Final = 0.82
"""The share of two rooms that is kept past somebody who stands."""


@dataclass(frozen=True, slots=True, eq=False)
class ProximityPairs:
    """Moments (R) at which two are near to each other.

    Attributes:
        one, other: their numbers.
        time_index: the moment's number.
        room: metres that they are to be apart.
        apart: metres that they are.
        direction: (R, 2) unit vectors from the other to the one.
        along: metres along the way of the one, and ...
        second_arc_length: ... of the other.
    """

    first: NDArray[np.intp]
    second: NDArray[np.intp]
    time_index: NDArray[np.intp]
    required_distance: Array
    distance: Array
    direction: Array
    first_arc_length: Array
    second_arc_length: Array

    @staticmethod
    def find(
        positions: Array, arc_lengths: Array, radii: Array, stationary: NDArray[np.bool_], max_distance: float
    ) -> "ProximityPairs":
        """The meetings of N walkers at K moments.

        Args:
            positions: (N, K, 2) where they are, metres.
            arc_lengths: (N, K) metres along their ways.
            radii: (N) metres of their own rooms.
            stationary: (N, K) whether they stand for good, or still.
            max_distance: metres from which on others are not near.
        """
        found: list[tuple[NDArray[np.intp], ...]] = [(np.zeros(0, dtype=np.intp),) * 3]
        x, y = (np.ascontiguousarray(axis, dtype=np.float32) for axis in np.moveaxis(positions, -1, 0))
        for one in range(len(positions) - 1):
            squares = (x[one] - x[one + 1 :]) ** 2 + (y[one] - y[one + 1 :]) ** 2
            other, when = np.nonzero(squares < max_distance**2)
            found.append((np.full(len(other), one), other + one + 1, when))
        one, other, when = (np.concatenate(part) for part in zip(*found, strict=True))
        away = positions[one, when] - positions[other, when]
        room = required_distances(radii[one], radii[other], stationary[one, when] | stationary[other, when])
        apart = np.linalg.norm(away, axis=-1)
        return ProximityPairs(
            one, other, when, room, apart, normalize(away), arc_lengths[one, when], arc_lengths[other, when]
        )

    def by_agent(self, agent_count: int) -> "list[ProximityPairs]":
        """The meetings of each of so many walkers, who is the one in all of theirs."""
        turned = ProximityPairs(
            self.second,
            self.first,
            self.time_index,
            self.required_distance,
            self.distance,
            -self.direction,
            self.second_arc_length,
            self.first_arc_length,
        )
        both = [np.concatenate([getattr(each, field.name) for each in (self, turned)]) for field in fields(self)]
        order = np.argsort(both[0], kind="stable")
        edges = np.searchsorted(both[0][order], np.arange(agent_count + 1))
        return [ProximityPairs(*(part[order[begin:end]] for part in both)) for begin, end in pairwise(edges)]


def required_distances(radii: Array, other_radii: Array, stationary: NDArray[np.bool_]) -> Array:
    """Metres (...) that two are to be apart whose own rooms (...) these are, and of whom one stands (...)."""
    return (radii + other_radii) * np.where(stationary, STATIONARY_DISTANCE_RATIO, 1.0)
