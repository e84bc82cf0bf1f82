"""Labels of takes: the action and the goal at each frame."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ...core.actions import ACTION_TABLE
from ...core.control.runtime.time_series import unit_vectors
from ...core.features.interaction import ACTIONS, GOAL_ACTIONS
from ...core.motion import Clip
from ...core.motion.root_frame import facing_direction, root_track
from ...core.motion.rotations import Array
from ...core.tuning import Tuning, tuned
from ..data.sources import ClipSource
from .clutter import find_obstacle, scatter_clutter
from .take import InteractionTake, TakeObject


@dataclass(frozen=True, slots=True)
class TakeLabelsTuning(Tuning):
    idle_walk_speeds: tuple[float, float] = tuned((0.15, 0.45), "m/s", 0.0, 2.0)
    """Speed up to which a character fully idles, and speed above which it fully walks."""
    walk_run_speeds: tuple[float, float] = tuned((1.9, 2.3), "m/s", 1.0, 5.0)
    """Speed up to which a character fully walks, and speed above which it fully runs."""
    goal_lead: int = tuned(60, "frames", 1, 240)
    """Frames by which a goal of locomotion is ahead."""
    destination_share: float = tuned(0.9, "1", 0.0, 1.0)
    """Share of takes whose goal after the action is the take's last place; in the others it moves ahead on the path."""
    arrival_radius: float = tuned(0.25, "m", 0.01, 2.0)
    """Distance from a destination within which the goal's action is *idle*."""
    set_off: float = tuned(0.03, "m", 0.001, 0.5)
    """Travel of a standing root (plus its turn times the turn radius) beyond which a character has set off."""
    reaction: tuple[int, int] = tuned((8, 20), "frames", 0, 120)
    """Range of the time from a command until a character has set off. Longer times would teach characters to wait
    despite a goal."""
    commanded_late_share: float = tuned(0.7, "1", 0.0, 1.0)
    """Share of takes whose first goal is only to walk to the place, for actions before which a character can wait
    there."""
    command_lead: tuple[int, int] = tuned((6, 36), "frames", 0, 240)
    """Range of the time from a command to the start of the action, and from the command to put down to its end."""
    begun_action: float = tuned(0.02, "1", 0.0, 1.0)
    """Weight of an action above which it has begun."""
    turn_radius: float = tuned(0.25, "m", 0.0, 1.0)
    """Radius that converts turning speed to root speed, so that turning on the spot does not count as idling."""
    action_smoothing: float = tuned(8.0, "frames", 0.1, 60.0)
    """Standard deviation of the Gaussian that smooths the speed before actions follow from it."""


TUNING: Final = TakeLabelsTuning()


def locomotion_actions(clip: Clip, other_action: Array | None = None) -> Array:
    """Return the weights (F, A) of all actions: idle, walk and run by speed and turning of the root, others 0.

    Args:
        clip: motion of F frames.
        other_action: (F) weight of another action while standing; 0 by default.
    """
    speed = gaussian_filter1d(moving_speed(clip), TUNING.action_smoothing)
    other_action = np.zeros(len(clip)) if other_action is None else other_action
    goes = np.clip(
        (speed - TUNING.idle_walk_speeds[0]) / (TUNING.idle_walk_speeds[1] - TUNING.idle_walk_speeds[0]), 0.0, 1.0
    ) * (1 - other_action)
    runs = (
        np.clip((speed - TUNING.walk_run_speeds[0]) / (TUNING.walk_run_speeds[1] - TUNING.walk_run_speeds[0]), 0.0, 1.0)
        * goes
    )
    actions = np.zeros((len(clip), len(ACTIONS)))
    actions[:, ACTIONS.index("run")] = runs
    actions[:, ACTIONS.index("walk")] = goes - runs
    actions[:, ACTIONS.index("idle")] = 1 - other_action - goes
    return actions


def action_weights(count: int, rise: tuple[int, int], fall: tuple[int, int]) -> Array:
    """Return the weights (F) of an action: rising from 0 to 1 between two frames, falling between two later ones.

    Args:
        count: number F of frames.
        rise: last frame with weight 0 and first frame with weight 1.
        fall: last frame with weight 1 and first frame with weight 0.
    """
    return np.interp(np.arange(count), [*rise, *fall], [0.0, 1.0, 1.0, 0.0])


def moving_speed(clip: Clip) -> Array:
    """Return the speed (F) of the root, m/s, plus its turning rate times a radius of 0.25 m."""
    track = root_track(clip)
    travel = np.linalg.norm(np.gradient(track.positions, axis=0), axis=1)
    return (travel + TUNING.turn_radius * np.abs(np.gradient(np.unwrap(track.yaws)))) * clip.rate


def locomotion_goals(clip: Clip, actions: Array) -> tuple[Array, Array, Array]:
    """Return goals that lie one second ahead on the character's own path.

    They are positions (F, 3), m, and directions (F, 2), world, and weights (F, G) of the goal actions, of which idle,
    walk and run are used. ``actions`` (F, A) are the weights of the character's actions.
    """
    track, count = root_track(clip), len(clip)
    at = np.minimum(np.arange(count) + TUNING.goal_lead, count - 1)
    doing = actions[at, :3].argmax(axis=1)
    wanted = np.eye(len(GOAL_ACTIONS))[doing]
    return np.column_stack([track.positions[at], np.zeros(count)]), facing_direction(track.yaws[at]), wanted


def destination_goals(clip: Clip) -> tuple[Array, Array, Array]:
    """Return goals to walk to the last place of a clip and to idle there.

    They are positions (F, 3), m, and directions (F, 2), world, and weights (F, G) of the goal actions.
    """
    positions, count = root_track(clip).positions, len(clip)
    offsets = positions[-1] - positions
    distances = np.linalg.norm(offsets, axis=1)
    away = distances > TUNING.arrival_radius
    wanted = np.where(away, GOAL_ACTIONS.index("walk"), GOAL_ACTIONS.index("idle"))
    last = max(int(np.flatnonzero(away)[-1]) if away.any() else 0, 0)
    directions = unit_vectors(offsets[np.minimum(np.arange(count), last)], np.array([0.0, 1.0]))
    return np.tile(np.append(positions[-1], 0.0), (count, 1)), directions, np.eye(len(GOAL_ACTIONS))[wanted]


def standing_goals(clip: Clip) -> tuple[Array, Array, Array]:
    """Return goals to idle at the character's present place.

    They are positions (F, 3), m, and directions (F, 2), world, and weights (F, G) of the goal actions.
    """
    track, count = root_track(clip), len(clip)
    idle = np.eye(len(GOAL_ACTIONS))[np.full(count, GOAL_ACTIONS.index("idle"))]
    return np.column_stack([track.positions, np.zeros(count)]), facing_direction(track.yaws), idle


def draw_command_frame(clip: Clip, generator: np.random.Generator) -> int:
    """Draw the frame at which a goal is commanded: a reaction time before the character begins to move."""
    track = root_track(clip)
    moved = np.linalg.norm(track.positions - track.positions[0], axis=1)
    moved += TUNING.turn_radius * np.abs(np.unwrap(track.yaws) - track.yaws[0])
    return max(int(np.argmax(moved > TUNING.set_off)) - int(generator.integers(*TUNING.reaction)), 0)


@dataclass(frozen=True, eq=False)
class TakeAction:
    """The action of a take of F frames, with the first object or at a place, and its times.

    Attributes:
        name: name of the activity for the user.
        goal_action: action of the goal.
        goal_end_frame: frame from which the goal is no longer commanded.
        put_down_frame: frame from which the body bends to put down an object; ``None`` for other actions.
        actions: (F, A) weights of the actions.
        contacts: (F, 5) contacts of hips, hands and feet.
        phase: (F) stride phase, cycles.
        origins: (F) origin of each frame's motion, as an index in :data:`.take.ORIGINS`.
        place: position (3), m, and direction (2) of a goal without an object; ``None`` if the first object is the goal.
        command_frame: frame from which the action is commanded; ``None`` if it is drawn.
        taken: space that the body needs in addition to the objects; clutter avoids it.
    """

    name: str
    goal_action: str
    goal_end_frame: int
    actions: Array
    contacts: Array
    phase: Array
    origins: NDArray[np.intp]
    place: tuple[Array, Array] | None = None
    taken: tuple[TakeObject, ...] = ()
    put_down_frame: int | None = None
    command_frame: int | None = None

    def draw_goal_actions(self, commanded: int, generator: np.random.Generator) -> NDArray[np.intp]:
        """Return the goal's action (F), as a column of :data:`GOAL_ACTIONS`, from its command to its end.

        In a share of the takes, the goal is to walk to the place until shortly before the action begins there, and to
        idle there from shortly before a carried object is put down, so that the network learns to act on command. In
        the others, the goal is the action throughout, and the network decides the time. If the user has set a time for
        the goal, that is the time of the command.
        """
        count = len(self.actions)
        wanted = np.full(count, GOAL_ACTIONS.index(self.goal_action))
        is_drawn = self.command_frame is None
        if is_drawn and (not ACTION_TABLE[self.goal_action].waits or generator.random() >= TUNING.commanded_late_share):
            return wanted
        begins = int(np.argmax(self.actions[:, ACTIONS.index(self.goal_action)] > TUNING.begun_action))
        told, put = (begins, self.put_down_frame or count) - generator.integers(*TUNING.command_lead, size=2)
        told = told if self.command_frame is None else self.command_frame
        wanted[: max(told, commanded)] = GOAL_ACTIONS.index("walk")
        if self.put_down_frame is not None:
            wanted[put:] = GOAL_ACTIONS.index("idle")
        return wanted


def label_take(
    clip: Clip,
    action: TakeAction,
    objects: tuple[TakeObject, ...],
    generator: np.random.Generator,
    seed: int,
    source: ClipSource,
) -> InteractionTake:
    """Return the take of a clip with an action: with actions, goals and contacts labeled, and clutter added.

    Until the command, the goal is to idle; from then on it is the action, or in a share of the takes first to walk to
    the place. After the action, the goal is the take's last place, or moves ahead on its own path.

    Args:
        clip: motion of F frames.
        action: the action.
        objects: the objects of the take; the first is the goal unless the action has a place.
        generator: random generator of the clutter.
        seed: seed of the take.
        source: source of the motion.
    """
    frames, commanded = np.arange(len(clip)), draw_command_frame(clip, generator)
    about = (frames >= commanded) & (frames < action.goal_end_frame)
    goal_actions = np.eye(len(GOAL_ACTIONS))[action.draw_goal_actions(commanded, generator)]
    to_end = generator.random() < TUNING.destination_share
    leaving = destination_goals(clip) if to_end else locomotion_goals(clip, action.actions)
    positions, directions, wanted = (
        np.where((frames < commanded)[:, None], before, after)
        for before, after in zip(standing_goals(clip), leaving, strict=True)
    )
    goal_object = np.where(about, 0, -1)
    if action.place is not None:
        positions, directions = (
            np.where(about[:, None], part, own) for part, own in zip(action.place, (positions, directions), strict=True)
        )
        goal_object = np.full(len(clip), -1)
    obstacle = find_obstacle(clip, (*objects, *action.taken), generator)
    objects = objects if obstacle is None else (*objects, obstacle)
    return InteractionTake(
        name=action.name,
        clip=clip,
        actions=action.actions,
        goal_actions=np.where(about[:, None], goal_actions, wanted),
        goal_positions=positions,
        goal_directions=directions,
        goal_object=goal_object,
        contacts=action.contacts,
        phase=action.phase,
        objects=(*objects, *scatter_clutter(clip, (*objects, *action.taken), generator)),
        seed=seed,
        source=source,
        origins=action.origins,
    )
