"""Resting on the ground at a position and in a direction: common rules of lying and sitting on the ground."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ....errors import FootfallError
from ....features.interaction import CONTACT_JOINTS
from ....motion.contacts import CONTACT_THRESHOLD
from ....motion.root_frame import facing_direction
from ....motion.rotations import Array
from ....scene.interaction_object import InteractionObject
from ....tuning import Tuning, tuned
from ...runtime.goal_command import GoalCommand
from ...runtime.interaction_runtime import InteractionFrame
from ..recording import InteractionRecording
from ..task import InteractionTask
from ..task_run import TaskRun
from .base import ActionSpec, told_to_begin


@dataclass(frozen=True, slots=True)
class GroundRestTuning(Tuning):
    before_distance: float = tuned(0.5, "m", 0.1, 2.0)
    """Distance from the starting position within which a character is commanded to go down."""
    facing_cosine: float = tuned(float(np.cos(np.radians(60.0))), "1", -1.0, 1.0)
    """Smallest cosine of the angle from facing to the task's direction at which a character is commanded to go down."""
    done_weight: float = tuned(0.8, "1", 0.0, 1.0)
    """Weight of the task's action above which the character counts as resting."""
    max_misplacement: float = tuned(0.4, "m", 0.0, 2.0)
    """Largest distance from the task's position at which a resting body is moved there; one farther away is left alone.
    """
    left_weight: float = tuned(0.02, "1", 0.0, 0.5)
    """Weight of the task's action below which the character counts as having got up."""
    lowest: float = tuned(0.03, "m", 0.0, 0.3)
    """Height above the ground from which a part of an object is in the way of a body that lies or sits there."""
    sample_count: int = tuned(19, "1", 2, 200)
    """Number of points along the resting body at which objects are searched."""


TUNING: Final = GroundRestTuning()


class GroundRest(ActionSpec):
    """The common base of actions that rest on the ground, hips at the task's position and body in its direction.

    Attributes:
        reach_m: distance from the root's starting position to the resting hips, meters, as in the takes.
        extent_m: ends of the resting body behind and ahead of the hips, along the task's direction, meters.
        half_width_m: half of the body's width, meters.
        height_m: height above which objects do not obstruct the body, meters.
    """

    reach_m: float
    extent_m: tuple[float, float]
    half_width_m: float
    height_m: float

    @abstractmethod
    def no_target(self) -> FootfallError:
        """Return the error for a task that has no position."""

    @abstractmethod
    def no_room(self, name: str) -> FootfallError:
        """Return the error for a position at which the object called `name` is in the way."""

    def validate(self, task: InteractionTask, objects: Sequence[InteractionObject]) -> None:
        """Raise :class:`FootfallError` unless the task has a position with room for the resting body.

        Raises:
            FootfallError: the task has no position, or an object is in the way there.
        """
        if task.position is None:
            raise self.no_target()
        along = np.linspace(*self.extent_m, TUNING.sample_count)[:, None] * _direction(task)
        for one in objects:
            distances = one.posed_collider.horizontal_distances(task.position[:2] + along, TUNING.lowest, self.height_m)
            if float(distances.min()) < self.half_width_m:
                raise self.no_room(one.name)

    def goal_command(self, run: TaskRun) -> GoalCommand:
        """Return the command to go to the starting position, and then to lie or sit down."""
        task, direction = run.task, _direction(run.task)
        assert task.position is not None
        place = np.append(task.position[:2], 0.0)
        start = place[:2] - self.reach_m * direction
        path = run.flow_field_to(start)
        if run.runtime.assistance.steers and not _is_before(run, start, direction):
            return GoalCommand("walk", np.append(start, 0.0), direction, flow_field=path)
        command = GoalCommand(self.name, place, direction, None, path, abs(self.reach_m))
        return told_to_begin(command, run, start)

    def update(self, run: TaskRun, frame: InteractionFrame) -> bool:
        """Return whether the character has lain or sat still for the task's duration."""
        in_contact = frame.contacts[0, CONTACT_JOINTS.index("hips")] > CONTACT_THRESHOLD
        return run.stay(
            bool(run.is_still and run.action_weight > TUNING.done_weight and in_contact and run.has_come_down)
        )

    def misplacement(
        self, recording: InteractionRecording, interval: tuple[int, int, int], track: Array
    ) -> tuple[Array, Array] | None:
        """Return the resting body's offset (N, 2), constant, from the task's position, meters, and weights (N).

        Args:
            recording: the finished recording.
            interval: first frame, frame after the last, and index of a task of this action.
            track: (N, 2) roots from the task's first frame to the end of the recording, meters, world.
        """
        start, stop, task_index = interval
        reached, place = recording.event_frame("reached", task_index), recording.tasks[task_index].position
        if reached is None or place is None:
            return None
        weights = recording.actions[start:, recording.model.actions.index(self.name)]
        standing = np.flatnonzero(weights[stop - start :] < TUNING.left_weight)
        if len(standing):
            weights[stop - start + int(standing[0]) :] = 0.0
        beside = track[min(reached - start, len(track) - 1)] - place[:2]
        return None if np.linalg.norm(beside) > TUNING.max_misplacement else (np.tile(beside, (len(track), 1)), weights)


def _is_before(run: TaskRun, start: Array, direction: Array) -> bool:
    """Return whether the character can go down: it stands at the start facing right, or is already going down."""
    facing = float(facing_direction(run.yaw) @ direction)
    arrives = bool(np.linalg.norm(run.position - start) < TUNING.before_distance and facing > TUNING.facing_cosine)
    run.is_aligned = run.is_aligned or arrives or run.stands_near(start) or run.action_weight > 0
    return run.is_aligned


def _direction(task: InteractionTask) -> Array:
    """Return the direction (2) of a task's resting body; +Y if the task has none."""
    return np.array([0.0, 1.0]) if task.direction is None else task.direction
