"""The tracks that share their key frames, as curves through few keys: which points of the body they move, and how."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.signal import find_peaks

from ..motion.rotations import Array
from . import hermite
from .hermite import Frames

# Share of a direction's mean weight by which each channel holds on to its own value: it matters for what moves nothing,
# as the length of a quaternion does.
OWN_HOLD = 0.05
# How far a channel is off at most that moves nothing: a tenth of a quaternion's length.
DRIFT = 0.1
# Share of the bound that a channel must move a point by, or it is constant.
CONSTANT = 0.02
# An extreme is one that stands out by so many times the bound.
PROMINENCE = 5.0


@dataclass(eq=False)
class Part:
    """Tracks that share their key frames.

    Attributes:
        own: the dense values of the channels that change, side by side (F, n).
        points: the points that they move (P).
        moves: metres by which each point moves per unit of each channel (F, P, 3, n).
        bounds: how far each point may be off (F, P), metres.
        fixed: frames (F) that keep their keys.
        keys: ascending frames (K).
        values, slopes: at the keys (K, n).
        error: by how much these curves move the points away (F, P, 3), metres.
    """

    own: Array
    points: NDArray[np.intp]
    moves: Array
    bounds: Array
    fixed: NDArray[np.bool_]
    blocks: tuple[int, ...]
    keys: Frames = field(init=False)
    values: Array = field(init=False)
    slopes: Array = field(init=False)
    error: Array = field(init=False)
    drift: Array = field(init=False)

    def __post_init__(self) -> None:
        count, n = self.own.shape
        self.keys = np.flatnonzero(self.fixed)
        self._flat = self.moves.reshape(count, -1, n)
        self._weighted = (self.moves / self.bounds[:, :, None, None] ** 2).reshape(count, -1, n)
        metric = np.einsum("fpa,fpb->fab", self._weighted, self._flat)
        holds = np.diagonal(metric, axis1=1, axis2=2).copy()
        start = 0
        for width in self.blocks:
            holds[:, start : start + width] = holds[:, start : start + width].mean(axis=1, keepdims=True)
            start += width
        self.metric = metric + np.eye(n) * (OWN_HOLD * holds + 1.0)[:, None, :]
        self._target = np.einsum("fab,fb->fa", self.metric, self.own)
        self._own_slopes = np.gradient(self.own, axis=0) if count > 1 else np.zeros_like(self.own)

    def fit(self, others: Array | None = None) -> None:
        """Fits the curves at the keys; they make up for what ``others`` (F, P, 3) move the points by."""
        target = self._target
        if others is not None:
            target = target - np.einsum("fpa,fp->fa", self._weighted, others.reshape(len(others), -1))
        self.values, self.slopes = hermite.fit(self.keys, self.metric, target, self._own_slopes[self.keys])
        off = hermite.evaluate(self.keys, self.values, self.slopes, len(self.own)) - self.own
        self.error = np.einsum("fpa,fa->fp", self._flat, off).reshape(len(off), -1, 3)
        self.drift = np.abs(off).max(axis=1) / DRIFT

    def gain(self, start: int, middle: int, stop: int, error: Array) -> float:
        """How much of the weighted squared error (F, P, 3) a new key in the middle of an interval takes away."""
        frames = np.arange(start + 1, stop)
        before, lengths = frames <= middle, (middle - start, stop - middle)
        s = np.where(before, (frames - start) / lengths[0], (frames - middle) / lengths[1])
        value = np.where(before, s * s * (3 - 2 * s), (1 + 2 * s) * (1 - s) ** 2)
        slope = np.where(before, lengths[0] * s * s * (s - 1), lengths[1] * s * (1 - s) ** 2)
        shares = np.stack([value, slope], axis=1)
        n = self.own.shape[1]
        pull = np.einsum("fpa,fp->fa", self._weighted[frames], error[frames].reshape(len(frames), -1))
        slopes = (shares.T @ pull).ravel()
        curvature = np.einsum("fi,fj,fab->iajb", shares, shares, self.metric[frames]).reshape(2 * n, 2 * n)
        curvature += np.eye(2 * n) * (1e-9 * np.trace(curvature) + 1e-30)
        return float(slopes @ np.linalg.solve(curvature, slopes))

    def add(self, frames: Frames) -> None:
        """Adds keys."""
        self.keys = np.union1d(self.keys, frames)

    def peaks(self, ratio: Array) -> Frames:
        """Where to split the intervals in which a ratio (F) is above 1: at its peak, but not near a key."""
        highest = np.maximum.reduceat(ratio, self.keys[:-1])
        found = []
        for index in np.flatnonzero((highest > 1) & (np.diff(self.keys) > 1)):
            start, stop = self.keys[index], self.keys[index + 1]
            margin = max((stop - start) // 4, 1)
            found.append(min(max(start + int(np.argmax(ratio[start:stop])), start + margin), stop - margin))
        return np.array(found, dtype=np.intp)


def extremes(own: Array, moves: Array, bound: float) -> Frames:
    """The frames at which the channel (F, n) that moves the body most turns round."""
    reach = np.linalg.norm(moves, axis=2).max(axis=(0, 1)) * np.ptp(own, axis=0)
    widest = int(np.argmax(reach))
    if reach[widest] <= PROMINENCE * bound:
        return np.zeros(0, dtype=np.intp)
    signal = own[:, widest]
    prominence = PROMINENCE * bound / reach[widest] * np.ptp(signal)
    return np.sort(np.concatenate([find_peaks(sign * signal, prominence=prominence)[0] for sign in (1, -1)]))
