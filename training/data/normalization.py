"""Group-averaged normalization of a data set (PFNN section 5.3)."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...core.features.layout import Layout
from ...core.models.network import Float32

MIN_DEVIATION: Final = 1e-4
"""Deviation, in the group's unit, below which a group counts as constant and is not scaled."""
STEERED_GROUPS: Final = ("phase.rate", "root.velocity", "root.angular_velocity")
"""Output groups that a roll-out integrates: only four numbers beside hundreds of the pose."""
STEERED_WEIGHT: Final = 3.0
"""Scale of the steered groups in the normalized outputs of attack networks, to emphasize the timing of blows."""
MIN_UNITLESS_DEVIATION: Final = 0.1
"""Smallest deviation of unitless groups, so that, for example, *stand* is not 100 deviations away if no clip stands."""


@dataclass(frozen=True, eq=False)
class Normalization:
    """Means and divisors of inputs x (n) and outputs y (m); the network gets ``(x - x_mean) / x_std``."""

    x_mean: Float32
    x_std: Float32
    y_mean: Float32
    y_std: Float32


def mean_and_deviation(blocks: Iterable[NDArray[np.floating]]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the mean and standard deviation (n) over the rows of all blocks (N_i, n), merging blocks pairwise.

    Parallel variance, Chan, Golub and LeVeque 1979.
    """
    count, mean, squares = 0, np.zeros(0), np.zeros(0)
    for shard in blocks:
        rows = np.asarray(shard, dtype=np.float64)
        if len(rows) == 0:
            continue
        own_mean = rows.mean(axis=0)
        own_squares = np.square(rows - own_mean).sum(axis=0)
        if count == 0:
            count, mean, squares = len(rows), own_mean, own_squares
            continue
        total, apart = count + len(rows), own_mean - mean
        squares = squares + own_squares + np.square(apart) * (count * len(rows) / total)
        mean = mean + apart * (len(rows) / total)
        count = total
    return mean, np.sqrt(squares / max(count, 1))


def group_deviation(
    layout: Layout, deviation: NDArray[np.float64], weighted_groups: Collection[str] = (), weight: float = 1.0
) -> Float32:
    """Return the normalization's divisor (n) of each component: its group's mean deviation, 1 for constant groups.

    Unitless groups are divided by at least :data:`MIN_UNITLESS_DEVIATION` (PFNN section 5.3).

    Args:
        layout: layout of the vector.
        deviation: (n) standard deviation of each component.
        weighted_groups: names of groups whose normalized values are scaled by ``weight``.
        weight: scale of the weighted groups' normalized values.
    """
    result = np.ones(layout.size, dtype=np.float32)
    for group in layout:
        where = layout.slices[group.name]
        average = float(deviation[where].mean()) if group.size else 0.0
        if average <= MIN_DEVIATION:
            average = 1.0
        elif group.unit == "1":
            average = max(average, MIN_UNITLESS_DEVIATION)
        result[where] = average / (weight if group.name in weighted_groups else 1.0)
    return result


def level_phase_vectors(
    layout: Layout, mean: NDArray[np.float64], divisor: Float32, deviation: NDArray[np.float64]
) -> None:
    """Set the mean of phase vectors to 0 and the divisor of each to its mean length, which keeps its directions.

    A hand with few contacts then has the same weight in the gating as a foot. Modifies ``mean`` and ``divisor`` in
    place.

    Args:
        layout: layout of the vector, with the group ``phase.vector`` (S, K, 2).
        mean: (n) mean of the normalization; changed in place.
        divisor: (n) divisor of the normalization; changed in place.
        deviation: (n) standard deviation of each component.
    """
    squares = layout.view(mean**2 + deviation**2, "phase.vector").mean(axis=(0, 2))
    lengths = np.where(squares > MIN_DEVIATION**2, np.sqrt(squares), 1.0)
    layout.view(mean, "phase.vector")[:] = 0.0
    layout.view(divisor, "phase.vector")[:] = lengths[:, None]
