"""Which of a run's networks is the best, and whether it is worth going on."""

import math
from dataclasses import asdict, dataclass
from typing import Any, Self


@dataclass(slots=True)
class ModelSelection:
    """What the networks of a stage have shown so far.

    A network that walks better is better: with little data the lowest validation loss belongs to the network that walks
    worst. The loss decides between walks that are as good, and where nobody has walked.

    Attributes:
        score, loss: of the best network; ``None`` where it has not walked, or nothing was held out.
        highest, lowest: the best score and the lowest validation loss of any network.
        unimproved: judgements since one of the two got better.
        walks: how many times a network has been made to walk, or should have been.
        kept: whether a network of the stage has been kept as the best.
    """

    score: float | None = None
    loss: float | None = None
    highest: float = -math.inf
    lowest: float = math.inf
    unimproved: int = 0
    walks: int = 0
    kept: bool = False

    def for_next_stage(self) -> "ModelSelection":
        """At the beginning of the next stage: its networks are to walk better than the best one so far.

        Losses of two stages are of different things, so where nobody has walked, the first of the next stage counts.
        """
        return ModelSelection() if self.score is None else ModelSelection(self.score, kept=True)

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> Self:
        """Return the inverse of :meth:`state`."""
        return cls(**state)

    def to_state(self) -> dict[str, Any]:
        """Plain data for a checkpoint."""
        return asdict(self)

    def is_rollout_due(self, progress: float, rollouts: int) -> bool:
        """Whether a network should walk, at this share of the stage, if ``rollouts`` are evenly spaced over it."""
        return int(progress * rollouts + 1e-9) > self.walks

    def add_result(self, loss: float | None, score: float | None) -> bool:
        """Take note of a network's validation loss and score; returns whether it is the best so far."""
        highest = max(self.highest, -math.inf if score is None else round(score, 2))
        lowest = min(self.lowest, math.inf if loss is None else loss)
        improved = highest > self.highest or lowest < self.lowest
        self.highest, self.lowest, self.unimproved = highest, lowest, 0 if improved else self.unimproved + 1
        nothing_tells = score is None and loss is None and self.score is None
        if self.kept and not nothing_tells and not _rank(score, loss) > _rank(self.score, self.loss):
            return False
        self.score, self.loss, self.kept = score, loss, True
        return True


def _rank(score: float | None, loss: float | None) -> tuple[float, float]:
    """What is better is greater; walks that differ by less than a hundredth are as good."""
    return -math.inf if score is None else round(score, 2), -math.inf if loss is None else -loss
