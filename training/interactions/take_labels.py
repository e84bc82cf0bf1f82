"""What is said of a take: what is done at each frame, and what is wanted."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ...core.features.interaction import ACTIONS, GOAL_ACTIONS
from ...core.motion import Clip
from ...core.motion.root_frame import facing_direction, root_track
from ...core.motion.rotations import Array
from ..data.sources import ClipSource
from .clutter import scatter_clutter
from .take import InteractionTake, TakeObject

IDLE_WALK_SPEEDS_M_S: Final = (0.15, 0.45)
"""Metres a second up to which somebody idles, and from which they walk."""
WALK_RUN_SPEEDS_M_S: Final = (1.9, 2.3)
"""The same of walking and running."""
GOAL_LEAD_FRAMES: Final = 60
"""Frames by which a goal of locomotion is ahead."""
ACTION_SMOOTHING_FRAMES: Final = 8.0
"""Frames by which actions are smoothed (deviation)."""


def locomotion_actions(clip: Clip, other_action: Array | None = None) -> Array:
    """Actions (F, 7) of who stands, walks and runs, by the root's speed; ``other_action`` (F) is how far they do
    something
    else that goes on where they stand.
    """
    track = root_track(clip)
    speed = gaussian_filter1d(
        np.linalg.norm(np.gradient(track.positions, axis=0), axis=1) * clip.rate, ACTION_SMOOTHING_FRAMES
    )
    other_action = np.zeros(len(clip)) if other_action is None else other_action
    goes = np.clip(
        (speed - IDLE_WALK_SPEEDS_M_S[0]) / (IDLE_WALK_SPEEDS_M_S[1] - IDLE_WALK_SPEEDS_M_S[0]), 0.0, 1.0
    ) * (1 - other_action)
    runs = (
        np.clip((speed - WALK_RUN_SPEEDS_M_S[0]) / (WALK_RUN_SPEEDS_M_S[1] - WALK_RUN_SPEEDS_M_S[0]), 0.0, 1.0) * goes
    )
    actions = np.zeros((len(clip), len(ACTIONS)))
    actions[:, ACTIONS.index("run")] = runs
    actions[:, ACTIONS.index("walk")] = goes - runs
    actions[:, ACTIONS.index("idle")] = 1 - other_action - goes
    return actions


def locomotion_goals(clip: Clip, actions: Array) -> tuple[Array, Array, Array]:
    """Goals of locomotion: a second ahead on the own way, positions (F, 3), directions (F, 2), and actions (F, 6), one
    of idle, walk and run.
    """
    track, count = root_track(clip), len(clip)
    at = np.minimum(np.arange(count) + GOAL_LEAD_FRAMES, count - 1)
    doing = actions[at, :3].argmax(axis=1)
    wanted = np.eye(len(GOAL_ACTIONS))[doing]
    return np.column_stack([track.positions[at], np.zeros(count)]), facing_direction(track.yaws[at]), wanted


def with_goal_action(goal_actions: Array, action: str, rows: NDArray[np.bool_]) -> Array:
    """Goal actions (F, 6) that are one action at some frames (F)."""
    return np.where(rows[:, None], np.eye(len(GOAL_ACTIONS))[GOAL_ACTIONS.index(action)], goal_actions)


@dataclass(frozen=True, eq=False)
class TakeAction:
    """What is done with the first of a take's things.

    Attributes:
        name: what is done, for people.
        goal: the goal's action, and
        goal_end_frame: the frame from which it is not wanted any more.
        actions: (F, 7).
        contacts: (F, 5).
        phase: (F).
        built: see :class:`InteractionTake`.
    """

    name: str
    goal_action: str
    goal_end_frame: int
    actions: Array
    contacts: Array
    phase: Array
    composition_notes: tuple[str, ...]


def label_take(
    clip: Clip,
    action: TakeAction,
    goal_start_frame: int,
    objects: tuple[TakeObject, ...],
    generator: np.random.Generator,
    seed: int,
    source: ClipSource,
) -> InteractionTake:
    """Return a take with all that is said of it, and furniture about that nobody touches.

    Args:
        goal_start_frame: the frame from which the goal is wanted; before and after, it is a second ahead on the own
        way.
    """
    frames = np.arange(len(clip))
    about = (frames >= goal_start_frame) & (frames < action.goal_end_frame)
    positions, directions, wanted = locomotion_goals(clip, action.actions)
    return InteractionTake(
        name=action.name,
        clip=clip,
        actions=action.actions,
        goal_actions=with_goal_action(wanted, action.goal_action, about),
        goal_positions=positions,
        goal_directions=directions,
        goal_object=np.where(about, 0, -1),
        contacts=action.contacts,
        phase=action.phase,
        objects=(*objects, *scatter_clutter(clip, objects, generator)),
        seed=seed,
        source=source,
        composition_notes=action.composition_notes,
    )
