"""What is said of a take: what is done at each frame, and what is wanted."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ...core.features.interaction import ACTIONS, GOALS
from ...core.motion import Clip
from ...core.motion.root_frame import facing, root_track
from ...core.motion.rotations import Array
from ..data.sources import Source
from .clutter import strewn
from .take import Take, Thing

GOING: Final = (0.15, 0.45)
"""Metres a second up to which somebody idles, and from which they walk."""
RUNNING: Final = (1.9, 2.3)
"""The same of walking and running."""
AHEAD: Final = 60
"""Frames by which a goal of locomotion is ahead."""
FADING: Final = 8.0
"""Frames by which actions are smoothed (deviation)."""


def locomotion(clip: Clip, other: Array | None = None) -> Array:
    """Actions (F, 7) of who stands, walks and runs, by the root's speed; ``other`` (F) is how far they do something
    else that goes on where they stand.
    """
    track = root_track(clip)
    speed = gaussian_filter1d(np.linalg.norm(np.gradient(track.positions, axis=0), axis=1) * clip.rate, FADING)
    other = np.zeros(len(clip)) if other is None else other
    goes = np.clip((speed - GOING[0]) / (GOING[1] - GOING[0]), 0.0, 1.0) * (1 - other)
    runs = np.clip((speed - RUNNING[0]) / (RUNNING[1] - RUNNING[0]), 0.0, 1.0) * goes
    actions = np.zeros((len(clip), len(ACTIONS)))
    actions[:, ACTIONS.index("run")] = runs
    actions[:, ACTIONS.index("walk")] = goes - runs
    actions[:, ACTIONS.index("idle")] = 1 - other - goes
    return actions


def ahead(clip: Clip, actions: Array) -> tuple[Array, Array, Array]:
    """Goals of locomotion: a second ahead on the own way, positions (F, 3), directions (F, 2), and actions (F, 6), one
    of idle, walk and run.
    """
    track, count = root_track(clip), len(clip)
    at = np.minimum(np.arange(count) + AHEAD, count - 1)
    doing = actions[at, :3].argmax(axis=1)
    wanted = np.eye(len(GOALS))[doing]
    return np.column_stack([track.positions[at], np.zeros(count)]), facing(track.yaws[at]), wanted


def wanting(goals: Array, action: str, rows: NDArray[np.bool_]) -> Array:
    """Goal actions (F, 6) that are one action at some frames (F)."""
    return np.where(rows[:, None], np.eye(len(GOALS))[GOALS.index(action)], goals)


@dataclass(frozen=True, eq=False)
class Done:
    """What is done with the first of a take's things.

    Attributes:
        name: what is done, for people.
        goal: the goal's action, and
        until: the frame from which it is not wanted any more.
        actions: (F, 7).
        contacts: (F, 5).
        phase: (F).
        built: see :class:`Take`.
    """

    name: str
    goal: str
    until: int
    actions: Array
    contacts: Array
    phase: Array
    built: tuple[str, ...]


def told(
    clip: Clip,
    done: Done,
    begins: int,
    things: tuple[Thing, ...],
    generator: np.random.Generator,
    seed: int,
    source: Source,
) -> Take:
    """A take with all that is said of it, and furniture about that nobody touches.

    Args:
        begins: the frame from which the goal is wanted; before and after, it is a second ahead on the own way.
    """
    frames = np.arange(len(clip))
    about = (frames >= begins) & (frames < done.until)
    positions, directions, wanted = ahead(clip, done.actions)
    return Take(
        name=done.name,
        clip=clip,
        actions=done.actions,
        goal_actions=wanting(wanted, done.goal, about),
        goal_positions=positions,
        goal_directions=directions,
        goal_thing=np.where(about, 0, -1),
        contacts=done.contacts,
        phase=done.phase,
        things=(*things, *strewn(clip, things, generator)),
        seed=seed,
        source=source,
        built=done.built,
    )
