"""Walks of a crowd: their paths and timings are changed before any walk starts, so that the characters keep apart."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...message import Message
from ...motion.polyline import arc_lengths_of
from ...motion.rotations import Array
from ...scene.body_size import AGENT_RADIUS_M
from ..crowd.lanes import TUNING as LANES_TUNING
from ..crowd.lanes import AgentPlan
from ..crowd.prioritized_planning import CoordinatedPlan, plan_crowd
from ..navigation.corridor_width import corridor_widths
from ..path.path import PATH_SPACING_M, Path, even_arc_lengths
from ..path.terrain_profile import TerrainProfile
from ..path.velocity_profile import Timing
from .path_walk import ADVANCE_CHUNK_FRAMES, WalkRollout, batch_walks
from .plan import WalkPlan, delay_waypoints

MIN_WALK_M: Final = 0.1
"""Length, meters, below which a path that is blocked at its start makes the character stand still."""
PINNED_M: Final = 0.2
"""Length, meters, of the start and end of a path that a walk keeps even if other characters stay on it."""


@dataclass(frozen=True, slots=True, eq=False)
class Passer:
    """A character with known motion, around which a walk is planned.

    Attributes:
        name: name of the character in warnings.
        places: (F, 2) root positions at each frame of the walk, meters, world; the last one persists.
        radius: the character's share of the distance to keep, meters.
    """

    name: str
    places: Array
    radius: float = AGENT_RADIUS_M


def plan_and_batch(
    walks: Sequence[WalkRollout],
    start_frames: Sequence[int] | None = None,
    names: Sequence[str] | None = None,
    seed: int = 0,
) -> list[tuple[str, ...]]:
    """Change the plans of walks of one controller so that the characters keep apart, and batch the walks' roll-outs.

    The method is prioritized planning (Erdmann and Lozano-Perez 1987). A walk with waypoints is first rolled out alone,
    unless it already is, so that its timing meets the waypoints; the other walks avoid it.

    Args:
        walks: walks in one scene that have not started.
        start_frames: (K) frame at which each character starts to walk after standing; by default 0.
        names: (K) names of the characters in warnings.
        seed: seed of the order of characters with equal priority.

    Returns:
        For each walk, warnings to the user, in sentences.
    """
    start_frames = start_frames or [0] * len(walks)
    names = names or [Message("walker {number}", number=number + 1) for number in range(len(walks))]
    for walk in walks:
        while walk.has_waypoints and walk.advance(ADVANCE_CHUNK_FRAMES):
            pass
    rate = walks[0].model.rate
    plans = [_agent_plan(walk.plan, start, name) for walk, start, name in zip(walks, start_frames, names, strict=True)]
    result = plan_crowd(plans, rate, seed)
    for walk, coordinated, start in zip(walks, result, start_frames, strict=True):
        plan = _coordinated(walk.plan, coordinated, rate)
        plan = plan.with_timing(delay_timing(plan.timing, start))
        walk.follow_plan(delay_waypoints(plan, start / rate))
    batch_walks(walks)
    return [coordinated.warnings for coordinated in result]


def plan_around(plan: WalkPlan, passers: Sequence[Passer], rate: float, stands: int, is_exact: bool) -> WalkPlan:
    """Return the plan of a walk, changed to keep apart from other characters as well as possible.

    Args:
        plan: the plan made without the other characters.
        passers: the other characters, which do not give way.
        rate: frames per second.
        stands: number of frames before the plan begins, in which the character stands at its start.
        is_exact: whether the walk must end exactly at the end of its path; if not, it may end beside it.
    """
    agent = _agent_plan(plan, stands, "")
    agent = replace(agent, corridor_widths=_pinned(agent, is_exact))
    others = [
        AgentPlan(one.places, arc_lengths_of(one.places), 0, one.name, one.radius, 0.0, is_fixed=True)
        for one in passers
    ]
    made = plan_crowd([agent, *others], rate)[0]
    return replace(_coordinated(plan, made, rate), crowd_warnings=made.warnings)


def radius_of(plan: WalkPlan) -> float:
    """Return the radius of a walking character, meters: half of the distance to keep from a character of equal size."""
    return AGENT_RADIUS_M * plan.body_scale * plan.scale


def _pinned(agent: AgentPlan, is_exact: bool) -> Array:
    """Return the corridor widths (M, 2), meters, of an agent that starts, and may have to end, on its path."""
    lengths = arc_lengths_of(agent.points)
    ways = np.minimum(lengths, lengths[-1] - lengths) if is_exact else lengths
    free = np.maximum(ways - PINNED_M, 0.0)[:, None].repeat(2, axis=1)
    widths = agent.max_offset if agent.corridor_widths is None else agent.corridor_widths
    return np.minimum(widths, free)


def _agent_plan(plan: WalkPlan, start_frame: int, name: str) -> AgentPlan:
    """Return a walk as input to the crowd planner, in meters of the world."""
    widths = corridor_widths(
        plan.path,
        plan.profile,
        plan.walk_scene.scaled(1 / plan.scale),
        plan.body_scale,
        LANES_TUNING.max_lateral_offset / plan.scale,
    )
    return AgentPlan(
        plan.path.points * plan.scale,
        plan.timing.distances * plan.scale,
        start_frame,
        name,
        radius_of(plan),
        corridor_widths=None if widths is None else widths * plan.scale,
        is_fixed=len(plan.waypoints) > 0,
    )


def _coordinated(plan: WalkPlan, coordinated_plan: CoordinatedPlan, rate: float) -> WalkPlan:
    """Return the plan of a walk that follows its coordinated plan."""
    if not coordinated_plan.changed:
        return plan
    timing = plan.timing
    if coordinated_plan.distances[-1] > MIN_WALK_M:
        path = Path(coordinated_plan.points / plan.scale)
        surroundings = plan.walk_scene.scaled(1 / plan.scale)
        profile = TerrainProfile.from_path(path, surroundings, float(plan.profile.height_at(0.0)), plan.body_scale)
        plan = replace(plan, path=path, profile=profile)
    return plan.with_timing(apply_crowd_timing(timing, coordinated_plan, plan.path, plan.scale, rate))


def apply_crowd_timing(
    timing: Timing, coordinated_plan: CoordinatedPlan, path: Path, scale: float, rate: float
) -> Timing:
    """Return a timing that follows a coordinated plan.

    Args:
        timing: the timing before coordination.
        coordinated_plan: the plan after coordination, in world meters.
        path: the plan's path, in meters at the controller's scale.
        scale: world meters per meter at the controller's scale.
        rate: frames per second.
    """
    drawn = coordinated_plan.distances / scale
    # The corners of the path were rounded, so that it is slightly shorter.
    lengths = even_arc_lengths(PATH_SPACING_M, float(drawn[-1])) if len(path.arc_lengths) > 1 else np.zeros(1)
    distances = np.interp(drawn, lengths, path.arc_lengths[: len(lengths)])
    speeds = np.gradient(distances) * rate if len(distances) > 1 else np.zeros(1)
    clock = np.clip(coordinated_plan.plan_frames, 0, len(timing) - 1)
    before = np.minimum(clock.astype(np.intp), max(len(timing) - 2, 0))
    share = clock - before
    cue_values = {name: _interpolate_frames(getattr(timing, name), before, share) for name in _cue_fields(timing)}
    # Phase offsets are in cycles per frame of the original plan; a frame now covers more or fewer of its frames.
    cue_values["phase_offsets"] = cue_values["phase_offsets"] * (np.gradient(clock) if len(clock) > 1 else 1.0)
    return replace(timing, distances=distances, speeds=speeds, **cue_values)


def delay_timing(timing: Timing, frames: int) -> Timing:
    """Return a timing with `frames` frames of standing added at its start."""
    if frames == 0:
        return timing
    standing = {name: np.zeros(frames) for name in ("distances", "speeds")}
    first = standing | {name: np.repeat(getattr(timing, name)[:1], frames, axis=0) for name in _cue_fields(timing)}
    return replace(timing, **{name: np.concatenate([values, getattr(timing, name)]) for name, values in first.items()})


def _cue_fields(timing: Timing) -> list[str]:
    """Return the names of a timing's fields, except arc lengths and speeds."""
    return [field.name for field in fields(timing) if field.name not in ("distances", "speeds")]


def _interpolate_frames(values: Array, lower_frames: NDArray[np.intp], fraction: Array) -> Array:
    """Return values (T, ...) interpolated at fractional frames, given by lower frames and fractions to the next."""
    fraction = fraction.reshape(-1, *(1,) * (values.ndim - 1))
    return values[lower_frames] * (1 - fraction) + values[np.minimum(lower_frames + 1, len(values) - 1)] * fraction
