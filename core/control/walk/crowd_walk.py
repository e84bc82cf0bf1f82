"""Walks that are made together and keep apart: their ways and plans, changed before any of them begins."""

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion.proportions import ADULT_LEG
from ...motion.rotations import Array
from ..crowd.lanes import CORRIDOR, RADIUS, Plan
from ..crowd.prioritized_planning import Kept, apart
from ..navigation.corridor_width import room_beside
from ..path.path import SPACING, Path, every
from ..path.terrain_profile import Profile
from ..path.velocity_profile import Timing
from .path_walk import WHOLE_MINUTE, PathWalk, go_together

LEAST: Final = 0.1
"""Metres under which somebody who cannot get away from the start stands there."""


def keep_apart(
    walks: Sequence[PathWalk], starts: Sequence[int] | None = None, names: Sequence[str] | None = None, seed: int = 0
) -> list[tuple[str, ...]]:
    """Makes walks of one controller that have not begun a crowd in which nobody is in anybody's way.

    Who has marks is made alone first, if that has not been done, so as to learn how to meet them; others make way for
    them.

    Args:
        walks: all of them, in one scene.
        starts: the frame at which each begins to walk; before, they stand there. The first where not given.
        names: what they are called in the sentences.
        seed: chooses who has the right of way among those who are as early.

    Returns:
        For each, what was not to be had, in sentences.
    """
    starts = starts or [0] * len(walks)
    names = names or [f"walker {number + 1}" for number in range(len(walks))]
    for walk in walks:
        while walk.has_marks and walk.advance(WHOLE_MINUTE):
            pass
    plans = [_plan(walk, start, name) for walk, start, name in zip(walks, starts, names, strict=True)]
    result = apart(plans, walks[0].model.rate, seed)
    for walk, kept, start in zip(walks, result, starts, strict=True):
        _lead(walk, kept, start)
    go_together(walks)
    return [kept.notes for kept in result]


def _plan(walk: PathWalk, start: int, name: str) -> Plan:
    size = walk.model.skeleton.leg_length * walk.scale / ADULT_LEG
    way, surroundings = walk.way, walk.surroundings.scaled(1 / walk.scale)
    free = room_beside(way.path, way.profile, surroundings, walk.size, CORRIDOR / walk.scale)
    return Plan(
        way.path.points * walk.scale,
        way.timing.distances * walk.scale,
        start,
        name,
        RADIUS * size,
        free=None if free is None else free * walk.scale,
        bound=walk.has_marks,
    )


def _lead(walk: PathWalk, kept: Kept, start: int) -> None:
    """Has a walk go another way at other times."""
    way = walk.way
    if kept.changed and kept.distances[-1] > LEAST:
        path = Path(kept.points / walk.scale)
        surroundings = walk.surroundings.scaled(1 / walk.scale)
        profile = Profile.along(path, surroundings, float(way.profile.height(0.0)), walk.size)
        way = replace(way, path=path, profile=profile)
    timing = retimed(way.timing, kept, way.path, walk.scale, walk.model.rate) if kept.changed else way.timing
    walk.lead(replace(way, timing=later(timing, start)), start)


def retimed(timing: Timing, kept: Kept, path: Path, scale: float, rate: float) -> Timing:
    """A plan by what is kept of it.

    Args:
        timing: the plan as it was.
        kept: what is kept.
        path: the path that is made of it, in metres of the controller.
        scale: metres of the world for one of the controller.
        rate: frames a second.
    """
    drawn = kept.distances / scale
    # Its corners were rounded: it is somewhat shorter.
    lengths = every(SPACING, float(drawn[-1])) if len(path.lengths) > 1 else np.zeros(1)
    distances = np.interp(drawn, lengths, path.lengths[: len(lengths)])
    speeds = np.gradient(distances) * rate if len(distances) > 1 else np.zeros(1)
    clock = np.clip(kept.clock, 0, len(timing) - 1)
    before = np.minimum(clock.astype(np.intp), max(len(timing) - 2, 0))
    share = clock - before
    told = {name: _between(getattr(timing, name), before, share) for name in _told(timing)}
    # Cycles a frame of the plan, of which there are more or fewer in a frame now.
    told["strides"] = told["strides"] * (np.gradient(clock) if len(clock) > 1 else 1.0)
    return replace(timing, distances=distances, speeds=speeds, **told)


def later(timing: Timing, frames: int) -> Timing:
    """A plan that begins with so many frames of standing."""
    if frames == 0:
        return timing
    still = {name: np.zeros(frames) for name in ("distances", "speeds")}
    first = still | {name: np.repeat(getattr(timing, name)[:1], frames, axis=0) for name in _told(timing)}
    return replace(timing, **{name: np.concatenate([one, getattr(timing, name)]) for name, one in first.items()})


def _told(timing: Timing) -> list[str]:
    """What a plan tells of each frame besides where to be."""
    return [field.name for field in fields(timing) if field.name not in ("distances", "speeds")]


def _between(values: Array, before: NDArray[np.intp], share: Array) -> Array:
    """Values (T, ...) so far, as a share, from frames to the ones after."""
    share = share.reshape(-1, *(1,) * (values.ndim - 1))
    return values[before] * (1 - share) + values[np.minimum(before + 1, len(values) - 1)] * share
