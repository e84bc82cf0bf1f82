"""Who of several walkers is near to whom, and when."""

from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import Array, normalize

SQUEEZED: Final = 0.82
"""The share of two rooms that is kept past somebody who stands."""


@dataclass(frozen=True, slots=True, eq=False)
class Meetings:
    """Moments (R) at which two are near to each other.

    Attributes:
        one, other: their numbers.
        when: the moment's number.
        room: metres that they are to be apart.
        apart: metres that they are.
        away: (R, 2) unit vectors from the other to the one.
        along: metres along the way of the one, and ...
        theirs: ... of the other.
    """

    one: NDArray[np.intp]
    other: NDArray[np.intp]
    when: NDArray[np.intp]
    room: Array
    apart: Array
    away: Array
    along: Array
    theirs: Array

    @staticmethod
    def of(places: Array, along: Array, radii: Array, still: NDArray[np.bool_], within: float) -> "Meetings":
        """The meetings of N walkers at K moments.

        Args:
            places: (N, K, 2) where they are, metres.
            along: (N, K) metres along their ways.
            radii: (N) metres of their own rooms.
            still: (N, K) whether they stand for good, or still.
            within: metres from which on others are not near.
        """
        found: list[tuple[NDArray[np.intp], ...]] = [(np.zeros(0, dtype=np.intp),) * 3]
        x, y = (np.ascontiguousarray(axis, dtype=np.float32) for axis in np.moveaxis(places, -1, 0))
        for one in range(len(places) - 1):
            squares = (x[one] - x[one + 1 :]) ** 2 + (y[one] - y[one + 1 :]) ** 2
            other, when = np.nonzero(squares < within**2)
            found.append((np.full(len(other), one), other + one + 1, when))
        one, other, when = (np.concatenate(part) for part in zip(*found, strict=True))
        away = places[one, when] - places[other, when]
        room = rooms(radii[one], radii[other], still[one, when] | still[other, when])
        apart = np.linalg.norm(away, axis=-1)
        return Meetings(one, other, when, room, apart, normalize(away), along[one, when], along[other, when])

    def of_each(self, count: int) -> "list[Meetings]":
        """The meetings of each of so many walkers, who is the one in all of theirs."""
        turned = Meetings(self.other, self.one, self.when, self.room, self.apart, -self.away, self.theirs, self.along)
        both = [np.concatenate([getattr(each, field.name) for each in (self, turned)]) for field in fields(self)]
        order = np.argsort(both[0], kind="stable")
        edges = np.searchsorted(both[0][order], np.arange(count + 1))
        return [Meetings(*(part[order[begin:end]] for part in both)) for begin, end in pairwise(edges)]


def rooms(one: Array, other: Array, still: NDArray[np.bool_]) -> Array:
    """Metres (...) that two are to be apart whose own rooms (...) these are, and of whom one stands (...)."""
    return (one + other) * np.where(still, SQUEEZED, 1.0)
