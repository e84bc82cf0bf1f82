"""Cubic Hermite curves with keys on whole frames: what an F-curve is whose handles are a third of the way long.

Many curves of equally many frames are one long timeline here, each with keys at its first and its last frame, so that
one step does them all: nothing but a step of one frame lies between the last key of one and the first of the next.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solveh_banded

from ..motion.rotations import Array

Frames = NDArray[np.intp]
# How firmly a key's slope holds on to the motion's own, beside the values around it: it decides where they do not.
SLOPE_HOLD = 3e-3
# Share of the largest weight that keeps a curve solvable that counts nowhere.
RIDGE = 1e-9


def basis(keys: Frames, count: int) -> tuple[Frames, Array]:
    """The interval of each frame (F), and the shares (F, 4) in it of value and slope at its start and its end."""
    lengths = np.diff(keys)
    interval = np.repeat(np.arange(len(lengths)), lengths)
    interval = np.append(interval, len(lengths) - 1)[:count]
    length = lengths[interval]
    s = (np.arange(count) - keys[interval]) / length
    r = 1 - s
    return interval, np.stack([(1 + 2 * s) * r * r, length * s * r * r, s * s * (3 - 2 * s), -length * s * s * r], 1)


def evaluate(keys: Frames, values: Array, slopes: Array, count: int) -> Array:
    """The curve (F) with values and slopes (K), per frame, at ascending keys, the first 0 and the last the last frame.

    Several curves at once are columns: (K, n) give (F, n).
    """
    interval, shares = basis(keys, count)
    corners = np.stack([values[:-1], slopes[:-1], values[1:], slopes[1:]], axis=1)
    return np.einsum("fk,fk...->f...", shares, corners[interval])


def bumps(keys: Frames, count: int) -> tuple[Array, Array]:
    """What a key in the middle of each interval adds to the curve (F): per unit of its value, and of its slope."""
    interval, _ = basis(keys, count)
    start, stop = keys[interval], keys[interval + 1]
    middle = (start + stop) // 2
    frames = np.arange(count)
    before = frames <= middle
    length = np.maximum(np.where(before, middle - start, stop - middle), 1)
    s = np.where(before, frames - start, stop - frames) / length
    sign = np.where(before, -1.0, 1.0)
    return s * s * (3 - 2 * s), sign * length * s * s * (1 - s)


def fit(keys: Frames, weights: Array, pull: Array, slopes: Array) -> tuple[Array, Array, Array]:
    """The curve with the least ``sum(weights * curve ** 2 - 2 * pull * curve)``: by least squares, the nearest.

    Args:
        keys: ascending frames, the first and the last one among them.
        weights: how much each frame counts (F), not below zero.
        pull: weight times wanted value (F).
        slopes: the motion's own slopes at the keys (K), per frame, which count a little.

    Returns:
        Values and slopes at the keys (K), and the curve (F).
    """
    count = len(weights)
    interval, shares = basis(keys, count)
    bands = np.zeros((4, 2 * len(keys)))
    right = np.zeros(2 * len(keys))
    starts = keys[:-1]
    weighted = shares * weights[:, None]
    for one in range(4):
        right[one : len(right) - 2 + one : 2] += np.add.reduceat(shares[:-1, one] * pull[:-1], starts)
        for other in range(one, 4):
            sums = np.add.reduceat(weighted[:-1, one] * shares[:-1, other], starts)
            bands[other - one, one : len(right) - 2 + one : 2] += sums
    bands[0, -2] += weights[-1]
    right[-2] += pull[-1]
    hold = SLOPE_HOLD * weights[keys] + RIDGE * weights.max()
    bands[0, 1::2] += hold
    right[1::2] += hold * slopes
    bands[0, ::2] += RIDGE * weights.max()
    found = solveh_banded(bands, right, lower=True, check_finite=False, overwrite_ab=True, overwrite_b=True)
    corners = np.stack([found[:-2:2], found[1:-2:2], found[2::2], found[3::2]], axis=1)
    return found[::2], found[1::2], np.einsum("fk,fk->f", shares, corners[interval])
