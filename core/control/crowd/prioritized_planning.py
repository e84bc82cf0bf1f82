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
from .lanes import AgentPlan, AgentTrajectory, LaneGraph
from .offset_smoothing import smooth_between_bounds
from .proximity import ProximityPairs, required_distances
from .space_time_search import MovingObstacles, search_space_time

__all__ = ["AgentPlan", "CoordinatedPlan", "plan_crowd"]

MAX_DELAYS_S: Final = (3.0, 8.0, 20.0)
"""Seconds that somebody may be late under way: as a rule, and where there is no way else."""
MAX_TIME_LAYER_S: Final = 0.25
"""Seconds of a layer of time, and ..."""
MAX_LAYER_ADVANCE_M: Final = 0.4
"""... metres that the fastest gets on in it, at most."""
PRIORITY_SAMPLING_S: Final = 0.5
"""Seconds between the moments at which one looks who comes where others have been, ..."""
MOVING_DISTANCE_M: Final = 0.05
"""... and metres that somebody gets on in them who is under way."""
ENDPOINT_CLEARANCE_SHARE: Final = 0.7
"""The share of two rooms from which on somebody begins, or ends, beside where they would, rather than be as near to
who goes by."""
PROXIMITY_SAMPLING_S: Final = 0.05
"""Seconds between the moments at which one looks who is near."""
PROXIMITY_MARGIN_M: Final = 0.6
"""Metres more than two rooms within which others are near."""
SMOOTHING_MARGIN_M: Final = 0.12
"""Metres more than their rooms that two keep who have them."""
MIN_LATERAL_SHARE: Final = 0.35
"""How much of the line to somebody, as a share, must be across one's way to go round them on the spot."""
MAX_REPAIR_ROUNDS: Final = 12
"""How often those look again who are too near, ..."""
CONFLICT_TOLERANCE_M: Final = 0.08
"""... by more than so many metres; ..."""
MAX_STIFFNESS_LEVEL: Final = 2
"""... how much more firmly they can keep to their bounds, in steps, ..."""
CLEARANCE_INCREMENT_M: Final = 0.08
"""... and how many metres more room they take then."""
MAX_FAILED_SEARCHES: Final = 4
"""How often one may find none until it is left at that."""
REPORTED_DEFICIT_M: Final = 0.1
"""Metres nearer than allowed from which on one is told; and ..."""
REPORTED_OFFSET_M: Final = 0.25
"""... beside the start or the end, or before the end."""


@dataclass(frozen=True, slots=True, eq=False)
class CoordinatedPlan:
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
    plan_frames: Array
    changed: bool = False
    warnings: tuple[str, ...] = ()


def plan_crowd(plans: Sequence[AgentPlan], rate: float, seed: int = 0) -> list[CoordinatedPlan]:
    """The plans, changed so that nobody is nearer to anybody than the rooms of both allow, as far as that can be.

    Args:
        plans: of all walkers.
        rate: frames a second.
        seed: chooses who has the right of way among those who are as early.
    """
    if not plans:
        return []
    fastest = max(float(np.diff(plan.distances).max(initial=0.0)) * rate for plan in plans)
    seconds = min(MAX_TIME_LAYER_S, MAX_LAYER_ADVANCE_M / max(fastest, 0.1))
    crowd = _CrowdPlanner([LaneGraph(plan, rate, seconds) for plan in plans], rate, seconds)
    order = crowd.priority_order(seed)
    for number in order:
        crowd.plan_agent(int(number))
    for _ in range(MAX_REPAIR_ROUNDS):
        crowd.smooth_trajectories()
        if not crowd.resolve_conflicts(order):
            break
    else:
        crowd.smooth_trajectories()
    return crowd.results()


class _CrowdPlanner:
    """All walkers: the courses found, and the same eased."""

    def __init__(self, lane_graphs: list[LaneGraph], rate: float, layer_duration: float) -> None:
        count = len(lane_graphs)
        self.lane_graphs, self.rate = lane_graphs, rate
        self.radii = np.array([side.plan.radius for side in lane_graphs])
        self.is_fixed = np.array([side.plan.is_fixed for side in lane_graphs])
        self.extra_clearances, self.stiffness_levels = np.zeros(count), np.zeros(count, dtype=int)
        self.is_planned, self.failure_counts = np.zeros(count, dtype=bool), np.zeros(count, dtype=int)
        self.trajectories = [side.unmodified() for side in lane_graphs]
        self.smoothed_trajectories = list(self.trajectories)
        self._last_bounds: list[tuple[Array, Array, int] | None] = [None] * count
        layers = max(side.lanes.last_layer(MAX_DELAYS_S[-1]) for side in lane_graphs) + 1
        self.times = np.arange(layers) * layer_duration
        self.positions = np.stack(
            [side.positions_at(self.trajectories[row], self.times)[0] for row, side in enumerate(lane_graphs)]
        )
        self.is_stationary = np.stack([self._stationary_at(row, self.times) for row in range(count)])

    def priority_order(self, seed: int) -> NDArray[np.intp]:
        """Who has the right of way before whom: who is bound, then who is sooner where others come to, on the whole."""
        count, often = len(self.lane_graphs), max(round(PRIORITY_SAMPLING_S / float(self.times[1])), 1)
        some = self.positions[:, ::often]
        moves = np.linalg.norm(np.diff(some, axis=1, append=some[:, -1:]), axis=-1) > MOVING_DISTANCE_M
        who, when = np.nonzero(moves)
        pairs = scipy.spatial.KDTree(some[who, when]).query_pairs(2 * float(self.radii.max()), output_type="ndarray").T
        sooner = np.zeros((count, count))
        np.add.at(sooner, tuple(who[pairs]), np.sign(when[pairs[1]] - when[pairs[0]]))
        first = np.sign(sooner - sooner.T).sum(axis=1)
        return np.lexsort((-first + np.random.default_rng(seed).random(count), ~self.is_fixed))

    def plan_agent(self, agent: int) -> bool:
        """Finds the cheapest course of one among the others; false where it is too near to somebody."""
        side = self.lane_graphs[agent]
        rest = np.delete(np.arange(len(self.lane_graphs)), agent)
        room = required_distances(self.radii[agent], self.radii[rest, None], self.is_stationary[rest])
        room = room + np.maximum(self.extra_clearances[rest], self.extra_clearances[agent])[:, None]
        beside = ENDPOINT_CLEARANCE_SHARE * (self.radii[agent] + self.radii[rest])
        waiting = self.times < np.array([self.lane_graphs[one].start_time for one in rest])[:, None]
        others = MovingObstacles(self.positions[rest], room, beside, self.is_planned[rest, None] | waiting)
        found = search_space_time(side.lanes, others, MAX_DELAYS_S[0])
        for patience in MAX_DELAYS_S[1:]:
            if found.blocked:
                found = min(found, search_space_time(side.lanes, others, patience), key=lambda one: one.cost)
        self.is_planned[agent] = True
        self.trajectories[agent] = side.trajectory_from(found)
        self.positions[agent] = side.positions_at(self.trajectories[agent], self.times)[0]
        self.is_stationary[agent] = self._stationary_at(agent, self.times)
        return not found.blocked

    def replan_with_clearance(self, agent: int, priority_rank: NDArray[np.intp]) -> None:
        """Finds a course with more room; where there is none, those about one find theirs after one, by rank (N): more
        of them each time."""
        self.extra_clearances[agent] += CLEARANCE_INCREMENT_M
        if self.plan_agent(agent):
            return
        self.extra_clearances[agent] = 0.0
        self.failure_counts[agent] += 1
        gaps = np.linalg.norm(self.positions - self.positions[agent], axis=-1).min(axis=1)
        gaps[agent] = np.inf
        about = np.flatnonzero(gaps < (self.radii + self.radii[agent]) * self.failure_counts[agent])
        self.is_planned[about] = False
        self.extra_clearances[about] = 0.0
        self.plan_agent(agent)
        for other in about[np.argsort(priority_rank[about])]:
            self.plan_agent(int(other))

    def smooth_trajectories(self) -> None:
        """Draws all courses as smoothly as they can be between their neighbours.

        Two who meet keep to their own sides of a line between them: so all can be drawn at once.
        """
        meetings = self._find_proximities(self.trajectories).by_agent(len(self.lane_graphs))
        for number, (side, course) in enumerate(zip(self.lane_graphs, self.trajectories, strict=True)):
            bounds = (*self._offset_bounds(number, meetings[number]), int(self.stiffness_levels[number]))
            if _bounds_equal(self._last_bounds[number], bounds):
                continue
            self._last_bounds[number] = bounds
            low, high, firmness = bounds
            if not course.offsets.any() and (low <= 0).all() and (high >= 0).all():
                self.smoothed_trajectories[number] = course
                continue
            ends = float(course.offsets[0]), float(course.offsets[-1])
            offsets = smooth_between_bounds(low, high, ends, side.spacing, firmness)
            self.smoothed_trajectories[number] = replace(course, offsets=offsets, changed=True)

    def resolve_conflicts(self, priority_order: NDArray[np.intp]) -> bool:
        """Changes what those do who are too near to each other; false where there is nothing to change.

        They keep to their bounds more firmly first; then, of two, the one without the right of way finds another
        course.
        """
        found = self._find_proximities(self.smoothed_trajectories)
        near = found.distance < found.required_distance - CONFLICT_TOLERANCE_M
        if not near.any():
            return False
        pairs = np.unique(np.column_stack([found.first, found.second])[near], axis=0)
        rank = np.empty(len(priority_order), dtype=np.intp)
        rank[priority_order] = np.arange(len(priority_order))
        firm = self.stiffness_levels[pairs].min(axis=1) == MAX_STIFFNESS_LEVEL
        later = np.unique(rank[pairs[firm]].max(axis=1))
        loose = np.unique(pairs[~firm])
        self.stiffness_levels[loose] = np.minimum(self.stiffness_levels[loose] + 1, MAX_STIFFNESS_LEVEL)
        again = [int(number) for number in priority_order[later] if self.failure_counts[number] < MAX_FAILED_SEARCHES]
        for number in again:
            self.replan_with_clearance(number, rank)
        return len(loose) > 0 or len(again) > 0

    def results(self) -> list[CoordinatedPlan]:
        """What each does."""
        notes = self._warnings()
        return [self._result(number, tuple(notes[number])) for number in range(len(self.lane_graphs))]

    def _result(self, agent: int, warnings: tuple[str, ...]) -> CoordinatedPlan:
        side, course = self.lane_graphs[agent], self.smoothed_trajectories[agent]
        plan = side.plan
        if not course.changed:
            return CoordinatedPlan(
                plan.points, plan.distances, np.arange(len(plan.distances), dtype=float), False, warnings
            )
        along, grid = side.arc_length(course.plan_times), side.offset_arc_lengths
        if along[-1] < grid[-1]:
            grid = np.append(grid[grid < along[-1] - 1e-6], along[-1])
        points = side.positions(grid, side.offsets_at(course, grid))
        lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=-1))])
        return CoordinatedPlan(points, np.interp(along, grid, lengths), course.plan_times * self.rate, True, warnings)

    def _stationary_at(self, agent: int, times: Array) -> NDArray[np.bool_]:
        """Whether one stands (K) at times (K) who has not begun yet, or is at the end."""
        begins = self.lane_graphs[agent].start_time
        return (times <= begins) | (times >= begins + (len(self.trajectories[agent].plan_times) - 1) / self.rate)

    def _find_proximities(self, trajectories: list[AgentTrajectory]) -> ProximityPairs:
        ends = [
            side.start_time + len(course.plan_times) / self.rate
            for side, course in zip(self.lane_graphs, trajectories, strict=True)
        ]
        times = np.arange(0.0, max(ends) + PROXIMITY_SAMPLING_S, PROXIMITY_SAMPLING_S)
        tracks = [side.positions_at(course, times) for side, course in zip(self.lane_graphs, trajectories, strict=True)]
        places, along = (np.stack(one) for one in zip(*tracks, strict=True))
        still = np.stack([self._stationary_at(number, times) for number in range(len(self.lane_graphs))])
        return ProximityPairs.find(places, along, self.radii, still, 2 * float(self.radii.max()) + PROXIMITY_MARGIN_M)

    def _offset_bounds(self, agent: int, proximities: ProximityPairs) -> tuple[Array, Array]:
        """The bounds (G) of somebody's offsets beside others whom they meet."""
        side, course = self.lane_graphs[agent], self.trajectories[agent]
        low, high = (bound.copy() for bound in side.offset_bounds.T)
        slack = proximities.distance - np.clip(
            proximities.distance, proximities.required_distance, proximities.required_distance + SMOOTHING_MARGIN_M
        )
        across = np.sum(side.right_vectors(proximities.first_arc_length) * proximities.direction, axis=-1)
        # Who is before or behind one cannot be gone round on the spot.
        counts = (slack >= 0) | (np.abs(across) > MIN_LATERAL_SHARE)
        across = np.copysign(np.maximum(np.abs(across), MIN_LATERAL_SHARE), across)
        # Of two, each leaves half of what is missing to the other, but for who is bound and who is not.
        share = (1.0 - self.is_fixed[agent] + self.is_fixed[proximities.second]) / 2
        bounds = side.offsets_at(course, proximities.first_arc_length) - share * slack / across
        at = np.round(proximities.first_arc_length / side.spacing).astype(np.intp)
        right, left = counts & (across > 0), counts & (across < 0)
        np.maximum.at(low, at[right], bounds[right])
        np.minimum.at(high, at[left], bounds[left])
        return low, high

    def _warnings(self) -> list[list[str]]:
        """What was not to be had, in sentences, for each."""
        notes: list[list[str]] = [self._endpoint_warnings(number) for number in range(len(self.lane_graphs))]
        found = self._find_proximities(self.smoothed_trajectories)
        near = np.flatnonzero(found.distance < found.required_distance - REPORTED_DEFICIT_M)
        for one, other in np.unique(np.column_stack([found.first, found.second])[near], axis=0):
            both = near[(found.first[near] == one) & (found.second[near] == other)]
            nearest = both[np.argmin(found.distance[both])]
            where = f"{found.distance[nearest]:.2f} m at frame {round(float(found.time_index[nearest]) * PROXIMITY_SAMPLING_S * self.rate)}"
            for this, that in ((one, other), (other, one)):
                notes[this].append(
                    f"it comes as near to {self.lane_graphs[that].plan.name} as {where}: start one of the two later, or draw "
                    "one of the paths elsewhere"
                )
        return notes

    def _endpoint_warnings(self, agent: int) -> list[str]:
        """Where one does not begin and end as planned, in sentences."""
        side, course = self.lane_graphs[agent], self.smoothed_trajectories[agent]
        begins, ends = side.start_time, side.start_time + len(course.plan_times) / self.rate
        left = float(side.offset_arc_lengths[-1] - side.arc_length(course.plan_times[-1:])[0])
        result: list[str] = []
        if abs(course.offsets[0]) > REPORTED_OFFSET_M:
            whom = self._nearest_agent_name(agent, 0.0, begins)
            result.append(f"it begins {abs(course.offsets[0]):.1f} m beside its start, where {whom} is")
        if left > REPORTED_OFFSET_M:
            whom = self._nearest_agent_name(agent, left, ends)
            result.append(f"it stops {left:.1f} m before its end, where {whom} is in the way")
        elif abs(course.offsets[-1]) > REPORTED_OFFSET_M:
            whom = self._nearest_agent_name(agent, left, ends)
            result.append(f"it ends {abs(course.offsets[-1]):.1f} m beside its end, where {whom} is")
        return result

    def _nearest_agent_name(self, agent: int, arc_length: float, time: float) -> str:
        """Who else is nearest, at a time, seconds, to a place so many metres along somebody's way."""
        place = self.lane_graphs[agent].positions(np.array(arc_length), np.array(0.0))
        tracks = [
            side.positions_at(self.smoothed_trajectories[row], np.array([time]))[0][0]
            for row, side in enumerate(self.lane_graphs)
        ]
        away = np.linalg.norm(np.array(tracks) - place, axis=-1)
        away[agent] = np.inf
        return self.lane_graphs[int(away.argmin())].plan.name


def _bounds_equal(bounds: tuple[Array, Array, int] | None, other_bounds: tuple[Array, Array, int]) -> bool:
    return bounds is not None and all(
        np.array_equal(mine, theirs) for mine, theirs in zip(bounds, other_bounds, strict=True)
    )
