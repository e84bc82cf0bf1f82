"""Corrections carried smoothly from where they are known to where they are not."""

import numpy as np
from numpy.typing import NDArray

from .rotations import Array


def carried(correction: Array, runs: NDArray[np.intp], span: int) -> Array:
    """Corrections (F, N) given on the runs, carried smoothly over the gaps.

    Each gap fades from the correction at its start and to the one at its end over at most ``span`` frames or the whole
    gap where it is shorter, so that neighbouring locks blend into each other.
    """
    result = correction.copy()
    inside = np.zeros(len(correction) + 1, dtype=int)
    np.add.at(inside, runs[:, 0], 1)
    np.add.at(inside, runs[:, 1], -1)
    gaps = np.flatnonzero(np.cumsum(inside)[:-1] == 0)
    after = np.searchsorted(runs[:, 0], gaps)
    begun, ended = after < len(runs), after > 0
    last, first = runs[np.maximum(after - 1, 0), 1] - 1, runs[np.minimum(after, len(runs) - 1), 0]
    width = np.where(begun & ended, np.clip(first - last - 1, 1, span), span)
    total = np.zeros((len(gaps), correction.shape[1]))
    for there, edge, away in ((ended, last, gaps - last), (begun, first, first - gaps)):
        total[there] += fade(away[there] / (width[there] + 1))[:, None] * correction[edge[there]]
    result[gaps] = total
    return result


def fade(t: Array) -> Array:
    """1 at 0, 0 from 1 on, with level ends (quintic smooth step)."""
    t = np.clip(t, 0.0, 1.0)
    return 1 - t**3 * (t * (6 * t - 15) + 10)
