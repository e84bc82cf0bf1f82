"""Agent plans, the lanes beside their paths, and trajectories along lanes."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from ...motion.polyline import arc_lengths_of
from ...motion.rotations import Array, normalize
from ...scene.body_size import AGENT_RADIUS_M
from ...tuning import Tuning, tuned
from .lane_grid import CELLS_PER_LAYER, LANE_WIDTH_M, LaneGrid
from .space_time_search import SearchResult


@dataclass(frozen=True, slots=True)
class LanesTuning(Tuning):
    max_lateral_offset: float = tuned(1.2, "m", 0.2, 10.0)
    """Largest lateral offset of an agent from its path."""
    direction_span: float = tuned(0.4, "m", 0.02, 3.0)
    """Arc length before and after a point over which the path's direction is measured."""
    offset_spacing: float = tuned(0.05, "m", 0.01, 0.5)
    """Spacing along the path at which lateral offsets are stored."""
    delay_smoothing: float = tuned(0.35, "s", 0.0, 5.0)
    """Standard deviation of the Gaussian that smooths delays, about the time in which an agent slows down or speeds up.
    """
    settle: float = tuned(2.0, "s", 0.0, 20.0)
    """Time added after the last time layer so that all agents have come to rest."""
    arrival_tolerance: float = tuned(1e-4, "s", 0.0, 0.1)
    """Remaining plan time below which an agent counts as arrived."""


TUNING: Final = LanesTuning()


@dataclass(frozen=True, slots=True, eq=False)
class AgentPlan:
    """The plan of one agent.

    Attributes:
        points: (M, 2) path, meters, world.
        distances: (T) arc length at each frame, meters; never decreasing. The agent stands at the last frame.
        start_frame: Frame, in the common time of all agents, at which the plan starts; until then the agent stands.
        name: Name of the agent in warnings.
        radius: Radius of the agent, meters.
        max_offset: Largest lateral offset, meters.
        corridor_widths: (M, 2) free distance to the left and right of each point, meters, which also limits lateral
            offsets.
        is_fixed: Whether the agent follows its plan exactly, so that all other agents give way to it.
    """

    points: Array
    distances: Array
    start_frame: int = 0
    name: str = "somebody"
    radius: float = AGENT_RADIUS_M
    max_offset: float = TUNING.max_lateral_offset
    corridor_widths: Array | None = None
    is_fixed: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class AgentTrajectory:
    """An agent's timing and lateral offsets along its plan.

    Attributes:
        plan_times: (T) time of its plan that the agent has reached at each frame from the plan's start on, seconds.
        offsets: (G) lateral offsets to the right of the path, meters, evenly spaced along it.
        changed: Whether the trajectory differs from the plan.
    """

    plan_times: Array
    offsets: Array
    changed: bool = False


class LaneGraph:
    """The lanes of one agent: curves parallel to its path (cf. lattices in the Frenet frame, Werling et al. 2010).

    Args:
        plan: Plan of the agent.
        rate: Frame rate, Hz.
        layer_duration: Duration of a time layer, seconds.

    Attributes:
        offset_arc_lengths: (G) arc lengths at which lateral offsets are given, meters.
        spacing: Distance between these arc lengths, meters.
        offset_bounds: (G, 2) bounds of the lateral offsets, meters.
        start_time: Time of the plan's start, in the common time of all agents, seconds.
        lanes: The lanes by cells of the agent's plan time.
    """

    def __init__(self, plan: AgentPlan, rate: float, layer_duration: float) -> None:
        self.plan, self.rate = plan, rate
        lengths = arc_lengths_of(plan.points)
        distinct = np.concatenate([[True], np.diff(lengths) > 0])
        self._lengths, self._points = lengths[distinct], plan.points[distinct]
        self._corridor_widths = np.zeros((0, 2)) if plan.corridor_widths is None else plan.corridor_widths[distinct]
        path_length = float(plan.distances[-1])
        self.offset_arc_lengths = np.linspace(0.0, path_length, max(round(path_length / TUNING.offset_spacing), 1) + 1)
        self.spacing = float(self.offset_arc_lengths[1]) or TUNING.offset_spacing
        self.start_time = plan.start_frame / rate
        self._cell_seconds = layer_duration / CELLS_PER_LAYER
        self._duration = (len(plan.distances) - 1) / rate
        cells = np.arange(int(np.ceil(self._duration / self._cell_seconds - 1e-9)) + 1)
        arc_lengths = self.arc_length(cells * self._cell_seconds)
        middle, right = (
            (axes[:, 0].copy(), axes[:, 1].copy())
            for axes in (self._centerline(arc_lengths), self.right_vectors(arc_lengths))
        )
        side = round(plan.max_offset / LANE_WIDTH_M)
        offsets = np.arange(-side, side + 1) * LANE_WIDTH_M
        self.offset_bounds = self._offset_bounds(self.offset_arc_lengths)
        low, high = self._offset_bounds(arc_lengths).T[..., None]
        blocked = (offsets != 0) & ((offsets < low - 1e-9) | (offsets > high + 1e-9))
        self.lanes = LaneGrid(
            middle, right, offsets, blocked, round(self.start_time / self._cell_seconds), layer_duration
        )

    def arc_length(self, plan_times: Array) -> Array:
        """Return the arc lengths (...), meters, that the plan reaches at plan times (...), seconds."""
        return np.interp(plan_times * self.rate, np.arange(len(self.plan.distances)), self.plan.distances)

    def positions(self, arc_lengths: Array, offsets: Array) -> Array:
        """Return the positions (..., 2), meters, world, at arc lengths and lateral offsets (...), meters."""
        return self._centerline(arc_lengths) + self.right_vectors(arc_lengths) * np.asarray(offsets)[..., None]

    def right_vectors(self, arc_lengths: Array) -> Array:
        """Return unit vectors (..., 2), world, to the right of the path at arc lengths (...), meters."""
        before, after = (
            self._centerline(np.clip(arc_lengths + by, 0.0, self._lengths[-1]))
            for by in (-TUNING.direction_span, TUNING.direction_span)
        )
        directions = normalize(after - before)
        return np.stack([directions[..., 1], -directions[..., 0]], axis=-1)

    def offsets_at(self, trajectory: AgentTrajectory, arc_lengths: Array) -> Array:
        """Return the lateral offsets (...), meters to the right, of a trajectory at arc lengths (...), meters."""
        return np.interp(arc_lengths, self.offset_arc_lengths, trajectory.offsets)

    def positions_at(self, trajectory: AgentTrajectory, times: Array) -> tuple[Array, Array]:
        """Return positions (K, 2), world, and arc lengths (K), meters, of a trajectory at common times (K), seconds."""
        frames = (times - self.start_time) * self.rate
        arc_lengths = self.arc_length(np.interp(frames, np.arange(len(trajectory.plan_times)), trajectory.plan_times))
        return self.positions(arc_lengths, self.offsets_at(trajectory, arc_lengths)), arc_lengths

    def unmodified(self) -> AgentTrajectory:
        """Return the trajectory of the unmodified plan: no delay, no lateral offset."""
        return AgentTrajectory(np.arange(len(self.plan.distances)) / self.rate, np.zeros(len(self.offset_arc_lengths)))

    def trajectory_from(self, search_result: SearchResult) -> AgentTrajectory:
        """Return the trajectory of a search result, from time layers to frames, with its delays smoothed."""
        last_cell = len(self.lanes) - 1
        times = (
            (np.arange(len(search_result.cells)) + self.lanes.first_layer) * CELLS_PER_LAYER - self.lanes.start_cell
        ) * self._cell_seconds
        delays = np.maximum(times, 0.0) - search_result.cells * self._cell_seconds
        arrival = int(np.argmax(search_result.cells == search_result.cells[-1]))
        if search_result.cells[-1] == last_cell:
            # The agent arrives between two layers.
            delays[arrival:] = delays[max(arrival - 1, 0)]
        if not delays.any() and not search_result.offsets.any():
            return self.unmodified()
        times_since_start = np.arange(round((times[-1] + TUNING.settle) * self.rate)) / self.rate
        smooth_delays = np.interp(times_since_start, times, delays)
        if search_result.cells[-1] < last_cell:
            smooth_delays += np.maximum(times_since_start - times[-1], 0.0)
        plan_times = times_since_start - scipy.ndimage.gaussian_filter1d(
            smooth_delays, TUNING.delay_smoothing * self.rate, mode="nearest"
        )
        last = min(float(search_result.cells[-1]) * self._cell_seconds, self._duration)
        plan_times = np.maximum.accumulate(np.clip(plan_times, 0.0, last))
        plan_times = plan_times[: int(np.argmax(plan_times >= last - TUNING.arrival_tolerance)) + 1]
        plan_times[-1] = last
        arc_lengths = self.arc_length(search_result.cells[: arrival + 1] * self._cell_seconds)
        # A waiting agent stays on its lane.
        advances = np.concatenate([np.diff(arc_lengths) > 0, [True]])
        return AgentTrajectory(
            plan_times,
            np.interp(self.offset_arc_lengths, arc_lengths[advances], search_result.offsets[: arrival + 1][advances]),
            True,
        )

    def _offset_bounds(self, arc_lengths: Array) -> Array:
        """Return the bounds (..., 2) of the lateral offset at arc lengths (...), meters."""
        corridor = self.plan.max_offset
        if self.plan.corridor_widths is None:
            return np.stack([np.full(arc_lengths.shape, -corridor), np.full(arc_lengths.shape, corridor)], axis=-1)
        left, right = (np.interp(arc_lengths, self._lengths, side) for side in self._corridor_widths.T)
        return np.stack([-np.minimum(left, corridor), np.minimum(right, corridor)], axis=-1)

    def _centerline(self, arc_lengths: Array) -> Array:
        """Return the points (..., 2) of the path at arc lengths (...), meters."""
        return np.stack([np.interp(arc_lengths, self._lengths, axis) for axis in self._points.T], axis=-1)
