"""The ending of a recording: after its last task a character straightens, turns away from the object, and stops."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...motion.contacts import CONTACT_THRESHOLD
from ...motion.roles import FOOT_CONTACTS
from ...motion.root_frame import facing_direction
from ...tuning import Tuning, tuned
from ..runtime.goal_command import GoalCommand
from ..runtime.interaction_runtime import InteractionFrame
from .task_run import TaskRun


@dataclass(frozen=True, slots=True)
class EndingTuning(Tuning):
    shortest: float = tuned(1.3, "s", 0.0, 3.0)
    """Shortest duration of an ending."""
    longest: float = tuned(3.5, "s", 0.5, 20.0)
    """Longest duration of an ending."""
    away_distance: float = tuned(0.7, "m", 0.2, 2.0)
    """Distance that a character moves while it turns away from an object that it has put down."""
    stopping: float = tuned(0.3, "s", 0.05, 2.0)
    """Time that a moving character keeps its mean speed until the position at which it is commanded to stop."""


TUNING: Final = EndingTuning()


class Ending:
    """The ending of a recording, in which a character comes to a stop after its last task.

    Args:
        run: the last task, which has ended.
        turns_away: whether the character turns away from the object that it has put down.
    """

    def __init__(self, run: TaskRun, turns_away: bool) -> None:
        self._run, self._start_frame = run, len(run.recording)
        facing = facing_direction(run.yaw)
        if turns_away:
            # For the network, idling before an object means putting it down: a body that has done so would bend again
            # and again.
            self._command = GoalCommand("walk", np.append(run.position - TUNING.away_distance * facing, 0.0), -facing)
        else:
            frames = run.recording.frames[-2:]
            velocity = (run.position - frames[0].position[0]) / len(frames) * run.recording.model.rate
            self._command = GoalCommand("idle", np.append(run.position + TUNING.stopping * velocity, 0.0), facing)
        self._run.still_frames = 0

    def goal_command(self) -> GoalCommand:
        """Return the command for the next frame: to stand at the stopping position, or first to turn away."""
        return self._command

    def is_over(self, frame: InteractionFrame) -> bool:
        """Return whether the ending is over: the character stands still on both feet, or it has lasted too long."""
        self._run.count_still_frames(frame)
        seconds = self._run.seconds_since(self._start_frame)
        on_feet = frame.contacts[0, -len(FOOT_CONTACTS) :].min() > CONTACT_THRESHOLD
        return seconds >= TUNING.longest or bool(seconds >= TUNING.shortest and self._run.is_still and on_feet)
