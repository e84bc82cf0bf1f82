"""Checks of single contacts: too short, uncertain, sliding, too high or low, or rest outside a contact."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from ...message import Message
from ...motion.rotations import Array
from ...motion.signals import FrameIndices, runs_of
from .context import (
    MIN_DOUBT,
    LabelIssue,
    ReviewContext,
    format_seconds,
    inner_runs,
    saturate,
)


def check_short_runs(context: ReviewContext, column: int) -> Iterator[LabelIssue]:
    """Yield issues for contacts of a sensor, or gaps between them, much shorter than usual in the clip."""
    name, shortest = context.labels.contact_joints[column], context.min_contact_duration(column)
    part = name.rpartition(".")[0] or name
    kin = [
        other
        for other, named in enumerate(context.labels.contact_joints)
        if (named.rpartition(".")[0] or named) == part
    ]
    whole = next((context.down[side] for side, columns in context.feet.items() if column in columns), None)
    for on in (True, False):
        inner = inner_runs(context.state[:, column] == on)
        seconds = (inner[:, 1] - inner[:, 0]) / context.rate
        all_runs = np.concatenate([inner_runs(context.state[:, other] == on) for other in kin])
        lengths = (all_runs[:, 1] - all_runs[:, 0]) / context.rate
        usual = np.percentile(lengths, 75) if len(lengths) > 3 else max([2.5 * shortest, *lengths])
        rarity = np.clip(1.6 * (1 - (seconds + 1 / context.rate) / usual), 0, 1)
        doubts = 0.8 * np.clip((3.5 * shortest - seconds) / (2 * shortest), 0, 1) * rarity
        for (start, stop), doubt, duration in zip(inner, doubts, seconds, strict=True):
            # A short gap or contact of the heel while the toe stands changes no strike.
            if whole is not None and whole[start - 1 : stop + 1].all():
                doubt *= 0.5
            if doubt >= MIN_DOUBT:
                template = (
                    Message("{part}: a contact lasts only {duration}")
                    if on
                    else Message("{part}: the gap between two contacts lasts only {duration}")
                )
                text = Message(template, part=context.display_name(column), duration=format_seconds(duration))
                yield LabelIssue(
                    start, stop, start, "SHORT", name, context.subject(column), (column,), float(doubt), text
                )


SURE_CONFIDENCE: Final = 0.65
"""Confidence above which a label is not questioned."""


def check_confidence(context: ReviewContext, column: int) -> Iterator[LabelIssue]:
    """Yield issues for intervals of low confidence that are longer or lower than usual at the edges of contacts."""
    name = context.labels.contact_joints[column]
    confidence = context.labels.confidence[:, column]
    runs = runs_of(confidence < SURE_CONFIDENCE)
    if not len(runs):
        return
    lack = np.concatenate([[0.0], np.cumsum(np.maximum(1 - confidence / SURE_CONFIDENCE, 0.0))]) / context.rate
    amount = lack[runs[:, 1]] - lack[runs[:, 0]]
    usual = min(float(np.median(amount)), 0.03) if len(runs) > 3 else 0.0
    doubts = 0.75 * saturate(amount - 0.03 - usual, 0.08)
    for (start, stop), doubt in zip(runs, doubts, strict=True):
        if doubt >= MIN_DOUBT:
            frame = start + int(np.argmin(confidence[start:stop]))
            text = Message(
                "{part}: a contact is uncertain for {duration}",
                part=context.display_name(column),
                duration=format_seconds((stop - start) / context.rate),
            )
            yield LabelIssue(start, stop, frame, "UNSURE", name, context.subject(column), (column,), float(doubt), text)


def _inner_frames(context: ReviewContext, column: int) -> tuple[FrameIndices, FrameIndices, FrameIndices]:
    """Return a sensor's contacts (R, 2), and the starts and ends (R) of their inner parts, where the joint rests."""
    runs = runs_of(context.state[:, column])
    trim = np.minimum(round(0.05 * context.rate), (runs[:, 1] - runs[:, 0] - 1) // 2)
    return runs, runs[:, 0] + trim, runs[:, 1] - trim


def _interval_extents(values: Array, starts: FrameIndices, stops: FrameIndices) -> Array:
    """Return the range (R, ...), largest minus smallest, of values (F, ...) within each [start, stop)."""
    padded = np.concatenate([values, values[-1:]])
    bounds = np.stack([starts, stops], axis=1).ravel()
    return (np.maximum.reduceat(padded, bounds) - np.minimum.reduceat(padded, bounds))[::2]


def check_sliding(context: ReviewContext, column: int) -> Iterator[LabelIssue]:
    """Yield issues for contacts in which the joint slides or rises more than usual in this clip."""
    runs, starts, stops = _inner_frames(context, column)
    if not len(runs):
        return
    name = context.labels.contact_joints[column]
    extents = _interval_extents(context.sensor_tracks[:, column], starts, stops)
    travel, rise = np.linalg.norm(extents[:, :2], axis=-1), extents[:, 2]
    for template, distance, allowed in (
        (Message("{part}: slides {distance} cm during a contact"), travel, 0.03),
        (Message("{part}: moves up and down by {distance} cm during a contact"), rise, 0.025),
    ):
        usual = min(float(np.median(distance)), 0.03) if len(runs) > 3 else 0.0
        doubts = 0.9 * saturate(distance - allowed - usual, 0.06)
        for (start, stop), doubt, meters in zip(runs, doubts, distance, strict=True):
            if doubt >= MIN_DOUBT:
                text = Message(template, part=context.display_name(column), distance=f"{100 * meters:.0f}")
                frame = _fastest_frame(context.sensor_tracks[start:stop, column]) + start
                yield LabelIssue(
                    start, stop, frame, "SLIDE", name, context.subject(column), (column,), float(doubt), text
                )


def _fastest_frame(track: Array) -> int:
    """Return the frame after which a track (F, 3) moves farthest by the next frame."""
    return int(np.argmax(np.linalg.norm(np.diff(track, axis=0), axis=-1))) if len(track) > 1 else 0


MAX_REST_BEYOND_S: Final = 0.3
"""Longest time before or after a contact in which a rest is measured."""
REST_TOLERANCE_M: Final = 0.015
"""Largest movement of an adult's joint that counts as rest."""


def check_rests(context: ReviewContext, column: int) -> Iterator[LabelIssue]:
    """Yield issues for contacts before or after which the joint rests longer than usual in this clip."""
    runs = runs_of(context.state[:, column])
    track, reach = context.sensor_tracks[:, column], max(round(MAX_REST_BEYOND_S * context.rate), 1)
    inside = np.minimum(round(0.04 * context.rate), (runs[:, 1] - runs[:, 0]) // 2)
    for template, edges, inner, sign in (
        (Message("{part}: rests for {duration} before the contact begins"), runs[:, 0], runs[:, 0] + inside, -1),
        (Message("{part}: rests for {duration} after the contact ends"), runs[:, 1] - 1, runs[:, 1] - 1 - inside, 1),
    ):
        real = (edges > 0) & (edges < len(track) - 1)
        if not real.any():
            continue
        around = edges[real, None] + sign * np.arange(1, reach + 1)
        frames = np.clip(around, 0, len(track) - 1)
        there = np.linalg.norm(track[frames] - track[inner[real], None], axis=-1) < REST_TOLERANCE_M
        there &= frames == around
        seconds = np.cumprod(there, axis=1).sum(axis=1) / context.rate
        usual = float(np.median(seconds)) if len(seconds) > 3 else 0.05
        doubts = 0.65 * saturate(seconds - usual - 0.03, 0.09)
        for edge, doubt, rested in zip(edges[real], doubts, seconds, strict=True):
            if doubt >= MIN_DOUBT:
                text = Message(template, part=context.display_name(column), duration=format_seconds(rested))
                first, last = sorted((int(edge), int(edge + sign * rested * context.rate)))
                subject = context.subject(column)
                yield LabelIssue(
                    first, last, int(edge), "REST", context.sensor_name(column), subject, (column,), float(doubt), text
                )


def check_heights(context: ReviewContext, column: int) -> Iterator[LabelIssue]:
    """Yield issues for contacts higher, or lower, than both the previous and the next contact, unlike on stairs."""
    runs, starts, stops = _inner_frames(context, column)
    if len(runs) < 3:
        return
    name = context.labels.contact_joints[column]
    heights = np.concatenate([[0.0], np.cumsum(context.sensor_tracks[:, column, 2])])
    mean = (heights[stops] - heights[starts]) / (stops - starts)
    before, after = mean[:-2], mean[2:]
    over = np.zeros_like(mean)
    over[1:-1] = mean[1:-1] - np.clip(mean[1:-1], np.minimum(before, after), np.maximum(before, after))
    usual = min(float(np.median(np.abs(over))), 0.02)
    doubts = 0.8 * saturate(np.abs(over) - 0.03 - usual, 0.05)
    for (start, stop), doubt, meters in zip(runs, doubts, over, strict=True):
        if doubt >= MIN_DOUBT:
            template = (
                Message("{part}: is {distance} cm higher than in the contacts before and after")
                if meters > 0
                else Message("{part}: is {distance} cm lower than in the contacts before and after")
            )
            text = Message(template, part=context.display_name(column), distance=f"{100 * abs(meters):.0f}")
            middle = (start + stop) // 2
            yield LabelIssue(
                start, stop, middle, "HEIGHT", name, context.subject(column), (column,), float(doubt), text
            )
