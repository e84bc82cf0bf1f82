"""What a run says of itself while it trains: ``progress.jsonl``, TensorBoard, and whoever listens."""

from collections.abc import Callable, Sequence
from typing import Any

from ...core.jobs.run_folder import RunFolder
from ..config.config import TrainingConfig
from ..data.samples import Samples
from ..losses.stages import Stage
from .checkpoint import Checkpoint
from .rollouts import Rollout
from .tensorboard_log import ScalarLog

Report = Callable[[dict[str, Any]], None]


class Reports:
    """Reports of a run with these stages on these samples.

    Args:
        listener: called with everything that goes to ``progress.jsonl``.
    """

    def __init__(
        self, run: RunFolder, listener: Report, stages: Sequence[Stage], samples: Samples, settings: TrainingConfig
    ) -> None:
        self._run, self._listener, self._stages, self._samples = run, listener, stages, samples
        self._steps = [stage.epochs * stage.steps_per_epoch(samples) for stage in stages]
        self._scalars = ScalarLog(run.path / "tensorboard" if settings.tensorboard else None)
        self._news: dict[str, Any] = {}

    def note(self, sentence: str) -> None:
        """Something that a person should know: to the log, and to the next report."""
        self._run.log(sentence)
        self._news["note"] = sentence

    def walked(self, rollout: Rollout) -> None:
        """How the network walked, to the next report."""
        self._news["rollout"] = rollout.to_json()

    def tell(self, at: Checkpoint, epoch_steps: int, speed: float, rate: float, ended: bool = False) -> None:
        """Reports where the run is.

        Args:
            at: what it has done.
            epoch_steps: steps of an epoch.
            speed: frames a second.
            rate: the learning rate.
            ended: whether the stage is done.
        """
        stage = self._stages[at.stage]
        left = self._seconds_left(at, speed, ended)
        spent = at.spent + at.elapsed
        progress = {
            "stage": stage.name,
            "step": sum(self._steps[: at.stage]) + (self._steps[at.stage] if ended else at.step),
            "total": sum(self._steps),
            "epoch": (max(at.step, 1) - 1) // epoch_steps + 1,
            "epochs": stage.epochs,
            "loss": at.loss,
            "validation_loss": at.validation_loss,
            "samples_per_second": round(speed),
            "learning_rate": rate,
            "eta": round(left, 1),
            "fraction": round(spent / (spent + left), 4) if spent else 0.0,
            **self._news,
        }
        self._news = {}
        self._run.append_progress(progress)
        self._scalars.write(progress)
        self._listener(progress)

    def close(self) -> None:
        """Writes what is still held back."""
        self._scalars.close()

    def _seconds_left(self, at: Checkpoint, speed: float, ended: bool) -> float:
        """An estimate from the frames that are still to be seen, bounded by the stages' own time limits."""
        left = 0.0
        for number, stage in enumerate(self._stages[at.stage :], start=at.stage):
            here = number == at.stage
            if here and ended:
                continue
            steps = self._steps[number] - (at.step if here else 0)
            needed = steps * stage.batch * stage.length / max(speed, 1e-9)
            left += min(needed, stage.seconds - (at.elapsed if here else 0.0)) if stage.seconds else needed
        return max(left, 0.0)
