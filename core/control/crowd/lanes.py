"""A plan of one of several walkers, the places beside its way, and courses that are led there."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from ...motion.rotations import Array, normalize
from .space_time_search import CELLS, LANE, Lanes, Yielded

RADIUS: Final = 0.32
"""Metres of an adult's own room: the middles of two are at least twice as far apart."""
CORRIDOR: Final = 1.2
"""Metres that somebody leaves their way by at most."""
DIRECTION: Final = 0.4
"""Metres before and behind a place over which the direction of a way is taken."""
GRID: Final = 0.05
"""Metres between the points of a way."""
STEADY: Final = 0.35
"""Seconds over which people slow down and hurry up."""
SETTLED: Final = 2.0
"""Seconds after the last layer of time in which everybody has come to rest."""
THERE: Final = 1e-4
"""Seconds before the end of their clock at which somebody is there."""


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What one of several is to do.

    Attributes:
        points: (M, 2) the way, metres, world.
        distances: (T) metres along it at each frame; they never fall. Who has got to the last one stands.
        start: the frame, of everybody's time, of the first of them; until then they stand there.
        name: what others call them.
        radius: metres of room about their middle that is theirs.
        corridor: metres that they leave the way by at most.
        free: (M, 2) metres that they may leave it by to the left and to the right at each of the points, if that is
            less.
        bound: whether they are to be where they are when they are: they have the right of way.
    """

    points: Array
    distances: Array
    start: int = 0
    name: str = "somebody"
    radius: float = RADIUS
    corridor: float = CORRIDOR
    free: Array | None = None
    bound: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Course:
    """What somebody does with their plan.

    Attributes:
        clock: (T) seconds of the plan's clock that it has got to, at each frame from the plan's start on.
        offsets: (G) metres to the right of the plan's way, evenly along it.
        changed: whether it is other than planned.
    """

    clock: Array
    offsets: Array
    changed: bool = False


class Wayside:
    """The places beside the way of a plan.

    Args:
        plan: whose.
        rate: frames a second.
        seconds: of a layer of time.

    Attributes:
        grid: (G) metres along the way at which courses' offsets are known, ...
        spacing: ... and from one of them to the next.
        bounds: (G, 2) between which the offsets are.
        begins: seconds of everybody's time at which the plan begins.
        lanes: the places by cells of the plan's clock.
    """

    def __init__(self, plan: Plan, rate: float, seconds: float) -> None:
        self.plan, self.rate = plan, rate
        lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(plan.points, axis=0), axis=-1))])
        distinct = np.concatenate([[True], np.diff(lengths) > 0])
        self._lengths, self._points = lengths[distinct], plan.points[distinct]
        self._free = np.zeros((0, 2)) if plan.free is None else plan.free[distinct]
        length = float(plan.distances[-1])
        self.grid = np.linspace(0.0, length, max(round(length / GRID), 1) + 1)
        self.spacing = float(self.grid[1]) or GRID
        self.begins = plan.start / rate
        self._cell = seconds / CELLS
        self._duration = (len(plan.distances) - 1) / rate
        cells = np.arange(int(np.ceil(self._duration / self._cell - 1e-9)) + 1)
        along = self.along(cells * self._cell)
        middle, right = ((axes[:, 0].copy(), axes[:, 1].copy()) for axes in (self._middle(along), self.right(along)))
        side = round(plan.corridor / LANE)
        offsets = np.arange(-side, side + 1) * LANE
        self.bounds = self._within(self.grid)
        low, high = self._within(along).T[..., None]
        shut = (offsets != 0) & ((offsets < low - 1e-9) | (offsets > high + 1e-9))
        self.lanes = Lanes(middle, right, offsets, shut, round(self.begins / self._cell), seconds)

    def along(self, clock: Array) -> Array:
        """Metres along the way (...) at seconds of the plan's clock (...)."""
        return np.interp(clock * self.rate, np.arange(len(self.plan.distances)), self.plan.distances)

    def places(self, along: Array, offsets: Array) -> Array:
        """Places (..., 2) so many metres along the way and to the right of it."""
        return self._middle(along) + self.right(along) * np.asarray(offsets)[..., None]

    def right(self, along: Array) -> Array:
        """Unit vectors (..., 2) to the right of the way."""
        before, after = (self._middle(np.clip(along + by, 0.0, self._lengths[-1])) for by in (-DIRECTION, DIRECTION))
        ahead = normalize(after - before)
        return np.stack([ahead[..., 1], -ahead[..., 0]], axis=-1)

    def offsets(self, course: Course, along: Array) -> Array:
        """Metres to the right of the way (...) so many metres along it."""
        return np.interp(along, self.grid, course.offsets)

    def track(self, course: Course, times: Array) -> tuple[Array, Array]:
        """Where one is (K, 2) at times (K), seconds of everybody's time, and how far along the plan's way (K)."""
        frames = (times - self.begins) * self.rate
        along = self.along(np.interp(frames, np.arange(len(course.clock)), course.clock))
        return self.places(along, self.offsets(course, along)), along

    def as_planned(self) -> Course:
        """The course where nobody is in the way."""
        return Course(np.arange(len(self.plan.distances)) / self.rate, np.zeros(len(self.grid)))

    def course(self, found: Yielded) -> Course:
        """What is found, by frames: people slow down and hurry up over some time."""
        end = len(self.lanes) - 1
        times = ((np.arange(len(found.clock)) + self.lanes.first) * CELLS - self.lanes.start) * self._cell
        late = np.maximum(times, 0.0) - found.clock * self._cell
        there = int(np.argmax(found.clock == found.clock[-1]))
        if found.clock[-1] == end:
            # One gets there between two layers.
            late[there:] = late[max(there - 1, 0)]
        if not late.any() and not found.offsets.any():
            return self.as_planned()
        own = np.arange(round((times[-1] + SETTLED) * self.rate)) / self.rate
        behind = np.interp(own, times, late)
        if found.clock[-1] < end:
            behind += np.maximum(own - times[-1], 0.0)
        clock = own - scipy.ndimage.gaussian_filter1d(behind, STEADY * self.rate, mode="nearest")
        last = min(float(found.clock[-1]) * self._cell, self._duration)
        clock = np.maximum.accumulate(np.clip(clock, 0.0, last))
        clock = clock[: int(np.argmax(clock >= last - THERE)) + 1]
        clock[-1] = last
        along = self.along(found.clock[: there + 1] * self._cell)
        # Who waits is on one lane.
        goes_on = np.concatenate([np.diff(along) > 0, [True]])
        return Course(clock, np.interp(self.grid, along[goes_on], found.offsets[: there + 1][goes_on]), True)

    def _within(self, along: Array) -> Array:
        """Between which offsets (..., 2) one has to be so many metres along the way."""
        corridor = self.plan.corridor
        if self.plan.free is None:
            return np.stack([np.full(along.shape, -corridor), np.full(along.shape, corridor)], axis=-1)
        left, right = (np.interp(along, self._lengths, side) for side in self._free.T)
        return np.stack([-np.minimum(left, corridor), np.minimum(right, corridor)], axis=-1)

    def _middle(self, along: Array) -> Array:
        """Places (..., 2) on the way."""
        return np.stack([np.interp(along, self._lengths, axis) for axis in self._points.T], axis=-1)
