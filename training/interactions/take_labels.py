"""Labels of takes: the action and the goal at each frame."""

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
from .clutter import find_obstacle, scatter_clutter
from .take import InteractionTake, TakeObject

IDLE_WALK_SPEEDS_M_S: Final = (0.15, 0.45)
"""Speed up to which the character idles, and from which it walks."""
WALK_RUN_SPEEDS_M_S: Final = (1.9, 2.3)
"""Speed up to which the character walks, and from which it runs."""
GOAL_LEAD_FRAMES: Final = 60
"""Frames by which a goal of locomotion is ahead."""
ACTION_SMOOTHING_FRAMES: Final = 8.0
"""Standard deviation of the Gaussian that smooths the speed."""


def locomotion_actions(clip: Clip, other_action: Array | None = None) -> Array:
    """Return actions (F, 7) of idling, walking and running, by the root's speed.

    Args:
        clip: F frames.
        other_action: (F), weight of another action that takes place while standing; 0 if not given.
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
    """Return goals of locomotion one second ahead on the own path.

    Positions (F, 3), directions (F, 2), and goal actions (F, 6), one of idle, walk and run.
    """
    track, count = root_track(clip), len(clip)
    at = np.minimum(np.arange(count) + GOAL_LEAD_FRAMES, count - 1)
    doing = actions[at, :3].argmax(axis=1)
    wanted = np.eye(len(GOAL_ACTIONS))[doing]
    return np.column_stack([track.positions[at], np.zeros(count)]), facing_direction(track.yaws[at]), wanted


def with_goal_action(goal_actions: Array, action: str, rows: NDArray[np.bool_]) -> Array:
    """Return goal actions (F, 6), replaced by one action at some frames.

    Args:
        goal_actions: (F, 6).
        action: the action.
        rows: (F), whether to replace.
    """
    return np.where(rows[:, None], np.eye(len(GOAL_ACTIONS))[GOAL_ACTIONS.index(action)], goal_actions)


@dataclass(frozen=True, eq=False)
class TakeAction:
    """The action of a take, with its first object.

    Attributes:
        name: what the character does, for people.
        goal_action: the goal's action.
        goal_end_frame: the frame from which the goal is no longer commanded.
        actions: (F, 7).
        contacts: (F, 5).
        phase: (F).
        composition_notes: see :class:`InteractionTake`.
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
    """Return a labeled take, with clutter.

    Args:
        clip: F frames.
        action: the action.
        goal_start_frame: the frame from which the goal is commanded; before it, and after the action, goals are one
            second ahead on the own path.
        objects: the objects, the goal's first.
        generator: random generator of the clutter.
        seed: seed of the take.
        source: source of the motion.
    """
    frames = np.arange(len(clip))
    about = (frames >= goal_start_frame) & (frames < action.goal_end_frame)
    positions, directions, wanted = locomotion_goals(clip, action.actions)
    obstacle = find_obstacle(clip, objects, generator)
    objects = objects if obstacle is None else (*objects, obstacle)
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
