"""Corrections carried smoothly from where they are known to where they are not."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .rotations import Array


def carried(correction: Array, runs: NDArray[np.intp], span: int) -> Array:
    """Corrections (F, N) given on the runs, carried smoothly over the gaps.

    Each gap fades from the correction at its start and to the one at its end over at most ``span`` frames or the whole
    gap where it is shorter, so that neighbouring locks blend into each other.
    """
    result = correction.copy()
    frames = len(correction)
    edges: list[tuple[int, int, int | None, int | None]] = [(0, int(runs[0][0]), None, int(runs[0][0]))]
    edges += [(int(a[1]), int(b[0]), int(a[1]) - 1, int(b[0])) for a, b in pairwise(runs)]
    edges.append((int(runs[-1][1]), frames, int(runs[-1][1]) - 1, None))
    for start, stop, before, after in edges:
        if stop <= start:
            continue
        index = np.arange(start, stop)
        total = np.zeros((stop - start, correction.shape[1]))
        width = span if before is None or after is None else max(min(span, stop - start), 1)
        if before is not None:
            total += fade((index - before) / (width + 1))[:, None] * correction[before]
        if after is not None:
            total += fade((after - index) / (width + 1))[:, None] * correction[after]
        result[index] = total
    return result


def fade(t: Array) -> Array:
    """1 at 0, 0 from 1 on, with level ends (quintic smooth step)."""
    t = np.clip(t, 0.0, 1.0)
    return 1 - t**3 * (t * (6 * t - 15) + 10)
