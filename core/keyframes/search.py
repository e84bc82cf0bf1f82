"""The search for few keys: adding them where points are off by too much, and taking back those that are not needed."""

from collections.abc import Callable

import numpy as np

from ..motion.rotations import Array
from . import hermite
from .channels import Channels, Indices, Mask

# Share of the bound that a channel may use up by itself at first: not all are off to the same side at once.
ALONE = 1.0
# Times that keys are added and taken back; the rounds of adding each time, and at the end.
PASSES, SHORT, LONG = 6, 4, 40
# How far beyond the bound, squared, taking a key back may bring a point: the others may yet make up for it.
DARING = 4.0
CAUTION = 0.95
# What is aimed at, squared, so that what is done to first order ends within the bound.
AIM = 0.95
# Keys added for one frame in one round.
AT_ONCE = 3
# Rounds after which channels get so many turns at once to agree.
PATIENCE, SWEEPS = 8, 4
RIDGE = 1e-6

TrueError = Callable[[Array], Array]
"""From the curves (C, F) to by how much the points are off (J, 3, F), metres, not only to first order."""


def search(channels: Channels, families: Indices, bound: float, true_error: TrueError) -> None:
    """Finds keys with which every point keeps its bound.

    Args:
        channels: with their fixed keys.
        families: the bone of each channel (C), whose channels have their keys at the same frames where that will do.
        bound: the points' widest bound, metres.
        true_error: by how much the curves move the points.
    """
    _alone(channels, families, bound)
    for _ in range(PASSES):
        _together(channels, families, true_error, SHORT)
        _prune(channels, DARING)
    _together(channels, families, true_error, LONG)
    _give_up(channels, true_error)
    while True:
        kept = channels.keyed.copy(), channels.curves.copy()
        if not _prune(channels, CAUTION):
            return
        channels.error[:] = true_error(channels.curves)
        if channels.all_ratios().max(initial=0.0) > 1:
            channels.keyed, channels.curves = kept
            return


def _alone(channels: Channels, families: Indices, bound: float) -> None:
    """Adds keys until each channel by itself keeps the bound."""
    chosen = np.arange(len(channels.own))
    while len(chosen):
        channels.fit_alone(chosen)
        off = np.abs(channels.curves - channels.own)
        chosen = _split(channels, families, np.maximum(off * channels.reach / (ALONE * bound), off / channels.drift))


def _split(channels: Channels, families: Indices, ratio: Array) -> Indices:
    """Adds a key to each interval in which a ratio (C, F) is above 1; returns the channels that got any."""
    owner, starts, stops = channels.intervals()
    count = ratio.shape[1]
    highest = np.array([0.0])
    if len(owner):
        ends = np.stack([owner * count + starts, owner * count + stops], axis=1).ravel()
        highest = np.maximum.reduceat(np.append(ratio.ravel(), 0.0), ends)[::2]
    wide = np.flatnonzero((highest > 1) & (stops - starts > 1))
    for channel, start, stop in zip(owner[wide].tolist(), starts[wide].tolist(), stops[wide].tolist(), strict=True):
        peak = start + int(np.argmax(ratio[channel, start:stop]))
        _add(channels, families, channel, start, stop, peak)
    return np.unique(owner[wide])


def _add(channels: Channels, families: Indices, channel: int, start: int, stop: int, wanted: int) -> None:
    """Adds a key inside an interval, near a frame but not near the ends, and where the bone has one if it has."""
    margin = max((stop - start) // 4, 1)
    first, last = start + margin, stop - margin
    frame = min(max(wanted, first), last)
    others = channels.keyed[families == families[channel], first : last + 1].any(axis=0)
    near = first + np.flatnonzero(others)
    if len(near):
        frame = int(near[np.argmin(np.abs(near - frame))])
    channels.keyed[channel, frame] = True


def _together(channels: Channels, families: Indices, true_error: TrueError, rounds: int) -> None:
    """Adds keys until all points keep their bounds, or for so many rounds."""
    chosen = np.ones(len(channels.own), dtype=bool)
    for number in range(rounds):
        channels.error[:] = true_error(channels.curves)
        for _ in range(1 if number < PATIENCE else SWEEPS):
            channels.sweep(chosen)
        channels.error[:] = true_error(channels.curves)
        ratios = channels.all_ratios()
        drift = np.abs(channels.curves - channels.own) / channels.drift
        if max(ratios.max(initial=0.0), drift.max(initial=0.0)) <= 1:
            return
        ratios /= AIM
        channels.stress(ratios)
        chosen = _grow(channels, families, ratios)
        chosen[_split(channels, families, drift)] = True
        chosen |= np.array([(ratios[touch.points] > 1).any() for touch in channels.touches])
        chosen |= number % 4 == 3


def _give_up(channels: Channels, true_error: TrueError) -> None:
    """Where points are off by too much all the same, keys every frame of what moves them: then nothing is off."""
    while True:
        channels.error[:] = true_error(channels.curves)
        stray: Mask = np.asarray((channels.all_ratios() > 1).any(axis=1))
        chosen = np.array([stray[touch.points].any() for touch in channels.touches])
        if channels.keyed[chosen].all():
            return
        channels.restore(chosen)


def _grow(channels: Channels, families: Indices, ratios: Array) -> Mask:
    """Adds keys where points (J, F) are off by too much, where most is gained; says which channels got any."""
    owner, starts, stops = channels.intervals()
    worst = np.array([ratios[touch.points].max(axis=0, initial=0.0) for touch in channels.touches])
    gains = _gains(channels, owner, starts, stops, worst)
    missing = np.where((ratios > 1).any(axis=0), AT_ONCE, 0)
    grown = np.zeros(len(channels.own), dtype=bool)
    for index in np.argsort(-gains)[: int((gains > 0).sum())].tolist():
        channel, start, stop = int(owner[index]), int(starts[index]), int(stops[index])
        if (missing[start : stop + 1][worst[channel, start : stop + 1] > 1] > 0).any():
            _add(channels, families, channel, start, stop, (start + stop) // 2)
            missing[start : stop + 1] -= 1
            grown[channel] = True
    return grown


def _gains(channels: Channels, owner: Indices, starts: Indices, stops: Indices, worst: Array) -> Array:
    """How much of the weighted squared error a key in the middle of each interval takes away; 0 where it cannot."""
    gains = np.zeros(len(owner))
    for channel, first in enumerate(np.searchsorted(owner, np.arange(len(channels.own)))):
        keys = np.flatnonzero(channels.keyed[channel])
        wide = (np.maximum.reduceat(worst[channel], keys[:-1]) > 1) & (np.diff(keys) > 1)
        if not wide.any():
            continue
        values, slopes = hermite.bumps(keys, worst.shape[1])
        pull, weights = channels.pull(channel), channels.weights[channel]
        heavy = values * weights
        sums = np.stack([values * pull, slopes * pull, values * heavy, slopes * heavy, slopes * slopes * weights])
        g, h, a, b, c = np.add.reduceat(sums[:, :-1], keys[:-1], axis=1)
        ridge = RIDGE * (a + c) + 1e-30  # where one frame lies between two keys, a slope in the middle does nothing
        a, c = a + ridge, c + ridge
        gain = (c * g * g - 2 * b * g * h + a * h * h) / (a * c - b * b)
        gains[first : first + len(keys) - 1] = np.where(wide, gain, 0.0)
    return gains


def _prune(channels: Channels, daring: float) -> int:
    """Takes back keys without which no point is off by more than it is, or than daring allows; says how many."""
    removed = 0
    for parity in (1, 2):
        for channel in range(len(channels.own)):
            keys = np.flatnonzero(channels.keyed[channel])
            places = np.arange(parity, len(keys) - 1, 2)
            places = places[~channels.fixed[channel, keys[places]]]
            if not len(places):
                continue
            step = _without(channels, channel, np.delete(keys, places)) - channels.curves[channel]
            after, now = channels.ratios(channel, step), channels.ratios(channel)
            bad = (after > np.maximum(now, daring)).any(axis=0)
            bad |= np.abs(channels.off(channel) + step) > channels.drift[channel]
            bad = np.add.reduceat(bad, keys[:-1])
            good = places[(bad[places - 1] + bad[places]) == 0]
            if len(good):
                step = _without(channels, channel, np.delete(keys, good)) - channels.curves[channel]
                channels.keyed[channel, keys[good]] = False
                channels.curves[channel] += step
                channels.shift(channel, step)
                removed += len(good)
    return removed


def _without(channels: Channels, channel: int, keys: Indices) -> Array:
    values, slopes = channels.values[channel, keys], channels.slopes[channel, keys]
    return hermite.evaluate(keys, values, slopes, channels.own.shape[1])
