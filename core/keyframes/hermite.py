"""Cubic Hermite curves with keys on whole frames: what an F-curve is whose handles are a third of the way long.

Many curves of equally many frames are one long timeline here, each with keys at its first and its last frame, so that
one step does them all: nothing but a step of one frame lies between the last key of one and the first of the next.
"""

import numpy as np
import scipy
from numpy.typing import NDArray

from ..motion.rotations import Array

Frames = NDArray[np.intp]
# How firmly a key's slope holds on to the motion's own, beside the values around it: without it, curves through keys
# that lie close swing between the frames.
SLOPE_REGULARIZATION = 0.03
# Share of the largest weight that keeps a curve solvable that counts nowhere.
RIDGE_RATIO = 1e-9
BASIS_PAIRS = [(one, other) for one in range(4) for other in range(one, 4)]


def interval_of_frame(keys: Frames, count: int) -> Frames:
    """Return the interval between keys that each frame (F) lies in; the last frame lies in the last."""
    return np.repeat(np.arange(len(keys) - 1), np.append(np.diff(keys[:-1]), count - keys[-2]))


def hermite_basis(keys: Frames, count: int) -> tuple[Frames, Array]:
    """Return the interval of each frame (F), and the shares (4, F) in it of value and slope at its start and its
    end.
    """
    interval = interval_of_frame(keys, count)
    length = np.diff(keys)[interval]
    s = (np.arange(count) - keys[interval]) / length
    r = 1 - s
    rise, fall = s * s, r * r
    shares = np.empty((4, count))
    shares[2] = rise * (3 - 2 * s)
    shares[0] = 1 - shares[2]
    shares[1] = length * s * fall
    shares[3] = -length * rise * r
    return interval, shares


def evaluate_curve(keys: Frames, values: Array, slopes: Array, count: int) -> Array:
    """Return the curve (F) with values and slopes (K), per frame, at ascending keys, the first 0 and the last the last
    frame.

    Several curves at once are columns: (K, n) give (F, n).
    """
    interval, shares = hermite_basis(keys, count)
    return _combine_basis(interval, shares if values.ndim == 1 else shares[..., None], values, slopes)


def _combine_basis(interval: Frames, shares: Array, values: Array, slopes: Array) -> Array:
    after = interval + 1
    return (
        shares[0] * values[interval]
        + shares[1] * slopes[interval]
        + (shares[2] * values[after] + shares[3] * slopes[after])
    )


def midpoint_basis(keys: Frames, count: int) -> tuple[Array, Array]:
    """What a key in the middle of each interval adds to the curve (F): per unit of its value, and of its slope."""
    interval = interval_of_frame(keys, count)
    start, stop = keys[interval], keys[interval + 1]
    middle = (start + stop) // 2
    frames = np.arange(count)
    before = frames <= middle
    length = np.maximum(np.where(before, middle - start, stop - middle), 1)
    s = np.where(before, frames - start, stop - frames) / length
    sign = np.where(before, -1.0, 1.0)
    return s * s * (3 - 2 * s), sign * length * s * s * (1 - s)


def fit_curve(keys: Frames, weights: Array, weighted_targets: Array, slopes: Array) -> tuple[Array, Array, Array]:
    """Return the curve with the least ``sum(weights * curve ** 2 - 2 * pull * curve)``: by least squares, the nearest.

    Args:
        keys: ascending frames, the first and the last one among them.
        weights: how much each frame counts (F), not below zero.
        weighted_targets: weight times wanted value (F).
        slopes: the motion's own slopes at the keys (K), per frame, which count a little.

    Returns:
        Values and slopes at the keys (K), and the curve (F).
    """
    count = len(weights)
    interval, shares = hermite_basis(keys, count)
    # Sums over intervals of each share times the pull, and of each pair of shares times the weights.
    products = np.empty((14, count - 1))
    np.multiply(shares[:, :-1], weighted_targets[:-1], out=products[:4])
    weighted = shares[:, :-1] * weights[:-1]
    for row, (one, other) in enumerate(BASIS_PAIRS, start=4):
        np.multiply(weighted[one], shares[other, :-1], out=products[row])
    sums = np.add.reduceat(products, keys[:-1], axis=1)
    bands, right = np.zeros((4, 2 * len(keys))), np.zeros(2 * len(keys))
    for one in range(4):
        right[one : len(right) - 2 + one : 2] += sums[one]
    for row, (one, other) in enumerate(BASIS_PAIRS, start=4):
        bands[other - one, one : len(right) - 2 + one : 2] += sums[row]
    bands[0, -2] += weights[-1]
    right[-2] += weighted_targets[-1]
    hold = SLOPE_REGULARIZATION * weights[keys] + RIDGE_RATIO * weights.max()
    bands[0, 1::2] += hold
    right[1::2] += hold * slopes
    bands[0, ::2] += RIDGE_RATIO * weights.max()
    found = scipy.linalg.solveh_banded(
        bands, right, lower=True, check_finite=False, overwrite_ab=True, overwrite_b=True
    )
    values, slopes = found[::2], found[1::2]
    return values, slopes, _combine_basis(interval, shares, values, slopes)
