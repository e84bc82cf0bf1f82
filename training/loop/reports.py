"""Progress reports of a training: ``progress.jsonl``, TensorBoard, and a callback."""

import math
from collections.abc import Sequence
from typing import Any

from ...core.jobs.run_folder import RunFolder
from ..config.config import TrainingConfig
from ..config.reporting import ReportCallback
from ..data.samples import SplitSamples
from ..losses.stages import TrainingStage
from .checkpoint import Checkpoint
from .rollouts import Rollout
from .tensorboard_log import TensorBoardLog


class StopRequested(Exception):
    """Signal that the user has stopped the run before its training or during a fit."""


class ProgressReporter:
    """Writer of a run's progress reports.

    Args:
        run: the run.
        listener: function called with each progress line.
        stages: the run's stages.
        samples: the training samples.
        settings: the run's settings; ``tensorboard`` says whether to write TensorBoard scalars.
    """

    def __init__(
        self,
        run: RunFolder,
        listener: ReportCallback,
        stages: Sequence[TrainingStage],
        samples: SplitSamples,
        settings: TrainingConfig,
    ) -> None:
        self._run, self._listener, self._stages, self._samples = run, listener, stages, samples
        self._stage_steps = [stage.epochs * stage.steps_per_epoch(samples) for stage in stages]
        self._scalars = TensorBoardLog(run.path / "tensorboard" if settings.tensorboard else None)
        self._pending_fields: dict[str, Any] = {}
        self._speed = 0.0

    def note(self, sentence: str) -> None:
        """Write a sentence for the user to the log, and add it to the next report."""
        self._run.log(sentence)
        self._pending_fields["note"] = sentence

    def add_rollout(self, rollout: Rollout) -> None:
        """Add the results of a judged roll-out to the next report."""
        self._pending_fields["rollout"] = rollout.to_json()

    def report(
        self,
        checkpoint: Checkpoint,
        epoch_steps: int,
        frames_per_second: float,
        learning_rate: float,
        stage_ended: bool = False,
    ) -> None:
        """Report the current state of the run to ``progress.jsonl``, TensorBoard and the listener.

        Args:
            checkpoint: the current checkpoint.
            epoch_steps: number of steps in an epoch.
            frames_per_second: throughput, frames per second; 0 without any frame since the last report.
            learning_rate: the present learning rate.
            stage_ended: whether the stage is finished.
        """
        stage = self._stages[checkpoint.stage]
        self._speed = frames_per_second or self._speed
        left = self._seconds_left(checkpoint, stage_ended)
        spent = checkpoint.spent + checkpoint.elapsed
        progress = {
            "stage": stage.name,
            "step": sum(self._stage_steps[: checkpoint.stage])
            + (self._stage_steps[checkpoint.stage] if stage_ended else checkpoint.step),
            "total": sum(self._stage_steps),
            "epoch": (max(checkpoint.step, 1) - 1) // epoch_steps + 1,
            "epochs": stage.epochs,
            "loss": checkpoint.loss,
            "validation_loss": checkpoint.validation_loss,
            "samples_per_second": round(frames_per_second),
            "learning_rate": learning_rate,
            "eta": round(left, 1) if math.isfinite(left) else None,
            "fraction": round(spent / (spent + left), 4) if spent else 0.0,
            **self._pending_fields,
        }
        self._pending_fields = {}
        self._run.append_progress(progress)
        self._scalars.write(progress)
        self._listener(progress)

    def close(self) -> None:
        """Write buffered TensorBoard scalars to disk."""
        self._scalars.close()

    def _seconds_left(self, checkpoint: Checkpoint, stage_ended: bool) -> float:
        """Return the estimated remaining time, bounded by the time limits; infinite if the throughput is unknown."""
        left = 0.0
        for number, stage in enumerate(self._stages[checkpoint.stage :], start=checkpoint.stage):
            here = number == checkpoint.stage
            if here and stage_ended:
                continue
            steps = self._stage_steps[number] - (checkpoint.step if here else 0)
            frames = steps * stage.batch * stage.window_frames
            needed = frames / self._speed if self._speed else math.inf if frames else 0.0
            left += (
                min(needed, stage.time_limit_s - (checkpoint.elapsed if here else 0.0))
                if stage.time_limit_s
                else needed
            )
        return max(left, 0.0)
