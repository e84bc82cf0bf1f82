"""Ground height under each foot, estimated from where the feet rest, without a known terrain.

A foot that is still either stands or hangs in the air. It stands if it is level with the lowest rests around that time,
if it carries the body while the other foot swings past, if it rests beside a standing foot, or if nothing else supports
a body that is not falling.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...motion.rotations import Array
from ...motion.signals import Mask, runs_of, velocities

LEVEL_TOLERANCE_M: Final = 0.04
"""Largest height of an adult's standing foot over the lowest rest of any foot around that time."""
PASSING_TOLERANCE_M: Final = 0.03
"""Largest depth of an adult's passing foot below the standing one."""
MAX_STEP_HEIGHT_M: Final = 0.5
"""Largest height of an adult's standing foot over the lowest point of the passing foot."""
NEIGHBOUR_TOLERANCE_M: Final = 0.06
"""Largest height difference between an adult's feet that rest beside each other."""
MIN_REST_S: Final = 0.05
"""Shortest duration of a rest."""
MIN_SUPPORT_S: Final = 0.08
"""Shortest time for which a foot carries the body alone."""
LOW_LEVEL_WINDOW_S: Final = 3.0
"""Time before and after a rest within which lower rests count."""
FALL_ACCELERATION_M_S2: Final = -6.0
"""Vertical acceleration of the hips below which the body falls."""
FLAT_FOOT_PERCENTILE: Final = 20.0
"""Percentile of the heel's height over the toe that is taken as that of a flat foot."""


@dataclass(frozen=True, slots=True)
class RestInterval:
    """An interval in which one foot is still.

    Attributes:
        foot: index of the foot.
        start: first frame.
        stop: frame after the last.
        height: median height of the foot, meters.
    """

    foot: int
    start: int
    stop: int
    height: float


def find_ground_heights(heights: Array, still: Mask, hips: Array, rate: float, scale: float) -> Array:
    """Return the heights (F, N), meters, at which each of N feet stands, or would stand while it swings.

    Between two rests of a foot, the height is interpolated linearly. A foot that never rests gets the lowest height of
    the others' rests, or else its own low heights.

    Args:
        heights: (F, N) heights of the feet's lowest sensors, meters.
        still: (F, N) whether each foot is still.
        hips: (F, 3) positions of the hips, or of a joint near the middle of the body, meters.
        rate: frames per second.
        scale: size of the body relative to an adult's.
    """
    rests = _find_rests(heights, still, rate)
    falling = velocities(velocities(hips, rate), rate)[:, 2] < FALL_ACCELERATION_M_S2
    standing = _supporting_rests(rests, heights, still, falling, rate, scale)
    result = np.empty_like(heights)
    lowest = [rest.height for rest in standing]
    for foot in range(heights.shape[1]):
        own = [rest for rest in standing if rest.foot == foot]
        if own:
            at = np.concatenate([[rest.start, rest.stop - 1] for rest in own])
            level = np.repeat([rest.height for rest in own], 2)
            result[:, foot] = np.interp(np.arange(len(heights)), at, level)
        else:
            result[:, foot] = min(lowest) if lowest else np.percentile(heights[:, foot], 2)
    return result


def _find_rests(heights: Array, still: Mask, rate: float) -> list[RestInterval]:
    """Return the intervals in which feet rest, for all feet, in order of their starts."""
    shortest = max(round(MIN_REST_S * rate), 2)
    found = [
        RestInterval(foot, int(start), int(stop), float(np.median(heights[start:stop, foot])))
        for foot in range(heights.shape[1])
        for start, stop in runs_of(still[:, foot])
        if stop - start >= shortest
    ]
    return sorted(found, key=lambda rest: rest.start)


def _supporting_rests(
    rests: list[RestInterval], heights: Array, still: Mask, falling: Mask, rate: float, scale: float
) -> list[RestInterval]:
    """Return those rests in which the foot stands on something, in order of time."""
    level = _lowest_rest_heights(rests, rate, len(heights))
    supporting: set[RestInterval] = set()
    for rest in rests:
        low = level[rest.start : rest.stop].min()
        if rest.height < low + LEVEL_TOLERANCE_M * scale or _supports_body(rest, heights, still, rate, scale):
            supporting.add(rest)
    _add_level_neighbours(supporting, rests, scale)
    held = np.zeros(len(heights), dtype=bool)
    for rest in supporting:
        held[rest.start : rest.stop] = True
    for rest in sorted(set(rests) - supporting, key=lambda rest: rest.height):
        here = slice(rest.start, rest.stop)
        if np.mean(held[here]) < 0.5 and np.mean(falling[here]) < 0.3:
            supporting.add(rest)
            held[here] = True
    _add_level_neighbours(supporting, rests, scale)
    return [rest for rest in rests if rest in supporting]


def _lowest_rest_heights(rests: list[RestInterval], rate: float, frames: int) -> Array:
    """Return the height (F) of the lowest rest of any foot within three seconds."""
    level = np.full(frames, np.inf)
    reach = round(LOW_LEVEL_WINDOW_S * rate)
    for rest in rests:
        here = slice(max(rest.start - reach, 0), rest.stop + reach)
        np.minimum(level[here], rest.height, out=level[here])
    return level


def _supports_body(rest: RestInterval, heights: Array, still: Mask, rate: float, scale: float) -> bool:
    """Return whether a foot carries the body: the others move for a while, and one passes at least as high."""
    others = [foot for foot in range(heights.shape[1]) if foot != rest.foot]
    if not others:
        return True
    here = slice(rest.start, rest.stop)
    alone = ~still[here][:, others].any(axis=1)
    if np.count_nonzero(alone) < MIN_SUPPORT_S * rate:
        return False
    other = heights[here][:, others][alone]
    passes = other.max() > rest.height - PASSING_TOLERANCE_M * scale
    return bool(passes and other.min() > rest.height - MAX_STEP_HEIGHT_M * scale)


def _add_level_neighbours(supporting: set[RestInterval], rests: list[RestInterval], scale: float) -> None:
    """Add to ``supporting``, in two rounds, rests of other feet level with a supporting rest at the same time."""
    for _ in range(2):
        known = np.array([[rest.foot, rest.start, rest.stop, rest.height] for rest in supporting]).reshape(-1, 4)
        feet, starts, stops, levels = known.T
        for rest in rests:
            if rest in supporting:
                continue
            at_once = (feet != rest.foot) & (starts < rest.stop) & (rest.start < stops)
            if np.any(at_once & (np.abs(levels - rest.height) < NEIGHBOUR_TOLERANCE_M * scale)):
                supporting.add(rest)


def heel_rise(heels: Array, toes: Array, still: Mask) -> float:
    """Return the height of the heel joint above the toe joint while the foot is flat on the ground, meters.

    A foot may also be still on tiptoe, so only the flattest fifth of its still frames decides.

    Args:
        heels: (F) heights of the heel joint, meters.
        toes: (F) heights of the toe joint, meters.
        still: (F) whether both joints are still.
    """
    gap = (heels - toes)[still] if np.any(still) else heels - toes
    return float(np.percentile(gap, FLAT_FOOT_PERCENTILE))
