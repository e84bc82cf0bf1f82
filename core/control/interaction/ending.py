"""The ending of a recording: a character straightens, turns away from what it carried, and comes to a stand."""

from typing import Final

import numpy as np

from ...motion.contacts import CONTACT_THRESHOLD
from ...motion.roles import FOOT_CONTACTS
from ...motion.root_frame import facing_direction
from ..runtime.goal_command import GoalCommand
from ..runtime.interaction_runtime import InteractionFrame
from .task_run import TaskRun

SHORTEST_S, LONGEST_S = 1.3, 3.5
"""Shortest and longest duration of an ending."""
AWAY_M: Final = 0.7
"""Distance from what it has put down to which a character is told to turn away."""
STOPPING_S: Final = 0.3
"""Time in which a moving character comes to a stand, at the mean speed of a stop."""


class Ending:
    """A character that comes to a stand.

    Args:
        run: the last task, which has ended.
        turns_away: whether the character turns away from what it has put down.
    """

    def __init__(self, run: TaskRun, turns_away: bool) -> None:
        self._run, self._start_frame = run, len(run.recording)
        facing = facing_direction(run.yaw)
        if turns_away:
            # To idle before an object is to put it down: a body that has done so would bend again and again.
            self._command = GoalCommand("walk", np.append(run.position - AWAY_M * facing, 0.0), -facing)
        else:
            frames = run.recording.frames[-2:]
            velocity = (run.position - frames[0].position[0]) / len(frames) * run.recording.model.rate
            self._command = GoalCommand("idle", np.append(run.position + STOPPING_S * velocity, 0.0), facing)
        self._run.still_frames = 0

    def goal_command(self) -> GoalCommand:
        """Return the command of the next frame: to stand where the character stops, or to turn away."""
        return self._command

    def is_over(self, frame: InteractionFrame) -> bool:
        """Return whether the character stands on both feet, or has had its time."""
        self._run.count_still_frames(frame)
        seconds = self._run.seconds_since(self._start_frame)
        on_feet = frame.contacts[0, -len(FOOT_CONTACTS) :].min() > CONTACT_THRESHOLD
        return seconds >= LONGEST_S or bool(seconds >= SHORTEST_S and self._run.is_still and on_feet)
