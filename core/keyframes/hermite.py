"""Cubic Hermite curves with keys on whole frames, like F-curves whose handles are a third of the interval long.

Many curves are laid end to end on one long timeline, each with keys at its first and last frame, so that a single solve
fits them all; the last key of a curve and the first of the next are one frame apart.
"""

import numpy as np
import scipy
from numpy.typing import NDArray

from ..motion.rotations import Array

Frames = NDArray[np.intp]
SLOPE_REGULARIZATION = 0.03
"""Weight of the original slope at a key, relative to the frame's; without it, curves through close keys oscillate.
"""
RIDGE_RATIO = 1e-9
"""Ridge of the least squares relative to the largest weight, for curves with zero weights."""
BASIS_PAIRS = [(one, other) for one in range(4) for other in range(one, 4)]
"""Pairs of basis functions in the normal equations."""


def interval_of_frame(keys: Frames, count: int) -> Frames:
    """Return the index (F) of the interval between ``keys`` in which each of F = ``count`` frames lies."""
    return np.repeat(np.arange(len(keys) - 1), np.append(np.diff(keys[:-1]), count - keys[-2]))


def hermite_basis(keys: Frames, count: int) -> tuple[Frames, Array]:
    """Return each frame's key interval (F), and the weights (4, F) of value and slope at its start and its end."""
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
    """Evaluate the curve (F) through keys, or several curves (F, n) as columns.

    Args:
        keys: (K) ascending frames, from 0 to the last frame.
        values: (K) or (K, n) values of the keys.
        slopes: (K) or (K, n) slopes of the keys, per frame.
        count: number of frames, F.
    """
    interval, shares = hermite_basis(keys, count)
    return _combine_basis(interval, shares if values.ndim == 1 else shares[..., None], values, slopes)


def _combine_basis(interval: Frames, shares: Array, values: Array, slopes: Array) -> Array:
    """Return the curve's values: the basis functions times values and slopes of the keys, summed."""
    after = interval + 1
    return (
        shares[0] * values[interval]
        + shares[1] * slopes[interval]
        + (shares[2] * values[after] + shares[3] * slopes[after])
    )


def midpoint_basis(keys: Frames, count: int) -> tuple[Array, Array]:
    """Return the changes (F) of a curve per unit of value, and of slope, of new keys halfway in each interval."""
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
    """Fit the curve that minimizes ``sum(weights * curve ** 2 - 2 * weighted_targets * curve)``.

    The weighted least squares are solved by a banded Cholesky decomposition.

    Args:
        keys: (K) ascending frames, including the first and the last.
        weights: (F) weights, not below zero.
        weighted_targets: (F) weight times target value.
        slopes: (K) slopes of the original motion at the keys, per frame; they get a small weight.

    Returns:
        Values and slopes at the keys (K), and the curve (F).
    """
    count = len(weights)
    interval, shares = hermite_basis(keys, count)
    # Sums over intervals of each basis function times the targets, and of the weighted product of each pair.
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
    slope_weights = SLOPE_REGULARIZATION * weights[keys] + RIDGE_RATIO * weights.max()
    bands[0, 1::2] += slope_weights
    right[1::2] += slope_weights * slopes
    bands[0, ::2] += RIDGE_RATIO * weights.max()
    found = scipy.linalg.solveh_banded(
        bands, right, lower=True, check_finite=False, overwrite_ab=True, overwrite_b=True
    )
    values, slopes = found[::2], found[1::2]
    return values, slopes, _combine_basis(interval, shares, values, slopes)
