"""The search for few keys: keys are inserted where errors exceed the bounds, and superfluous ones removed.

Cf. knot insertion and removal of splines, Lyche and Morken 1987.
"""

from collections.abc import Callable

import numpy as np

from ..motion.rotations import Array
from . import hermite
from .channels import Channels, Indices, Mask

SINGLE_CHANNEL_BOUND_RATIO = 1.0
"""Share of the bound available to each channel alone at first, since errors of several channels rarely add up."""
PASS_COUNT = 6
"""Number of passes that add and remove keys."""
ROUNDS_PER_PASS = 4
"""Largest number of rounds of adding keys in a pass."""
FINAL_ROUNDS = 40
"""Largest number of rounds of adding keys after all passes."""
PRUNE_SQUARED_RATIO = 4.0
"""Squared error, relative to the bound, below which a key is removed in a pass; other channels may compensate later."""
FINAL_PRUNE_SQUARED_RATIO = 0.95
"""Squared error, relative to the bound, below which a key is removed at the end."""
TARGET_SQUARED_RATIO = 0.95
"""Squared error, relative to the bound, that the search aims for; below 1, since its steps are first-order."""
MAX_NEW_KEYS_PER_FRAME = 3
"""Largest number of keys added for a frame in one round."""
ROUNDS_BEFORE_EXTRA_SWEEPS = 8
"""Number of rounds with one sweep over the channels; later rounds have several."""
EXTRA_SWEEPS = 4
"""Number of sweeps in later rounds."""
RIDGE_RATIO = 1e-6
"""Ridge of the gain of a key relative to the diagonal of its normal equations."""

PointErrors = Callable[[Array], Array]
"""Function from the curves (C, F) to the exact errors of the points (J, 3, F), meters."""


def search_keys(channels: Channels, bone_of_channel: Indices, bound: float, exact_errors: PointErrors) -> None:
    """Add as few keys to channels as possible so that every point is within its error bound.

    Args:
        channels: channels with their fixed keys; changed in place.
        bone_of_channel: (C) the bone of each channel; channels of one bone share frames of keys if possible.
        bound: largest of the points' error bounds, meters.
        exact_errors: function that returns the points' exact errors for given curves.
    """
    _fit_independently(channels, bone_of_channel, bound)
    for _ in range(PASS_COUNT):
        _fit_jointly(channels, bone_of_channel, exact_errors, ROUNDS_PER_PASS)
        _prune_keys(channels, PRUNE_SQUARED_RATIO)
    _fit_jointly(channels, bone_of_channel, exact_errors, FINAL_ROUNDS)
    _key_every_frame(channels, exact_errors)
    while True:
        previous = channels.is_key.copy(), channels.curves.copy()
        if not _prune_keys(channels, FINAL_PRUNE_SQUARED_RATIO):
            return
        channels.point_errors[:] = exact_errors(channels.curves)
        if channels.all_squared_error_ratios().max(initial=0.0) > 1:
            channels.is_key, channels.curves = previous
            return


def _fit_independently(channels: Channels, bone_of_channel: Indices, bound: float) -> None:
    """Add keys until the error of each channel alone is within the bound."""
    chosen = np.arange(len(channels.dense_values))
    while len(chosen):
        channels.fit_independently(chosen)
        off = np.abs(channels.curves - channels.dense_values)
        chosen = _split_intervals(
            channels,
            bone_of_channel,
            np.maximum(off * channels.max_sensitivity / (SINGLE_CHANNEL_BOUND_RATIO * bound), off / channels.max_drift),
        )


def _split_intervals(channels: Channels, bone_of_channel: Indices, ratio: Array) -> Indices:
    """Add a key in each interval in which the ratio (C, F) exceeds 1; return the channels that got keys."""
    owner, starts, stops = channels.key_intervals()
    count = ratio.shape[1]
    highest = np.array([0.0])
    if len(owner):
        ends = np.stack([owner * count + starts, owner * count + stops], axis=1).ravel()
        highest = np.maximum.reduceat(np.append(ratio.ravel(), 0.0), ends)[::2]
    wide = np.flatnonzero((highest > 1) & (stops - starts > 1))
    for channel, start, stop in zip(owner[wide].tolist(), starts[wide].tolist(), stops[wide].tolist(), strict=True):
        peak = start + int(np.argmax(ratio[channel, start:stop]))
        _add_key(channels, bone_of_channel, channel, start, stop, peak)
    return np.unique(owner[wide])


def _add_key(
    channels: Channels, bone_of_channel: Indices, channel: int, start: int, stop: int, preferred_frame: int
) -> None:
    """Add a key inside an interval, near ``preferred_frame`` and, if possible, where the bone has a key already."""
    margin = max((stop - start) // 4, 1)
    first, last = start + margin, stop - margin
    frame = min(max(preferred_frame, first), last)
    others = channels.is_key[bone_of_channel == bone_of_channel[channel], first : last + 1].any(axis=0)
    near = first + np.flatnonzero(others)
    if len(near):
        frame = int(near[np.argmin(np.abs(near - frame))])
    channels.is_key[channel, frame] = True


def _fit_jointly(channels: Channels, bone_of_channel: Indices, exact_errors: PointErrors, rounds: int) -> None:
    """Add keys until all points are within their bounds, for at most ``rounds`` rounds."""
    chosen = np.ones(len(channels.dense_values), dtype=bool)
    for number in range(rounds):
        channels.point_errors[:] = exact_errors(channels.curves)
        for _ in range(1 if number < ROUNDS_BEFORE_EXTRA_SWEEPS else EXTRA_SWEEPS):
            channels.sweep(chosen)
        channels.point_errors[:] = exact_errors(channels.curves)
        ratios = channels.all_squared_error_ratios()
        drift = np.abs(channels.curves - channels.dense_values) / channels.max_drift
        if max(ratios.max(initial=0.0), drift.max(initial=0.0)) <= 1:
            return
        ratios /= TARGET_SQUARED_RATIO
        channels.reweight(ratios)
        chosen = _add_useful_keys(channels, bone_of_channel, ratios)
        chosen[_split_intervals(channels, bone_of_channel, drift)] = True
        chosen |= np.array([(ratios[jacobian.points] > 1).any() for jacobian in channels.jacobians])
        chosen |= number % 4 == 3


def _key_every_frame(channels: Channels, exact_errors: PointErrors) -> None:
    """Put a key on every frame of the channels whose points exceed their bounds, which makes these channels exact."""
    while True:
        channels.point_errors[:] = exact_errors(channels.curves)
        stray: Mask = np.asarray((channels.all_squared_error_ratios() > 1).any(axis=1))
        chosen = np.array([stray[jacobian.points].any() for jacobian in channels.jacobians])
        if channels.is_key[chosen].all():
            return
        channels.restore_dense(chosen)


def _add_useful_keys(channels: Channels, bone_of_channel: Indices, ratios: Array) -> Mask:
    """Add the most useful keys where points exceed their bounds (J, F); return which channels (C) got keys."""
    owner, starts, stops = channels.key_intervals()
    worst = np.array([ratios[jacobian.points].max(axis=0, initial=0.0) for jacobian in channels.jacobians])
    gains = _key_gains(channels, owner, starts, stops, worst)
    missing = np.where((ratios > 1).any(axis=0), MAX_NEW_KEYS_PER_FRAME, 0)
    grown = np.zeros(len(channels.dense_values), dtype=bool)
    for index in np.argsort(-gains)[: int((gains > 0).sum())].tolist():
        channel, start, stop = int(owner[index]), int(starts[index]), int(stops[index])
        if (missing[start : stop + 1][worst[channel, start : stop + 1] > 1] > 0).any():
            _add_key(channels, bone_of_channel, channel, start, stop, (start + stop) // 2)
            missing[start : stop + 1] -= 1
            grown[channel] = True
    return grown


def _key_gains(channels: Channels, owner: Indices, starts: Indices, stops: Indices, worst: Array) -> Array:
    """Return how much a key in the middle of each interval reduces the weighted squared error.

    The gain is 0 where a key cannot be added.
    """
    gains = np.zeros(len(owner))
    for channel, first in enumerate(np.searchsorted(owner, np.arange(len(channels.dense_values)))):
        keys = np.flatnonzero(channels.is_key[channel])
        wide = (np.maximum.reduceat(worst[channel], keys[:-1]) > 1) & (np.diff(keys) > 1)
        if not wide.any():
            continue
        values, slopes = hermite.midpoint_basis(keys, worst.shape[1])
        gradient, weights = channels.gradient(channel), channels.weights[channel]
        heavy = values * weights
        sums = np.stack(
            [values * gradient, slopes * gradient, values * heavy, slopes * heavy, slopes * slopes * weights]
        )
        g, h, a, b, c = np.add.reduceat(sums[:, :-1], keys[:-1], axis=1)
        # With only one frame between two keys, a slope in the middle has no effect.
        ridge = RIDGE_RATIO * (a + c) + 1e-30
        a, c = a + ridge, c + ridge
        gain = (c * g * g - 2 * b * g * h + a * h * h) / (a * c - b * b)
        gains[first : first + len(keys) - 1] = np.where(wide, gain, 0.0)
    return gains


def _prune_keys(channels: Channels, max_squared_ratio: float) -> int:
    """Remove keys whose removal leaves all errors within the given ratio or their present value.

    Return the number of removed keys.
    """
    removed = 0
    for parity in (1, 2):
        for channel in range(len(channels.dense_values)):
            keys = np.flatnonzero(channels.is_key[channel])
            places = np.arange(parity, len(keys) - 1, 2)
            places = places[~channels.fixed_keys[channel, keys[places]]]
            if not len(places):
                continue
            step = _curve_through(channels, channel, np.delete(keys, places)) - channels.curves[channel]
            after, now = channels.squared_error_ratios(channel, step), channels.squared_error_ratios(channel)
            bad = (after > np.maximum(now, max_squared_ratio)).any(axis=0)
            bad |= np.abs(channels.value_errors(channel) + step) > channels.max_drift[channel]
            bad = np.add.reduceat(bad, keys[:-1])
            good = places[(bad[places - 1] + bad[places]) == 0]
            if len(good):
                step = _curve_through(channels, channel, np.delete(keys, good)) - channels.curves[channel]
                channels.is_key[channel, keys[good]] = False
                channels.curves[channel] += step
                channels.apply_step(channel, step)
                removed += len(good)
    return removed


def _curve_through(channels: Channels, channel: int, keys: Indices) -> Array:
    """Return the curve (F) of a channel through only the given keys."""
    values, slopes = channels.values[channel, keys], channels.slopes[channel, keys]
    return hermite.evaluate_curve(keys, values, slopes, channels.dense_values.shape[1])
