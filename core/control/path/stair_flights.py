"""Flights of stairs along a path: their treads, and the places and phases of the foot strikes on each tread.

Stairs are climbed with one step per tread, at a planned speed that gives a human cadence; the phase is steered so that
feet strike the middles of treads.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...motion.rotations import Array
from ...motion.signals import runs_of
from ...tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class StairFlightsTuning(Tuning):
    """Tuned numbers of flights of stairs; lengths are those of an adult, and are multiplied by the body's scale."""

    min_slope: float = tuned(0.5, "1", 0.1, 3.0)
    """Slope between two samples of the terrain above which there is a riser between them."""
    max_riser_samples: int = tuned(2, "1", 1, 20)
    """Largest number of sample intervals that a riser spans; a longer rise counts as a slope."""
    rises: tuple[float, float] = tuned((0.08, 0.26), "m", 0.01, 0.6)
    """Smallest and largest rise of a step."""
    goings: tuple[float, float] = tuned((0.2, 0.45), "m", 0.05, 1.0)
    """Smallest and largest depth of a tread."""
    max_step_ratio: float = tuned(1.3, "1", 1.0, 3.0)
    """Largest ratio between the depths of neighboring treads of a flight, and between the heights of neighboring
    risers.
    """
    min_riser_count: int = tuned(3, "1", 1, 20)
    """Smallest number of risers that make a flight; fewer may be chance on rough ground."""
    probe_count: int = tuned(13, "1", 2, 100)
    """Number of positions between two terrain samples at which the exact place of a riser is searched."""
    cadences_up: tuple[float, float] = tuned((95 / 60, 110 / 60), "Hz", 0.5, 5.0)
    """Slow and fast cadence, steps per second, of people climbing stairs."""
    cadences_down: tuple[float, float] = tuned((100 / 60, 120 / 60), "Hz", 0.5, 5.0)
    """Slow and fast cadence, steps per second, of people descending stairs."""
    cadence_speeds: tuple[float, float] = tuned((0.8, 1.5), "m/s", 0.1, 5.0)
    """Commanded speeds at which the cadence on stairs is slow and fast."""
    max_stair_speed: float = tuned(1.9, "m/s", 0.5, 5.0)
    """Commanded speed above which characters run up and down stairs, with strides that are not planned per tread."""
    approach_steps: tuple[float, float, float, float] = tuned((0.4, 0.5, 0.55, 0.6), "m", 0.1, 1.5)
    """Lengths of the last steps before a flight, the nearest step first."""
    lead_ratio: float = tuned(0.5, "1", 0.0, 1.0)
    """Distance of a striking foot ahead of the root, as a share of the step's length.

    At mid-stance the foot is below the root.
    """
    climb_leads: tuple[float, float] = tuned((0.05, -0.02), "m", -0.3, 0.3)
    """Distance added to the lead of a striking foot on the way up, and on the way down.

    Going up, the body rises over a foot that is farther ahead.
    """


TUNING: Final = StairFlightsTuning()


@dataclass(frozen=True, slots=True, eq=False)
class StridePlan:
    """The planned foot strikes along a path, given by the root's position at each strike.

    Attributes:
        places: (K) arc lengths of the root at the strikes, meters, increasing.
        cycles: (K) phases of the strikes, cycles: whole for the right foot, half for the left.
        weights: (K) weights, 0 to 1, with which the phase is steered to these strikes.
        leads: (K) distances from the root forward to the striking foot, meters.
    """

    places: Array
    cycles: Array
    weights: Array
    leads: Array


@dataclass(frozen=True, slots=True, eq=False)
class StairFlight:
    """A flight of stairs along a path.

    Attributes:
        risers: (R) arc lengths of the risers, meters.
        is_up: whether the path climbs the flight, not descends it.
    """

    risers: Array
    is_up: bool

    @property
    def tread_middles(self) -> Array:
        """Arc lengths (R + 1) of the middles of the treads, meters: before, between and after the R risers."""
        goings = np.diff(self.risers)
        goings = np.concatenate([goings[:1], goings, goings[-1:]])
        ends = np.concatenate([[self.risers[0] - goings[0]], self.risers, [self.risers[-1] + goings[-1]]])
        return (ends[1:] + ends[:-1]) / 2

    def plan_strides(self, scale: float) -> StridePlan:
        """Return the planned strikes on the flight and on its approach.

        Steps on the approach change gradually to the treads' depth; farther from the flight, their weights decrease.

        Args:
            scale: size of the body relative to an adult.
        """
        middles = self.tread_middles
        before = middles[0] - np.cumsum(TUNING.approach_steps)[::-1] * scale
        strikes = np.concatenate([before, middles])
        steps = np.diff(strikes)
        climbed = (
            np.clip(np.arange(len(strikes)) - len(before) + 0.5, 0.0, 1.0)
            if self.is_up
            else (np.arange(len(strikes)) > len(before))
        )
        climb_lead = TUNING.climb_leads[0] if self.is_up else TUNING.climb_leads[1]
        leads = TUNING.lead_ratio * np.concatenate([steps[:1], steps]) + climb_lead * scale * climbed
        weights = np.minimum(np.arange(len(strikes)) / len(before), 1.0)
        return StridePlan(strikes - leads, 0.5 * np.arange(len(strikes)), weights, leads)


def find_flights(
    arc_lengths: Array, heights: Array, scale: float, heights_at: Callable[[Array, Array], Array]
) -> tuple[StairFlight, ...]:
    """Return the flights of stairs along a path: runs of about evenly spaced risers, all up or all down.

    Args:
        arc_lengths: (K) arc lengths, meters.
        heights: (K) heights of the ground, meters.
        scale: size of the body relative to an adult.
        heights_at: function of arc lengths (...) and heights (...), meters, that returns the heights (...) of the
            ground below them.
    """
    places, rises = _find_risers(arc_lengths, heights, scale, heights_at)
    flights: list[StairFlight] = []
    first = 0
    for index in range(1, len(places) + 1):
        if index < len(places) and _continues_flight(places[first : index + 1], rises[index - 1 : index + 1], scale):
            continue
        if index - first >= TUNING.min_riser_count:
            flights.append(StairFlight(places[first:index], bool(rises[first] > 0)))
        first = index
    return tuple(flights)


def stair_speeds(flights: Sequence[StairFlight], arc_lengths: Array, commanded_speeds: Array, scale: float) -> Array:
    """Return the speeds (M), m/s, at which one step per tread has a human cadence; infinite away from stairs.

    Args:
        flights: flights along the path.
        arc_lengths: (M) arc lengths, meters.
        commanded_speeds: (M) commanded speeds, m/s.
        scale: size of the body relative to an adult's.
    """
    speeds = np.full(len(arc_lengths), np.inf)
    for flight in flights:
        places = flight.plan_strides(scale).places
        cadences = TUNING.cadences_up if flight.is_up else TUNING.cadences_down
        index = np.searchsorted(places, arc_lengths, side="right") - 1
        inside = (index >= 0) & (index < len(places) - 1) & (commanded_speeds <= TUNING.max_stair_speed)
        steps = np.diff(places)[index[inside]]
        capped = steps * np.interp(commanded_speeds[inside], TUNING.cadence_speeds, cadences)
        speeds[inside] = np.minimum(speeds[inside], capped)
    return speeds


def stride_columns(flights: Sequence[StairFlight], arc_lengths: Array, scale: float) -> Array:
    """Return, interpolated at arc lengths of the root (M, 3), a :class:`StridePlan`'s cycles, weights and leads.

    Rows without planned strikes are 0. Up to the end of a flight, its plan goes before that of a later flight's
    approach.

    Args:
        flights: flights along the path.
        arc_lengths: (M) arc lengths, meters.
        scale: size of the body relative to an adult.
    """
    result = np.zeros((len(arc_lengths), 3))
    for flight in flights:
        plan = flight.plan_strides(scale)
        free = result[:, 1] == 0.0
        inside = free & (arc_lengths >= plan.places[0]) & (arc_lengths <= plan.places[-1])
        for column, values in enumerate((plan.cycles, plan.weights, plan.leads)):
            result[inside, column] = np.interp(arc_lengths[inside], plan.places, values)
    return result


def _find_risers(
    arc_lengths: Array, heights: Array, scale: float, heights_at: Callable[[Array, Array], Array]
) -> tuple[Array, Array]:
    """Return the arc lengths (R) and the rises (R) of all risers, meters."""
    steps = np.diff(heights)
    steep = np.sign(steps) * (np.abs(steps) > TUNING.min_slope * np.diff(arc_lengths))
    runs = [run for sign in (1, -1) for run in runs_of(steep == sign) if run[1] - run[0] <= TUNING.max_riser_samples]
    runs = sorted((int(start), int(stop)) for start, stop in runs)
    runs = [
        run
        for run in runs
        if TUNING.rises[0] * scale <= abs(heights[run[1]] - heights[run[0]]) <= TUNING.rises[1] * scale
    ]
    if not runs:
        return np.zeros(0), np.zeros(0)
    first, last = np.array(runs).T
    rises = heights[last] - heights[first]
    shares = np.linspace(0.0, 1.0, TUNING.probe_count)
    places = arc_lengths[first, None] + (arc_lengths[last] - arc_lengths[first])[:, None] * shares
    found = heights_at(places, np.broadcast_to(np.maximum(heights[first], heights[last])[:, None], places.shape))
    is_beyond = (found - (heights[first] + rises / 2)[:, None]) * np.sign(rises)[:, None] > 0
    beyond = np.argmax(is_beyond, axis=1)
    rows, before = np.arange(len(runs)), np.maximum(beyond - 1, 0)
    return (places[rows, beyond] + places[rows, before]) / 2, rises


def _continues_flight(places: Array, rises: Array, scale: float) -> bool:
    """Return whether the last of the risers at arc lengths (N), meters, continues the flight of the others.

    Args:
        places: (N) arc lengths of the risers from the flight's first one on, meters.
        rises: (2) rises of the last two risers, meters.
        scale: the body's size as a share of an adult's.
    """
    goings = np.diff(places)
    within = TUNING.goings[0] * scale <= goings[-1] <= TUNING.goings[1] * scale
    even = len(goings) < 2 or max(goings[-2:]) <= TUNING.max_step_ratio * min(goings[-2:])
    alike = rises[0] * rises[1] > 0 and max(abs(rises)) <= TUNING.max_step_ratio * min(abs(rises))
    return bool(alike and within and even)
