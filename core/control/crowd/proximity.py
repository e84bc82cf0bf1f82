"""Proximity pairs: which agents are near each other, and at which moments."""

from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import Array, normalize

STATIONARY_DISTANCE_RATIO: Final = 0.82
"""Required distance to a stationary agent, as a share of the sum of both radii."""


@dataclass(frozen=True, slots=True, eq=False)
class ProximityPairs:
    """Pairs (R) of two agents that are near each other at a moment.

    Attributes:
        first: (R) index of the first agent.
        second: (R) index of the second agent.
        time_index: (R) index of the moment, among those compared.
        required_distance: (R) required distance of the agents, meters.
        distance: (R) actual distance, meters.
        direction: (R, 2) unit vector from the second agent to the first, world.
        first_arc_length: (R) arc length of the first agent on its path, meters.
        second_arc_length: (R) arc length of the second agent on its path, meters.
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
        """Return all pairs of N agents that are near each other at any of K moments.

        Args:
            positions: (N, K, 2) positions, meters, world.
            arc_lengths: (N, K) arc lengths on their paths, meters.
            radii: (N) radii of the agents, meters.
            stationary: (N, K) whether an agent has not started, or has arrived.
            max_distance: Largest distance of agents that count as near, meters.
        """
        found: list[tuple[NDArray[np.intp], ...]] = [(np.zeros(0, dtype=np.intp),) * 3]
        x, y = (np.ascontiguousarray(axis, dtype=np.float32) for axis in np.moveaxis(positions, -1, 0))
        for first in range(len(positions) - 1):
            squares = (x[first] - x[first + 1 :]) ** 2 + (y[first] - y[first + 1 :]) ** 2
            second, moment = np.nonzero(squares < max_distance**2)
            found.append((np.full(len(second), first), second + first + 1, moment))
        first, second, moment = (np.concatenate(part) for part in zip(*found, strict=True))
        offset = positions[first, moment] - positions[second, moment]
        required = required_distances(
            radii[first], radii[second], stationary[first, moment] | stationary[second, moment]
        )
        distance = np.linalg.norm(offset, axis=-1)
        return ProximityPairs(
            first,
            second,
            moment,
            required,
            distance,
            normalize(offset),
            arc_lengths[first, moment],
            arc_lengths[second, moment],
        )

    def by_agent(self, agent_count: int) -> "list[ProximityPairs]":
        """Return, for each of `agent_count` agents, the pairs whose first agent it is."""
        swapped = ProximityPairs(
            self.second,
            self.first,
            self.time_index,
            self.required_distance,
            self.distance,
            -self.direction,
            self.second_arc_length,
            self.first_arc_length,
        )
        arrays = [np.concatenate([getattr(pairs, field.name) for pairs in (self, swapped)]) for field in fields(self)]
        order = np.argsort(arrays[0], kind="stable")
        edges = np.searchsorted(arrays[0][order], np.arange(agent_count + 1))
        return [ProximityPairs(*(part[order[begin:end]] for part in arrays)) for begin, end in pairwise(edges)]


def required_distances(radii: Array, other_radii: Array, stationary: NDArray[np.bool_]) -> Array:
    """Return the required distances (...), meters, between pairs of agents.

    Args:
        radii: (...) radius of the first agent of each pair, meters.
        other_radii: (...) radius of the second agent, meters.
        stationary: (...) whether one of the two is stationary.
    """
    return (radii + other_radii) * np.where(stationary, STATIONARY_DISTANCE_RATIO, 1.0)
