"""The base of all actions: each action's requirements, commands, touches, and end."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ....actions import motion_of
from ....errors import FootfallError
from ....motion.rotations import Array, rotate
from ....scene.interaction_object import InteractionObject
from ....tuning import Tuning, tuned
from ...runtime.goal_command import GoalCommand
from ...runtime.interaction_runtime import InteractionFrame
from ..recording import InteractionRecording
from ..task import InteractionTask
from ..task_run import TaskRun


@dataclass(frozen=True, slots=True)
class ActionBaseTuning(Tuning):
    """Tuned numbers that all actions share."""

    aimed_distance: float = tuned(0.1, "m", 0.01, 0.5)
    """Distance from the starting position within which a character that walks across it (`aims`) is commanded to act
    again.
    """
    back_distance: float = tuned(0.9, "m", 0.2, 3.0)
    """Distance from the starting position to which a character steps back after unsuccessful commands."""


TUNING: Final = ActionBaseTuning()


@dataclass(frozen=True, slots=True, eq=False)
class TouchedSurface:
    """A point of an object's surface that a palm touches, in object space.

    Attributes:
        point: (3) touched point, meters.
        into: (3) unit direction into the object, against the surface's normal.
    """

    point: Array
    into: Array

    def turned(self, rotation: Array) -> "TouchedSurface":
        """Return the surface point rotated about the object's origin by a quaternion (4)."""
        return TouchedSurface(rotate(rotation, self.point), rotate(rotation, self.into))


@dataclass(frozen=True, slots=True, eq=False)
class HandHold:
    """An interval in which a hand holds a point of an object.

    Attributes:
        hand: ``"L"`` or ``"R"``.
        start: first frame of the hold.
        stop: frame after the last frame of the hold.
        wrist: (3) wrist in the object's space, meters; (N, 3), one per frame, for a hand that moves on the object.
        pointing: (3) or (N, 3) direction from the wrist along the hand in the object's space; ``None`` if any is
            allowed.
        surface: the surface under the palm; ``None`` where fingers are closed around a handle.
    """

    hand: str
    start: int
    stop: int
    wrist: Array
    pointing: Array | None = None
    surface: TouchedSurface | None = None


@dataclass(frozen=True, slots=True, eq=False)
class SeatContact:
    """An interval in which the thighs rest on a seat.

    Attributes:
        start: first frame in which the body has settled on the seat.
        position: (3) middle of the seat, meters at the recording's scale, world.
        direction: (2) direction of the seat's front, which the seated character faces, world.
    """

    start: int
    position: Array
    direction: Array


class ActionSpec(ABC):
    """The rules of an action for the sequencer and for refinement; each action is a subclass in its own module.

    It has no state of its own: the state of a task in progress is its :class:`TaskRun`.

    Attributes:
        name: name of the action, one of ``core.actions.ACTION_TABLE``.
        needs_object: whether a task needs an object.
        approach_distance: distance from the object at which the path to it ends, meters; negative if the path passes
            through the object.
        approach_sides: sides from which the object can be approached, in quarter turns from its front.
        uses_hands: whether hands touch the object.
        is_seated: whether the body rests on a seat.
        ends_in_motion: whether the character is still bent or walking at the end of a task.
        turns_away: whether the character turns away from the object after the last task.
    """

    name: str
    needs_object: bool = False
    approach_distance: float = 0.0
    approach_sides: tuple[int, ...] = (0,)
    uses_hands: bool = False
    is_seated: bool = False
    ends_in_motion: bool = False
    turns_away: bool = False

    def validate(self, task: InteractionTask, objects: Sequence[InteractionObject]) -> None:
        """Raise :class:`FootfallError` if a task cannot be done with the objects in their present states.

        Raises:
            FootfallError: the task cannot be done; the message says why.
        """
        if not self.needs_object:
            return
        if not 0 <= task.object_index < len(objects):
            raise FootfallError("There is no object to {action}: choose one", action=task.action)
        self.require_affordance(task, objects[task.object_index])

    def require_affordance(self, task: InteractionTask, target: InteractionObject) -> None:
        """Raise :class:`FootfallError` if a task's object lacks the affordance that the action needs.

        Raises:
            FootfallError: the affordance is missing.
        """
        return

    def completed(self, task: InteractionTask, objects: Sequence[InteractionObject]) -> InteractionTask:
        """Return a task that has passed :meth:`validate`, completed with values that follow from its objects."""
        return task

    def sides(self, run: TaskRun) -> tuple[int, ...]:
        """Return the sides, in quarter turns from the front, from which the object can be approached."""
        return self.approach_sides

    @abstractmethod
    def goal_command(self, run: TaskRun) -> GoalCommand:
        """Return the goal command for the next frame."""

    @abstractmethod
    def update(self, run: TaskRun, frame: InteractionFrame) -> bool:
        """Update the task after a frame, and return whether the task is done."""

    def give_up(self, run: TaskRun) -> bool:
        """Wind up a task that has taken too long, for instance put down its object; return whether the task is over."""
        return True

    def senses_object_alone(self, run: TaskRun) -> bool:
        """Return whether, in the next frame, the environment sensor ignores all objects but the task's own."""
        return False

    def enters_object(self, run: TaskRun) -> bool:
        """Return whether the character's root may enter the task's object in the next frame."""
        return True

    def push_object(self, run: TaskRun, frame: InteractionFrame) -> bool:
        """Move the task's object along with the body after a frame; return whether the body has moved it."""
        return False

    def hand_holds(self, recording: InteractionRecording, interval: tuple[int, int, int]) -> Iterator[HandHold]:
        """Yield the intervals in which hands hold an object.

        Args:
            recording: the finished recording.
            interval: first frame, frame after the last, and index of a task of this action.
        """
        yield from ()

    def seat_contact(self, recording: InteractionRecording, interval: tuple[int, int, int]) -> SeatContact | None:
        """Return the contact of the body with its seat; ``None`` if there is no contact.

        Args:
            recording: the finished recording.
            interval: first frame, frame after the last, and index of a task of this action.
        """
        return None

    def misplacement(
        self, recording: InteractionRecording, interval: tuple[int, int, int], track: Array
    ) -> tuple[Array, Array] | None:
        """Return the root's offsets (N, 2) from its correct positions, meters, world, and their weights (N), 0 to 1.

        Args:
            recording: the finished recording.
            interval: first frame, frame after the last, and index of a task of this action.
            track: (N, 2) roots from the task's first frame to the end of the recording, meters, world.

        Returns:
            Offsets and weights; ``None`` if the action needs no particular position.
        """
        return None


def command_for_object(spec: ActionSpec, run: TaskRun, target: InteractionObject, path_end: Array) -> GoalCommand:
    """Return the command to go to an object by the shortest path and to act on it.

    Args:
        spec: the action.
        run: the task in progress.
        target: the object, turned so that its front is the side of the approach.
        path_end: (2) end of the path, ``approach_distance`` before the object, meters, world.
    """
    return GoalCommand(
        motion_of(spec.name),
        target.position,
        target.front_direction,
        target.interaction_volume,
        run.flow_field_to(path_end),
        spec.approach_distance,
    )


def told_to_begin(
    command: GoalCommand, run: TaskRun, begins: Array, turns: bool = False, aims: bool = False
) -> GoalCommand:
    """Return the command for a character at the starting position of its action: to act or, failing that, to step back.

    The command to act is repeated. After ``TUNING.max_tellings`` vain commands, or after lingering, the character steps
    back and approaches again. With `aims`, it instead walks, in every other attempt from the first on, straight across
    the starting position to the opposite point, and is commanded to act as it crosses.

    Args:
        command: the command to act.
        run: the task in progress.
        begins: (2) starting position of the root, meters, world.
        turns: whether the new approach comes from the side, for actions that begin with the back to the object.
        aims: whether the character also walks across the starting position.
    """
    if run.action_weight > 0.0 or not run.runtime.assistance.tells_actions:
        return command
    if not run.goes_back(begins):
        return replace(command, is_new=run.seconds_there(run.stands_near(begins)) == 0.0)
    if aims and run.returns % 2:
        if np.linalg.norm(run.position - begins) < TUNING.aimed_distance:
            run.restart_approach()
            return command
        beyond = 2 * begins - run.back_position
        return GoalCommand("walk", np.append(beyond, 0.0), command.direction, flow_field=run.flow_field_to(beyond))
    away = begins - command.position[:2]
    away = away / max(float(np.linalg.norm(away)), 1e-9)
    back, faced = begins + TUNING.back_distance * away, np.array([-away[1], away[0]]) if turns else -away
    return GoalCommand("walk", np.append(back, 0.0), faced, flow_field=run.flow_field_to(back))
