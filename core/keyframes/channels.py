"""All channels of a body as curves through few keys, with the effect of each channel on the body's points."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..motion.rotations import Array
from . import hermite
from .hermite import Frames

Mask = NDArray[np.bool_]
Indices = NDArray[np.intp]

VALUE_REGULARIZATION = 0.02
"""Weight of a channel's original value in the fit, relative to the weight of its points."""
MIN_REGULARIZATION = 1e-4
"""Least weight of a channel's original value, relative to the channel's mean weight."""
DRIFT_REGULARIZATION = 0.25
"""Weight of a channel's original value, times its largest allowed drift squared."""
END_FRAME_REGULARIZATION = 1e3
"""Relative weight of a channel's original value at the first and last frame, where other motion may be joined."""
WEIGHT_GROWTH_EXPONENT = 0.25
"""Exponent of the squared error ratio in the growth factor of the weight of a frame beyond its bound."""
MIN_WEIGHT_GROWTH = 1.2
"""Least growth factor of the weight of a frame beyond its bound."""
MAX_FRAME_WEIGHT = 1e3
"""Largest relative weight of a frame that repeatedly exceeds its bound."""


@dataclass(frozen=True, slots=True, eq=False)
class ChannelJacobian:
    """The P points that one channel moves, and their derivatives (P, 3, F), meters per unit of the channel."""

    points: Indices
    derivatives: Array


class Channels:
    """C channels of F frames, their reduced curves, and the errors that these curves cause at J points.

    Channels are fitted in turn while the others are fixed (block coordinate descent), by iteratively reweighted least
    squares (Lawson 1961), which approaches the least maximum error.

    Args:
        dense_values: (C, F) original values of the channels, one per frame.
        jacobians: the Jacobian of each channel.
        bounds: (J, F) largest allowed errors of the points, meters.
        fixed_keys: (C, F) whether a frame must keep its key; true for the first and the last.
        max_drift: (C) largest allowed errors of the channels' values, in their own units; infinite without a limit.

    Attributes:
        is_key: (C, F) whether a frame has a key.
        values: (C, F) values of the keys, meaningful only at keys.
        slopes: (C, F) slopes of the keys per frame, meaningful only at keys.
        curves: (C, F) values of the reduced curves.
        max_sensitivity: (C, F) largest displacement of a point per unit of a channel, meters.
        weights: (C, F) weights of the frames in the fit of each channel.
        point_errors: (J, 3, F) errors of the points, meters; first-order estimates until set exactly.
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
        """Fit the curves of the channels at indices ``chosen`` to their original values, each channel by itself."""
        self._fit(chosen, np.zeros((len(chosen), self.dense_values.shape[1])))

    def sweep(self, chosen: Mask) -> None:
        """Refit the curves of the channels in the mask ``chosen`` (C) one by one, each to reduce the points' errors."""
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
        """Return the signed errors (F) of a channel's curve, curve minus original values, in the channel's unit."""
        return self.curves[channel] - self.dense_values[channel]

    def gradient(self, channel: int) -> Array:
        """Return the negative gradient (F), by a channel's values, of half the points' weighted squared errors."""
        jacobian = self.jacobians[channel]
        weighted_errors = self.point_errors[jacobian.points] * self._weights[jacobian.points, None]
        return -np.einsum("pxf,pxf->f", jacobian.derivatives, weighted_errors).astype(float)

    def apply_step(self, channel: int, step: Array) -> None:
        """Update ``point_errors``, to first order, for a change ``step`` (F) of a channel's values."""
        jacobian = self.jacobians[channel]
        self.point_errors[jacobian.points] += jacobian.derivatives * step.astype(np.float32)

    def squared_error_ratios(self, channel: int, step: Array | None = None) -> Array:
        """Return the squares (P, F) of error over bound for the points that a channel moves; above 1 beyond the bound.

        With ``step`` (F), the errors are those after this change of the channel's values.
        """
        jacobian = self.jacobians[channel]
        error = self.point_errors[jacobian.points]
        if step is not None:
            error = error + jacobian.derivatives * step.astype(np.float32)
        return np.einsum("pxf,pxf->pf", error, error) * self._inverse_squared_bounds[jacobian.points]

    def all_squared_error_ratios(self) -> Array:
        """Return the squares (J, F) of error over bound for all points; above 1 beyond the bound."""
        return np.einsum("pxf,pxf->pf", self.point_errors, self.point_errors) * self._inverse_squared_bounds

    def reweight(self, ratios: Array) -> None:
        """Raise the weights of frames with a squared ratio of error to bound (J, F) above 1, or a drifting channel."""
        heavier = np.where(ratios > 1, np.maximum(ratios**WEIGHT_GROWTH_EXPONENT, MIN_WEIGHT_GROWTH), 1.0).astype(
            np.float32
        )
        self._weights = np.minimum(self._weights * heavier, self._inverse_squared_bounds * MAX_FRAME_WEIGHT)
        drift = np.abs(self.curves - self.dense_values) > self.max_drift
        self._regularization[drift] = np.maximum(self._regularization * 10, self._point_weights * 0.1)[drift]
        self._update_weights()

    def restore_dense(self, chosen: Mask) -> None:
        """Reset the channels in the mask ``chosen`` (C) to their original values, with keys on all frames."""
        self.is_key[chosen] = True
        self.values[chosen] = self.curves[chosen] = self.dense_values[chosen]
        self.slopes[chosen] = self._dense_slopes[chosen]

    def key_intervals(self) -> tuple[Indices, Frames, Frames]:
        """Return the channel, the first and the last frame (N) of each of the N intervals between neighboring keys."""
        count = self.dense_values.shape[1]
        keys = np.flatnonzero(self.is_key)
        start, stop = keys[:-1], keys[1:]
        inside = start // count == stop // count
        return start[inside] // count, start[inside] % count, stop[inside] % count

    def _fit(self, chosen: Indices, linear_term: Array) -> None:
        """Fit the curves of the channels ``chosen`` to their own values, with a linear term (C, F) in the objective."""
        weights = self.weights[chosen]
        keys = np.flatnonzero(self.is_key[chosen])
        rows, frames = chosen[keys // self.dense_values.shape[1]], keys % self.dense_values.shape[1]
        targets = weights * self.dense_values[chosen] + linear_term
        slopes = self._dense_slopes[rows, frames]
        values, slopes, curves = hermite.fit_curve(keys, weights.ravel(), targets.ravel(), slopes)
        self.values[rows, frames], self.slopes[rows, frames] = values, slopes
        self.curves[chosen] = curves.reshape(len(chosen), -1)

    def _update_weights(self) -> None:
        """Recompute the channels' weights from the points' weights."""
        weights = [
            np.einsum("pxf,pxf,pf->f", jacobian.derivatives, jacobian.derivatives, self._weights[jacobian.points])
            for jacobian in self.jacobians
        ]
        self._point_weights = np.array(weights, dtype=float).reshape(self.dense_values.shape)
        self._regularization[:, [0, -1]] = np.maximum(
            self._regularization[:, [0, -1]], END_FRAME_REGULARIZATION * self._point_weights[:, [0, -1]]
        )
        self.weights = (1 + VALUE_REGULARIZATION) * self._point_weights + self._regularization

    def _independent_batches(self) -> list[Indices]:
        """Divide the channels into batches in which no two move the same point, parents before children."""
        latest: dict[int, int] = {}
        batches: list[list[int]] = []
        for channel, jacobian in enumerate(self.jacobians):
            number = 1 + max((latest.get(point, -1) for point in jacobian.points.tolist()), default=-1)
            latest.update(dict.fromkeys(jacobian.points.tolist(), number))
            if number == len(batches):
                batches.append([])
            batches[number].append(channel)
        return [np.array(batch, dtype=np.intp) for batch in batches]
