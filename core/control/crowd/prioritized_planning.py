"""Several walkers along several ways, none in another's: who slows down, waits or goes round, planned before anybody
takes a step.

One after the other finds the cheapest way among those who have theirs (:mod:`.yielding`); who gets to places first has
the right of way. Then every way is drawn as smoothly as it can be between its neighbours (:mod:`.easing`), all at once.
Who is too near to somebody all the same keeps to their bounds more firmly, and looks again, with more room, where that
does not help.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...motion.rotations import Array
from .lanes import RADIUS, Course, Plan, Wayside
from .offset_smoothing import eased
from .proximity import Meetings, rooms
from .space_time_search import Others, yielded

__all__ = ["RADIUS", "Kept", "Plan", "apart"]

PATIENCE: Final = (3.0, 8.0, 20.0)
"""Seconds that somebody may be late under way: as a rule, and where there is no way else."""
LONGEST: Final = 0.25
"""Seconds of a layer of time, and ..."""
FARTHEST: Final = 0.4
"""... metres that the fastest gets on in it, at most."""
EVERY: Final = 0.5
"""Seconds between the moments at which one looks who comes where others have been, ..."""
MOVING: Final = 0.05
"""... and metres that somebody gets on in them who is under way."""
BESIDE: Final = 0.7
"""The share of two rooms from which on somebody begins, or ends, beside where they would, rather than be as near to
who goes by."""
OFTEN: Final = 0.05
"""Seconds between the moments at which one looks who is near."""
SEEN: Final = 0.6
"""Metres more than two rooms within which others are near."""
FREER: Final = 0.12
"""Metres more than their rooms that two keep who have them."""
SIDEWAYS: Final = 0.35
"""How much of the line to somebody, as a share, must be across one's way to go round them on the spot."""
LOOKS: Final = 12
"""How often those look again who are too near, ..."""
CLOSER: Final = 0.08
"""... by more than so many metres; ..."""
FIRMEST: Final = 2
"""... how much more firmly they can keep to their bounds, in steps, ..."""
WIDER: Final = 0.08
"""... and how many metres more room they take then."""
FAILED: Final = 4
"""How often one may find none until it is left at that."""
NEARER: Final = 0.1
"""Metres nearer than allowed from which on one is told; and ..."""
OFF: Final = 0.25
"""... beside the start or the end, or before the end."""


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """How somebody keeps apart from the others.

    Attributes:
        points: (K, 2) the way to go, metres, world.
        distances: (T) metres along it at each frame from the plan's start on.
        clock: (T) the frame of the plan whose place on its way they have got to.
        changed: whether it is other than the plan.
        notes: what was not to be had, in sentences.
    """

    points: Array
    distances: Array
    clock: Array
    changed: bool = False
    notes: tuple[str, ...] = ()


def apart(plans: Sequence[Plan], rate: float, seed: int = 0) -> list[Kept]:
    """The plans, changed so that nobody is nearer to anybody than the rooms of both allow, as far as that can be.

    Args:
        plans: of all walkers.
        rate: frames a second.
        seed: chooses who has the right of way among those who are as early.
    """
    if not plans:
        return []
    fastest = max(float(np.diff(plan.distances).max(initial=0.0)) * rate for plan in plans)
    seconds = min(LONGEST, FARTHEST / max(fastest, 0.1))
    crowd = _Crowd([Wayside(plan, rate, seconds) for plan in plans], rate, seconds)
    order = crowd.order(seed)
    for number in order:
        crowd.find(int(number))
    for _ in range(LOOKS):
        crowd.ease()
        if not crowd.look_again(order):
            break
    else:
        crowd.ease()
    return crowd.kept()


class _Crowd:
    """All walkers: the courses found, and the same eased."""

    def __init__(self, sides: list[Wayside], rate: float, seconds: float) -> None:
        count = len(sides)
        self.sides, self.rate = sides, rate
        self.radii = np.array([side.plan.radius for side in sides])
        self.bound = np.array([side.plan.bound for side in sides])
        self.extra, self.firmness = np.zeros(count), np.zeros(count, dtype=int)
        self.known, self.failed = np.zeros(count, dtype=bool), np.zeros(count, dtype=int)
        self.found = [side.as_planned() for side in sides]
        self.eased = list(self.found)
        self._bounds: list[tuple[Array, Array, int] | None] = [None] * count
        layers = max(side.lanes.last(PATIENCE[-1]) for side in sides) + 1
        self.times = np.arange(layers) * seconds
        self.places = np.stack([side.track(self.found[row], self.times)[0] for row, side in enumerate(sides)])
        self.still = np.stack([self._still(row, self.times) for row in range(count)])

    def order(self, seed: int) -> NDArray[np.intp]:
        """Who has the right of way before whom: who is bound, then who is sooner where others come to, on the whole."""
        count, often = len(self.sides), max(round(EVERY / float(self.times[1])), 1)
        some = self.places[:, ::often]
        moves = np.linalg.norm(np.diff(some, axis=1, append=some[:, -1:]), axis=-1) > MOVING
        who, when = np.nonzero(moves)
        pairs = scipy.spatial.KDTree(some[who, when]).query_pairs(2 * float(self.radii.max()), output_type="ndarray").T
        sooner = np.zeros((count, count))
        np.add.at(sooner, tuple(who[pairs]), np.sign(when[pairs[1]] - when[pairs[0]]))
        first = np.sign(sooner - sooner.T).sum(axis=1)
        return np.lexsort((-first + np.random.default_rng(seed).random(count), ~self.bound))

    def find(self, number: int) -> bool:
        """Finds the cheapest course of one among the others; false where it is too near to somebody."""
        side = self.sides[number]
        rest = np.delete(np.arange(len(self.sides)), number)
        room = rooms(self.radii[number], self.radii[rest, None], self.still[rest])
        room = room + np.maximum(self.extra[rest], self.extra[number])[:, None]
        beside = BESIDE * (self.radii[number] + self.radii[rest])
        waiting = self.times < np.array([self.sides[one].begins for one in rest])[:, None]
        others = Others(self.places[rest], room, beside, self.known[rest, None] | waiting)
        found = yielded(side.lanes, others, PATIENCE[0])
        for patience in PATIENCE[1:]:
            if found.blocked:
                found = min(found, yielded(side.lanes, others, patience), key=lambda one: one.cost)
        self.known[number] = True
        self.found[number] = side.course(found)
        self.places[number] = side.track(self.found[number], self.times)[0]
        self.still[number] = self._still(number, self.times)
        return not found.blocked

    def find_room(self, number: int, rank: NDArray[np.intp]) -> None:
        """Finds a course with more room; where there is none, those about one find theirs after one, by rank (N): more
        of them each time."""
        self.extra[number] += WIDER
        if self.find(number):
            return
        self.extra[number] = 0.0
        self.failed[number] += 1
        gaps = np.linalg.norm(self.places - self.places[number], axis=-1).min(axis=1)
        gaps[number] = np.inf
        about = np.flatnonzero(gaps < (self.radii + self.radii[number]) * self.failed[number])
        self.known[about] = False
        self.extra[about] = 0.0
        self.find(number)
        for other in about[np.argsort(rank[about])]:
            self.find(int(other))

    def ease(self) -> None:
        """Draws all courses as smoothly as they can be between their neighbours.

        Two who meet keep to their own sides of a line between them: so all can be drawn at once.
        """
        meetings = self._meetings(self.found).of_each(len(self.sides))
        for number, (side, course) in enumerate(zip(self.sides, self.found, strict=True)):
            bounds = (*self._between(number, meetings[number]), int(self.firmness[number]))
            if _same(self._bounds[number], bounds):
                continue
            self._bounds[number] = bounds
            low, high, firmness = bounds
            if not course.offsets.any() and (low <= 0).all() and (high >= 0).all():
                self.eased[number] = course
                continue
            ends = float(course.offsets[0]), float(course.offsets[-1])
            offsets = eased(low, high, ends, side.spacing, firmness)
            self.eased[number] = replace(course, offsets=offsets, changed=True)

    def look_again(self, order: NDArray[np.intp]) -> bool:
        """Changes what those do who are too near to each other; false where there is nothing to change.

        They keep to their bounds more firmly first; then, of two, the one without the right of way finds another
        course.
        """
        found = self._meetings(self.eased)
        near = found.apart < found.room - CLOSER
        if not near.any():
            return False
        pairs = np.unique(np.column_stack([found.one, found.other])[near], axis=0)
        rank = np.empty(len(order), dtype=np.intp)
        rank[order] = np.arange(len(order))
        firm = self.firmness[pairs].min(axis=1) == FIRMEST
        later = np.unique(rank[pairs[firm]].max(axis=1))
        loose = np.unique(pairs[~firm])
        self.firmness[loose] = np.minimum(self.firmness[loose] + 1, FIRMEST)
        again = [int(number) for number in order[later] if self.failed[number] < FAILED]
        for number in again:
            self.find_room(number, rank)
        return len(loose) > 0 or len(again) > 0

    def kept(self) -> list[Kept]:
        """What each does."""
        notes = self._notes()
        return [self._kept(number, tuple(notes[number])) for number in range(len(self.sides))]

    def _kept(self, number: int, notes: tuple[str, ...]) -> Kept:
        side, course = self.sides[number], self.eased[number]
        plan = side.plan
        if not course.changed:
            return Kept(plan.points, plan.distances, np.arange(len(plan.distances), dtype=float), False, notes)
        along, grid = side.along(course.clock), side.grid
        if along[-1] < grid[-1]:
            grid = np.append(grid[grid < along[-1] - 1e-6], along[-1])
        points = side.places(grid, side.offsets(course, grid))
        lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=-1))])
        return Kept(points, np.interp(along, grid, lengths), course.clock * self.rate, True, notes)

    def _still(self, number: int, times: Array) -> NDArray[np.bool_]:
        """Whether one stands (K) at times (K) who has not begun yet, or is at the end."""
        begins = self.sides[number].begins
        return (times <= begins) | (times >= begins + (len(self.found[number].clock) - 1) / self.rate)

    def _meetings(self, courses: list[Course]) -> Meetings:
        ends = [side.begins + len(course.clock) / self.rate for side, course in zip(self.sides, courses, strict=True)]
        times = np.arange(0.0, max(ends) + OFTEN, OFTEN)
        tracks = [side.track(course, times) for side, course in zip(self.sides, courses, strict=True)]
        places, along = (np.stack(one) for one in zip(*tracks, strict=True))
        still = np.stack([self._still(number, times) for number in range(len(self.sides))])
        return Meetings.of(places, along, self.radii, still, 2 * float(self.radii.max()) + SEEN)

    def _between(self, number: int, meetings: Meetings) -> tuple[Array, Array]:
        """The bounds (G) of somebody's offsets beside others whom they meet."""
        side, course = self.sides[number], self.found[number]
        low, high = (bound.copy() for bound in side.bounds.T)
        slack = meetings.apart - np.clip(meetings.apart, meetings.room, meetings.room + FREER)
        across = np.sum(side.right(meetings.along) * meetings.away, axis=-1)
        # Who is before or behind one cannot be gone round on the spot.
        counts = (slack >= 0) | (np.abs(across) > SIDEWAYS)
        across = np.copysign(np.maximum(np.abs(across), SIDEWAYS), across)
        # Of two, each leaves half of what is missing to the other, but for who is bound and who is not.
        share = (1.0 - self.bound[number] + self.bound[meetings.other]) / 2
        bounds = side.offsets(course, meetings.along) - share * slack / across
        at = np.round(meetings.along / side.spacing).astype(np.intp)
        right, left = counts & (across > 0), counts & (across < 0)
        np.maximum.at(low, at[right], bounds[right])
        np.minimum.at(high, at[left], bounds[left])
        return low, high

    def _notes(self) -> list[list[str]]:
        """What was not to be had, in sentences, for each."""
        notes: list[list[str]] = [self._ends(number) for number in range(len(self.sides))]
        found = self._meetings(self.eased)
        near = np.flatnonzero(found.apart < found.room - NEARER)
        for one, other in np.unique(np.column_stack([found.one, found.other])[near], axis=0):
            both = near[(found.one[near] == one) & (found.other[near] == other)]
            nearest = both[np.argmin(found.apart[both])]
            where = f"{found.apart[nearest]:.2f} m at frame {round(float(found.when[nearest]) * OFTEN * self.rate)}"
            for this, that in ((one, other), (other, one)):
                notes[this].append(
                    f"it comes as near to {self.sides[that].plan.name} as {where}: start one of the two later, or draw "
                    "one of the paths elsewhere"
                )
        return notes

    def _ends(self, number: int) -> list[str]:
        """Where one does not begin and end as planned, in sentences."""
        side, course = self.sides[number], self.eased[number]
        begins, ends = side.begins, side.begins + len(course.clock) / self.rate
        left = float(side.grid[-1] - side.along(course.clock[-1:])[0])
        result: list[str] = []
        if abs(course.offsets[0]) > OFF:
            whom = self._nearest(number, 0.0, begins)
            result.append(f"it begins {abs(course.offsets[0]):.1f} m beside its start, where {whom} is")
        if left > OFF:
            whom = self._nearest(number, left, ends)
            result.append(f"it stops {left:.1f} m before its end, where {whom} is in the way")
        elif abs(course.offsets[-1]) > OFF:
            whom = self._nearest(number, left, ends)
            result.append(f"it ends {abs(course.offsets[-1]):.1f} m beside its end, where {whom} is")
        return result

    def _nearest(self, number: int, along: float, time: float) -> str:
        """Who else is nearest, at a time, seconds, to a place so many metres along somebody's way."""
        place = self.sides[number].places(np.array(along), np.array(0.0))
        tracks = [side.track(self.eased[row], np.array([time]))[0][0] for row, side in enumerate(self.sides)]
        away = np.linalg.norm(np.array(tracks) - place, axis=-1)
        away[number] = np.inf
        return self.sides[int(away.argmin())].plan.name


def _same(one: tuple[Array, Array, int] | None, other: tuple[Array, Array, int]) -> bool:
    return one is not None and all(np.array_equal(mine, theirs) for mine, theirs in zip(one, other, strict=True))
