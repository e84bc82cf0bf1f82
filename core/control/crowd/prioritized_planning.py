"""Prioritized planning: trajectories of several agents that keep their distances, planned before any of them starts.

Agents are planned in order of priority: each finds the cheapest trajectory that avoids those planned before it
(:mod:`.space_time_search`); agents that reach shared places first have priority (prioritized planning, Erdmann and
Lozano-Perez 1987). Then all lateral offsets are smoothed together between bounds that separate neighbors
(:mod:`.offset_smoothing`). Remaining conflicts stiffen the bounds; if that does not help, the agent of lower priority
is planned again with more clearance.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...message import Message
from ...motion.polyline import arc_lengths_of
from ...motion.rotations import Array
from ...tuning import Tuning, tuned
from .lanes import AgentPlan, AgentTrajectory, LaneGraph
from .offset_smoothing import smooth_between_bounds
from .proximity import ProximityPairs, required_distances
from .proximity_costs import MovingObstacles
from .space_time_search import search_space_time

__all__ = ["AgentPlan", "CoordinatedPlan", "plan_crowd"]


@dataclass(frozen=True, slots=True)
class PrioritizedPlanningTuning(Tuning):
    max_delays: tuple[float, float, float] = tuned((3.0, 8.0, 20.0), "s", 0.0, 120.0)
    """Largest delay of an agent: the usual limit, and larger ones to try in turn while the agent is blocked."""
    max_time_layer: float = tuned(0.25, "s", 0.02, 2.0)
    """Longest duration of a time layer."""
    max_layer_advance: float = tuned(0.4, "m", 0.05, 3.0)
    """Largest distance that the fastest agent travels in a time layer; layers are shortened accordingly."""
    priority_sampling: float = tuned(0.5, "s", 0.05, 5.0)
    """Time between samples of the trajectories from which the agents' priorities follow."""
    moving_distance: float = tuned(0.05, "m", 0.0, 1.0)
    """Distance covered between two samples of ``priority_sampling`` above which an agent counts as moving."""
    endpoint_clearance: float = tuned(0.7, "1", 0.0, 1.0)
    """Least distance, as a share of the sum of both radii, of an agent that stands at its start or end from one that
    passes.
    """
    proximity_sampling: float = tuned(0.05, "s", 0.01, 1.0)
    """Time between samples of the trajectories in which agents near each other are searched."""
    proximity_margin: float = tuned(0.6, "m", 0.0, 5.0)
    """Margin over the largest sum of two radii within which two agents count as near."""
    smoothing_margin: float = tuned(0.12, "m", 0.0, 1.0)
    """Margin over the required distance that smoothing keeps between agents that already have it."""
    min_lateral_share: float = tuned(0.35, "1", 0.0, 1.0)
    """Least lateral component of the unit vector to another agent at which a lateral offset can avoid the agent."""
    max_repair_rounds: int = tuned(12, "1", 0, 200)
    """Largest number of rounds that resolve remaining conflicts."""
    conflict_tolerance: float = tuned(0.08, "m", 0.0, 0.5)
    """Shortfall of a required distance above which a conflict is resolved."""
    max_stiffness_level: int = tuned(2, "1", 0, 10)
    """Highest stiffness level of the bounds."""
    clearance_increment: float = tuned(0.08, "m", 0.0, 1.0)
    """Clearance that is added each time an agent is planned again."""
    max_failed_searches: int = tuned(4, "1", 1, 50)
    """Number of blocked searches after which an agent keeps the trajectory that it has."""
    reported_deficit: float = tuned(0.1, "m", 0.0, 1.0)
    """Shortfall of a required distance above which the user is warned."""
    reported_offset: float = tuned(0.25, "m", 0.0, 2.0)
    """Distance of an agent's start or end from the planned one above which the user is warned."""


TUNING: Final = PrioritizedPlanningTuning()


@dataclass(frozen=True, slots=True, eq=False)
class CoordinatedPlan:
    """One agent's path and timing after conflicts with all others are resolved.

    Attributes:
        points: (K, 2) path, meters, world.
        distances: (T) arc length at each frame from the plan's start on, meters.
        plan_frames: (T) frame of the original plan that the agent has reached at each frame of this one.
        changed: Whether this plan differs from the original one.
        warnings: One sentence for the user about each unmet requirement.
    """

    points: Array
    distances: Array
    plan_frames: Array
    changed: bool = False
    warnings: tuple[str, ...] = ()


def plan_crowd(plans: Sequence[AgentPlan], rate: float, seed: int = 0) -> list[CoordinatedPlan]:
    """Return plans of all agents that keep their distances as well as possible, in the order of `plans`.

    Prioritized planning (Erdmann and Lozano-Perez 1987); in a conflict, the agent of lower priority is planned again.
    """
    if not plans:
        return []
    fastest = max(float(np.diff(plan.distances).max(initial=0.0)) * rate for plan in plans)
    seconds = min(TUNING.max_time_layer, TUNING.max_layer_advance / max(fastest, 0.1))
    crowd = _CrowdPlanner([LaneGraph(plan, rate, seconds) for plan in plans], rate, seconds)
    order = crowd.priority_order(seed)
    for number in order:
        crowd.plan_agent(int(number))
    for _ in range(TUNING.max_repair_rounds):
        crowd.smooth_trajectories()
        if not crowd.resolve_conflicts(order):
            break
    else:
        crowd.smooth_trajectories()
    return crowd.results()


class _CrowdPlanner:
    """All agents, with their trajectories as found and as smoothed."""

    def __init__(self, lane_graphs: list[LaneGraph], rate: float, layer_duration: float) -> None:
        count = len(lane_graphs)
        self.lane_graphs, self.rate = lane_graphs, rate
        self.radii = np.array([lane_graph.plan.radius for lane_graph in lane_graphs])
        self.is_fixed = np.array([lane_graph.plan.is_fixed for lane_graph in lane_graphs])
        self.extra_clearances, self.stiffness_levels = np.zeros(count), np.zeros(count, dtype=int)
        self.is_planned, self.failure_counts = np.zeros(count, dtype=bool), np.zeros(count, dtype=int)
        self.trajectories = [lane_graph.unmodified() for lane_graph in lane_graphs]
        self.smoothed_trajectories = list(self.trajectories)
        self._last_bounds: list[tuple[Array, Array, int] | None] = [None] * count
        layers = max(lane_graph.lanes.last_layer(TUNING.max_delays[-1]) for lane_graph in lane_graphs) + 1
        self.times = np.arange(layers) * layer_duration
        self.positions = np.stack(
            [
                lane_graph.positions_at(self.trajectories[row], self.times)[0]
                for row, lane_graph in enumerate(lane_graphs)
            ]
        )
        self.is_stationary = np.stack([self._stationary_at(row, self.times) for row in range(count)])

    def priority_order(self, seed: int) -> NDArray[np.intp]:
        """Return the agents (N) in order of priority: fixed agents first, then by their arrival at shared places."""
        count, stride = len(self.lane_graphs), max(round(TUNING.priority_sampling / float(self.times[1])), 1)
        sampled = self.positions[:, ::stride]
        moves = np.linalg.norm(np.diff(sampled, axis=1, append=sampled[:, -1:]), axis=-1) > TUNING.moving_distance
        agents, moments = np.nonzero(moves)
        pairs = (
            scipy.spatial.KDTree(sampled[agents, moments])
            .query_pairs(2 * float(self.radii.max()), output_type="ndarray")
            .T
        )
        sooner = np.zeros((count, count))
        np.add.at(sooner, tuple(agents[pairs]), np.sign(moments[pairs[1]] - moments[pairs[0]]))
        first = np.sign(sooner - sooner.T).sum(axis=1)
        return np.lexsort((-first + np.random.default_rng(seed).random(count), ~self.is_fixed))

    def plan_agent(self, agent: int) -> bool:
        """Plan an agent's cheapest trajectory among the other agents; return whether it is free, not blocked."""
        if self.is_fixed[agent]:
            self.is_planned[agent] = True
            return True
        lane_graph = self.lane_graphs[agent]
        others = np.delete(np.arange(len(self.lane_graphs)), agent)
        min_distances = required_distances(self.radii[agent], self.radii[others, None], self.is_stationary[others])
        min_distances = min_distances + np.maximum(self.extra_clearances[others], self.extra_clearances[agent])[:, None]
        endpoint_distances = TUNING.endpoint_clearance * (self.radii[agent] + self.radii[others])
        not_started = self.times < np.array([self.lane_graphs[second].start_time for second in others])[:, None]
        obstacles = MovingObstacles(
            self.positions[others], min_distances, endpoint_distances, self.is_planned[others, None] | not_started
        )
        found = search_space_time(lane_graph.lanes, obstacles, TUNING.max_delays[0])
        for max_delay in TUNING.max_delays[1:]:
            if found.blocked:
                found = min(
                    found, search_space_time(lane_graph.lanes, obstacles, max_delay), key=lambda result: result.cost
                )
        self.is_planned[agent] = True
        self.trajectories[agent] = lane_graph.trajectory_from(found)
        self.positions[agent] = lane_graph.positions_at(self.trajectories[agent], self.times)[0]
        self.is_stationary[agent] = self._stationary_at(agent, self.times)
        return not found.blocked

    def replan_with_clearance(self, agent: int, priority_rank: NDArray[np.intp]) -> None:
        """Plan an agent again with more clearance; if that fails, plan its neighbors of lower priority around it.

        Args:
            agent: Index of the agent.
            priority_rank: (N) rank of each agent in the order of priority, 0 for the first.
        """
        self.extra_clearances[agent] += TUNING.clearance_increment
        if self.plan_agent(agent):
            return
        self.extra_clearances[agent] = 0.0
        self.failure_counts[agent] += 1
        gaps = np.linalg.norm(self.positions - self.positions[agent], axis=-1).min(axis=1)
        gaps[agent] = np.inf
        neighbors = np.flatnonzero(gaps < (self.radii + self.radii[agent]) * self.failure_counts[agent])
        self.is_planned[neighbors] = False
        self.extra_clearances[neighbors] = 0.0
        self.plan_agent(agent)
        for second in neighbors[np.argsort(priority_rank[neighbors])]:
            self.plan_agent(int(second))

    def smooth_trajectories(self) -> None:
        """Smooth the lateral offsets of all agents between their neighbors.

        Two agents that meet keep to their own sides of a line between them, so that each can be smoothed by itself.
        """
        proximities = self._find_proximities(self.trajectories).by_agent(len(self.lane_graphs))
        for number, (lane_graph, trajectory) in enumerate(zip(self.lane_graphs, self.trajectories, strict=True)):
            bounds = (*self._offset_bounds(number, proximities[number]), int(self.stiffness_levels[number]))
            if _bounds_equal(self._last_bounds[number], bounds):
                continue
            self._last_bounds[number] = bounds
            low, high, stiffness_level = bounds
            if not trajectory.offsets.any() and (low <= 0).all() and (high >= 0).all():
                self.smoothed_trajectories[number] = trajectory
                continue
            ends = float(trajectory.offsets[0]), float(trajectory.offsets[-1])
            offsets = smooth_between_bounds(low, high, ends, lane_graph.spacing, stiffness_level)
            self.smoothed_trajectories[number] = replace(trajectory, offsets=offsets, changed=True)

    def resolve_conflicts(self, priority_order: NDArray[np.intp]) -> bool:
        """Try to resolve the remaining conflicts; return whether any bounds or trajectories have changed.

        The bounds of both agents are stiffened first; then the agent of lower priority is planned again.
        """
        found = self._find_proximities(self.smoothed_trajectories)
        near = found.distance < found.required_distance - TUNING.conflict_tolerance
        if not near.any():
            return False
        pairs = np.unique(np.column_stack([found.first, found.second])[near], axis=0)
        rank = np.empty(len(priority_order), dtype=np.intp)
        rank[priority_order] = np.arange(len(priority_order))
        firm = self.stiffness_levels[pairs].min(axis=1) == TUNING.max_stiffness_level
        later = np.unique(rank[pairs[firm]].max(axis=1))
        loose = np.unique(pairs[~firm])
        self.stiffness_levels[loose] = np.minimum(self.stiffness_levels[loose] + 1, TUNING.max_stiffness_level)
        again = [
            int(number) for number in priority_order[later] if self.failure_counts[number] < TUNING.max_failed_searches
        ]
        for number in again:
            self.replan_with_clearance(number, rank)
        return len(loose) > 0 or len(again) > 0

    def results(self) -> list[CoordinatedPlan]:
        """Return the coordinated plan of each agent."""
        warnings = self._warnings()
        return [self._result(number, tuple(warnings[number])) for number in range(len(self.lane_graphs))]

    def _result(self, agent: int, warnings: tuple[str, ...]) -> CoordinatedPlan:
        lane_graph, trajectory = self.lane_graphs[agent], self.smoothed_trajectories[agent]
        plan = lane_graph.plan
        if not trajectory.changed:
            return CoordinatedPlan(
                plan.points, plan.distances, np.arange(len(plan.distances), dtype=float), False, warnings
            )
        along, grid = lane_graph.arc_length(trajectory.plan_times), lane_graph.offset_arc_lengths
        if along[-1] < grid[-1]:
            grid = np.append(grid[grid < along[-1] - 1e-6], along[-1])
        points = lane_graph.positions(grid, lane_graph.offsets_at(trajectory, grid))
        lengths = arc_lengths_of(points)
        return CoordinatedPlan(
            points, np.interp(along, grid, lengths), trajectory.plan_times * self.rate, True, warnings
        )

    def _stationary_at(self, agent: int, times: Array) -> NDArray[np.bool_]:
        """Return whether (K) an agent has not started or has arrived at common times (K), seconds."""
        begins = self.lane_graphs[agent].start_time
        return (times <= begins) | (times >= begins + (len(self.trajectories[agent].plan_times) - 1) / self.rate)

    def _find_proximities(self, trajectories: list[AgentTrajectory]) -> ProximityPairs:
        """Return the proximity pairs of trajectories, one for each agent."""
        ends = [
            lane_graph.start_time + len(trajectory.plan_times) / self.rate
            for lane_graph, trajectory in zip(self.lane_graphs, trajectories, strict=True)
        ]
        times = np.arange(0.0, max(ends) + TUNING.proximity_sampling, TUNING.proximity_sampling)
        tracks = [
            lane_graph.positions_at(trajectory, times)
            for lane_graph, trajectory in zip(self.lane_graphs, trajectories, strict=True)
        ]
        places, along = (np.stack(parts) for parts in zip(*tracks, strict=True))
        still = np.stack([self._stationary_at(number, times) for number in range(len(self.lane_graphs))])
        return ProximityPairs.find(
            places, along, self.radii, still, 2 * float(self.radii.max()) + TUNING.proximity_margin
        )

    def _offset_bounds(self, agent: int, proximities: ProximityPairs) -> tuple[Array, Array]:
        """Return lower and upper bounds (G) of an agent's lateral offset beside the agents that it passes.

        Each of two agents provides half of the missing clearance, or all of it beside a fixed agent (reciprocity, van
        den Berg, Lin and Manocha 2008).
        """
        lane_graph, trajectory = self.lane_graphs[agent], self.trajectories[agent]
        low, high = (bound.copy() for bound in lane_graph.offset_bounds.T)
        slack = proximities.distance - np.clip(
            proximities.distance, proximities.required_distance, proximities.required_distance + TUNING.smoothing_margin
        )
        across = np.sum(lane_graph.right_vectors(proximities.first_arc_length) * proximities.direction, axis=-1)
        # A lateral offset cannot avoid an agent straight ahead or behind.
        counts = (slack >= 0) | (np.abs(across) > TUNING.min_lateral_share)
        across = np.copysign(np.maximum(np.abs(across), TUNING.min_lateral_share), across)
        # A fixed agent provides none of the missing clearance; the agent beside it provides all.
        share = (1.0 - self.is_fixed[agent] + self.is_fixed[proximities.second]) / 2
        bounds = lane_graph.offsets_at(trajectory, proximities.first_arc_length) - share * slack / across
        at = np.round(proximities.first_arc_length / lane_graph.spacing).astype(np.intp)
        right, left = counts & (across > 0), counts & (across < 0)
        np.maximum.at(low, at[right], bounds[right])
        np.minimum.at(high, at[left], bounds[left])
        return low, high

    def _warnings(self) -> list[list[str]]:
        """Return the warnings of each agent."""
        warnings: list[list[str]] = [self._endpoint_warnings(number) for number in range(len(self.lane_graphs))]
        found = self._find_proximities(self.smoothed_trajectories)
        near = np.flatnonzero(found.distance < found.required_distance - TUNING.reported_deficit)
        for first, second in np.unique(np.column_stack([found.first, found.second])[near], axis=0):
            moments_of_pair = near[(found.first[near] == first) & (found.second[near] == second)]
            nearest = moments_of_pair[np.argmin(found.distance[moments_of_pair])]
            frame = round(float(found.time_index[nearest]) * TUNING.proximity_sampling * self.rate)
            for agent, partner in ((first, second), (second, first)):
                warnings[agent].append(
                    Message(
                        "The character comes too close to '{other}', {distance} m at frame {frame}: start one of the "
                        "two later, or move one of the paths",
                        other=self.lane_graphs[partner].plan.name,
                        distance=f"{found.distance[nearest]:.2f}",
                        frame=frame,
                    )
                )
        return warnings

    def _endpoint_warnings(self, agent: int) -> list[str]:
        """Return the warnings about an agent that starts or ends beside its planned position."""
        lane_graph, trajectory = self.lane_graphs[agent], self.smoothed_trajectories[agent]
        begins, ends = lane_graph.start_time, lane_graph.start_time + len(trajectory.plan_times) / self.rate
        left = float(lane_graph.offset_arc_lengths[-1] - lane_graph.arc_length(trajectory.plan_times[-1:])[0])
        result: list[str] = []
        if abs(trajectory.offsets[0]) > TUNING.reported_offset:
            name = self._nearest_agent_name(agent, 0.0, begins)
            result.append(
                Message(
                    "The character starts {distance} m from the start of its path, since '{other}' stands there",
                    distance=f"{abs(trajectory.offsets[0]):.1f}",
                    other=name,
                )
            )
        arrived = lane_graph.positions_at(trajectory, np.array([ends]))[0][0]
        missed = float(np.linalg.norm(arrived - lane_graph.positions(lane_graph.offset_arc_lengths[-1], np.array(0.0))))
        if missed > TUNING.reported_offset:
            name = self._nearest_agent_name(agent, float(lane_graph.offset_arc_lengths[-1]) - left, ends)
            result.append(
                Message(
                    "The character stops {distance} m before the end of its path, blocked by '{other}'",
                    distance=f"{left:.1f}",
                    other=name,
                )
                if left > abs(trajectory.offsets[-1])
                else Message(
                    "The character ends {distance} m from the end of its path, since '{other}' stands there",
                    distance=f"{missed:.1f}",
                    other=name,
                )
            )
        return result

    def _nearest_agent_name(self, agent: int, arc_length: float, time: float) -> str:
        """Return the name of the agent nearest, at a common time, to a point of an agent's path."""
        place = self.lane_graphs[agent].positions(np.array(arc_length), np.array(0.0))
        tracks = [
            lane_graph.positions_at(self.smoothed_trajectories[row], np.array([time]))[0][0]
            for row, lane_graph in enumerate(self.lane_graphs)
        ]
        away = np.linalg.norm(np.array(tracks) - place, axis=-1)
        away[agent] = np.inf
        return self.lane_graphs[int(away.argmin())].plan.name


def _bounds_equal(bounds: tuple[Array, Array, int] | None, other_bounds: tuple[Array, Array, int]) -> bool:
    """Return whether two sets of bounds are equal."""
    return bounds is not None and all(
        np.array_equal(values, other_values) for values, other_values in zip(bounds, other_bounds, strict=True)
    )
