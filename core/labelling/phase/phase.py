"""Bipedal phase (PFNN section 4.1): 0 at strikes of the right foot, 0.5 at strikes of the left foot.

Consecutive strikes are not always half a cycle apart: strikes are missed, found twice, or made by both feet at once.
The kept strikes and the cycles between them are the shortest path through all strikes (dynamic programming, Bellman
1957). A path costs more the more its phase rate differs from the rates around it, and for each missing or superfluous
strike.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...motion.rotations import Array
from ...motion.signals import FrameIndices

MIN_STRIKE_INTERVAL_S: Final = 0.25
"""Shortest time between two strikes of a foot."""
STANDING_RATE_HZ: Final = 1.0
"""Phase rate while standing, in cycles per second."""
MAX_RATE_HZ: Final = 4.0
MAX_CHORD_RATE_HZ: Final = MAX_RATE_HZ / 1.5
"""Largest mean rate between two knots: the cubic between them may be 1.5 times as steep."""
MIN_RATE_HZ: Final = 0.1
"""Smallest expected phase rate."""

LOG_RATE_COST: Final = 3.5
"""Cost of a rate that differs from the expected one by a factor of e."""
MISSED_STRIKE_COST: Final = 0.8
EXTRA_STRIKE_COST: Final = 3.0
"""Cost of a superfluous strike."""
WRONG_STRIKE_COST: Final = 4.0
"""Cost of a strike of one foot in the place of another."""
MAX_MISSED_STRIKES: Final = 3
"""Largest number of consecutive missing strikes that a path can pay for."""
MAX_SKIPPED_STRIKES: Final = 4
"""Largest number of consecutive dropped strikes."""
CLIP_EXTENSION_S: Final = 10.0
"""Time before and after the clip for which rates are known, longer than between two knots."""
COST_TOLERANCE: Final = 1e-6
"""Difference of costs below which two paths count as equal, so that rounding does not decide."""
RATE_MEDIAN_SAMPLES: Final = 13
"""Number of stride and step rates in the running median, those of about three strides."""


def find_strikes(down: NDArray[np.bool_], rate: float) -> FrameIndices:
    """Return the first frames of a foot's contacts, from its contact mask (F).

    Strikes closer than :data:`MIN_STRIKE_INTERVAL_S` are one strike. A foot in contact at the first frame has no strike
    there, since the time of its landing is unknown.
    """
    return merge_strikes(np.flatnonzero(~down[:-1] & down[1:]) + 1, MIN_STRIKE_INTERVAL_S * rate)


def merge_strikes(strikes: FrameIndices, min_interval: float) -> FrameIndices:
    """Return one foot's strikes, sorted; of strikes closer than ``min_interval`` frames, only the first is kept."""
    merged: list[int] = []
    for strike in np.sort(strikes).tolist():
        if not merged or strike - merged[-1] >= min_interval:
            merged.append(strike)
    return np.array(merged, dtype=np.intp)


def find_phase(left: FrameIndices, right: FrameIndices, standing: NDArray[np.bool_], rate: float) -> Array:
    """Return the gait phase (F), cycles in [0, 1), from the strikes of both feet.

    The phase passes 0 half a frame before the frame of a right strike, and 0.5 half a frame before that of a left one.
    Its rate is continuous, above 0 and at most 4 cycles per second. A strike that does not fit an even gait is dropped:
    one of two within 0.19 s, so that a hop on both feet is a whole cycle, and one far off the rhythm around it.
    Standing adds cycles of about a second, so that the phase is right at the next strike. Before the first strike and
    after the last, the phase continues at the rate nearby.

    Args:
        left: frames of the left foot's strikes.
        right: frames of the right foot's strikes.
        standing: (F) whether the character stands.
        rate: frames per second.
    """
    strikes = [merge_strikes(feet, MIN_STRIKE_INTERVAL_S * rate) for feet in (right, left)]
    pace = StrideRate.find(strikes, (0.0, 0.5), standing, rate)
    return wrap_cycles(PhaseKnots.find(strikes, (0.0, 0.5), pace).unwrapped_phase())


def wrap_cycles(cycles: Array) -> Array:
    """Return phases (...), cycles, wrapped to [0, 1); numbers slightly below 0 become 0, not 1."""
    phase = cycles % 1.0
    return np.where(phase < 1.0, phase, 0.0)


@dataclass(frozen=True, eq=False)
class StrideRate:
    """The expected phase rate of a gait over time.

    Attributes:
        sample_times: (S) times at which the rate is sampled, seconds.
        sample_rates: (S) phase rates at these times, cycles per second.
        frame_rate: frames per second.
        frame_times: (F + 3) edges of the frames, seconds; the first and the last are before and after the clip.
        standing_time: (F + 3) total time of standing up to each of these times, seconds.
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
        """Return the expected phase rate: the running median of rates of strides and of steps, outside of standing.

        Args:
            strikes: frames of the strikes of each foot.
            phases: phase at which each foot strikes.
            standing: (F) whether the character stands.
            frame_rate: frames per second.
        """
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
        """Return the time (...), seconds, that the character stands between ``starts`` and ``stops`` (...), seconds."""
        return np.interp(stops, self.frame_times, self.standing_time) - np.interp(
            starts, self.frame_times, self.standing_time
        )

    def expected_cycles(self, starts: Array, stops: Array) -> Array:
        """Return the expected cycles (...) between ``starts`` and ``stops`` (...), seconds, standing or not."""
        idle = self.standing_between(starts, stops)
        return idle * STANDING_RATE_HZ + (stops - starts - idle) * np.interp(
            (starts + stops) / 2, self.sample_times, self.sample_rates
        )


@dataclass(frozen=True, eq=False)
class PhaseKnots:
    """Times at which the phase is known: the kept strikes.

    Attributes:
        times: (K) times, seconds, ascending.
        cycles: (K) unwrapped phases, cycles.
        stride_rate: the expected rate before the first knot and after the last.
    """

    times: Array
    cycles: Array
    stride_rate: StrideRate

    @staticmethod
    def find(strikes: Sequence[FrameIndices], phases: Sequence[float], stride_rate: StrideRate) -> "PhaseKnots":
        """Return the knots of the phase at those strikes that fit an even gait.

        Args:
            strikes: frames of the strikes of each foot.
            phases: phase at which each foot strikes.
            stride_rate: the expected rate.
        """
        frames, sides = _sort_strikes(strikes, phases)
        if len(frames) == 0:
            return PhaseKnots(np.zeros(1), np.zeros(1), stride_rate)
        times = (frames - 0.5) / stride_rate.frame_rate
        chosen, advances = _shortest_path(times, sides, len(strikes), stride_rate)
        return PhaseKnots(times[chosen], sides[chosen[0]] + np.concatenate([[0.0], np.cumsum(advances)]), stride_rate)

    def unwrapped_phase(self) -> Array:
        """Return the unwrapped phase (F), cycles: a monotone cubic through the knots (PCHIP, Fritsch and Carlson 1980).

        Before the first knot and after the last it continues at the expected rate.
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
    """Return all feet's strikes (S), frames, in order of time, and the phase (S) at which the foot of each strikes."""
    frames = np.concatenate([np.asarray(feet, dtype=float) for feet in strikes])
    order = np.argsort(frames, kind="stable")
    return frames[order], np.repeat(phases, [len(feet) for feet in strikes])[order]


def _shortest_path(
    times: Array, strike_phases: Array, foot_count: int, stride_rate: StrideRate
) -> tuple[list[int], list[float]]:
    """Return the indices of the strikes to keep and the cycles between them: the shortest path through all strikes."""
    hops = (
        _edge_costs(times, strike_phases, foot_count, stride_rate, skipped)
        for skipped in range(MAX_SKIPPED_STRIKES + 1)
    )
    costs, advances = zip(*hops, strict=True)
    # Least cost of a path that ends at each strike; the first path drops all strikes before it.
    best = [EXTRA_STRIKE_COST * strike for strike in range(len(times))]
    before = [-1] * len(times)
    for strike in range(1, len(times)):
        for skipped, cost in enumerate(costs[:strike]):
            origin = strike - 1 - skipped
            total = best[origin] + cost[origin]
            if total < best[strike] - COST_TOLERANCE:
                best[strike], before[strike] = total, origin
    strike = min(range(len(times)), key=lambda last: round(best[last] - EXTRA_STRIKE_COST * last, 6))
    path, cycles = [strike], []
    while before[strike] >= 0:
        origin = before[strike]
        cycles.append(advances[strike - origin - 1][origin])
        path.append(origin)
        strike = origin
    return path[::-1], cycles[::-1]


def _edge_costs(
    times: Array, strike_phases: Array, foot_count: int, stride_rate: StrideRate, skipped: int
) -> tuple[list[float], list[float]]:
    """Return the costs and cycles of the cheapest edges from each strike to the one that follows ``skipped`` others.

    The cost is infinite where the rate would be too high.
    """
    starts, stops = times[: -1 - skipped], times[1 + skipped :]
    step = (strike_phases[1 + skipped :] - strike_phases[: -1 - skipped]) % 1.0
    step = np.where(step == 0, 1.0, step)
    expected = np.maximum(stride_rate.expected_cycles(starts, stops), 1e-6)
    whole = np.maximum(np.rint(np.round(expected - step, 6)), 0)
    cycles = step + np.maximum(whole + np.array([[-1.0], [0.0], [1.0]]), 0)
    missing = np.maximum(foot_count * (cycles - STANDING_RATE_HZ * stride_rate.standing_between(starts, stops)) - 1, 0)
    cost = LOG_RATE_COST * np.abs(np.log(cycles / expected))
    cost += MISSED_STRIKE_COST * np.clip(missing - skipped, 0, MAX_MISSED_STRIKES) + EXTRA_STRIKE_COST * np.maximum(
        skipped - missing, 0
    )
    cost += WRONG_STRIKE_COST * np.minimum(missing, skipped)
    cost = np.where(cycles > MAX_CHORD_RATE_HZ * (stops - starts) + 1e-9, np.inf, cost)
    cheapest = np.argmin(np.round(cost, 6), axis=0)[None]
    return np.take_along_axis(cost, cheapest, 0)[0].tolist(), np.take_along_axis(cycles, cheapest, 0)[0].tolist()
