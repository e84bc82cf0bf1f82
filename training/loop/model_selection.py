"""Selection of a run's best network, and early stopping."""

import math
from dataclasses import asdict, dataclass
from typing import Any, Self


@dataclass(slots=True)
class ModelSelection:
    """State of the choice of a stage's best network, and of the decision when to stop the stage.

    Networks are ranked by roll-out score: with little data, the network with the lowest validation loss walks worst.
    The loss decides between equal scores, and without roll-outs. Early stopping with patience, Prechelt 1998.

    Attributes:
        score, loss: score and validation loss of the best network; the score is ``None`` without roll-outs, the loss
            without held-out clips.
        highest, lowest: the highest score and the lowest validation loss of any network so far.
        unimproved: number of evaluations since ``highest`` or ``lowest`` improved.
        walks: number of roll-outs done or skipped so far.
        kept: whether a network has been kept as the best since the selection began.
    """

    score: float | None = None
    loss: float | None = None
    highest: float = -math.inf
    lowest: float = math.inf
    unimproved: int = 0
    walks: int = 0
    kept: bool = False

    def for_next_stage(self) -> "ModelSelection":
        """Return the selection at the start of the next stage, whose networks have to beat the best score so far.

        Losses of different stages are not comparable, so without a score the first network of the next stage counts as
        best.
        """
        return ModelSelection() if self.score is None else ModelSelection(self.score, kept=True)

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> Self:
        """Return the selection from the plain data of a checkpoint, as :meth:`to_state` returned them."""
        return cls(**state)

    def to_state(self) -> dict[str, Any]:
        """Return the selection as plain data for a checkpoint."""
        return asdict(self)

    def is_rollout_due(self, progress: float, rollouts: int) -> bool:
        """Return whether the next of ``rollouts`` evenly spaced roll-outs is due at a stage's progress, 0 to 1."""
        return int(progress * rollouts + 1e-9) > self.walks

    def add_result(self, loss: float | None, score: float | None) -> bool:
        """Record the validation loss and score of a network; return whether it is the best so far."""
        highest = max(self.highest, -math.inf if score is None else round(score, 2))
        lowest = min(self.lowest, math.inf if loss is None else loss)
        improved = highest > self.highest or lowest < self.lowest
        self.highest, self.lowest, self.unimproved = highest, lowest, 0 if improved else self.unimproved + 1
        no_result = score is None and loss is None and self.score is None
        if self.kept and not no_result and not _rank(score, loss) > _rank(self.score, self.loss):
            return False
        self.score, self.loss, self.kept = score, loss, True
        return True


def _rank(score: float | None, loss: float | None) -> tuple[float, float]:
    """Return a key that sorts networks by quality; scores within a hundredth of each other count as equal."""
    return -math.inf if score is None else round(score, 2), -math.inf if loss is None else -loss
