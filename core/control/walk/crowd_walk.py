"""Walks that are made together and keep apart: their ways and plans, changed before any of them begins."""

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion.proportions import ADULT_LEG
from ...motion.rotations import Array
from ..crowd.lanes import AGENT_RADIUS_M, MAX_LATERAL_OFFSET_M, AgentPlan
from ..crowd.prioritized_planning import CoordinatedPlan, plan_crowd
from ..navigation.corridor_width import corridor_widths
from ..path.path import PATH_SPACING_M, Path, even_arc_lengths
from ..path.terrain_profile import TerrainProfile
from ..path.velocity_profile import Timing
from .path_walk import ADVANCE_CHUNK_FRAMES, PathWalk, batch_walks

MIN_WALK_M: Final = 0.1
"""Metres under which somebody who cannot get away from the start stands there."""


def plan_and_batch(
    walks: Sequence[PathWalk],
    start_frames: Sequence[int] | None = None,
    names: Sequence[str] | None = None,
    seed: int = 0,
) -> list[tuple[str, ...]]:
    """Makes walks of one controller that have not begun a crowd in which nobody is in anybody's way.

    Who has marks is made alone first, if that has not been done, so as to learn how to meet them; others make way for
    them.

    Args:
        walks: all of them, in one scene.
        start_frames: the frame at which each begins to walk; before, they stand there. The first where not given.
        names: what they are called in the sentences.
        seed: chooses who has the right of way among those who are as early.

    Returns:
        For each, what was not to be had, in sentences.
    """
    start_frames = start_frames or [0] * len(walks)
    names = names or [f"walker {number + 1}" for number in range(len(walks))]
    for walk in walks:
        while walk.has_waypoints and walk.advance(ADVANCE_CHUNK_FRAMES):
            pass
    plans = [_agent_plan(walk, start, name) for walk, start, name in zip(walks, start_frames, names, strict=True)]
    result = plan_crowd(plans, walks[0].model.rate, seed)
    for walk, kept, start in zip(walks, result, start_frames, strict=True):
        _apply_crowd_plan(walk, kept, start)
    batch_walks(walks)
    return [kept.warnings for kept in result]


def _agent_plan(walk: PathWalk, start_frame: int, name: str) -> AgentPlan:
    size = walk.model.skeleton.leg_length * walk.scale / ADULT_LEG
    way, surroundings = walk.plan, walk.surroundings.scaled(1 / walk.scale)
    free = corridor_widths(way.path, way.profile, surroundings, walk.body_scale, MAX_LATERAL_OFFSET_M / walk.scale)
    return AgentPlan(
        way.path.points * walk.scale,
        way.timing.distances * walk.scale,
        start_frame,
        name,
        AGENT_RADIUS_M * size,
        corridor_widths=None if free is None else free * walk.scale,
        is_fixed=walk.has_waypoints,
    )


def _apply_crowd_plan(walk: PathWalk, coordinated_plan: CoordinatedPlan, start_frame: int) -> None:
    """Has a walk go another way at other times."""
    way = walk.plan
    if coordinated_plan.changed and coordinated_plan.distances[-1] > MIN_WALK_M:
        path = Path(coordinated_plan.points / walk.scale)
        surroundings = walk.surroundings.scaled(1 / walk.scale)
        profile = TerrainProfile.from_path(path, surroundings, float(way.profile.height_at(0.0)), walk.body_scale)
        way = replace(way, path=path, profile=profile)
    timing = (
        apply_crowd_timing(way.timing, coordinated_plan, way.path, walk.scale, walk.model.rate)
        if coordinated_plan.changed
        else way.timing
    )
    walk.follow_plan(replace(way, timing=delay_timing(timing, start_frame)), start_frame)


def apply_crowd_timing(
    timing: Timing, coordinated_plan: CoordinatedPlan, path: Path, scale: float, rate: float
) -> Timing:
    """A plan by what is kept of it.

    Args:
        timing: the plan as it was.
        coordinated_plan: what is kept.
        path: the path that is made of it, in metres of the controller.
        scale: metres of the world for one of the controller.
        rate: frames a second.
    """
    drawn = coordinated_plan.distances / scale
    # Its corners were rounded: it is somewhat shorter.
    lengths = even_arc_lengths(PATH_SPACING_M, float(drawn[-1])) if len(path.arc_lengths) > 1 else np.zeros(1)
    distances = np.interp(drawn, lengths, path.arc_lengths[: len(lengths)])
    speeds = np.gradient(distances) * rate if len(distances) > 1 else np.zeros(1)
    clock = np.clip(coordinated_plan.plan_frames, 0, len(timing) - 1)
    before = np.minimum(clock.astype(np.intp), max(len(timing) - 2, 0))
    share = clock - before
    told = {name: _interpolate_frames(getattr(timing, name), before, share) for name in _cue_fields(timing)}
    # Cycles a frame of the plan, of which there are more or fewer in a frame now.
    told["phase_offsets"] = told["phase_offsets"] * (np.gradient(clock) if len(clock) > 1 else 1.0)
    return replace(timing, distances=distances, speeds=speeds, **told)


def delay_timing(timing: Timing, frames: int) -> Timing:
    """A plan that begins with so many frames of standing."""
    if frames == 0:
        return timing
    still = {name: np.zeros(frames) for name in ("distances", "speeds")}
    first = still | {name: np.repeat(getattr(timing, name)[:1], frames, axis=0) for name in _cue_fields(timing)}
    return replace(timing, **{name: np.concatenate([one, getattr(timing, name)]) for name, one in first.items()})


def _cue_fields(timing: Timing) -> list[str]:
    """What a plan tells of each frame besides where to be."""
    return [field.name for field in fields(timing) if field.name not in ("distances", "speeds")]


def _interpolate_frames(values: Array, lower_frames: NDArray[np.intp], fraction: Array) -> Array:
    """Values (T, ...) so far, as a share, from frames to the ones after."""
    fraction = fraction.reshape(-1, *(1,) * (values.ndim - 1))
    return values[lower_frames] * (1 - fraction) + values[np.minimum(lower_frames + 1, len(values) - 1)] * fraction
