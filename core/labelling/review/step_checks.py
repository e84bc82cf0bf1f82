"""Checks of steps and gaits: order, pace and duration of steps, flights without a jump, gaits that flicker."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from ...actions import actions_that
from ...message import Message, shown
from ...motion.rotations import Array
from ...motion.signals import FrameIndices, Mask, runs_of
from ..labels import Labels
from .context import (
    FEET_SUBJECT,
    FOOT_NAMES,
    MIN_DOUBT,
    LabelIssue,
    ReviewContext,
    format_seconds,
    inner_runs,
    saturate,
)

FOOTLESS_ACTIONS: Final = actions_that(lambda one: one.lifts_feet)
"""Actions in which both feet may leave the ground."""


def _ordered_strikes(context: ReviewContext) -> tuple[FrameIndices, FrameIndices]:
    """Return the frames of all strikes in order of time, and the side of each: 0 left, 1 right."""
    left, right = context.labels.left_strikes, context.labels.right_strikes
    frames = np.concatenate([left, right]).astype(np.intp)
    sides = np.concatenate([np.zeros(len(left), dtype=np.intp), np.ones(len(right), dtype=np.intp)])
    turns = np.argsort(frames, kind="stable")
    return frames[turns], sides[turns]


DEFAULT_STEP_S: Final = 0.55
"""Step time assumed for a clip with too few strikes."""


def _strike_issue(
    context: ReviewContext, kind: str, side: int, start: int, stop: int, frame: int, doubt: float, text: Message
) -> LabelIssue:
    """Return an issue about a strike of one foot."""
    letter = "LR"[side]
    columns = context.feet.get(letter, ())
    return LabelIssue(int(start), int(stop), int(frame), kind, letter, FEET_SUBJECT, columns, float(doubt), text)


def check_strike_order(context: ReviewContext) -> Iterator[LabelIssue]:
    """Yield issues for two strikes of one foot in a row, both feet striking at once, and long moves without strikes."""
    frames, sides = _ordered_strikes(context)
    if len(frames) < 2:
        return
    gaps, same = np.diff(frames), sides[1:] == sides[:-1]
    strides = np.concatenate([np.diff(context.labels.left_strikes), np.diff(context.labels.right_strikes)])
    step = float(np.median(strides)) / 2 if len(strides) > 2 else DEFAULT_STEP_S * context.rate
    moving = 1 - context.standing_share(frames[:-1], frames[1:])
    for index in np.flatnonzero(same | (gaps < 0.3 * step) | (gaps > 2 * step)):
        here, there, side, gap = frames[index], frames[index + 1], sides[index + 1], gaps[index]
        seconds = format_seconds(gap / context.rate)
        if same[index] and gap < 1.3 * step:
            text = Message(
                "{foot}: strikes the ground twice within {duration}", foot=FOOT_NAMES["LR"[side]], duration=seconds
            )
            doubt = 0.9 - 0.3 * max(gap / step - 0.6, 0)
            yield _strike_issue(context, "ORDER", side, there - 1, there + 1, there, doubt, text)
        elif same[index]:
            text = Message(
                "{foot}: a foot strike may be missing between two strikes of the other foot",
                foot=FOOT_NAMES["RL"[side]],
            )
            doubt = moving[index] * (0.85 if gap < 3 * step else 0.6)
            yield _strike_issue(context, "ORDER", 1 - side, here, there, (here + there) // 2, doubt, text)
        elif gap < 0.3 * step:
            doubt = 0.75 * (1 - gap / (0.3 * step)) * _no_jump_share(context, here)
            text = Message("Both feet strike the ground within {duration}", duration=seconds)
            yield _strike_issue(context, "ORDER", side, there - 1, there + 1, there, doubt, text)
        else:
            doubt = 0.8 * moving[index] * float(saturate(np.array(gap / step - 1.8), 0.6))
            text = Message("There is no step for {duration}, though the character moves", duration=seconds)
            yield _strike_issue(context, "ORDER", side, here, there, (here + there) // 2, doubt, text)


def _no_jump_share(context: ReviewContext, frame: int) -> float:
    """Return 1 minus the largest share of *jump* around a frame: both feet may land at once after a jump."""
    names = context.labels.gait_names
    if "jump" not in names:
        return 1.0
    reach = round(0.3 * context.rate)
    return 1 - float(context.labels.gaits[max(frame - reach, 0) : frame + reach, names.index("jump")].max())


def check_pace(context: ReviewContext) -> Iterator[LabelIssue]:
    """Yield issues for strikes at which the phase rate changes more than at nearby strikes of the same foot.

    A limp is not an issue, because it repeats itself.
    """
    frames, sides = _ordered_strikes(context)
    if len(frames) < 4:
        return
    gaps = np.diff(frames).astype(float)
    usable = (sides[1:] != sides[:-1]) & (gaps > 0)
    stood = context.standing_share(frames[:-1], frames[1:])
    ratio = np.log(np.maximum(gaps[1:], 1) / np.maximum(gaps[:-1], 1))
    valid = usable[1:] & usable[:-1]
    ratio = np.where(valid, ratio, 0.0)
    unusual = _deviation_from_same_foot(ratio, valid)
    spread = max(1.48 * float(np.median(np.abs(unusual[valid]))) if valid.any() else 0.0, 0.08)
    size = np.abs(unusual)
    peak = (size >= np.append(size[1:], 0)) & (size >= np.insert(size[:-1], 0, 0))
    doubts = 0.75 * saturate(size / spread - 2.5, 2.5) * (1 - np.maximum(stood[1:], stood[:-1]))
    for index in np.flatnonzero(peak & (doubts >= MIN_DOUBT)):
        here, side = frames[index + 1], sides[index + 1]
        before, after = (format_seconds(gap / context.rate) for gap in gaps[index : index + 2])
        text = Message(
            "{foot}: the step before its strike takes {before}, the step after it {after}",
            foot=FOOT_NAMES["LR"[side]],
            before=before,
            after=after,
        )
        yield _strike_issue(context, "PACE", side, here - 1, here + 1, here, doubts[index], text)


def _deviation_from_same_foot(values: Array, valid: Mask) -> Array:
    """Return values (N) minus the median of up to three values of the same foot before and three after each."""
    reach = 6
    padded = np.pad(np.where(valid, values, np.nan), reach, constant_values=np.nan)
    around = np.stack([padded[reach + by : len(padded) - reach + by] for by in (-6, -4, -2, 2, 4, 6)])
    known = np.isfinite(around).any(axis=0)
    usual = np.zeros_like(values)
    usual[known] = np.nanmedian(around[:, known], axis=0)
    return np.where(valid, values - usual, 0.0)


def check_durations(context: ReviewContext) -> Iterator[LabelIssue]:
    """Yield issues for foot contacts and swings that last over 1.5 times as long, or as short, as those around them.

    Both medians must differ that much: of the seven nearest of either foot, and of four around it of the same foot.
    """
    for is_down, template in (
        (True, Message("{foot}: is on the ground for {duration} instead of {usual}")),
        (False, Message("{foot}: is in the air for {duration} instead of {usual}")),
    ):
        spans = {side: inner_runs(state == is_down) for side, state in context.down.items()}
        every = np.concatenate(list(spans.values())) if spans else np.empty((0, 2), dtype=np.intp)
        if len(every) < 4:
            continue
        every = every[np.argsort(every[:, 0], kind="stable")]
        for side, runs in spans.items():
            if not len(runs):
                continue
            seconds = (runs[:, 1] - runs[:, 0]) / context.rate
            usual = _median_nearby_durations(every, runs[:, 0], context.rate)
            off = np.abs(np.log(seconds[:, None] / np.stack([usual, _median_own_durations(seconds)], axis=1))).min(
                axis=1
            )
            moving = 1 - context.standing_share(runs[:, 0], runs[:, 1])
            doubts = 0.6 * saturate(off - 0.4, 0.5) * moving**2
            for (start, stop), doubt, duration, typical in zip(runs, doubts, seconds, usual, strict=True):
                if doubt >= MIN_DOUBT:
                    found, expected = format_seconds(duration), format_seconds(typical)
                    text = Message(template, foot=FOOT_NAMES[side], duration=found, usual=expected)
                    middle = int(start if duration < typical else (start + stop) // 2)
                    columns = context.feet[side]
                    yield LabelIssue(start, stop, middle, "LENGTH", side, FEET_SUBJECT, columns, float(doubt), text)


def _median_nearby_durations(all_runs: FrameIndices, starts: FrameIndices, rate: float) -> Array:
    """Return the median duration, seconds, of the seven runs nearest to each start."""
    durations = (all_runs[:, 1] - all_runs[:, 0]) / rate
    at = np.searchsorted(all_runs[:, 0], starts)
    around = np.clip(at[:, None] + np.arange(-3, 4), 0, len(all_runs) - 1)
    return np.median(durations[around], axis=1)


def _median_own_durations(seconds: Array) -> Array:
    """Return, for each of a foot's runs, the median duration of its two runs before and two after."""
    if len(seconds) < 2:
        return seconds
    at = np.arange(len(seconds))[:, None] + np.array([-2, -1, 1, 2])
    around = np.where((at >= 0) & (at < len(seconds)), seconds[np.clip(at, 0, len(seconds) - 1)], np.nan)
    return np.nanmedian(around, axis=1)


GROUNDED_GAITS: Final = ("stand", "walk", "crouch")
"""Gaits in which at least one foot is always in contact."""


def check_flights(context: ReviewContext) -> Iterator[LabelIssue]:
    """Yield issues for intervals in which no foot is in contact although the gait has no flight phase."""
    labels = context.labels
    if not context.down:
        return
    stepping = labels.gaits[:, [labels.gait_names.index(name) for name in GROUNDED_GAITS if name in labels.gait_names]]
    share = np.concatenate([[0.0], np.cumsum(stepping.sum(axis=1) * _foot_support_share(labels))])
    runs = runs_of(~np.any(list(context.down.values()), axis=0))
    if not len(runs):
        return
    starts, stops = runs.T
    seconds = (stops - starts) / context.rate
    doubts = 0.85 * saturate(seconds - 0.04, 0.1) * (share[stops] - share[starts]) / (stops - starts)
    columns = tuple(column for foot in context.feet.values() for column in foot)
    for start, stop, doubt, duration in zip(starts, stops, doubts, seconds, strict=True):
        if doubt >= MIN_DOUBT:
            text = Message(
                "No foot is on the ground for {duration}, though the character neither runs nor jumps",
                duration=format_seconds(duration),
            )
            middle = int(start + stop) // 2
            yield LabelIssue(start, stop, middle, "FLIGHT", FEET_SUBJECT, FEET_SUBJECT, columns, float(doubt), text)


def _foot_support_share(labels: Labels) -> Array:
    """Return the total weight (F) of the actions that need a foot in contact: all except :data:`FOOTLESS_ACTIONS`."""
    unheld = [column for column, name in enumerate(labels.action_names) if name in FOOTLESS_ACTIONS]
    return 1 - labels.actions[:, unheld].sum(axis=1)


MAX_FLICKER_S: Final = 0.5
"""Duration below which a gait or an action between two others is a flicker."""
GAITS_BY_SPEED: Final = ("stand", "idle", "walk", "jog", "run")
"""Gaits and actions, from slow to fast."""


def check_flickers(context: ReviewContext) -> Iterator[LabelIssue]:
    """Yield issues for very short gaits and actions, unless they lie between a slower and a faster one."""
    labels = context.labels
    for kind, names, shares in (
        ("gait", labels.gait_names, labels.gaits),
        ("action", labels.action_names, labels.actions),
    ):
        if not shares.shape[1]:
            continue
        chosen = shares.argmax(axis=1)
        starts = np.flatnonzero(np.concatenate([[True], chosen[1:] != chosen[:-1]]))
        stops = np.append(starts[1:], len(chosen))
        seconds = (stops - starts) / context.rate
        for index in np.flatnonzero(seconds[1:-1] < MAX_FLICKER_S) + 1:
            before, here, after = (names[chosen[starts[index + by]]] for by in (-1, 0, 1))
            start, stop = int(starts[index]), int(stops[index])
            doubt = _flicker_doubt(before, here, after) * (1.2 - seconds[index] / MAX_FLICKER_S)
            if doubt < MIN_DOUBT:
                continue
            text = Message(
                "{label}: lasts only {duration}, between {before} and {after}",
                label=_title(here),
                before=_title(before),
                after=_title(after),
                duration=format_seconds(seconds[index]),
            )
            yield LabelIssue(start, stop, start, "FLICKER", here, kind, (), float(doubt), text)


def _title(name: str) -> Message:
    """Return the name, possibly from a file, of a gait or action, as the interface shows it."""
    return Message(shown(name.capitalize()))


def _flicker_doubt(before: str, current: str, after: str) -> float:
    """Return the doubt about a brief gait between two others; 0 if its speed is between theirs."""
    if not {before, current, after} <= set(GAITS_BY_SPEED):
        return 0.55 if before == after else 0.35
    first, middle, last = (GAITS_BY_SPEED.index(name) for name in (before, current, after))
    if first < middle < last or first > middle > last:
        return 0.0
    return 0.25 if abs(middle - first) == 1 else 0.55
