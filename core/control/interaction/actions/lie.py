"""Lying down on the ground at a place, in a direction, and staying there."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from ....errors import FootfallError
from ....features.interaction import CONTACT_JOINTS
from ....motion.contacts import CONTACT_THRESHOLD
from ....motion.root_frame import facing_direction
from ....motion.rotations import Array
from ....scene.interaction_object import InteractionObject
from ...runtime.goal_command import GoalCommand
from ...runtime.interaction_runtime import InteractionFrame
from ..recording import InteractionRecording
from ..task import InteractionTask
from ..task_run import TaskRun
from .base import ActionSpec, told_to_begin

REACH_M: Final = 1.13
"""Distance from where the body begins to go down to where its hips lie, as in the takes."""
BEFORE_M: Final = 0.5
"""Distance from there within which a character is told to lie down."""
FACING: Final = float(np.cos(np.radians(60.0)))
"""Cosine of the angle from its place up to which it is told so."""
DONE_THRESHOLD: Final = 0.8
"""Weight of the action above which the character lies."""
MAX_MISPLACEMENT_M: Final = 0.4
"""Distance beside its place up to which a lying body is moved there; beyond, it lies where it came to."""
LEFT_WEIGHT: Final = 0.02
"""Weight of the action below which a character has got up."""
BODY_EXTENT_M: Final = (-1.0, 0.8)
"""Extent of a lying body from its hips toward its head."""
BODY_HALF_WIDTH_M: Final = 0.3
"""Half of the width that a lying body takes up."""
BODY_HEIGHT_M: Final = (0.03, 0.4)
"""Heights between which an object is in the way of a lying body."""


class Lie(ActionSpec):
    """Lying down with the hips at the task's position and the head in its direction, and staying."""

    name = "lie"
    approach_distance = REACH_M

    def validate(self, task: InteractionTask, objects: Sequence[InteractionObject]) -> None:
        """Check that a place is given and that no object is there.

        Raises:
            FootfallError: there is no place, or something is in the way.
        """
        if task.position is None:
            raise FootfallError("There is no target to lie down at: choose an empty")
        along = np.linspace(*BODY_EXTENT_M, 19)[:, None] * _direction(task)
        for one in objects:
            distances = one.posed_collider.horizontal_distances(task.position[:2] + along, *BODY_HEIGHT_M)
            if float(distances.min()) < BODY_HALF_WIDTH_M:
                raise FootfallError("'{name}' leaves no room to lie down: move the target, or rotate it", name=one.name)

    def goal_command(self, run: TaskRun) -> GoalCommand:
        """Return the command to go to where the body begins to go down, and to lie down."""
        task, direction = run.task, _direction(run.task)
        assert task.position is not None
        place = np.append(task.position[:2], 0.0)
        start = place[:2] - REACH_M * direction
        path = run.flow_field_to(start)
        if run.runtime.assistance.steers and not _is_before(run, start, direction):
            return GoalCommand("walk", np.append(start, 0.0), direction, flow_field=path)
        command = GoalCommand(self.name, place, direction, None, path, REACH_M)
        return told_to_begin(command, run, start)

    def update(self, run: TaskRun, frame: InteractionFrame) -> bool:
        """Return whether the character lies, is still, and has stayed for the task's duration."""
        in_contact = frame.contacts[0, CONTACT_JOINTS.index("hips")] > CONTACT_THRESHOLD
        return run.stay(bool(run.is_still and run.action_weight > DONE_THRESHOLD and in_contact and run.has_come_down))

    def misplacement(
        self, recording: InteractionRecording, interval: tuple[int, int, int], track: Array
    ) -> tuple[Array, Array] | None:
        """Return how far (N, 2) the body lies from its place, the same for all frames, and the weights (N) of lying."""
        start, stop, task_index = interval
        reached, place = recording.event_frame("reached", task_index), recording.tasks[task_index].position
        if reached is None or place is None:
            return None
        weights = recording.actions[start:, recording.model.actions.index(self.name)]
        standing = np.flatnonzero(weights[stop - start :] < LEFT_WEIGHT)
        if len(standing):
            weights[stop - start + int(standing[0]) :] = 0.0
        beside = track[min(reached - start, len(track) - 1)] - place[:2]
        return None if np.linalg.norm(beside) > MAX_MISPLACEMENT_M else (np.tile(beside, (len(track), 1)), weights)


def _is_before(run: TaskRun, start: Array, direction: Array) -> bool:
    """Return whether the character faces its place where the body begins to go down, stands there, or goes down."""
    facing = float(facing_direction(run.yaw) @ direction)
    arrives = bool(np.linalg.norm(run.position - start) < BEFORE_M and facing > FACING)
    run.is_aligned = run.is_aligned or arrives or run.stands_near(start) or run.action_weight > 0
    return run.is_aligned


def _direction(task: InteractionTask) -> Array:
    """Return the direction (2) of the head of a task's lying body; +Y if none is given."""
    return np.array([0.0, 1.0]) if task.direction is None else task.direction
