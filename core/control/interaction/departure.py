"""Departure from the object of a task: the character gets up and moves away until it can follow any path."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...actions import motion_of
from ...features.interaction import ACTIONS
from ...motion.root_frame import facing_direction
from ...motion.rotations import Array, length, log, rotation_between
from ...tuning import Tuning, tuned
from .sequencer import InteractionSequencer
from .task import InteractionTask


@dataclass(frozen=True, slots=True)
class Leaving(Tuning):
    distance: float = tuned(1.2, "m", 0.5, 3.0)
    """Distance of the goal toward which a departing character walks."""
    ahead: float = tuned(0.2, "1", 0.0, 0.9)
    """Largest cosine of the angle from its facing to the departure at which a character before an object needs no step
    back first.
    """
    done_weight: float = tuned(0.2, "1", 0.0, 0.5)
    """Weight of a task's action below which the action counts as over."""
    upright: float = tuned(0.9, "1", 0.7, 1.0)
    """Smallest height of the hips, as a share of their standing height, at which a character can walk on."""
    max_lean: float = tuned(float(np.radians(12.0)), "rad", 0.0, 0.6)
    """Largest angle between the lines from hips to head now and when standing at which a character counts as upright.
    """
    longest: float = tuned(6.0, "s", 1.0, 20.0)
    """Time after which the character walks on, whatever its posture."""


TUNING: Final = Leaving()
STEPS_BACK: Final = ("lean", "carry")
"""Actions that end with the object in front of the character."""


class Departure:
    """The departure of a character from the object of a task.

    Args:
        sequencer: the character's sequencer, which continues during the departure.
        action: the task's action.

    Attributes:
        frame: first frame of the departure.
    """

    def __init__(self, sequencer: InteractionSequencer, action: str) -> None:
        self._play, self.frame = sequencer, len(sequencer.frames)
        self._action = action
        self._standing = np.asarray(sequencer.model.start["position"], dtype=float)

    def send(self, way: Array) -> None:
        """Send the character off in a direction.

        From a seat it always goes straight ahead, since its feet would slide in a turn. From a table that it leans on,
        or an object that it has put down, it goes backward first.

        Args:
            way: (2) direction, world; zero for straight ahead.
        """
        runtime, far = self._play.runtime, float(length(way))
        ahead = facing_direction(runtime.yaw[0])
        wished = way / far if far > 0.0 else ahead
        if runtime.state.seated[0]:
            wished = ahead
        if self._action in STEPS_BACK and wished @ ahead > TUNING.ahead:
            wished = -ahead
        place = runtime.position[0] + TUNING.distance * wished
        self._play.do_next(InteractionTask("walk", position=np.append(place, 0.0)))

    @property
    def is_over(self) -> bool:
        """True once the character stands or walks upright, away from the object, with empty hands.

        True at the latest ``TUNING.longest`` after the departure began.
        """
        play = self._play
        if len(play.frames) <= self.frame or play.scene.held_indices:
            return False
        if play.recording.seconds_since(self.frame) > TUNING.longest:
            return True
        acts = play.frames[-1].actions[0, ACTIONS.index(motion_of(self._action))] > TUNING.done_weight
        is_clear = not play.runtime.state.seated[0] and not play.scene.used_indices
        return bool(self._is_upright and not acts and is_clear)

    @property
    def _is_upright(self) -> bool:
        """True while the body is as high and as straight as a walking body."""
        model = self._play.model
        hips, head = (model.joints.index(model.skeleton.names[model.skeleton.joint(role)]) for role in ("hips", "head"))
        pose, standing = self._play.runtime.state.pose[0], self._standing
        lean = float(length(log(rotation_between(pose[head] - pose[hips], standing[head] - standing[hips]))))
        return bool(pose[hips, 2] > TUNING.upright * standing[hips, 2] and lean < TUNING.max_lean)
