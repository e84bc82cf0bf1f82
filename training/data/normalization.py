"""Group-averaged normalisation of a data set (PFNN section 5.3)."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...core.features.layout import Layout

Float32 = NDArray[np.float32]

# Below this deviation, in the group's own unit, a group says nothing and is left as it is.
MIN_DEVIATION: Final = 1e-4
# Shares and directions are of the order of one even where the clips hardly vary them: clips in which nobody stands
# must not make standing a hundred deviations away.
MIN_UNITLESS_DEVIATION: Final = 0.1


@dataclass(frozen=True, eq=False)
class Normalization:
    """Means and deviations of x (n) and y (m); ``(x - x_mean) / x_std`` is what a network sees."""

    x_mean: Float32
    x_std: Float32
    y_mean: Float32
    y_std: Float32


def mean_and_deviation(blocks: Iterable[NDArray[np.floating]]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean and standard deviation (n) of the rows of all shards (N_i, n), merged shard by shard (Chan et al. 1979)."""
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
    """Return the deviation (n) by which each number is divided: its group's mean one, 1 where that is nothing.

    Groups without a unit are divided by a tenth at least.

    Args:
        layout: the vector's groups.
        deviation: (n), each number's own.
        weighted_groups: groups that count ``weight`` times as much as the others.
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
