"""The ground under each foot, from where the feet rest: steps and slopes need no plane, and no terrain is known.

A foot that is still stands on something, or hangs in the air. It stands where it is level with the lowest places
about that time; where it carries the body while the other foot swings past; where it rests beside a foot that stands;
and where nothing else holds up a body that does not fall.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import Array
from ...motion.signals import runs_of, velocities

Mask = NDArray[np.bool_]

# Lengths of an adult, metres; they scale with the body.
LEVEL_TOLERANCE_M: Final = 0.04
PASSING_TOLERANCE_M: Final = 0.03
MAX_STEP_HEIGHT_M: Final = 0.5
NEIGHBOUR_TOLERANCE_M: Final = 0.06
# Seconds.
MIN_REST_S: Final = 0.05
MIN_SUPPORT_S: Final = 0.08
LOW_LEVEL_WINDOW_S: Final = 3.0
FALL_ACCELERATION_M_S2: Final = -6.0  # m/s^2
FLAT_FOOT_PERCENTILE: Final = 20.0


@dataclass(frozen=True, slots=True)
class RestInterval:
    """A time in which a foot is still: frames [start, stop), and its height, metres."""

    foot: int
    start: int
    stop: int
    height: float


def find_ground_heights(heights: Array, still: Mask, hips: Array, rate: float, scale: float) -> Array:
    """Return the level (F, N) at which each of N feet rests, metres.

    Args:
        heights: of the feet's lowest sensors (F, N), metres.
        still: whether each is still (F, N).
        hips: positions (F, 3) of the hips, or of any joint near the body's middle.
        rate: frames a second.
        scale: the body's size as a share of an adult's.

    Between two rests of a foot its level runs straight from one to the other. A foot that never rests has its lowest
    heights for ground.
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
    """Those rests in which the foot stands on something, in order of time."""
    level = _lowest_rest_heights(rests, rate, len(heights))
    carried: set[RestInterval] = set()
    for rest in rests:
        low = level[rest.start : rest.stop].min()
        if rest.height < low + LEVEL_TOLERANCE_M * scale or _supports_body(rest, heights, still, rate, scale):
            carried.add(rest)
    _add_level_neighbours(carried, rests, scale)
    held = np.zeros(len(heights), dtype=bool)
    for rest in carried:
        held[rest.start : rest.stop] = True
    for rest in sorted(set(rests) - carried, key=lambda rest: rest.height):
        here = slice(rest.start, rest.stop)
        if np.mean(held[here]) < 0.5 and np.mean(falling[here]) < 0.3:
            carried.add(rest)
            held[here] = True
    _add_level_neighbours(carried, rests, scale)
    return [rest for rest in rests if rest in carried]


def _lowest_rest_heights(rests: list[RestInterval], rate: float, frames: int) -> Array:
    """Return the lowest rest of any foot within three seconds (F)."""
    level = np.full(frames, np.inf)
    reach = round(LOW_LEVEL_WINDOW_S * rate)
    for rest in rests:
        here = slice(max(rest.start - reach, 0), rest.stop + reach)
        np.minimum(level[here], rest.height, out=level[here])
    return level


def _supports_body(rest: RestInterval, heights: Array, still: Mask, rate: float, scale: float) -> bool:
    """Whether the other feet move for a while, and one of them passes at least as high as this foot."""
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
    """Add the rests of other feet that are level with those that are carried at that time, and those beside them."""
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
    """How much higher than the toe the heel's joint rests on a flat foot, metres.

    Args:
        heels, toes: heights (F).
        still: frames in which both are still (F).

    On tiptoe the heel is still, too; so the flattest fifth of the still frames decides.
    """
    gap = (heels - toes)[still] if np.any(still) else heels - toes
    return float(np.percentile(gap, FLAT_FOOT_PERCENTILE))
