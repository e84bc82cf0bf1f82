"""The search for few keys: adding them where points are off by too much, and taking back those that are not needed."""

from collections.abc import Callable

import numpy as np

from ..motion.rotations import Array
from . import hermite
from .channels import Channels, Indices, Mask

# Share of the bound that a channel may use up by itself at first: not all are off to the same side at once.
SINGLE_CHANNEL_BOUND_RATIO = 1.0
# Times that keys are added and taken back; the rounds of adding each time, and at the end.
PASS_COUNT, ROUNDS_PER_PASS, FINAL_ROUNDS = 6, 4, 40
# How far beyond the bound, squared, taking a key back may bring a point: the others may yet make up for it.
PRUNE_SQUARED_RATIO = 4.0
FINAL_PRUNE_SQUARED_RATIO = 0.95
# What is aimed at, squared, so that what is done to first order ends within the bound.
TARGET_SQUARED_RATIO = 0.95
# Keys added for one frame in one round.
MAX_NEW_KEYS_PER_FRAME = 3
# Rounds after which channels get so many turns at once to agree.
ROUNDS_BEFORE_EXTRA_SWEEPS, EXTRA_SWEEPS = 8, 4
RIDGE_RATIO = 1e-6

PointErrors = Callable[[Array], Array]
"""From the curves (C, F) to by how much the points are off (J, 3, F), metres, not only to first order."""


def search_keys(channels: Channels, bone_of_channel: Indices, bound: float, exact_errors: PointErrors) -> None:
    """Find keys with which every point keeps its bound.

    Args:
        channels: with their fixed keys.
        bone_of_channel: the bone of each channel (C), whose channels have their keys at the same frames where that will do.
        bound: the points' widest bound, metres.
        exact_errors: by how much the curves move the points.
    """
    _fit_independently(channels, bone_of_channel, bound)
    for _ in range(PASS_COUNT):
        _fit_jointly(channels, bone_of_channel, exact_errors, ROUNDS_PER_PASS)
        _prune_keys(channels, PRUNE_SQUARED_RATIO)
    _fit_jointly(channels, bone_of_channel, exact_errors, FINAL_ROUNDS)
    _key_every_frame(channels, exact_errors)
    while True:
        kept = channels.is_key.copy(), channels.curves.copy()
        if not _prune_keys(channels, FINAL_PRUNE_SQUARED_RATIO):
            return
        channels.point_errors[:] = exact_errors(channels.curves)
        if channels.all_squared_error_ratios().max(initial=0.0) > 1:
            channels.is_key, channels.curves = kept
            return


def _fit_independently(channels: Channels, bone_of_channel: Indices, bound: float) -> None:
    """Add keys until each channel by itself keeps the bound."""
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
    """Add a key to each interval in which a ratio (C, F) is above 1; returns the channels that got any."""
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
    """Add a key inside an interval, near a frame but not near the ends, and where the bone has one if it has."""
    margin = max((stop - start) // 4, 1)
    first, last = start + margin, stop - margin
    frame = min(max(preferred_frame, first), last)
    others = channels.is_key[bone_of_channel == bone_of_channel[channel], first : last + 1].any(axis=0)
    near = first + np.flatnonzero(others)
    if len(near):
        frame = int(near[np.argmin(np.abs(near - frame))])
    channels.is_key[channel, frame] = True


def _fit_jointly(channels: Channels, bone_of_channel: Indices, exact_errors: PointErrors, rounds: int) -> None:
    """Add keys until all points keep their bounds, or for so many rounds."""
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
        chosen |= np.array([(ratios[touch.points] > 1).any() for touch in channels.jacobians])
        chosen |= number % 4 == 3


def _key_every_frame(channels: Channels, exact_errors: PointErrors) -> None:
    """Where points are off by too much all the same, keys every frame of what moves them: then nothing is off."""
    while True:
        channels.point_errors[:] = exact_errors(channels.curves)
        stray: Mask = np.asarray((channels.all_squared_error_ratios() > 1).any(axis=1))
        chosen = np.array([stray[touch.points].any() for touch in channels.jacobians])
        if channels.is_key[chosen].all():
            return
        channels.restore_dense(chosen)


def _add_useful_keys(channels: Channels, bone_of_channel: Indices, ratios: Array) -> Mask:
    """Add keys where points (J, F) are off by too much, where most is gained; says which channels got any."""
    owner, starts, stops = channels.key_intervals()
    worst = np.array([ratios[touch.points].max(axis=0, initial=0.0) for touch in channels.jacobians])
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
    """How much of the weighted squared error a key in the middle of each interval takes away; 0 where it cannot."""
    gains = np.zeros(len(owner))
    for channel, first in enumerate(np.searchsorted(owner, np.arange(len(channels.dense_values)))):
        keys = np.flatnonzero(channels.is_key[channel])
        wide = (np.maximum.reduceat(worst[channel], keys[:-1]) > 1) & (np.diff(keys) > 1)
        if not wide.any():
            continue
        values, slopes = hermite.midpoint_basis(keys, worst.shape[1])
        pull, weights = channels.gradient(channel), channels.weights[channel]
        heavy = values * weights
        sums = np.stack([values * pull, slopes * pull, values * heavy, slopes * heavy, slopes * slopes * weights])
        g, h, a, b, c = np.add.reduceat(sums[:, :-1], keys[:-1], axis=1)
        ridge = (
            RIDGE_RATIO * (a + c) + 1e-30
        )  # where one frame lies between two keys, a slope in the middle does nothing
        a, c = a + ridge, c + ridge
        gain = (c * g * g - 2 * b * g * h + a * h * h) / (a * c - b * b)
        gains[first : first + len(keys) - 1] = np.where(wide, gain, 0.0)
    return gains


def _prune_keys(channels: Channels, max_squared_ratio: float) -> int:
    """Take back keys without which no point is off by more than it is, or than daring allows; says how many."""
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
    values, slopes = channels.values[channel, keys], channels.slopes[channel, keys]
    return hermite.evaluate_curve(keys, values, slopes, channels.dense_values.shape[1])
