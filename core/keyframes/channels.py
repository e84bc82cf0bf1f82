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
VALUE_REGULARIZATION = 0.02
# The least of it everywhere, as a share of the channel's mean, and where a channel may drift, over its drift squared.
MIN_REGULARIZATION, DRIFT_REGULARIZATION = 1e-4, 0.25
# The same at the first and the last frame, where other motions may join on.
END_FRAME_REGULARIZATION = 1e3
# How quickly a frame counts more that is off by too much: a power of its squared ratio, and the least.
WEIGHT_GROWTH_EXPONENT, MIN_WEIGHT_GROWTH = 0.25, 1.2
# How much more a frame counts, at most, that is off by too much again and again.
MAX_FRAME_WEIGHT = 1e3


@dataclass(frozen=True, slots=True, eq=False)
class ChannelJacobian:
    """What one channel moves: the points (P), and metres by which each goes per unit (P, 3, F)."""

    points: Indices
    derivatives: Array


class Channels:
    """Channels (C) of (F) frames each, curves for them, and by how much the points (J) are off with these.

    Args:
        own: the dense values (C, F).
        jacobians: what each moves.
        bounds: how far each point may be off (J, F), metres.
        fixed_keys: the frames (C, F) that keep their keys, the first and the last among them.
        drift: how far each channel (C) may be off whatever it moves, in its own units; infinite where it may.

    Attributes:
        keyed: (C, F) where there are keys.
        values, slopes: (C, F) what the keys hold; it counts where there are keys.
        curves: the curves' values (C, F).
        reach: metres by which a channel moves a point at most, per unit (C, F).
        weights: how much each frame of a channel counts (C, F).
        error: by how much the points are off (J, 3, F), metres, to first order or as last told.
    """

    def __init__(
        self,
        dense_values: Array,
        jacobians: Sequence[ChannelJacobian],
        bounds: Array,
        fixed_keys: Mask,
        max_drift: Array,
    ) -> None:
        self.dense_values, self.jacobians, self.fixed_keys, self.max_drift = (
            dense_values,
            list(jacobians),
            fixed_keys,
            max_drift[:, None],
        )
        self.is_key, self.curves = fixed_keys.copy(), dense_values.copy()
        self.values, self.slopes = dense_values.copy(), np.gradient(dense_values, axis=1, edge_order=2)
        self._dense_slopes = self.slopes.copy()
        self.max_sensitivity = np.array(
            [np.sqrt(np.square(t.derivatives).sum(axis=1).max(axis=0, initial=0.0)) for t in self.jacobians]
        )
        self.point_errors = np.zeros((len(bounds), 3, dense_values.shape[1]), dtype=np.float32)
        self._inverse_squared_bounds = (1 / bounds**2).astype(np.float32)
        self._weights = self._inverse_squared_bounds.copy()
        self._regularization = np.zeros_like(dense_values)
        self._update_weights()
        self._regularization += np.maximum(
            MIN_REGULARIZATION * self._point_weights.mean(axis=1, keepdims=True),
            DRIFT_REGULARIZATION / self.max_drift**2,
        )
        self._update_weights()
        self._batches = self._independent_batches()

    def fit_independently(self, chosen: Indices) -> None:
        """Fits the curves of some channels to their own values."""
        self._fit(chosen, np.zeros((len(chosen), self.dense_values.shape[1])))

    def sweep(self, chosen: Mask) -> None:
        """Fits the curves of some channels (C), one after the other, each making up for what the points are off by."""
        for batch in self._batches:
            some = batch[chosen[batch]]
            if len(some):
                before = self.curves[some]
                self._fit(
                    some, np.array([self.gradient(c) + self._point_weights[c] * self.value_errors(c) for c in some])
                )
                for channel, step in zip(some, self.curves[some] - before, strict=True):
                    self.apply_step(channel, step)

    def value_errors(self, channel: int) -> Array:
        """By how much a curve is off its channel (F)."""
        return self.curves[channel] - self.dense_values[channel]

    def gradient(self, channel: int) -> Array:
        """How strongly (F) the points ask a channel to make up for what they are off by."""
        touch = self.jacobians[channel]
        asked = self.point_errors[touch.points] * self._weights[touch.points, None]
        return -np.einsum("pxf,pxf->f", touch.derivatives, asked).astype(float)

    def apply_step(self, channel: int, step: Array) -> None:
        """Move the points as a channel does whose values change (F)."""
        touch = self.jacobians[channel]
        self.point_errors[touch.points] += touch.derivatives * step.astype(np.float32)

    def squared_error_ratios(self, channel: int, step: Array | None = None) -> Array:
        """How far the points of a channel are off (P, F), squared, in bounds; also after a change of its values (F)."""
        touch = self.jacobians[channel]
        error = self.point_errors[touch.points]
        if step is not None:
            error = error + touch.derivatives * step.astype(np.float32)
        return np.einsum("pxf,pxf->pf", error, error) * self._inverse_squared_bounds[touch.points]

    def all_squared_error_ratios(self) -> Array:
        """How far all points are off (J, F), squared, in bounds."""
        return np.einsum("pxf,pxf->pf", self.point_errors, self.point_errors) * self._inverse_squared_bounds

    def reweight(self, ratios: Array) -> None:
        """Has frames count more at which points are off by a ratio (J, F) above 1, or channels by too much."""
        heavier = np.where(ratios > 1, np.maximum(ratios**WEIGHT_GROWTH_EXPONENT, MIN_WEIGHT_GROWTH), 1.0).astype(
            np.float32
        )
        self._weights = np.minimum(self._weights * heavier, self._inverse_squared_bounds * MAX_FRAME_WEIGHT)
        drift = np.abs(self.curves - self.dense_values) > self.max_drift
        self._regularization[drift] = np.maximum(self._regularization * 10, self._point_weights * 0.1)[drift]
        self._update_weights()

    def restore_dense(self, chosen: Mask) -> None:
        """Give some channels (C) their own values, with keys on all frames."""
        self.is_key[chosen] = True
        self.values[chosen] = self.curves[chosen] = self.dense_values[chosen]
        self.slopes[chosen] = self._dense_slopes[chosen]

    def key_intervals(self) -> tuple[Indices, Frames, Frames]:
        """Channel, first and last frame of all intervals between keys."""
        count = self.dense_values.shape[1]
        keys = np.flatnonzero(self.is_key)
        start, stop = keys[:-1], keys[1:]
        inside = start // count == stop // count
        return start[inside] // count, start[inside] % count, stop[inside] % count

    def _fit(self, chosen: Indices, linear_term: Array) -> None:
        weights = self.weights[chosen]
        keys = np.flatnonzero(self.is_key[chosen])
        rows, frames = chosen[keys // self.dense_values.shape[1]], keys % self.dense_values.shape[1]
        pull = weights * self.dense_values[chosen] + linear_term
        slopes = self._dense_slopes[rows, frames]
        values, slopes, curves = hermite.fit_curve(keys, weights.ravel(), pull.ravel(), slopes)
        self.values[rows, frames], self.slopes[rows, frames] = values, slopes
        self.curves[chosen] = curves.reshape(len(chosen), -1)

    def _update_weights(self) -> None:
        asked = [
            np.einsum("pxf,pxf,pf->f", t.derivatives, t.derivatives, self._weights[t.points]) for t in self.jacobians
        ]
        self._point_weights = np.array(asked, dtype=float).reshape(self.dense_values.shape)
        self._regularization[:, [0, -1]] = np.maximum(
            self._regularization[:, [0, -1]], END_FRAME_REGULARIZATION * self._point_weights[:, [0, -1]]
        )
        self.weights = (1 + VALUE_REGULARIZATION) * self._point_weights + self._regularization

    def _independent_batches(self) -> list[Indices]:
        """Return the channels in batches of which no two move the same point, parents before children."""
        latest: dict[int, int] = {}
        batches: list[list[int]] = []
        for channel, touch in enumerate(self.jacobians):
            number = 1 + max((latest.get(point, -1) for point in touch.points.tolist()), default=-1)
            latest.update(dict.fromkeys(touch.points.tolist(), number))
            if number == len(batches):
                batches.append([])
            batches[number].append(channel)
        return [np.array(batch, dtype=np.intp) for batch in batches]
