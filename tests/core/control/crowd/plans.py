"""Plans of several agents and their resulting trajectories, for tests."""

from collections.abc import Sequence

import numpy as np

from footfall.core.control.crowd.lanes import AgentPlan
from footfall.core.control.crowd.prioritized_planning import CoordinatedPlan
from footfall.core.control.path.path import Path
from footfall.core.control.path.velocity_profile import plan_timing
from footfall.core.motion.polyline import arc_lengths_of
from footfall.core.motion.rotations import Array

RATE = 60.0


def walker(
    *points: tuple[float, float], speed: float = 1.2, start: int = 0, name: str = "somebody", **more
) -> AgentPlan:
    """Return the plan of an agent along a polyline; with a single point it stands there."""
    if len(points) == 1:
        return AgentPlan(np.array([points[0], (points[0][0] + 1.0, points[0][1])]), np.zeros(1), start, name, **more)
    path = Path(np.array(points))
    return AgentPlan(path.points, plan_timing(path, speed, RATE).distances, start, name, **more)


def tracks(plans: Sequence[AgentPlan], kept: Sequence[CoordinatedPlan]) -> Array:
    """Return all positions (N, T, 2) at each frame, until a second after the last agent has stopped."""
    frames = np.arange(max(one.start_frame + len(each.distances) for one, each in zip(plans, kept, strict=True)) + 60)
    result = []
    for one, each in zip(plans, kept, strict=True):
        lengths = arc_lengths_of(each.points)
        along = each.distances[np.clip(frames - one.start_frame, 0, len(each.distances) - 1)]
        result.append(np.stack([np.interp(along, lengths, axis) for axis in each.points.T], axis=-1))
    return np.stack(result)


def closest(tracks: Array) -> float:
    """Return the least distance between two agents, meters."""
    first, second = np.triu_indices(len(tracks), 1)
    return float(np.linalg.norm(tracks[first] - tracks[second], axis=-1).min())


def circle(count: int, radius: float) -> list[AgentPlan]:
    """Return agents around a circle that walk to the opposite side: all meet in the middle."""
    angles = 2 * np.pi * np.arange(count) / count
    ends = radius * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    return [walker(tuple(end), tuple(-end), name=f"number {number}") for number, end in enumerate(ends)]
