"""All channels of a body as curves through few keys: which points each moves, and by how much."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..motion.rotations import Array
from . import hermite
from .hermite import Frames

Mask = NDArray[np.bool_]
Indices = NDArray[np.intp]

# How firmly a channel holds on to its own value, as a share of what its points ask for.
OWN_HOLD = 0.02
# The least of it everywhere, as a share of the channel's mean, and where a channel may drift, over its drift squared.
LEAST_HOLD, DRIFT_HOLD = 1e-4, 0.25
# The same at the first and the last frame, where other motions may join on.
END_HOLD = 1e3
# How quickly a frame counts more that is off by too much: a power of its squared ratio, and the least.
STRESS, LEAST_STRESS = 0.25, 1.2
# How much more a frame counts, at most, that is off by too much again and again.
HEAVIEST = 1e3


@dataclass(frozen=True, slots=True, eq=False)
class Touch:
    """What one channel moves: the points (P), and metres by which each goes per unit (P, 3, F)."""

    points: Indices
    moves: Array


class Channels:
    """Channels (C) of (F) frames each, curves for them, and by how much the points (J) are off with these.

    Args:
        own: the dense values (C, F).
        touches: what each moves.
        bounds: how far each point may be off (J, F), metres.
        fixed: the frames (C, F) that keep their keys, the first and the last among them.
        drift: how far each channel (C) may be off whatever it moves, in its own units; infinite where it may.

    Attributes:
        keyed: (C, F) where there are keys.
        values, slopes: (C, F) what the keys hold; it counts where there are keys.
        curves: the curves' values (C, F).
        reach: metres by which a channel moves a point at most, per unit (C, F).
        weights: how much each frame of a channel counts (C, F).
        error: by how much the points are off (J, 3, F), metres, to first order or as last told.
    """

    def __init__(self, own: Array, touches: Sequence[Touch], bounds: Array, fixed: Mask, drift: Array) -> None:
        self.own, self.touches, self.fixed, self.drift = own, list(touches), fixed, drift[:, None]
        self.keyed, self.curves = fixed.copy(), own.copy()
        self.values, self.slopes = own.copy(), np.gradient(own, axis=1, edge_order=2)
        self._own_slopes = self.slopes.copy()
        self.reach = np.array([np.sqrt(np.square(t.moves).sum(axis=1).max(axis=0, initial=0.0)) for t in self.touches])
        self.error = np.zeros((len(bounds), 3, own.shape[1]), dtype=np.float32)
        self._square = (1 / bounds**2).astype(np.float32)
        self._weights = self._square.copy()
        self._hold = np.zeros_like(own)
        self._weigh()
        self._hold += np.maximum(LEAST_HOLD * self._asked.mean(axis=1, keepdims=True), DRIFT_HOLD / self.drift**2)
        self._weigh()
        self._batches = self._independent()

    def fit_alone(self, chosen: Indices) -> None:
        """Fits the curves of some channels to their own values."""
        self._fit(chosen, np.zeros((len(chosen), self.own.shape[1])))

    def sweep(self, chosen: Mask) -> None:
        """Fits the curves of some channels (C), one after the other, each making up for what the points are off by."""
        for batch in self._batches:
            some = batch[chosen[batch]]
            if len(some):
                before = self.curves[some]
                self._fit(some, np.array([self.pull(c) + self._asked[c] * self.off(c) for c in some]))
                for channel, step in zip(some, self.curves[some] - before, strict=True):
                    self.shift(channel, step)

    def off(self, channel: int) -> Array:
        """By how much a curve is off its channel (F)."""
        return self.curves[channel] - self.own[channel]

    def pull(self, channel: int) -> Array:
        """How strongly (F) the points ask a channel to make up for what they are off by."""
        touch = self.touches[channel]
        asked = self.error[touch.points] * self._weights[touch.points, None]
        return -np.einsum("pxf,pxf->f", touch.moves, asked).astype(float)

    def shift(self, channel: int, step: Array) -> None:
        """Moves the points as a channel does whose values change (F)."""
        touch = self.touches[channel]
        self.error[touch.points] += touch.moves * step.astype(np.float32)

    def ratios(self, channel: int, step: Array | None = None) -> Array:
        """How far the points of a channel are off (P, F), squared, in bounds; also after a change of its values (F)."""
        touch = self.touches[channel]
        error = self.error[touch.points]
        if step is not None:
            error = error + touch.moves * step.astype(np.float32)
        return np.einsum("pxf,pxf->pf", error, error) * self._square[touch.points]

    def all_ratios(self) -> Array:
        """How far all points are off (J, F), squared, in bounds."""
        return np.einsum("pxf,pxf->pf", self.error, self.error) * self._square

    def stress(self, ratios: Array) -> None:
        """Has frames count more at which points are off by a ratio (J, F) above 1, or channels by too much."""
        heavier = np.where(ratios > 1, np.maximum(ratios**STRESS, LEAST_STRESS), 1.0).astype(np.float32)
        self._weights = np.minimum(self._weights * heavier, self._square * HEAVIEST)
        drift = np.abs(self.curves - self.own) > self.drift
        self._hold[drift] = np.maximum(self._hold * 10, self._asked * 0.1)[drift]
        self._weigh()

    def restore(self, chosen: Mask) -> None:
        """Gives some channels (C) their own values, with keys on all frames."""
        self.keyed[chosen] = True
        self.values[chosen] = self.curves[chosen] = self.own[chosen]
        self.slopes[chosen] = self._own_slopes[chosen]

    def intervals(self) -> tuple[Indices, Frames, Frames]:
        """Channel, first and last frame of all intervals between keys."""
        count = self.own.shape[1]
        keys = np.flatnonzero(self.keyed)
        start, stop = keys[:-1], keys[1:]
        inside = start // count == stop // count
        return start[inside] // count, start[inside] % count, stop[inside] % count

    def _fit(self, chosen: Indices, shift: Array) -> None:
        weights = self.weights[chosen]
        keys = np.flatnonzero(self.keyed[chosen])
        rows, frames = chosen[keys // self.own.shape[1]], keys % self.own.shape[1]
        pull = weights * self.own[chosen] + shift
        slopes = self._own_slopes[rows, frames]
        values, slopes, curves = hermite.fit(keys, weights.ravel(), pull.ravel(), slopes)
        self.values[rows, frames], self.slopes[rows, frames] = values, slopes
        self.curves[chosen] = curves.reshape(len(chosen), -1)

    def _weigh(self) -> None:
        asked = [np.einsum("pxf,pxf,pf->f", t.moves, t.moves, self._weights[t.points]) for t in self.touches]
        self._asked = np.array(asked, dtype=float).reshape(self.own.shape)
        self._hold[:, [0, -1]] = np.maximum(self._hold[:, [0, -1]], END_HOLD * self._asked[:, [0, -1]])
        self.weights = (1 + OWN_HOLD) * self._asked + self._hold

    def _independent(self) -> list[Indices]:
        """The channels in batches of which no two move the same point, parents before children."""
        latest: dict[int, int] = {}
        batches: list[list[int]] = []
        for channel, touch in enumerate(self.touches):
            number = 1 + max((latest.get(point, -1) for point in touch.points.tolist()), default=-1)
            latest.update(dict.fromkeys(touch.points.tolist(), number))
            if number == len(batches):
                batches.append([])
            batches[number].append(channel)
        return [np.array(batch, dtype=np.intp) for batch in batches]
