"""A plan of one of several walkers, the places beside its way, and courses that are led there."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from ...motion.rotations import Array, normalize
from .space_time_search import CELLS_PER_LAYER, LANE_WIDTH_M, LaneGrid, SearchResult

AGENT_RADIUS_M: Final = 0.32
"""Metres of an adult's own room: the middles of two are at least twice as far apart."""
MAX_LATERAL_OFFSET_M: Final = 1.2
"""Metres that somebody leaves their way by at most."""
DIRECTION_SPAN_M: Final = 0.4
"""Metres before and behind a place over which the direction of a way is taken."""
OFFSET_SPACING_M: Final = 0.05
"""Metres between the points of a way."""
DELAY_SMOOTHING_S: Final = 0.35
"""Seconds over which people slow down and hurry up."""
SETTLE_S: Final = 2.0
"""Seconds after the last layer of time in which everybody has come to rest."""
ARRIVAL_TOLERANCE_S: Final = 1e-4
"""Seconds before the end of their clock at which somebody is there."""


@dataclass(frozen=True, slots=True, eq=False)
class AgentPlan:
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
    start_frame: int = 0
    name: str = "somebody"
    radius: float = AGENT_RADIUS_M
    max_offset: float = MAX_LATERAL_OFFSET_M
    corridor_widths: Array | None = None
    is_fixed: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class AgentTrajectory:
    """What somebody does with their plan.

    Attributes:
        clock: (T) seconds of the plan's clock that it has got to, at each frame from the plan's start on.
        offsets: (G) metres to the right of the plan's way, evenly along it.
        changed: whether it is other than planned.
    """

    plan_times: Array
    offsets: Array
    changed: bool = False


class LaneGraph:
    """The places beside the way of a plan.

    Args:
        plan: whose.
        rate: frames a second.
        seconds: of a layer of time.

    Attributes:
        grid: (G) metres along the way at which courses' offsets are known, ...
        spacing: ... and from one of them to the next.
        offset_bounds: (G, 2) between which the offsets are.
        start_time: seconds of everybody's time at which the plan begins.
        lanes: the places by cells of the plan's clock.
    """

    def __init__(self, plan: AgentPlan, rate: float, layer_duration: float) -> None:
        self.plan, self.rate = plan, rate
        lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(plan.points, axis=0), axis=-1))])
        distinct = np.concatenate([[True], np.diff(lengths) > 0])
        self._lengths, self._points = lengths[distinct], plan.points[distinct]
        self._corridor_widths = np.zeros((0, 2)) if plan.corridor_widths is None else plan.corridor_widths[distinct]
        length = float(plan.distances[-1])
        self.offset_arc_lengths = np.linspace(0.0, length, max(round(length / OFFSET_SPACING_M), 1) + 1)
        self.spacing = float(self.offset_arc_lengths[1]) or OFFSET_SPACING_M
        self.start_time = plan.start_frame / rate
        self._cell_seconds = layer_duration / CELLS_PER_LAYER
        self._duration = (len(plan.distances) - 1) / rate
        cells = np.arange(int(np.ceil(self._duration / self._cell_seconds - 1e-9)) + 1)
        along = self.arc_length(cells * self._cell_seconds)
        middle, right = (
            (axes[:, 0].copy(), axes[:, 1].copy()) for axes in (self._centreline(along), self.right_vectors(along))
        )
        side = round(plan.max_offset / LANE_WIDTH_M)
        offsets = np.arange(-side, side + 1) * LANE_WIDTH_M
        self.offset_bounds = self._offset_bounds(self.offset_arc_lengths)
        low, high = self._offset_bounds(along).T[..., None]
        shut = (offsets != 0) & ((offsets < low - 1e-9) | (offsets > high + 1e-9))
        self.lanes = LaneGrid(middle, right, offsets, shut, round(self.start_time / self._cell_seconds), layer_duration)

    def arc_length(self, plan_times: Array) -> Array:
        """Metres along the way (...) at seconds of the plan's clock (...)."""
        return np.interp(plan_times * self.rate, np.arange(len(self.plan.distances)), self.plan.distances)

    def positions(self, arc_lengths: Array, offsets: Array) -> Array:
        """Places (..., 2) so many metres along the way and to the right of it."""
        return self._centreline(arc_lengths) + self.right_vectors(arc_lengths) * np.asarray(offsets)[..., None]

    def right_vectors(self, arc_lengths: Array) -> Array:
        """Unit vectors (..., 2) to the right of the way."""
        before, after = (
            self._centreline(np.clip(arc_lengths + by, 0.0, self._lengths[-1]))
            for by in (-DIRECTION_SPAN_M, DIRECTION_SPAN_M)
        )
        ahead = normalize(after - before)
        return np.stack([ahead[..., 1], -ahead[..., 0]], axis=-1)

    def offsets_at(self, trajectory: AgentTrajectory, arc_lengths: Array) -> Array:
        """Metres to the right of the way (...) so many metres along it."""
        return np.interp(arc_lengths, self.offset_arc_lengths, trajectory.offsets)

    def positions_at(self, trajectory: AgentTrajectory, times: Array) -> tuple[Array, Array]:
        """Where one is (K, 2) at times (K), seconds of everybody's time, and how far along the plan's way (K)."""
        frames = (times - self.start_time) * self.rate
        along = self.arc_length(np.interp(frames, np.arange(len(trajectory.plan_times)), trajectory.plan_times))
        return self.positions(along, self.offsets_at(trajectory, along)), along

    def unmodified(self) -> AgentTrajectory:
        """The course where nobody is in the way."""
        return AgentTrajectory(np.arange(len(self.plan.distances)) / self.rate, np.zeros(len(self.offset_arc_lengths)))

    def trajectory_from(self, search_result: SearchResult) -> AgentTrajectory:
        """What is found, by frames: people slow down and hurry up over some time."""
        end = len(self.lanes) - 1
        times = (
            (np.arange(len(search_result.cells)) + self.lanes.first_layer) * CELLS_PER_LAYER - self.lanes.start_cell
        ) * self._cell_seconds
        late = np.maximum(times, 0.0) - search_result.cells * self._cell_seconds
        there = int(np.argmax(search_result.cells == search_result.cells[-1]))
        if search_result.cells[-1] == end:
            # One gets there between two layers.
            late[there:] = late[max(there - 1, 0)]
        if not late.any() and not search_result.offsets.any():
            return self.unmodified()
        own = np.arange(round((times[-1] + SETTLE_S) * self.rate)) / self.rate
        behind = np.interp(own, times, late)
        if search_result.cells[-1] < end:
            behind += np.maximum(own - times[-1], 0.0)
        clock = own - scipy.ndimage.gaussian_filter1d(behind, DELAY_SMOOTHING_S * self.rate, mode="nearest")
        last = min(float(search_result.cells[-1]) * self._cell_seconds, self._duration)
        clock = np.maximum.accumulate(np.clip(clock, 0.0, last))
        clock = clock[: int(np.argmax(clock >= last - ARRIVAL_TOLERANCE_S)) + 1]
        clock[-1] = last
        along = self.arc_length(search_result.cells[: there + 1] * self._cell_seconds)
        # Who waits is on one lane.
        goes_on = np.concatenate([np.diff(along) > 0, [True]])
        return AgentTrajectory(
            clock, np.interp(self.offset_arc_lengths, along[goes_on], search_result.offsets[: there + 1][goes_on]), True
        )

    def _offset_bounds(self, arc_lengths: Array) -> Array:
        """Between which offsets (..., 2) one has to be so many metres along the way."""
        corridor = self.plan.max_offset
        if self.plan.corridor_widths is None:
            return np.stack([np.full(arc_lengths.shape, -corridor), np.full(arc_lengths.shape, corridor)], axis=-1)
        left, right = (np.interp(arc_lengths, self._lengths, side) for side in self._corridor_widths.T)
        return np.stack([-np.minimum(left, corridor), np.minimum(right, corridor)], axis=-1)

    def _centreline(self, arc_lengths: Array) -> Array:
        """Places (..., 2) on the way."""
        return np.stack([np.interp(arc_lengths, self._lengths, axis) for axis in self._points.T], axis=-1)
