"""Cubic Hermite curves with keys on whole frames: what an F-curve is whose handles are a third of the way long."""

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solveh_banded

from ..motion.rotations import Array

Frames = NDArray[np.intp]
# How firmly a key's slope holds on to the motion's own, beside the values around it: it decides where they do not.
SLOPE_HOLD = 3e-3
# Share of the largest entry that keeps a system solvable whose curves nothing holds.
RIDGE = 1e-10


def interval_of(keys: Frames, count: int) -> Frames:
    """For each frame from 0 to ``count`` - 1 the interval between keys that it lies in; the last key ends the last."""
    return np.clip(np.searchsorted(keys, np.arange(count), side="right") - 1, 0, len(keys) - 2)


def basis(keys: Frames, count: int) -> tuple[Frames, Array]:
    """The interval of each frame (F), and the shares (F, 4) in it of value and slope at its start and its end."""
    interval = interval_of(keys, count)
    length = np.diff(keys)[interval]
    s = (np.arange(count) - keys[interval]) / length
    shares = [(1 + 2 * s) * (1 - s) ** 2, length * s * (1 - s) ** 2, s * s * (3 - 2 * s), length * s * s * (s - 1)]
    return interval, np.stack(shares, axis=-1)


def evaluate(keys: Frames, values: Array, slopes: Array, count: int) -> Array:
    """The curves (F, n) with values and slopes (K, n), per frame, at two ascending keys or more; the first is 0."""
    interval, shares = basis(keys, count)
    corners = np.stack([values[:-1], slopes[:-1], values[1:], slopes[1:]], axis=1)
    return np.einsum("fk,fkn->fn", shares, corners[interval])


def fit(keys: Frames, metric: Array, target: Array, slopes: Array) -> tuple[Array, Array]:
    """Values and slopes (K, n) at the keys of the curves ``c`` with the least ``sum((c - t) M (c - t))`` over frames.

    Args:
        keys: ascending frames, the first and the last one among them.
        metric: M, symmetric (F, n, n): how much each frame's error counts, by direction.
        target: M t (F, n).
        slopes: the motion's own slopes at the keys (K, n), per frame, which count a little.
    """
    count, n = target.shape
    interval, shares = basis(keys, count)
    starts = np.searchsorted(interval, np.arange(len(keys) - 1))
    weights = (shares[:, :, None, None, None] * shares[:, None, None, :, None]) * metric[:, None, :, None, :]
    blocks = np.add.reduceat(weights.reshape(count, -1), starts, axis=0).reshape(-1, 4 * n, 4 * n)
    sides = np.add.reduceat((shares[:, :, None] * target[:, None, :]).reshape(count, -1), starts, axis=0)

    rows = np.zeros((2 * n * len(keys), 4 * n))
    first = np.arange(len(keys) - 1)[:, None] * 2 * n
    for column in range(4 * n):  # no two blocks share a row's first entries in the same column
        rows[first + column, np.arange(4 * n - column)] += blocks[:, column:, column]
    right = np.zeros(len(rows))
    np.add.at(right, first + np.arange(4 * n), sides)

    hold = SLOPE_HOLD * metric[keys]
    for column in range(n):
        at = np.arange(len(keys)) * 2 * n + n + column
        rows[at[:, None], np.arange(n - column)] += hold[:, column:, column]
        right[at] += np.einsum("kn,kn->k", hold[:, column], slopes)
    rows[:, 0] += RIDGE * max(float(rows[:, 0].max()), 1e-30)
    found = solveh_banded(np.ascontiguousarray(rows.T), right, lower=True, check_finite=False)
    found = found.reshape(len(keys), 2, n)
    return found[:, 0], found[:, 1]
