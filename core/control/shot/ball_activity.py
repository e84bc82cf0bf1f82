"""The common base of activities with a ball: dribbles, and actions in place."""

from dataclasses import dataclass

from .activity import Situation, Stage
from .parts import BallPart


@dataclass(frozen=True, eq=False)
class BallActivity:
    """An activity with a ball, the common base of dribbles and of actions in place.

    Attributes:
        stage: the shot's stage.
        part: the dribble or action.
    """

    stage: Stage
    part: BallPart

    @property
    def numbers(self) -> tuple[int, ...]:
        """Indices, in the shot, of the beats that the activity carries out: only one."""
        return (self.part.number,)

    def inputs(self, situation: Situation) -> object:
        """Return the inputs that determine the motion: the part, its first frame, and the ball's state."""
        return self.part, situation.frame, situation.balls[self.part.ball]
