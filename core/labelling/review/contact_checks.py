"""What is odd about single contacts: too short, unsure, sliding, at rest outside them, too high."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from ...motion.rotations import Array
from ...motion.signals import runs_of
from .context import LEAST, Case, Frames, Suspicion, in_seconds, inner_runs, saturating, sentence


def short_runs(case: Case, column: int) -> Iterator[Suspicion]:
    """Contacts and gaps that are short, for this sensor and beside the clip's others of its kind, on both sides."""
    name, shortest = case.labels.contact_joints[column], case.shortest(column)
    part = name.rpartition(".")[0] or name
    kin = [
        other for other, named in enumerate(case.labels.contact_joints) if (named.rpartition(".")[0] or named) == part
    ]
    whole = next((case.down[side] for side, columns in case.feet.items() if column in columns), None)
    for on in (True, False):
        inner = inner_runs(case.state[:, column] == on)
        seconds = (inner[:, 1] - inner[:, 0]) / case.rate
        all_runs = np.concatenate([inner_runs(case.state[:, other] == on) for other in kin])
        lengths = (all_runs[:, 1] - all_runs[:, 0]) / case.rate
        usual = np.percentile(lengths, 75) if len(lengths) > 3 else max([2.5 * shortest, *lengths])
        rarity = np.clip(1.6 * (1 - (seconds + 1 / case.rate) / usual), 0, 1)
        doubts = 0.8 * np.clip((3.5 * shortest - seconds) / (2 * shortest), 0, 1) * rarity
        for (start, stop), doubt, duration in zip(inner, doubts, seconds, strict=True):
            # A heel that is lost, or touches, for a moment while the toe stands changes no strike.
            if whole is not None and whole[start - 1 : stop + 1].all():
                doubt *= 0.5
            if doubt >= LEAST:
                text = f"{case.words(column)} {'touches' if on else 'is off'} for only {in_seconds(duration)}"
                yield Suspicion(
                    start, stop, start, "SHORT", name, case.thing(column), (column,), float(doubt), sentence(text)
                )


UNSURE: Final = 0.65
"""Confidence from which on a mark is sure enough."""


def unsure_stretches(case: Case, column: int) -> Iterator[Suspicion]:
    """Stretches of low confidence that are longer or deeper than the usual contact's beginning or end."""
    name = case.labels.contact_joints[column]
    confidence = case.labels.confidence[:, column]
    runs = runs_of(confidence < UNSURE)
    if not len(runs):
        return
    lack = np.concatenate([[0.0], np.cumsum(np.maximum(1 - confidence / UNSURE, 0.0))]) / case.rate
    amount = lack[runs[:, 1]] - lack[runs[:, 0]]
    usual = min(float(np.median(amount)), 0.03) if len(runs) > 3 else 0.0
    doubts = 0.75 * saturating(amount - 0.03 - usual, 0.08)
    for (start, stop), doubt in zip(runs, doubts, strict=True):
        if doubt >= LEAST:
            frame = start + int(np.argmin(confidence[start:stop]))
            text = sentence(
                f"it is not clear for {in_seconds((stop - start) / case.rate)} whether the {case.words(column)} touches"
            )
            yield Suspicion(start, stop, frame, "UNSURE", name, case.thing(column), (column,), float(doubt), text)


def _cores(case: Case, column: int) -> tuple[Frames, Frames, Frames]:
    """The contacts of a column (R, 2), and first and end of their inner frames, where the joint ought to rest."""
    runs = runs_of(case.state[:, column])
    trim = np.minimum(round(0.05 * case.rate), (runs[:, 1] - runs[:, 0] - 1) // 2)
    return runs, runs[:, 0] + trim, runs[:, 1] - trim


def _extents(values: Array, starts: Frames, stops: Frames) -> Array:
    """Largest minus smallest (R, ...) of values (F, ...) within each [start, stop)."""
    padded = np.concatenate([values, values[-1:]])
    bounds = np.stack([starts, stops], axis=1).ravel()
    return (np.maximum.reduceat(padded, bounds) - np.minimum.reduceat(padded, bounds))[::2]


def slides(case: Case, column: int) -> Iterator[Suspicion]:
    """Joints that travel or rise while they are marked as down, more than this clip's usually do."""
    runs, starts, stops = _cores(case, column)
    if not len(runs):
        return
    name = case.labels.contact_joints[column]
    extents = _extents(case.tracks[:, column], starts, stops)
    travel, rise = np.linalg.norm(extents[:, :2], axis=-1), extents[:, 2]
    for verb, distance, allowed in (("slides", travel, 0.03), ("moves up and down by", rise, 0.025)):
        usual = min(float(np.median(distance)), 0.03) if len(runs) > 3 else 0.0
        doubts = 0.9 * saturating(distance - allowed - usual, 0.06)
        for (start, stop), doubt, metres in zip(runs, doubts, distance, strict=True):
            if doubt >= LEAST:
                text = sentence(f"{case.words(column)} {verb} {100 * metres:.0f} cm while it is down")
                frame = _fastest(case.tracks[start:stop, column]) + start
                yield Suspicion(start, stop, frame, "SLIDE", name, case.thing(column), (column,), float(doubt), text)


def _fastest(track: Array) -> int:
    """The frame of a track (F, 3) after which it moves most."""
    return int(np.argmax(np.linalg.norm(np.diff(track, axis=0), axis=-1))) if len(track) > 1 else 0


LONGEST_REST: Final = 0.3
"""Seconds beyond a contact within which a joint may still rest."""
AT_REST: Final = 0.015
"""Metres within which a joint is where it was."""


def rests(case: Case, column: int) -> Iterator[Suspicion]:
    """Joints that rest in their place longer than they are marked as down, and longer than usual in this clip."""
    runs = runs_of(case.state[:, column])
    track, reach = case.tracks[:, column], max(round(LONGEST_REST * case.rate), 1)
    inside = np.minimum(round(0.04 * case.rate), (runs[:, 1] - runs[:, 0]) // 2)
    for when, edges, inner, way in (
        ("before it counts as down", runs[:, 0], runs[:, 0] + inside, -1),
        ("after it counts as up", runs[:, 1] - 1, runs[:, 1] - 1 - inside, 1),
    ):
        real = (edges > 0) & (edges < len(track) - 1)
        if not real.any():
            continue
        around = edges[real, None] + way * np.arange(1, reach + 1)
        frames = np.clip(around, 0, len(track) - 1)
        there = np.linalg.norm(track[frames] - track[inner[real], None], axis=-1) < AT_REST
        there &= frames == around
        seconds = np.cumprod(there, axis=1).sum(axis=1) / case.rate
        usual = float(np.median(seconds)) if len(seconds) > 3 else 0.05
        doubts = 0.65 * saturating(seconds - usual - 0.03, 0.09)
        for edge, doubt, rested in zip(edges[real], doubts, seconds, strict=True):
            if doubt >= LEAST:
                text = sentence(f"{case.words(column)} rests for {in_seconds(rested)} {when}")
                first, last = sorted((int(edge), int(edge + way * rested * case.rate)))
                thing = case.thing(column)
                yield Suspicion(first, last, int(edge), "REST", case.name(column), thing, (column,), float(doubt), text)


def heights(case: Case, column: int) -> Iterator[Suspicion]:
    """Contacts higher than both neighbours, or lower than both, which those on stairs and slopes are not."""
    runs, starts, stops = _cores(case, column)
    if len(runs) < 3:
        return
    name = case.labels.contact_joints[column]
    heights = np.concatenate([[0.0], np.cumsum(case.tracks[:, column, 2])])
    mean = (heights[stops] - heights[starts]) / (stops - starts)
    before, after = mean[:-2], mean[2:]
    over = np.zeros_like(mean)
    over[1:-1] = mean[1:-1] - np.clip(mean[1:-1], np.minimum(before, after), np.maximum(before, after))
    usual = min(float(np.median(np.abs(over))), 0.02)
    doubts = 0.8 * saturating(np.abs(over) - 0.03 - usual, 0.05)
    for (start, stop), doubt, metres in zip(runs, doubts, over, strict=True):
        if doubt >= LEAST:
            where = "above" if metres > 0 else "below"
            text = sentence(
                f"{case.words(column)} stands {100 * abs(metres):.0f} cm {where} its contacts before and after"
            )
            middle = (start + stop) // 2
            yield Suspicion(start, stop, middle, "HEIGHT", name, case.thing(column), (column,), float(doubt), text)
