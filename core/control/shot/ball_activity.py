"""The head of activities with a ball: dribbles, and actions in place."""

from dataclasses import dataclass

from .activity import Situation, Stage
from .parts import BallPart


@dataclass(frozen=True, eq=False)
class BallActivity:
    """An activity with a ball.

    Attributes:
        stage: the shot's stage.
        part: the dribble or action.
    """

    stage: Stage
    part: BallPart

    @property
    def numbers(self) -> tuple[int, ...]:
        """See :class:`.activity.Activity`."""
        return (self.part.number,)

    def inputs(self, situation: Situation) -> object:
        """See :class:`.activity.Activity`."""
        return self.part, situation.frame, situation.balls[self.part.ball]
