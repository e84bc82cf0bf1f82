"""The trainer: takes steps, judges, reports, saves, stops; PFNN section 5.3 and unrolled training after it."""

import math
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import torch
from torch import Tensor

from ...core.errors import FootfallError
from ...core.jobs.run_folder import RunFolder
from ..config.run_config import RunConfig
from ..config.seeds import NOISE, seed_of
from ..data.dataset import Dataset
from ..distributed.device import World, set_up
from ..fine_tuning.fine_tuning import seen_by, starting_weights
from ..fine_tuning.rehearsal_batches import samples_of
from ..fitted.families import FITTED
from ..losses.stages import Stage, require_windows, stages_of
from ..networks.families import architecture_of
from ..phases.phase_conditioning import conditioned
from . import checkpoint
from .batches import Batches
from .checkpoint import Best, Checkpoint
from .export import build_network, controller_of, tensors_of, write_model
from .fitting import fit_samples
from .learner import Learner
from .model_selection import Judge
from .reports import Report, Reports
from .rollouts import Rollout, Rollouts

REPORT_SECONDS: Final = 1.0
VALIDATION_SAMPLES: Final = 16384


class TrainingError(FootfallError):
    """The training itself went wrong."""


@dataclass(slots=True)
class _Tally:
    """What was done since the last report."""

    loss: Tensor
    steps: int = 0
    frames: int = 0
    since: float = field(default_factory=time.monotonic)


class Trainer:
    """One run's training, from wherever its checkpoints left it to the controller file."""

    def __init__(
        self,
        run: RunFolder,
        dataset: Dataset,
        config: RunConfig,
        report: Report,
        device: torch.device,
        world: World,
    ) -> None:
        """Loads the data and the newest checkpoint.

        Raises:
            FootfallError: the data set is damaged, or the checkpoints are another run's.
        """
        self._run, self._dataset, self._config, self._settings = run, dataset, config, config.training
        self._device, self._world = device, world
        settings = config.training
        self._stages = stages_of(settings)
        longest = max(stage.length for stage in self._stages)
        part = world.rank, world.size
        self._training = samples_of(run, dataset, config, "training", device, part, longest)
        # The leader alone judges.
        judges = world.leads
        self._validation = samples_of(run, dataset, config, "validation", device) if judges else None
        style = config.origin.style if config.origin else ""
        self._rollouts = Rollouts.on(dataset, style) if judges and settings.rollouts else None
        self._reports = Reports(run, report, self._stages, self._training, settings) if judges else None
        self._digest = dataset.digest
        torch.manual_seed(settings.seed)
        saved = self._saved()
        self._at = saved or Checkpoint(self._digest, 0, 0, 0, 0.0, 0.0, math.nan, None, {}, None, {})
        self._judge, self._walked = Judge.of(self._at.judge), -1
        weights = saved.learner["network"] if saved else starting_weights(run) if config.origin else None
        self._enter(self._stages[min(self._at.stage, len(self._stages) - 1)], weights)
        if saved:
            self._learner.load(saved.learner)
        if world.leads and self._at.kept is not None:
            # The file that is there may be of a later moment, to which the run comes again, or damaged.
            run.save_best(checkpoint.to_bytes(self._at.kept))

    def train(self) -> bool:
        """Trains to the end and writes the controller; returns whether it got there, not having been asked to stop.

        Raises:
            TrainingError: the loss is no longer a number.
            OSError: something cannot be written; what was written before is safe.
        """
        weights = sum(parameter.numel() for parameter in self._learner.network.parameters())
        self._log(
            f"{len(self._training)} samples on {self._device} ({torch.get_num_threads()} threads, "
            f"{self._world.size} processes), {len(self._validation or ())} held out; {weights} weights"
        )
        finished = True
        while finished and self._at.stage < len(self._stages):
            finished = self._run_stage(self._stages[self._at.stage])
        if self._world.leads and self._at.kept is not None:
            write_model(self._run.model_path, self._dataset, self._config, self._at.kept)
        if self._reports is not None:
            self._reports.close()
        return finished

    def _saved(self) -> Checkpoint | None:
        """The newest checkpoint, which the leader has read for all."""
        saved = checkpoint.newest(self._run, self._digest, self._device) if self._world.leads else None
        data = self._world.told(checkpoint.to_bytes(saved) if saved and self._world.size > 1 else b"")
        return saved or (checkpoint.from_bytes(data, self._device) if data else None)

    def _enter(self, stage: Stage, weights: dict[str, Tensor] | None) -> None:
        """Makes the stage's network, with its own dropout, and a fresh optimiser."""
        network = build_network(self._dataset, self._config, stage.dropout, weights)
        steps = stage.epochs * stage.steps_per_epoch(self._training)
        self._learner = Learner(
            network, stage, self._settings, self._dataset, self._device, self._world, steps, self._log
        )

    def _run_stage(self, stage: Stage) -> bool:
        """Steps until the stage is done, or until somebody asks the run to stop; returns whether it is done."""
        at, seed = self._at, self._settings.seed
        entered = time.monotonic() - at.elapsed
        tally = _Tally(torch.zeros((), device=self._device))
        saved, rate, over, stop, judged = time.monotonic(), 0.0, False, False, -1
        with Batches(self._training, stage, at.stage, seed) as batches:
            require_windows(stage, len(batches))
            while not over:
                done, stop = self._clock(stage, batches.per_epoch, entered)
                if done >= 1.0 or stop:
                    break
                batch, rate = batches[at.step], stage.rate(done)
                noise = seed_of(NOISE, seed, at.stage, at.step, self._world.rank)
                tally.loss += self._learner.step(batch.windows, rate, noise, batch.share)
                tally.steps, tally.frames = tally.steps + 1, tally.frames + batch.frames
                at.step, at.total_steps = at.step + 1, at.total_steps + 1
                at.elapsed = time.monotonic() - entered
                if at.step % batches.per_epoch == 0:
                    over, judged = self._look(stage, batches.per_epoch, tally), at.step
                if time.monotonic() - tally.since >= REPORT_SECONDS:
                    self._tell(tally, rate, batches.per_epoch)
                    tally = _Tally(torch.zeros((), device=self._device))
                if time.monotonic() - saved >= self._settings.checkpoint_interval:
                    self._check(tally)
                    self._save()
                    saved = time.monotonic()
            walk = self._judge.due(1.0, self._settings.rollouts) and self._walked != at.total_steps
            if stop:
                self._stop(tally)
            elif not over and (self._world.agreed(walk)[0] or judged != at.step):
                self._look(stage, batches.per_epoch, tally, last=True)
            if tally.steps or not stop:
                self._tell(tally, rate, batches.per_epoch, ended=not stop)
        if not stop:
            self._leave(stage)
        self._save()
        return not stop

    def _clock(self, stage: Stage, epoch_steps: int, entered: float) -> tuple[float, bool]:
        """How far the stage is, from 0 to 1, by steps or by its time, whichever is further; whether to stop."""
        done, stop = self._world.agreed(
            _done(stage, self._at.step / epoch_steps, time.monotonic() - entered),
            self._world.leads and self._run.stop_requested(),
        )
        return done, stop > 0.5

    @torch.no_grad()
    def _validate(self, stage: Stage) -> float | None:
        """The loss over about :data:`VALIDATION_SAMPLES` held-out frames, evenly taken; ``None`` without any."""
        assert self._validation is not None
        starts = stage.starts(self._validation)
        if len(starts) == 0:
            return None
        chosen = starts[:: max(1, len(starts) * stage.length // VALIDATION_SAMPLES)]
        total = torch.zeros((), device=self._device)
        for part in chosen.split(max(1, 1024 // stage.length)):
            total += len(part) * self._learner.loss(self._validation.windows(part, stage.length))
        return total.item() / len(chosen)

    def _look(self, stage: Stage, epoch_steps: int, tally: _Tally, last: bool = False) -> bool:
        """Judges the network and keeps it where it is the best so far; returns whether the stage is not worth going on.

        Args:
            last: whether the stage is at its end.
        """
        self._check(tally)
        over, began = False, time.monotonic()
        if self._world.leads:
            done = 1.0 if last else _done(stage, self._at.step / epoch_steps, self._at.elapsed)
            loss = self._at.validation_loss = self._validate(stage)
            rollout = self._walk(stage, done) if self._judge.due(done, self._settings.rollouts) else None
            if self._judge.judge(loss, None if rollout is None else rollout.score):
                self._keep(rollout)
            over = 0 < self._settings.patience <= self._judge.unimproved
        over = bool(self._world.agreed(over)[0])
        if over and not last and self._reports is not None:
            self._reports.note(
                f"Stage {stage.name} ended early: nothing got better in {self._judge.unimproved} judgements."
            )
        tally.since += time.monotonic() - began
        return over

    def _walk(self, stage: Stage, done: float) -> Rollout | None:
        """Has the network walk, where there is time."""
        self._judge.walks = int(done * self._settings.rollouts + 1e-9)
        rollouts, at = self._rollouts, self._at
        if rollouts is None:
            return None
        allowed = self._settings.rollout_share * at.elapsed
        if stage.seconds and done < 1.0 and rollouts.spent + rollouts.cost > allowed:
            return None
        tensors = tensors_of(self._learner.network)
        rollout = rollouts.walk(controller_of(self._dataset, architecture_of(self._settings), tensors))
        self._walked = at.total_steps
        self._log(f"walk at step {at.total_steps}: {rollout}")
        assert self._reports is not None
        self._reports.walked(rollout)
        return rollout

    def _keep(self, rollout: Rollout | None) -> None:
        """Keeps the network as the best."""
        walked = None if rollout is None else rollout.to_json()
        state = {name: value.to("cpu", copy=True) for name, value in self._learner.network.state_dict().items()}
        at = self._at
        at.kept = Best(self._digest, at.stage, at.total_steps, at.loss, at.validation_loss, state, walked)
        self._run.save_best(checkpoint.to_bytes(at.kept))

    def _stop(self, tally: _Tally) -> None:
        """What is left to do where somebody asked to stop: a run that goes on later must not differ for it."""
        self._check(tally)
        if self._world.leads:
            self._run.write_state("stopping")
            if self._at.kept is None:
                self._keep(None)

    def _leave(self, stage: Stage) -> None:
        """Ends a stage: the next one goes on from the best network of this one."""
        at = self._at
        self._log(
            f"stage {stage.name} done after {at.step} steps and {at.elapsed:.0f} s, "
            f"validation loss {at.validation_loss}"
        )
        at.spent += at.elapsed
        at.stage, at.step, at.elapsed = at.stage + 1, 0, 0.0
        self._judge = self._judge.next()
        if self._rollouts is not None:
            self._rollouts.spent = 0.0
        if at.stage < len(self._stages):
            best = at.kept  # the leader's alone, who shares its weights
            self._enter(self._stages[at.stage], best.network if best else None)

    def _save(self) -> None:
        if self._world.leads:
            self._at.learner, self._at.judge = self._learner.state(), self._judge.state()
            self._run.save_checkpoint(self._at.total_steps, checkpoint.to_bytes(self._at))

    def _check(self, tally: _Tally) -> None:
        """Takes the loss off the device; raises :class:`TrainingError` where it is no number."""
        if tally.steps:
            self._at.loss = tally.loss.item() / tally.steps
            if not math.isfinite(self._at.loss):
                raise TrainingError(
                    f"The training went astray at step {self._at.total_steps} (the loss is no number): "
                    "lower learning_rate and start again."
                )

    def _tell(self, tally: _Tally, rate: float, epoch_steps: int, ended: bool = False) -> None:
        """Reports progress."""
        self._check(tally)
        if self._reports is not None:
            speed = tally.frames / max(time.monotonic() - tally.since, 1e-3)
            self._reports.tell(self._at, epoch_steps, speed, rate, ended)

    def _log(self, text: str) -> None:
        if self._world.leads:
            self._run.log(text)


def _done(stage: Stage, epochs: float, seconds: float) -> float:
    """How far a stage is after so many epochs and seconds, from 0 to 1."""
    done = epochs / stage.epochs
    return min(max(done, seconds / stage.seconds) if stage.seconds else done, 1.0)


def fit(
    run: RunFolder, dataset: Path, config: RunConfig, world: World | None = None, report: Report | None = None
) -> bool:
    """Trains a run that this process, or the leader of its world, holds (:meth:`RunFolder.at_work`).

    Args:
        dataset: the data set's folder, where the leader has built it.
        report: called with everything that goes to ``progress.jsonl``.

    Returns:
        Whether it got to its end; see :meth:`Trainer.train`.
    """
    settings, world, report = config.training, world or World(), report or (lambda progress: None)
    device = set_up(settings)
    if settings.family in FITTED:
        world.leave()
        return fit_samples(run, dataset, config, device, report)
    # The leader makes the phases that the network is to see; the others find them made.
    seen = conditioned(run, Dataset.open(dataset), settings, device, report) if world.leads else None
    if world.leads and seen is None:
        world.dismiss()
        return False
    if not world.begin():
        world.leave()
        return False
    seen = seen or conditioned(run, Dataset.open(dataset), settings, device)
    finished = seen is not None and Trainer(run, seen_by(run, config, seen), config, report, device, world).train()
    world.leave()
    return finished
