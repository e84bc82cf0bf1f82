"""Maxima over windows whose length differs from frame to frame."""

import numpy as np

from ...motion.rotations import Array


def sliding_maximum(values: Array, half_width: Array) -> Array:
    """Return the largest value (K, F) of ``values`` (K, F) within ``half_width`` (K, F) frames on each side, the frame
    included.

    Every window is two overlapping ones whose length is a power of two, and the maxima of those are made by doubling.
    A frame counts where its middle is in reach. Windows end with the clip.
    """
    frames = np.arange(values.shape[1])
    whole = np.floor(half_width).astype(np.intp)
    first, last = np.maximum(frames - whole, 0), np.minimum(frames + whole, len(frames) - 1)
    level = np.frexp(last - first + 1)[1] - 1
    result, maxima = np.empty_like(values), values
    for power in range(int(level.max(initial=-1)) + 1):
        lines, at = np.nonzero(level == power)
        start, end = first[lines, at], last[lines, at] + 1 - 2**power
        result[lines, at] = np.maximum(maxima[lines, start], maxima[lines, end])
        maxima = np.maximum(maxima[:, : -(2**power)], maxima[:, 2**power :])
    return result
