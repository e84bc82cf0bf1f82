"""The trainer: training stages with their steps, evaluations, reports and checkpoints (PFNN section 5.3)."""

import math
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import torch
from torch import Tensor

from ...core.errors import FootfallError
from ...core.jobs.run_folder import RunFolder
from ..config.reporting import REPORT_INTERVAL_S, ReportCallback
from ..config.run_config import RunConfig
from ..config.seeds import NOISE_PURPOSE, seed_of
from ..data.dataset import Dataset
from ..distributed.device import World, set_up_device
from ..fine_tuning.fine_tuning import dataset_for_run, initial_weights
from ..fine_tuning.rehearsal_batches import load_run_samples
from ..fitted.families import FIT_FUNCTIONS
from ..interactions.augmentation.augmentation_pool import AugmentationPool
from ..interactions.frame_emphasis import frame_emphasis
from ..losses.stages import TrainingStage, require_windows, stages_of
from ..networks.dropout import set_dropout
from ..networks.families import architecture_of
from ..phases.phase_conditioning import condition_on_phases
from . import checkpoint
from .batches import BatchLoader
from .checkpoint import BestNetwork, Checkpoint
from .export import build_controller, build_network, tensors_of, write_model
from .fitting import fit_controller
from .learner import Learner
from .model_selection import ModelSelection
from .reports import ProgressReporter
from .rollouts import Rollout, RolloutEvaluator

MAX_VALIDATION_FRAMES: Final = 16384
"""Approximate number of held-out frames in one evaluation."""


class TrainingError(FootfallError):
    """Error: the training has diverged."""


@dataclass(slots=True)
class _SinceReport:
    """Sums since the last report."""

    loss_sum: Tensor
    steps: int = 0
    frames: int = 0
    started_s: float = field(default_factory=time.monotonic)


class Trainer:
    """The training of one run, from its newest checkpoint to the controller file."""

    def __init__(
        self,
        run: RunFolder,
        dataset: Dataset,
        config: RunConfig,
        report: ReportCallback,
        device: torch.device,
        world: World,
        report_interval_s: float = REPORT_INTERVAL_S,
    ) -> None:
        """Load the samples and the newest checkpoint of a run, if it has one.

        Args:
            run: the run.
            dataset: the data set, with the inputs that the network needs.
            config: the run's configuration.
            report: called with each progress line.
            device: the device.
            world: the processes that train together.
            report_interval_s: shortest time between two progress lines, s.

        Raises:
            FootfallError: the data set is damaged, or the checkpoints belong to another run.
        """
        self._run, self._dataset, self._config, self._settings = run, dataset, config, config.training
        self._device, self._world, self._report_interval_s = device, world, report_interval_s
        settings = config.training
        self._stages = stages_of(settings)
        longest = max(stage.window_frames for stage in self._stages)
        part = world.rank, world.size
        self._training = load_run_samples(run, dataset, config, "training", device, part, longest)
        self._emphasis = frame_emphasis(dataset, "training")
        self._augmentation = None
        if settings.augmented_share:
            self._augmentation = AugmentationPool(dataset, "training", settings.augmented_share, settings.seed)
        # Only the leader evaluates.
        evaluates = world.is_leader
        self._validation = load_run_samples(run, dataset, config, "validation", device) if evaluates else None
        style = config.origin.style if config.origin else ""
        self._rollouts = RolloutEvaluator.for_dataset(dataset, style) if evaluates and settings.rollouts else None
        self._reports = ProgressReporter(run, report, self._stages, self._training, settings) if evaluates else None
        self._digest = dataset.digest
        torch.manual_seed(settings.seed)
        saved = self._read_checkpoint()
        self._state = saved or Checkpoint(self._digest, 0, 0, 0, 0.0, 0.0, math.nan, None, {}, None, {})
        self._selection, self._last_rollout_step = ModelSelection.from_state(self._state.judge), -1
        weights = saved.learner["network"] if saved else initial_weights(run) if config.origin else None
        self._start_stage(self._stages[min(self._state.stage, len(self._stages) - 1)], weights)
        if saved:
            self._learner.load_state_dict(saved.learner)
        if world.is_leader and self._state.kept is not None:
            # The existing file may be damaged, or from a later moment that the run will reach again.
            run.save_best(checkpoint.to_bytes(self._state.kept))

    def train(self) -> bool:
        """Train and write the controller; return false if a stop was requested before the end.

        Raises:
            TrainingError: the loss is no longer finite.
            OSError: a file cannot be written; files written before are safe.
        """
        weights = sum(parameter.numel() for parameter in self._learner.network.parameters())
        self._log(
            f"{len(self._training)} samples on {self._device} ({torch.get_num_threads()} threads, "
            f"{self._world.size} processes), {len(self._validation or ())} held out; {weights} weights"
        )
        finished = True
        while finished and self._state.stage < len(self._stages):
            finished = self._run_stage(self._stages[self._state.stage])
        if self._world.is_leader and self._state.kept is not None:
            write_model(self._run.model_path, self._dataset, self._config, self._state.kept)
        if self._reports is not None:
            self._reports.close()
        return finished

    def _read_checkpoint(self) -> Checkpoint | None:
        """Let the leader read the newest checkpoint and send it to all processes; return it."""
        saved = checkpoint.read_newest(self._run, self._digest, self._device) if self._world.is_leader else None
        data = self._world.broadcast(checkpoint.to_bytes(saved) if saved and self._world.size > 1 else b"")
        return saved or (checkpoint.from_bytes(data, self._device) if data else None)

    def _start_stage(self, stage: TrainingStage, weights: dict[str, Tensor] | None) -> None:
        """Build the network of a stage, with the stage's own dropout, and a new optimizer."""
        network = build_network(self._dataset, self._config, stage.dropout, weights)
        steps = stage.epochs * stage.steps_per_epoch(self._training)
        self._learner = Learner(
            network, stage, self._settings, self._dataset, self._device, self._world, steps, self._log
        )

    def _run_stage(self, stage: TrainingStage) -> bool:
        """Take steps until the stage is finished or a stop is requested; return whether the stage is finished."""
        at, seed = self._state, self._settings.seed
        entered = time.monotonic() - at.elapsed
        tally = _SinceReport(torch.zeros((), device=self._device))
        saved, rate, over, stop, evaluated_step = time.monotonic(), 0.0, False, False, -1
        with BatchLoader(self._training, stage, at.stage, seed, self._emphasis, self._augmentation) as batches:
            require_windows(stage, len(batches))
            while not over:
                done, stop = self._poll_progress(stage, batches.steps_per_epoch, entered)
                if done >= 1.0 or stop:
                    break
                batch, rate = batches[at.step], stage.learning_rate_at(done)
                set_dropout(self._learner.network, stage.dropout_at(done))
                noise = seed_of(NOISE_PURPOSE, seed, at.stage, at.step, self._world.rank)
                tally.loss_sum += self._learner.step(batch.windows, rate, noise, batch.share)
                tally.steps, tally.frames = tally.steps + 1, tally.frames + batch.frames
                at.step, at.total_steps = at.step + 1, at.total_steps + 1
                at.elapsed = time.monotonic() - entered
                if at.step % batches.steps_per_epoch == 0:
                    over, evaluated_step = self._evaluate(stage, batches.steps_per_epoch, tally), at.step
                if time.monotonic() - tally.started_s >= self._report_interval_s:
                    self._report(tally, rate, batches.steps_per_epoch)
                    tally = _SinceReport(torch.zeros((), device=self._device))
                if time.monotonic() - saved >= self._settings.checkpoint_interval:
                    self._check_loss(tally)
                    self._save_checkpoint()
                    saved = time.monotonic()
            rollout_due = (
                self._selection.is_rollout_due(1.0, self._settings.rollouts)
                and self._last_rollout_step != at.total_steps
            )
            if stop:
                self._finish_stopped_stage(tally)
            elif not over and (self._world.broadcast_values(rollout_due)[0] or evaluated_step != at.step):
                self._evaluate(stage, batches.steps_per_epoch, tally, at_stage_end=True)
            if tally.steps or not stop:
                self._report(tally, rate, batches.steps_per_epoch, stage_ended=not stop)
        if not stop:
            self._end_stage(stage)
        self._save_checkpoint()
        return not stop

    def _poll_progress(self, stage: TrainingStage, epoch_steps: int, entered: float) -> tuple[float, bool]:
        """Return the stage's progress, 0 to 1, by steps or by time, and whether to stop."""
        done, stop = self._world.broadcast_values(
            stage.progress_at(self._state.step / epoch_steps, time.monotonic() - entered),
            self._world.is_leader and self._run.stop_requested(),
        )
        return done, stop > 0.5

    @torch.no_grad()
    def _validate(self, stage: TrainingStage) -> float | None:
        """Return the loss over about MAX_VALIDATION_FRAMES evenly spaced held-out frames; ``None`` without any."""
        assert self._validation is not None
        starts = stage.window_starts(self._validation)
        if len(starts) == 0:
            return None
        chosen = starts[:: max(1, len(starts) * stage.window_frames // MAX_VALIDATION_FRAMES)]
        total = torch.zeros((), device=self._device)
        for part in chosen.split(max(1, 1024 // stage.window_frames)):
            total += len(part) * self._learner.loss(self._validation.windows(part, stage.window_frames))
        return total.item() / len(chosen)

    def _evaluate(
        self, stage: TrainingStage, epoch_steps: int, since_report: _SinceReport, at_stage_end: bool = False
    ) -> bool:
        """Evaluate the network and keep it if it is the best so far; return whether to end the stage early."""
        self._check_loss(since_report)
        over, began = False, time.monotonic()
        if self._world.is_leader:
            done = 1.0 if at_stage_end else stage.progress_at(self._state.step / epoch_steps, self._state.elapsed)
            loss = self._state.validation_loss = self._validate(stage)
            rollout = (
                self._roll_out(stage, done) if self._selection.is_rollout_due(done, self._settings.rollouts) else None
            )
            if self._selection.add_result(loss, None if rollout is None else rollout.score):
                self._keep_as_best(rollout)
            over = 0 < self._settings.patience <= self._selection.unimproved
        over = bool(self._world.broadcast_values(over)[0])
        if over and not at_stage_end and self._reports is not None:
            self._reports.note(
                f"Stage {stage.name} ended early: no improvement in {self._selection.unimproved} evaluations."
            )
        since_report.started_s += time.monotonic() - began
        return over

    def _roll_out(self, stage: TrainingStage, progress: float) -> Rollout | None:
        """Evaluate the network by a roll-out, if there is time."""
        self._selection.walks = int(progress * self._settings.rollouts + 1e-9)
        rollouts, at = self._rollouts, self._state
        if rollouts is None:
            return None
        allowed = self._settings.rollout_share * at.elapsed
        if stage.time_limit_s and progress < 1.0 and rollouts.total_rollouts_s + rollouts.last_rollout_s > allowed:
            return None
        tensors = tensors_of(self._learner.network)
        rollout = rollouts.evaluate(build_controller(self._dataset, architecture_of(self._settings), tensors))
        self._last_rollout_step = at.total_steps
        self._log(f"walk at step {at.total_steps}: {rollout}")
        assert self._reports is not None
        self._reports.add_rollout(rollout)
        return rollout

    def _keep_as_best(self, rollout: Rollout | None) -> None:
        """Keep the current network as the best."""
        walked = None if rollout is None else rollout.to_json()
        state = {name: value.to("cpu", copy=True) for name, value in self._learner.network.state_dict().items()}
        at = self._state
        at.kept = BestNetwork(self._digest, at.stage, at.total_steps, at.loss, at.validation_loss, state, walked)
        self._run.save_best(checkpoint.to_bytes(at.kept))

    def _finish_stopped_stage(self, since_report: _SinceReport) -> None:
        """End a stage at a stop so that the run can continue later as if it had never stopped."""
        self._check_loss(since_report)
        if self._world.is_leader:
            self._run.write_state("stopping")
            if self._state.kept is None:
                self._keep_as_best(None)

    def _end_stage(self, stage: TrainingStage) -> None:
        """End a stage; the next one continues from the best network so far."""
        at = self._state
        self._log(
            f"stage {stage.name} done after {at.step} steps and {at.elapsed:.0f} s, "
            f"validation loss {at.validation_loss}"
        )
        if self._augmentation is not None:
            self._log(f"windows with other objects since this process began: {self._augmentation.counts}")
        at.spent += at.elapsed
        at.stage, at.step, at.elapsed = at.stage + 1, 0, 0.0
        if self._rollouts is not None:
            self._rollouts.total_rollouts_s = 0.0
        if at.stage < len(self._stages):
            following, best = self._stages[at.stage], at.kept  # Only the leader keeps it, and sends its weights.
            self._selection = ModelSelection() if following.selects_anew else self._selection.for_next_stage()
            self._start_stage(following, best.network if best else None)

    def _save_checkpoint(self) -> None:
        """Save a checkpoint, as the leader."""
        if self._world.is_leader:
            self._state.learner, self._state.judge = self._learner.state_dict(), self._selection.to_state()
            self._run.save_checkpoint(self._state.total_steps, checkpoint.to_bytes(self._state))

    def _check_loss(self, since_report: _SinceReport) -> None:
        """Read the loss from the device; raise :class:`TrainingError` if the loss is not finite."""
        if since_report.steps:
            self._state.loss = since_report.loss_sum.item() / since_report.steps
            if not math.isfinite(self._state.loss):
                raise TrainingError(
                    "The training diverged at step {step} (the loss is not a number): lower the setting "
                    "'learning_rate' and start again",
                    step=self._state.total_steps,
                )

    def _report(
        self, since_report: _SinceReport, learning_rate: float, epoch_steps: int, stage_ended: bool = False
    ) -> None:
        """Report progress."""
        self._check_loss(since_report)
        if self._reports is not None:
            speed = since_report.frames / max(time.monotonic() - since_report.started_s, 1e-3)
            self._reports.report(self._state, epoch_steps, speed, learning_rate, stage_ended)

    def _log(self, text: str) -> None:
        """Write to the log, as the leader."""
        if self._world.is_leader:
            self._run.log(text)


def train_run(
    run: RunFolder,
    dataset: Path,
    config: RunConfig,
    world: World | None = None,
    report: ReportCallback | None = None,
    report_interval_s: float = REPORT_INTERVAL_S,
) -> bool:
    """Train a run whose session (:meth:`RunFolder.run_session`) this process, or the leader of its world, has opened.

    Args:
        run: the run.
        dataset: the data set's folder, built by the leader.
        config: the run's configuration.
        world: the processes that train together; only this one by default.
        report: called with each progress line.
        report_interval_s: shortest time between two progress lines of the training, s.

    Returns:
        True if the training was finished, false if it was stopped.
    """
    settings, world, report = config.training, world or World(), report or (lambda progress: None)
    device = set_up_device(settings)
    if settings.family in FIT_FUNCTIONS:
        world.close()
        return fit_controller(run, dataset, config, device, report)
    # The leader makes the phase vectors; the other processes read them.
    seen = condition_on_phases(run, Dataset.open(dataset), settings, device, report) if world.is_leader else None
    if world.is_leader and seen is None:
        world.release_workers()
        return False
    if not world.wait_for_leader():
        world.close()
        return False
    seen = seen or condition_on_phases(run, Dataset.open(dataset), settings, device)
    finished = False
    if seen is not None:
        given = dataset_for_run(run, config, seen)
        finished = Trainer(run, given, config, report, device, world, report_interval_s).train()
    world.close()
    return finished
