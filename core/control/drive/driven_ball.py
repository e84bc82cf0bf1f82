"""The ball of a character steered live: the hand that dribbles it, and its center."""

from collections.abc import Mapping
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...ball.ball_track import BASKETBALL_RADIUS_M
from ...features.phase_system import SAMPLE_OFFSETS_FRAMES, sensor_contacts
from ...models.model_file import ControllerModel
from ...motion import Clip
from ...motion.contacts import CONTACT_THRESHOLD
from ...motion.rotations import Array
from ..ball.ball_channels import BallRules
from ..ball.dribble import SIDES, BallPivots, DribblePlan
from ..ball.dribble import TUNING as DRIBBLE_TUNING
from ..runtime.locomotion_runtime import LocomotionRuntime
from .live_ball import BallMoment, LiveBall

CHANGE_LEAD_S: Final = 2 * DRIBBLE_TUNING.change_smoothing
"""Time, seconds, from the command to change hands to the middle of the change, so that the controller can prepare."""
WINDOW_FRAMES: Final = max(map(abs, SAMPLE_OFFSETS_FRAMES)) + 1
"""Number of frames before the current one, and from it on, for which the controller receives the dribbling hand."""


class DrivenBall:
    """The dribbled ball of a character steered live, in meters at its controller's scale.

    Args:
        model: a controller that plays a ball.
        hand: hand that dribbles first, ``"left"`` or ``"right"``.
        radius: radius of the ball, meters.
    """

    def __init__(self, model: ControllerModel, hand: str = "right", radius: float = BASKETBALL_RADIUS_M) -> None:
        self.radius = radius
        self._model, self._first, self._changes = model, SIDES[hand], list[float]()
        self._rules, self._shown = BallRules.of(model), LiveBall(radius, model.rate)
        self._frame = 0

    @property
    def hand(self) -> str:
        """The hand that dribbles at the current frame, ``"left"`` or ``"right"``."""
        return "right" if self.sides(np.array([self._frame]))[0] > 0 else "left"

    def change_hand(self) -> None:
        """Request that the other hand dribble."""
        self._changes.append(self._frame + CHANGE_LEAD_S * self._model.rate)

    def pick_up(self) -> None:
        """Put the ball into the dribbling hand, wherever a task has left it."""
        self._shown = LiveBall(self.radius, self._model.rate)

    def sides(self, frames: NDArray[np.intp]) -> Array:
        """Return the dribbling hand (F) at the given frames of the session, from -1 for the left to 1 for the right."""
        away = (frames[:, None] - np.array(self._changes)) / (DRIBBLE_TUNING.change_smoothing * self._model.rate)
        turns = np.resize([-2.0 * self._first, 2.0 * self._first], len(self._changes))
        return self._first + scipy.special.ndtr(away) @ turns

    def command(self, runtime: LocomotionRuntime) -> Mapping[str, Array]:
        """Return the controller's ball inputs for the next frame, by name; create the ball before the first frame."""
        around = self._frame + np.arange(-WINDOW_FRAMES, WINDOW_FRAMES + 1)
        sides = self.sides(around)
        pivots = BallPivots(self._model, [DribblePlan(sides, self.radius, np.ones(len(sides)))])
        row, now = np.zeros(1, dtype=np.intp), np.full(1, WINDOW_FRAMES, dtype=np.intp)
        runtime.beside = runtime.beside or pivots.begin(1)
        self._frame += 1
        return pivots.command(runtime, row, now)

    def place(self, pose: Clip, output: NDArray[np.float32], root: Array, yaw: float) -> Array:
        """Return the displayed center (3) of the ball at a frame, meters, world.

        Args:
            pose: the displayed pose, one frame.
            output: (1, m) output of the network.
            root: (3) root on the ground, meters, world.
            yaw: yaw of the root, radians.
        """
        touching = sensor_contacts(self._model.output_layout, output)[0, list(self._rules.sensors)] > CONTACT_THRESHOLD
        side = float(self.sides(np.array([self._frame]))[0])
        return self._shown.step(BallMoment(pose, touching, root, yaw, side))
