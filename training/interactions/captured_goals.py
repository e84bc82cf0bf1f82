"""Goals that the user moved in the labels beside a clip, relative to the goals found in its motion.

By default goals follow from the actions (:func:`~footfall.core.labelling.semantics.goals.find_goals`). If a goal in the
file has another place, or is known from another time on, the user has set it, and takes use it.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...core.labelling import Labels
from ...core.labelling.semantics.goals import find_goals
from ...core.labelling.shown_interactions import SHOWN_WEIGHT
from ...core.motion import Clip
from ...core.motion.root_frame import into_frame, root_track, yaw_of
from ...core.motion.rotations import Array, wrap_angle
from ...core.motion.signals import runs_of
from ...core.tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class CapturedGoalsTuning(Tuning):
    max_displacement: float = tuned(0.5, "m", 0.0, 3.0)
    """Distance from the place found in the motion beyond which a goal belongs to another action."""
    same_time: int = tuned(4, "frames", 0, 60)
    """Largest time difference that is attributed to resampling, not to the user."""


TUNING: Final = CapturedGoalsTuning()


@dataclass(frozen=True, slots=True)
class GoalTimes:
    """Times of a goal as set by the user; ``None`` for a time that follows from the action.

    Attributes:
        lead: frames from when the goal becomes known to the start of the action.
        tail: frames from the end of the goal to the end of the action.
    """

    lead: int | None = None
    tail: int | None = None

    def begin(self, action_start: int) -> int | None:
        """Return the frame from which the goal of an action that starts at ``action_start`` is known.

        ``None`` if the user has not set it.
        """
        return None if self.lead is None else max(action_start - self.lead, 0)

    def end(self, action_end: int, usual: int) -> int:
        """Return the frame at which the goal of an action that ends at ``action_end`` ends; ``usual`` if not set."""
        return usual if self.tail is None else max(action_end - self.tail, 1)


NO_TIMES: Final = GoalTimes()
"""Times that follow from the action."""


@dataclass(frozen=True, eq=False)
class CapturedGoals:
    """Goals in the labels beside a clip of F frames at 60 Hz, and their displacements by the user.

    Attributes:
        action_names: (A) names of the actions.
        actions: (F, A) action weights in the labels.
        goals, own_goals: (F) column of the goal's action, in the labels and as derived from the actions.
        displacements: (F, 3) displacement from the goal found in the motion to that in the labels: right of the root
            and ahead, m, and turn of its direction, rad.
    """

    action_names: tuple[str, ...]
    actions: Array
    goals: NDArray[np.intp]
    own_goals: NDArray[np.intp]
    displacements: Array

    @staticmethod
    def of(clip: Clip, labels: Labels, scale: float) -> "CapturedGoals | None":
        """Return the goals set in a clip's labels; ``None`` if there are none.

        Args:
            clip: the captured motion at 60 Hz.
            labels: the labels beside it, at 60 Hz.
            scale: ratio of the leg lengths, network skeleton to the clip's.
        """
        goals = labels.goals
        if goals is None or not goals.positions.any():
            return None
        own = find_goals(clip, labels.actions, labels.action_names)
        moved = scale * into_frame(goals.positions - own.positions, root_track(clip).yaws)
        turned = wrap_angle(yaw_of(goals.directions) - yaw_of(own.directions))
        return CapturedGoals(
            labels.action_names,
            labels.actions,
            goals.actions.argmax(axis=1),
            own.actions.argmax(axis=1),
            np.column_stack([moved[:, :2], turned]),
        )

    def mirrored(self) -> "CapturedGoals":
        """Return the goals as in the mirror image of their clip."""
        return replace(self, displacements=self.displacements * [-1.0, 1.0, -1.0])

    def displacement(self, action: str, frame: int) -> Array:
        """Return the user's displacement (3) of an action's goal at a frame; zero if another action is the goal then.

        It is right of the root and ahead, m, and the turn, rad.
        """
        moved, named = self.displacements[frame], self.goals[frame] == self.own_goals[frame]
        named = named and self.action_names[self.goals[frame]] == action
        return moved if named and np.linalg.norm(moved[:2]) < TUNING.max_displacement else np.zeros(3)

    def times(self, action: str, frame: int) -> GoalTimes:
        if action not in self.action_names:
            return GoalTimes()
        column = self.action_names.index(action)
        done = _run_about(self.actions[:, column] > SHOWN_WEIGHT, frame)
        told, own = (_run_about(goals == column, frame) for goals in (self.goals, self.own_goals))
        if done is None or told is None or own is None:
            return GoalTimes()
        lead, tail = max(done[0] - told[0], 0), max(done[1] - told[1], 0)
        return GoalTimes(
            lead if abs(told[0] - own[0]) > TUNING.same_time else None,
            tail if abs(told[1] - own[1]) > TUNING.same_time else None,
        )


def _run_about(mask: NDArray[np.bool_], frame: int) -> tuple[int, int] | None:
    """Return the half-open range of set values around a frame in a mask (F); ``None`` if the frame is not set."""
    return next(((int(start), int(stop)) for start, stop in runs_of(mask) if start <= frame < stop), None)
