"""Bipedal phase (PFNN section 4.1): the right foot's strike is 0, the left foot's is half a cycle (pi) on.

How far the phase goes from one strike to the next is not always half a cycle: strikes are missed, found twice or made
by both feet at once. The strikes to keep and the way from each to the next are the cheapest path through all strikes,
where what costs is a rate unlike the one around it, a strike that should be there and is not, and one that is there
and should not be.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...motion.rotations import Array

MIN_STRIKE_INTERVAL_S: Final = 0.25
STANDING_RATE_HZ: Final = 1.0
MAX_RATE_HZ: Final = 4.0
# Cycles a second. A monotone cubic is nowhere more than half as steep again as the steepest of the chords around it.
MAX_CHORD_RATE_HZ: Final = MAX_RATE_HZ / 1.5
MIN_RATE_HZ: Final = 0.1

# Costs. A rate e times what it should be costs RATE_COST; TAKEN_FOR is a strike that comes where another one should.
LOG_RATE_COST: Final = 3.5
MISSED_STRIKE_COST: Final = 0.8
EXTRA_STRIKE_COST: Final = 3.0
WRONG_STRIKE_COST: Final = 4.0
# A longer silence says no more than this many missed strikes.
MAX_MISSED_STRIKES: Final = 3
MAX_SKIPPED_STRIKES: Final = 4
# Seconds around the clip in which the phase is looked at: more than a knot's distance.
CLIP_EXTENSION_S: Final = 10.0
# Rounding must not choose between two ways that cost the same.
COST_TOLERANCE: Final = 1e-6
# Strides and steps from which the rate around a strike is taken; strikes of about three strides.
RATE_MEDIAN_SAMPLES: Final = 13

FrameIndices = NDArray[np.intp]


def find_strikes(down: NDArray[np.bool_], rate: float) -> FrameIndices:
    """Return the first frames of a foot's contacts, from whether it is down (F).

    Strikes closer than 0.25 s are one strike; a foot that is down at the first frame has no strike there, since nobody
    knows when it came down.
    """
    return merge_strikes(np.flatnonzero(~down[:-1] & down[1:]) + 1, MIN_STRIKE_INTERVAL_S * rate)


def merge_strikes(strikes: FrameIndices, min_interval: float) -> FrameIndices:
    """One foot's strikes in order; of several closer than ``min_interval`` frames the first stays."""
    kept: list[int] = []
    for strike in np.sort(strikes).tolist():
        if not kept or strike - kept[-1] >= min_interval:
            kept.append(strike)
    return np.array(kept, dtype=np.intp)


def find_phase(left: FrameIndices, right: FrameIndices, standing: NDArray[np.bool_], rate: float) -> Array:
    """Phase (F) in cycles [0, 1), from the strikes of both feet and the standing frames.

    The phase passes 0 half a frame before a right strike's frame and 0.5 half a frame before a left one's. Its rate is
    continuous, above 0 and at most 4 cycles a second. A strike that cannot be one of an even gait is passed over:
    one of two within 0.19 s, so that a hop on both feet is a whole cycle, and one much off the rhythm around it.
    Standing adds cycles of about a second, as many as make the phase right at the next strike. Before the first strike
    and after the last, the phase runs on at the rate near by.
    """
    strikes = [merge_strikes(feet, MIN_STRIKE_INTERVAL_S * rate) for feet in (right, left)]
    pace = StrideRate.find(strikes, (0.0, 0.5), standing, rate)
    return wrap_cycles(PhaseKnots.find(strikes, (0.0, 0.5), pace).unwrapped_phase())


def wrap_cycles(cycles: Array) -> Array:
    """Cycles in [0, 1); not 1, which is what a hair below 0 rounds to."""
    phase = cycles % 1.0
    return np.where(phase < 1.0, phase, 0.0)


@dataclass(frozen=True, eq=False)
class StrideRate:
    """What rate to expect when.

    Attributes:
        times, rates: (S) cycles a second at some seconds.
        rate: frames a second.
        clock, stood: (F + 3) seconds, and how many of them are stood by then; before the clip and after it, the
            first frame and the last go on.
    """

    sample_times: Array
    sample_rates: Array
    frame_rate: float
    frame_times: Array
    standing_time: Array

    @staticmethod
    def find(
        strikes: Sequence[FrameIndices], phases: Sequence[float], standing: NDArray[np.bool_], frame_rate: float
    ) -> "StrideRate":
        """Return the running median of the rates of strides (one foot twice) and of steps (one foot after another)."""
        end = len(standing) / frame_rate
        clock = np.concatenate(
            [[-CLIP_EXTENSION_S], np.arange(len(standing) + 1) / frame_rate, [end + CLIP_EXTENSION_S]]
        )
        standing = np.concatenate([standing[:1], standing, standing[-1:]])
        stood = np.concatenate([[0.0], np.cumsum(standing * np.diff(clock))])
        frames, sides = _sort_strikes(strikes, phases)
        step = (sides[1:] - sides[:-1]) % 1.0
        starts = np.concatenate([*(feet[:-1].astype(float) for feet in strikes), frames[:-1][step > 0]])
        stops = np.concatenate([*(feet[1:].astype(float) for feet in strikes), frames[1:][step > 0]])
        cycles = np.concatenate([np.ones(sum(max(len(feet) - 1, 0) for feet in strikes)), step[step > 0]])
        seconds = (stops - starts) / frame_rate
        idle = np.interp(stops / frame_rate, clock, stood) - np.interp(starts / frame_rate, clock, stood)
        usable = (seconds * MAX_RATE_HZ >= cycles) & (idle < seconds / 2)
        if not usable.any():
            return StrideRate(np.zeros(1), np.full(1, STANDING_RATE_HZ), frame_rate, clock, stood)
        times, rates = ((starts + stops) / 2 / frame_rate)[usable], (cycles[usable] / seconds[usable])
        order = np.lexsort((rates, times))
        rates = scipy.ndimage.median_filter(rates[order], min(RATE_MEDIAN_SAMPLES, len(order)), mode="reflect")
        return StrideRate(times[order], np.clip(rates, MIN_RATE_HZ, MAX_CHORD_RATE_HZ), frame_rate, clock, stood)

    def standing_between(self, starts: Array, stops: Array) -> Array:
        """Seconds stood between two times."""
        return np.interp(stops, self.frame_times, self.standing_time) - np.interp(
            starts, self.frame_times, self.standing_time
        )

    def expected_cycles(self, starts: Array, stops: Array) -> Array:
        """Return the cycles to expect between two times: standing at a second each, the rest at the rate there."""
        idle = self.standing_between(starts, stops)
        return idle * STANDING_RATE_HZ + (stops - starts - idle) * np.interp(
            (starts + stops) / 2, self.sample_times, self.sample_rates
        )


@dataclass(frozen=True, eq=False)
class PhaseKnots:
    """Times at which the phase is known.

    Attributes:
        times: seconds (K) in order.
        cycles: unwrapped phases (K), cycles.
        pace: what to expect before the first and after the last.
    """

    times: Array
    cycles: Array
    stride_rate: StrideRate

    @staticmethod
    def find(strikes: Sequence[FrameIndices], phases: Sequence[float], stride_rate: StrideRate) -> "PhaseKnots":
        """Return the strikes that are kept, of feet each of which comes down at its own phase."""
        frames, sides = _sort_strikes(strikes, phases)
        if len(frames) == 0:
            return PhaseKnots(np.zeros(1), np.zeros(1), stride_rate)
        times = (frames - 0.5) / stride_rate.frame_rate
        kept, advances = _shortest_path(times, sides, len(strikes), stride_rate)
        return PhaseKnots(times[kept], sides[kept[0]] + np.concatenate([[0.0], np.cumsum(advances)]), stride_rate)

    def unwrapped_phase(self) -> Array:
        """Return the unwrapped phase (F): a monotone cubic, so that its rate has no steps.

        Before the first knot and after the last it goes on from second to second as the pace says.
        """
        end = float(self.stride_rate.frame_times[-2])
        before = self.times[0] - np.arange(max(np.ceil(self.times[0]), 0) + 2, -1, -1)
        after = self.times[-1] + np.arange(max(np.ceil(end - self.times[-1]), 0) + 3)
        earlier, later = (
            self.stride_rate.expected_cycles(before[:-1], before[1:]),
            self.stride_rate.expected_cycles(after[:-1], after[1:]),
        )
        cycles = (self.cycles[0] - np.cumsum(earlier[::-1])[::-1], self.cycles, self.cycles[-1] + np.cumsum(later))
        cubic = scipy.interpolate.PchipInterpolator(
            np.concatenate([before[:-1], self.times, after[1:]]), np.concatenate(cycles)
        )
        return np.asarray(cubic(np.arange(len(self.stride_rate.frame_times) - 3) / self.stride_rate.frame_rate))


def _sort_strikes(strikes: Sequence[FrameIndices], phases: Sequence[float]) -> tuple[Array, Array]:
    """Return the strikes of all feet in time (S), frames, and the phases (S) at which those feet come down."""
    frames = np.concatenate([np.asarray(feet, dtype=float) for feet in strikes])
    order = np.argsort(frames, kind="stable")
    return frames[order], np.repeat(phases, [len(feet) for feet in strikes])[order]


def _shortest_path(
    times: Array, strike_phases: Array, foot_count: int, stride_rate: StrideRate
) -> tuple[list[int], list[float]]:
    """Which strikes to keep, and the cycles from each to the next: shortest path through the strikes in time."""
    hops = (
        _edge_costs(times, strike_phases, foot_count, stride_rate, skipped)
        for skipped in range(MAX_SKIPPED_STRIKES + 1)
    )
    costs, advances = zip(*hops, strict=True)
    # What it takes to have come to a strike; to begin with it leaves out all before.
    best = [EXTRA_STRIKE_COST * strike for strike in range(len(times))]
    before = [-1] * len(times)
    for strike in range(1, len(times)):
        for skipped, cost in enumerate(costs[:strike]):
            origin = strike - 1 - skipped
            total = best[origin] + cost[origin]
            if total < best[strike] - COST_TOLERANCE:
                best[strike], before[strike] = total, origin
    strike = min(range(len(times)), key=lambda last: round(best[last] - EXTRA_STRIKE_COST * last, 6))
    kept, ways = [strike], []
    while before[strike] >= 0:
        origin = before[strike]
        ways.append(advances[strike - origin - 1][origin])
        kept.append(origin)
        strike = origin
    return kept[::-1], ways[::-1]


def _edge_costs(
    times: Array, strike_phases: Array, foot_count: int, stride_rate: StrideRate, skipped: int
) -> tuple[list[float], list[float]]:
    """From each strike to the one after ``skipped`` others: the cheapest way's cost and its cycles; inf: too fast."""
    starts, stops = times[: -1 - skipped], times[1 + skipped :]
    step = (strike_phases[1 + skipped :] - strike_phases[: -1 - skipped]) % 1.0
    step = np.where(step == 0, 1.0, step)
    expected = np.maximum(stride_rate.expected_cycles(starts, stops), 1e-6)
    whole = np.maximum(np.rint(np.round(expected - step, 6)), 0)
    ways = step + np.maximum(whole + np.array([[-1.0], [0.0], [1.0]]), 0)
    missing = np.maximum(foot_count * (ways - STANDING_RATE_HZ * stride_rate.standing_between(starts, stops)) - 1, 0)
    cost = LOG_RATE_COST * np.abs(np.log(ways / expected))
    cost += MISSED_STRIKE_COST * np.clip(missing - skipped, 0, MAX_MISSED_STRIKES) + EXTRA_STRIKE_COST * np.maximum(
        skipped - missing, 0
    )
    cost += WRONG_STRIKE_COST * np.minimum(missing, skipped)
    cost = np.where(ways > MAX_CHORD_RATE_HZ * (stops - starts) + 1e-9, np.inf, cost)
    cheapest = np.argmin(np.round(cost, 6), axis=0)[None]
    return np.take_along_axis(cost, cheapest, 0)[0].tolist(), np.take_along_axis(ways, cheapest, 0)[0].tolist()
