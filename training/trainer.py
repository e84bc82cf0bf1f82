"""The trainer: draws batches, takes steps, reports, saves, stops; PFNN section 5.3 and unrolled training after it."""

import math
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor

from ..core.errors import FootfallError
from ..core.run_folder import RunFolder
from . import checkpoint
from .checkpoint import Best, Checkpoint
from .conditioned import conditioned
from .dataset import Dataset
from .device import World, choose_device, follows, half_precision, random_states, restore_random_states
from .export import build_network, write_model
from .fine_tuning import seen_by, starting_weights
from .fitted.families import FITTED
from .fitting import fit_samples
from .mixing import samples_of
from .run_config import RunConfig
from .scalars import ScalarLog
from .stages import (
    GRADIENT_LIMIT,
    Feedback,
    Noise,
    Stage,
    require_windows,
    stages_of,
    weight_penalty,
    window_loss,
)

REPORT_SECONDS: Final = 1.0
VALIDATION_SAMPLES: Final = 16384

Report = Callable[[dict[str, Any]], None]


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
        self._run, self._dataset, self._config, self._report = run, dataset, config, report
        settings = config.training
        self._device, self._world, self._half = device, world, half_precision(device, settings)
        self._training = samples_of(run, dataset, config, "training", device)
        self._validation = samples_of(run, dataset, config, "validation", device)
        self._feedback = Feedback(dataset, device)
        self._noise = Noise(settings.pose_noise * dataset.joint_weight, settings.trajectory_noise)
        self._stages = stages_of(settings)
        self._digest = dataset.digest
        self._scalars = ScalarLog(run.path / "tensorboard" if settings.tensorboard and self._world.leads else None)
        saved = checkpoint.newest(run, self._digest, self._device)
        torch.manual_seed(settings.seed)
        if saved is None:
            self._at = Checkpoint(self._digest, 0, 0, 0, 0.0, 0.0, math.nan, None, math.inf, None, {}, {}, {}, {})
            self._enter(self._stages[0], starting_weights(run) if config.origin else None)
        else:
            self._at = saved
            self._enter(self._stages[min(saved.stage, len(self._stages) - 1)], saved.network)
            self._optimiser.load_state_dict(saved.optimiser)
            if saved.scaler:  # empty where it was saved on a device that needs none
                self._scaler.load_state_dict(saved.scaler)
            restore_random_states(device, saved.random)
            if world.leads and saved.kept is not None:
                # The file that is there may be of a later moment, to which the run comes again, or damaged.
                run.save_best(checkpoint.to_bytes(saved.kept))
        if not world.leads:  # noise and dropout of its own
            torch.manual_seed(settings.seed + 1_000_003 * world.rank + self._at.total_steps)

    def train(self) -> bool:
        """Trains to the end and writes the controller; returns whether it got there, not having been asked to stop.

        Raises:
            TrainingError: the loss is no longer a number.
            OSError: something cannot be written; what was written before is safe.
        """
        self._log(
            f"{len(self._training)} samples on {self._device} ({torch.get_num_threads()} threads), "
            f"{len(self._validation)} held out; {sum(p.numel() for p in self._network.parameters())} weights"
        )
        finished = True
        while finished and self._at.stage < len(self._stages):
            finished = self._run_stage(self._stages[self._at.stage])
        if self._world.leads and self._at.kept is not None:
            write_model(self._run.model_path, self._dataset, self._config, self._at.kept)
        self._scalars.close()
        return finished

    def _enter(self, stage: Stage, weights: dict[str, Tensor] | None) -> None:
        """Makes the stage's network, with its own dropout, and a fresh optimiser."""
        self._network = build_network(self._dataset, self._config, stage.dropout, weights).to(self._device)
        self._world.share(self._network.parameters())
        fused = self._device.type in ("cpu", "cuda")
        self._optimiser = torch.optim.Adam(self._network.parameters(), lr=stage.learning_rate, fused=fused)
        self._scaler = torch.amp.GradScaler(self._device.type, enabled=self._half == torch.float16)

    def _run_stage(self, stage: Stage) -> bool:
        """Steps until the stage is done, or until somebody asks the run to stop; returns whether it is done."""
        starts = stage.starts(self._training)
        require_windows(stage, starts)
        size = self._world.size
        epoch_steps = stage.steps_per_epoch(self._training, size)
        entered = time.monotonic() - self._at.elapsed
        tally = _Tally(torch.zeros((), device=self._device))
        saved, order, drawn_epoch, stop, rate = time.monotonic(), starts[:0], -1, False, 0.0
        while True:
            done, stop = self._clock(stage, epoch_steps, entered)
            if done >= 1.0 or stop:
                break
            epoch, place = divmod(self._at.step, epoch_steps)
            if epoch != drawn_epoch:
                order, drawn_epoch = stage.draw(starts, epoch_steps * stage.batch * size, self._generator(epoch)), epoch
            batch = order[place * stage.batch * size : (place + 1) * stage.batch * size][self._world.rank :: size]
            rate = 0.5 * stage.learning_rate * (1.0 + math.cos(math.pi * done))
            tally.loss += self._step(stage, batch, rate)
            tally.steps, tally.frames = tally.steps + 1, tally.frames + len(batch) * stage.length * size
            self._at.step, self._at.total_steps = self._at.step + 1, self._at.total_steps + 1
            if self._at.step % epoch_steps == 0:
                self._judge(stage, tally)
            now = time.monotonic()
            self._at.elapsed = now - entered
            if now - tally.since >= REPORT_SECONDS:
                self._tell(stage, tally, epoch, epoch_steps, rate)
                tally = _Tally(torch.zeros((), device=self._device))
            if now - saved >= self._config.training.checkpoint_interval:
                self._check(tally)
                self._save()
                saved = time.monotonic()
        if stop and self._world.leads:
            self._run.write_state("stopping")
        if self._at.step % epoch_steps:
            self._judge(stage, tally)
        if tally.steps:
            self._tell(stage, tally, (self._at.step - 1) // epoch_steps, epoch_steps, rate)
        if not stop:
            self._leave(stage)
        self._save()
        return not stop

    def _clock(self, stage: Stage, epoch_steps: int, entered: float) -> tuple[float, bool]:
        """How far the stage is, from 0 to 1, by steps or by its time, whichever is further; whether to stop."""
        done = self._at.step / (stage.epochs * epoch_steps)
        if stage.seconds:
            done = max(done, (time.monotonic() - entered) / stage.seconds)
        done, stop = self._world.agreed([done, float(self._world.leads and self._run.stop_requested())], self._device)
        return min(done, 1.0), stop > 0.5

    def _generator(self, epoch: int) -> torch.Generator:
        """Draws one epoch's order: a function of seed, stage and epoch, so that a resumed run draws alike."""
        seed = (self._config.training.seed * 1_000_003 + self._at.stage) * 1_000_003 + epoch
        return torch.Generator().manual_seed(seed % (1 << 63))

    def _autocast(self) -> AbstractContextManager[object]:
        if self._half is None:
            return nullcontext()
        return torch.autocast(self._device.type, dtype=self._half)

    def _step(self, stage: Stage, starts: Tensor, rate: float) -> Tensor:
        """One step of Adam; returns the batch's loss without the penalty, on the device."""
        self._network.train()
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        drawn = self._training.windows(starts, stage.length, drawn=True)
        with self._autocast():
            footing = self._training.footing
            loss = window_loss(self._network, self._feedback, footing, drawn, stage.forcing, self._noise)
        penalised = loss + self._config.training.l1 * weight_penalty(self._network)
        self._optimiser.zero_grad(set_to_none=True)
        self._scaler.scale(penalised).backward()
        self._world.average_gradients(self._network.parameters())
        if stage.length > 1:
            self._scaler.unscale_(self._optimiser)
            torch.nn.utils.clip_grad_norm_(self._network.parameters(), GRADIENT_LIMIT)
        self._scaler.step(self._optimiser)
        self._scaler.update()
        return loss.detach()

    @torch.no_grad()
    def _validate(self, stage: Stage) -> float | None:
        """The loss over about :data:`VALIDATION_SAMPLES` held-out frames, evenly taken; ``None`` without any."""
        starts = stage.starts(self._validation)
        if len(starts) == 0:
            return None
        self._network.eval()
        chosen = starts[:: max(1, len(starts) * stage.length // VALIDATION_SAMPLES)]
        total = 0.0
        for part in chosen.split(1024):
            windows = self._validation.windows(part, stage.length)
            with self._autocast():
                loss = window_loss(self._network, self._feedback, self._validation.footing, windows, stage.forcing)
            total += len(part) * loss.item()
        return total / len(chosen)

    def _judge(self, stage: Stage, tally: _Tally) -> None:
        """Validates, and keeps the network where it is the best so far, or where nothing can tell."""
        self._check(tally)
        if not self._world.leads:
            return
        loss = self._validate(stage)
        self._at.validation_loss = loss
        if loss is not None and not loss < self._at.best and self._at.kept is not None:
            return
        self._at.best = math.inf if loss is None else loss
        state = {name: value.to("cpu", copy=True) for name, value in self._network.state_dict().items()}
        self._at.kept = Best(self._digest, self._at.stage, self._at.total_steps, self._at.loss, loss, state)
        self._run.save_best(checkpoint.to_bytes(self._at.kept))

    def _leave(self, stage: Stage) -> None:
        """Ends a stage: the next one goes on from the best network of this one."""
        self._log(
            f"stage {stage.name} done after {self._at.step} steps and {self._at.elapsed:.0f} s, "
            f"validation loss {self._at.validation_loss}"
        )
        self._at.spent += self._at.elapsed
        self._at.stage, self._at.step, self._at.elapsed, self._at.best = self._at.stage + 1, 0, 0.0, math.inf
        if self._at.stage < len(self._stages):
            best = self._at.kept  # the leader's alone, who shares its weights
            self._enter(self._stages[self._at.stage], best.network if best else None)

    def _save(self) -> None:
        if not self._world.leads:
            return
        at = self._at
        at.network, at.optimiser = self._network.state_dict(), self._optimiser.state_dict()
        at.scaler, at.random = self._scaler.state_dict(), random_states(self._device)
        self._run.save_checkpoint(at.total_steps, checkpoint.to_bytes(at))

    def _check(self, tally: _Tally) -> None:
        """Takes the loss off the device; raises :class:`TrainingError` where it is no number."""
        if tally.steps:
            self._at.loss = tally.loss.item() / tally.steps
            if not math.isfinite(self._at.loss):
                raise TrainingError(
                    f"The training went astray at step {self._at.total_steps} (the loss is no number): "
                    "lower learning_rate and start again."
                )

    def _tell(self, stage: Stage, tally: _Tally, epoch: int, epoch_steps: int, rate: float) -> None:
        """Reports progress."""
        self._check(tally)
        if not self._world.leads:
            return
        speed = tally.frames / (time.monotonic() - tally.since)
        before = sum(self._steps_of(index) for index in range(self._at.stage))
        left = self._seconds_left(stage, epoch_steps, speed)
        spent = self._at.spent + self._at.elapsed
        progress = {
            "stage": stage.name,
            "step": before + self._at.step,
            "total": sum(map(self._steps_of, range(len(self._stages)))),
            "epoch": epoch + 1,
            "epochs": stage.epochs,
            "loss": self._at.loss,
            "validation_loss": self._at.validation_loss,
            "samples_per_second": round(speed),
            "learning_rate": rate,
            "eta": round(left, 1),
            "fraction": round(spent / (spent + left), 4),
        }
        self._run.append_progress(progress)
        self._scalars.write(progress)
        self._report(progress)

    def _steps_of(self, index: int) -> int:
        stage = self._stages[index]
        return stage.epochs * stage.steps_per_epoch(self._training, self._world.size)

    def _seconds_left(self, stage: Stage, epoch_steps: int, speed: float) -> float:
        """An estimate from the frames that are still to be seen, bounded by the stages' own time limits."""
        left = (stage.epochs * epoch_steps - self._at.step) * stage.batch * stage.length * self._world.size / speed
        left = min(left, stage.seconds - self._at.elapsed) if stage.seconds else left
        for later in self._stages[self._at.stage + 1 :]:
            needed = later.epochs * len(self._training) / speed
            left += min(needed, later.seconds) if later.seconds else needed
        return max(left, 0.0)

    def _log(self, text: str) -> None:
        if self._world.leads:
            self._run.log(text)


def fit(run: RunFolder, dataset: Path, config: RunConfig, report: Report) -> bool:
    """Trains a run that this process holds (:meth:`RunFolder.at_work`); see :meth:`Trainer.train`."""
    if config.training.threads:
        torch.set_num_threads(config.training.threads)
    torch.set_float32_matmul_precision("high")
    device = choose_device(config.training.device)
    if config.training.family in FITTED:
        return fit_samples(run, dataset, config, device, report)
    # Those that only lend their gradients wait for the world until the leader has built the data set and its phases.
    if not follows():
        conditioned(run, Dataset.open(dataset), config.training, device, report)
    world = World.from_environment(device)
    seen = conditioned(run, Dataset.open(dataset), config.training, device, report)
    return seen is not None and Trainer(run, seen_by(run, config, seen), config, report, device, world).train()
