"""Picking up an object and holding it in front of the chest; the character puts it back before another task."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ....motion.root_frame import facing_direction
from ....scene.interaction_object import InteractionObject
from ....tuning import Tuning, tuned
from ...runtime.goal_command import GoalCommand
from ...runtime.interaction_runtime import InteractionFrame
from ..hanging import is_hung
from ..task import InteractionTask
from ..task_run import TaskRun
from .carry import Carry
from .carry_tuning import TUNING as CARRY_TUNING


@dataclass(frozen=True, slots=True)
class Holding(Tuning):
    height: float = tuned(1.15, "m", 0.8, 1.4)
    """Height above the ground at which an adult holds an object's grips."""
    rising: float = tuned(1.0, "s", 0.5, 3.0)
    """Time in which the body straightens up with the object."""


TUNING: Final = Holding()


class PickUp(Carry):
    """The action *pick up*: taking an object with both hands and holding it; a following task puts it back first.

    The controller is commanded to *carry* it to a destination in the air in front of the chest.
    """

    name = "pick_up"
    ends_in_motion = False
    turns_away = False

    def require_affordance(self, task: InteractionTask, target: InteractionObject) -> None:
        """Raise :class:`FootfallError` unless the object can be held with two hands.

        Raises:
            FootfallError: the object cannot be held.
        """
        super().require_affordance(replace(task, position=target.position), target)

    def completed(self, task: InteractionTask, objects: Sequence[InteractionObject]) -> InteractionTask:
        """Return the task with the object's current position added as the place to which it is put back."""
        target = objects[task.object_index]
        return replace(task, position=target.position, direction=target.front_direction)

    def goal_command(self, run: TaskRun) -> GoalCommand:
        """Return the command for the next frame: to go to the object and take it, to hold it, or to put it back."""
        took = run.recording.event_frame("took", run.task_index)
        if took is None or self._puts_back(run):
            return super().goal_command(run)
        pose = run.recording.frames[min(took, len(run.recording) - 1)]
        stand, facing = pose.position[0], facing_direction(pose.yaw[0])
        if is_hung(run.task_object):
            return GoalCommand("walk", np.append(stand, 0.0), facing, flow_field=run.flow_field_to(stand))
        height = TUNING.height - float(run.task_object.grip_centre[2])
        held = run.task_object.place_at(np.append(stand + CARRY_TUNING.start_distance * facing, height), -facing)
        path = run.flow_field_to(stand)
        return GoalCommand(
            "carry", held.position, held.front_direction, held.interaction_volume, path, CARRY_TUNING.start_distance
        )

    def update(self, run: TaskRun, frame: InteractionFrame) -> bool:
        """Take and hold the object, and put it back if another task follows; return whether the task is done."""
        if run.scene.attachment is None or self._puts_back(run):
            return super().update(run, frame)
        took = run.recording.event_frame("took", run.task_index)
        assert took is not None
        return run.stay(run.seconds_since(took) > TUNING.rising) and run.is_last

    @staticmethod
    def _puts_back(run: TaskRun) -> bool:
        """Return whether the object has been held for the task's duration and another task follows."""
        return not run.is_last and run.stay_frame > 0 and run.seconds_since(run.stay_frame) >= run.task.duration
