"""Walking, running and idling: going to a position, or staying."""

from typing import Final

import numpy as np

from ....motion.root_frame import facing_direction
from ...runtime.goal_command import GoalCommand
from ...runtime.interaction_runtime import InteractionFrame
from ..task_run import TaskRun
from .base import ActionSpec

ARRIVAL_RADIUS_M: Final = 0.25
"""Distance from the destination, meters, at which a character stops."""


class Locomote(ActionSpec):
    """The actions of locomotion to a position, and of idling.

    Args:
        name: ``"walk"``, ``"run"`` or ``"idle"``.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def goal_command(self, run: TaskRun) -> GoalCommand:
        """Return the command to go to the task's position and then to idle there."""
        task = run.task
        position = np.append(run.start_position, 0.0) if task.position is None else task.position
        distance = float(np.linalg.norm(position[:2] - run.position))
        action = task.action if distance > ARRIVAL_RADIUS_M else "idle"
        # At the destination the direction to it is arbitrary, so a character that has arrived keeps its facing.
        ahead = facing_direction(run.yaw) if action == "idle" else (position[:2] - run.position) / distance
        direction = ahead if task.direction is None else task.direction
        return GoalCommand(action, position, direction, flow_field=run.flow_field_to(position[:2]))

    def update(self, run: TaskRun, frame: InteractionFrame) -> bool:
        """Return whether the character has arrived and stayed for the task's duration, which may be zero."""
        position = run.task.position
        distance = 0.0 if position is None else float(np.linalg.norm(position[:2] - frame.position[0]))
        radius = 2 * ARRIVAL_RADIUS_M if run.is_still else ARRIVAL_RADIUS_M
        return run.stay(distance < radius and (run.is_still or not run.is_last))
