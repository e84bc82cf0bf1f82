"""Climbing a ladder or steps, as high as in the captured clips, and staying there; the next task climbs down."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ....errors import FootfallError
from ....scene.interaction_object import InteractionObject
from ....tuning import Tuning, tuned
from ...runtime.goal_command import GoalCommand
from ...runtime.interaction_runtime import InteractionFrame
from ..task import InteractionTask
from ..task_run import TaskRun
from .base import ActionSpec, command_for_object, told_to_begin


@dataclass(frozen=True, slots=True)
class MountTuning(Tuning):
    start_distance: float = tuned(0.5, "m", 0.2, 1.0)
    """Distance of the root from the lowest rung at the start of a climb, as in the captured clips."""
    done_weight: float = tuned(0.8, "1", 0.0, 1.0)
    """Weight of the action *mount* above which the character counts as being on the structure."""
    ended_phase: float = tuned(0.95, "1", 0.5, 1.0)
    """Phase from which a climb counts as ended, since the phase approaches its end, 1, more and more slowly."""
    begun_phase: float = tuned(0.25, "1", 0.0, 0.5)
    """Phase below which a climb counts as ended if its phase was above 0.75 in the previous frame."""
    off_floor: float = tuned(0.25, "m", 0.05, 1.0)
    """Height above the floor from which both ankles count as on the structure.

    On the floor, the phase is that of strides instead.
    """


TUNING: Final = MountTuning()


class Mount(ActionSpec):
    """The action *mount*: climbing a ladder or steps from the front, and staying at the top."""

    name = "mount"
    needs_object = True
    approach_distance = 0.6
    ends_in_motion = True

    def require_affordance(self, task: InteractionTask, target: InteractionObject) -> None:
        """Raise :class:`FootfallError` if the object cannot be climbed.

        Raises:
            FootfallError: the object cannot be climbed.
        """
        if target.kind != "climb":
            raise FootfallError("'{name}' cannot be climbed: choose a ladder or steps", name=target.name)

    def goal_command(self, run: TaskRun) -> GoalCommand:
        """Return the command to go to the front of the ladder or steps and to climb them."""
        target = run.task_object
        front = target.front_direction
        begins = target.position[:2] + TUNING.start_distance * front
        path_end = target.position[:2] + self.approach_distance * front
        command = command_for_object(self, run, target, path_end)
        command = told_to_begin(command, run, begins)
        if run.action_weight > 0.0:
            # A character on the structure is not steered back to the path in front of it.
            return replace(command, flow_field=None)
        return command

    def update(self, run: TaskRun, frame: InteractionFrame) -> bool:
        """Return whether the character has reached the top and stayed there for the task's duration."""
        before, after = float(frame.phase[0]), float(run.runtime.phase[0])
        ends = after > TUNING.ended_phase or (before > 1.0 - TUNING.begun_phase and after < TUNING.begun_phase)
        is_off_floor = float(run.recording.ankle_positions(frame)[:, 2].min()) > TUNING.off_floor
        if not run.is_aligned and run.action_weight > TUNING.done_weight and ends and is_off_floor:
            run.is_aligned = True
        if run.is_aligned:
            # The climb has ended. The way down begins at phase 0, which a phase that creeps toward 1 would never reach.
            run.runtime.state.phase = np.zeros_like(run.runtime.state.phase)
        return run.stay(run.is_aligned)

    def enters_object(self, run: TaskRun) -> bool:
        """Return whether the root may enter the ladder or steps: true once the climb has begun."""
        return run.action_weight > 0.0
