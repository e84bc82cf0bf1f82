"""Training of a run's periodic autoencoder, which is stored with the run's checkpoints."""

import hashlib
import json
import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor

from ...core.errors import FootfallError
from ...core.jobs.atomic import write_atomically
from ...core.jobs.run_folder import RunFolder
from ...core.models.network import Float32
from ..config.checksummed_file import ChecksumError, load_checksummed, to_checksummed_bytes
from ..config.config import TrainingConfig
from ..config.reporting import REPORT_INTERVAL_S, ReportCallback
from ..data.dataset import Dataset
from ..losses.schedule import cosine_decay
from .periodic_autoencoder import DOWNSAMPLING_FRAMES, HALF_WINDOW_FRAMES, PeriodicAutoencoder, VelocityWindows

FORMAT_VERSION: Final = 1
LEARNING_RATE: Final = 1e-3
WEIGHT_DECAY: Final = 1e-4
BATCH_SIZE: Final = 32
TRUNCATED_SHARE: Final = 0.5
"""Share of the windows that are truncated at one end: clips have ends, and many are shorter than a window."""
MAX_FRAMES: Final = 2_000_000
"""Largest number of training frames (half a gigabyte); beyond it whole clips are drawn."""


class PeriodicError(FootfallError):
    """Error: the training of the periodic autoencoder has diverged."""


@dataclass(slots=True)
class _TrainingState:
    """Progress of the training (steps, seconds, completion) and the states of network and optimizer."""

    step: int
    elapsed_s: float
    done: bool
    network: dict[str, Tensor]
    optimizer: dict[str, Any]


def train_autoencoder(
    run: RunFolder, dataset: Dataset, settings: TrainingConfig, device: torch.device, report: ReportCallback
) -> PeriodicAutoencoder | None:
    """Return the run's autoencoder, training it on the training clips if needed; ``None`` if a stop is requested.

    Without a time limit, the result depends only on the data set and the settings, even if the run is stopped and
    resumed.

    Raises:
        FootfallError: the loss is not finite.
        OSError: the autoencoder cannot be saved.
    """
    key = _training_key(dataset, settings)
    saved = read_state(run.periodic_checkpoint, key)
    if saved is not None and saved.done:
        network = PeriodicAutoencoder(velocity_width(dataset), settings.phase_channels)
        network.load_state_dict(saved.network)
        return network.to(device)
    return _AutoencoderTraining(run, dataset, settings, device, report, key, saved).run()


def joint_velocities(dataset: Dataset, y: Float32) -> Float32:
    """Return the joint velocities (N, D), m/s, in the root frame, contained in outputs y (N, m)."""
    return np.array(y[:, dataset.output_layout.slices["pose.velocity"]])


def velocity_width(dataset: Dataset) -> int:
    """Return the number D of velocity components per frame: three for each pose joint."""
    return 3 * len(dataset.joints)


class _AutoencoderTraining:
    """The training, from its last checkpoint."""

    def __init__(
        self,
        run: RunFolder,
        dataset: Dataset,
        settings: TrainingConfig,
        device: torch.device,
        report: ReportCallback,
        key: str,
        saved: _TrainingState | None,
    ) -> None:
        self._run, self._settings, self._report, self._key = run, settings, report, key
        self._velocity_windows = VelocityWindows(_velocity_sequences(dataset, settings.seed), device)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(settings.seed)
            network = PeriodicAutoencoder(
                velocity_width(dataset), settings.phase_channels, self._velocity_windows.deviation
            )
        self._network = network.to(device)
        self._optimizer = torch.optim.AdamW(network.parameters(), LEARNING_RATE, weight_decay=WEIGHT_DECAY)
        self._state = saved or _TrainingState(0, 0.0, False, {}, {})
        if saved is not None:
            self._network.load_state_dict(saved.network)
            self._optimizer.load_state_dict(saved.optimizer)
        self._epoch_steps = max(1, len(self._velocity_windows.window_centers) // (DOWNSAMPLING_FRAMES * BATCH_SIZE))
        self._total_steps = settings.phase_epochs * self._epoch_steps
        self._time_limit_s = 60.0 * settings.time_limit * settings.phase_share

    def run(self) -> PeriodicAutoencoder | None:
        """Take steps until the training is finished; return ``None`` if a stop is requested."""
        begun = time.monotonic() - self._state.elapsed_s
        reported = saved = time.monotonic()
        loss, steps = torch.zeros((), device=self._network.deviation.device), 0
        while self._progress() < 1.0:
            if self._run.stop_requested():
                self._save()
                return None
            loss += self._step()
            steps, now = steps + 1, time.monotonic()
            self._state.step, self._state.elapsed_s = self._state.step + 1, now - begun
            if now - reported >= REPORT_INTERVAL_S or self._progress() >= 1.0:
                self._report_progress(loss.item() / steps, steps / max(now - reported, 1e-6))
                reported, steps = now, 0
                loss.zero_()
            if now - saved >= self._settings.checkpoint_interval:
                self._save()
                saved = now
        self._state.done = True
        self._save()
        self._run.log(f"periodic autoencoder done after {self._state.step} steps and {self._state.elapsed_s:.0f} s")
        return self._network

    def _progress(self) -> float:
        """Return the progress, 0 to 1, by steps or by time."""
        by_time = self._state.elapsed_s / self._time_limit_s if self._time_limit_s else 0.0
        return min(max(self._state.step / self._total_steps, by_time), 1.0)

    def _step(self) -> Tensor:
        """Take one AdamW step on windows determined by seed and step number; return the loss on the device."""
        self._network.train()
        for group in self._optimizer.param_groups:
            group["lr"] = LEARNING_RATE * cosine_decay(self._progress())
        generator = torch.Generator().manual_seed(self._settings.seed * 1_000_003 + self._state.step)
        centers = self._velocity_windows.window_centers
        drawn = centers[torch.randint(len(centers), (BATCH_SIZE,), generator=generator)]
        windows, known = self._velocity_windows.windows(drawn, _draw_window_ends(BATCH_SIZE, generator))
        windows = windows / self._network.deviation
        off = (self._network(windows) - windows).square() * known
        loss = off.sum() / (known.sum() * windows.shape[1])
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self._optimizer.step()
        return loss.detach()

    def _report_progress(self, loss: float, steps_a_second: float) -> None:
        """Report progress; raise :class:`PeriodicError` if the loss is not finite."""
        if not math.isfinite(loss):
            raise PeriodicError(
                "The periodic autoencoder diverged (the loss is not a number): look for broken clips and start again"
            )
        left = (self._total_steps - self._state.step) / steps_a_second
        left = min(left, self._time_limit_s - self._state.elapsed_s) if self._time_limit_s else left
        progress = {
            "stage": "periodic",
            "step": self._state.step,
            "total": self._total_steps,
            "epoch": (self._state.step - 1) // self._epoch_steps + 1,
            "epochs": self._settings.phase_epochs,
            "loss": loss,
            "validation_loss": None,
            "samples_per_second": round(steps_a_second * BATCH_SIZE),
            "learning_rate": self._optimizer.param_groups[0]["lr"],
            "eta": round(max(left, 0.0), 1),
            "fraction": round(self._progress(), 4),
        }
        self._run.append_progress(progress)
        self._report(progress)

    def _save(self) -> None:
        """Save the state of the training."""
        content = {
            "format_version": FORMAT_VERSION,
            "key": self._key,
            "step": self._state.step,
            "elapsed": self._state.elapsed_s,
            "done": self._state.done,
            "network": self._network.state_dict(),
            "optimiser": self._optimizer.state_dict(),
        }
        write_atomically(self._run.periodic_checkpoint, to_checksummed_bytes(content), follow_links=False)


def _draw_window_ends(count: int, generator: torch.Generator) -> Tensor:
    """Return the first and last known frame (B, 2) of windows relative to their middles; some are cut short."""
    share, where, side = torch.rand(3, count, generator=generator)
    kept = torch.where(share < TRUNCATED_SHARE, where * HALF_WINDOW_FRAMES, torch.full_like(where, HALF_WINDOW_FRAMES))
    whole = torch.full_like(where, HALF_WINDOW_FRAMES)
    before, after = torch.where(side < 0.5, kept, whole), torch.where(side < 0.5, whole, kept)
    return torch.stack([-before, after], dim=1)


def _velocity_sequences(dataset: Dataset, seed: int) -> list[Float32]:
    """Return the velocity sequences of the training clips, or of a random subset if there are too many."""
    clips = dataset.clips_in_split("training")
    result: list[Float32] = []
    frames = 0
    for number in np.random.default_rng(seed).permutation(len(clips)):
        if frames and frames + clips[number].samples > MAX_FRAMES:
            continue
        own = joint_velocities(dataset, dataset.samples(clips[number])[1])
        result += [own[one.start : one.stop] for one in clips[number].sequences]
        frames += len(own)
    return result


def _training_key(dataset: Dataset, settings: TrainingConfig) -> str:
    """Return a digest of everything that determines the autoencoder."""
    about = [FORMAT_VERSION, dataset.digest, settings.phase_channels, settings.seed]
    return hashlib.sha256(json.dumps(about).encode()).hexdigest()


def read_state(path: Path, key: str) -> _TrainingState | None:
    """Return the saved state of a training; ``None`` if it is missing, damaged or has another key."""
    if not path.exists():
        return None
    try:
        data = load_checksummed(path, torch.device("cpu"))
        if data["format_version"] != FORMAT_VERSION or data["key"] != key:
            return None
        return _TrainingState(*(data[name] for name in ("step", "elapsed", "done", "network", "optimiser")))
    except (ChecksumError, LookupError, TypeError):
        return None
