"""Training of a generative control model (Starke et al. 2020, equations 12 and 13), and of two other generators."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from ...core.jobs.version import footfall_version
from ...core.models.control_generator import ControlGenerator
from ...core.models.generator_kinds import ADVERSARIAL, DENOISER, VARIATIONAL
from ...core.models.network import Float32
from ..config.reporting import ProgressCallback
from .networks import ControlAutoEncoder, Discriminator, sample_latent
from .series_data import SeriesData, read_series

LEARNING_RATE: Final = 3e-4
WEIGHT_DECAY: Final = 1e-4
BATCH_SIZE: Final = 256
L1_WEIGHT: Final = 5.0
"""Weight of the reconstruction loss in equation 12."""
KL_WEIGHT: Final = 1e-3
"""Weight of the divergence of the latent code from a standard normal distribution, summed over its dimensions."""
DENOISING_RANGE: Final = (0.02, 1.0)
"""Smallest and largest noise level that a denoiser learns to remove, as shares of the series' deviation."""
NOISE_SHARES: Final = {ADVERSARIAL: 1.2, VARIATIONAL: 1.2, DENOISER: 0.5}
"""Noise at a variation of 1, relative to the deviation of the latent code (for a denoiser, of the series)."""
MIN_DEVIATION: Final = 0.02
"""Smallest deviation in the normalization of a channel."""
REPORT_INTERVAL_STEPS: Final = 100


@dataclass(frozen=True, slots=True)
class GeneratorSettings:
    """Settings of a generator's training.

    Attributes:
        kind: one of ``KINDS``.
        steps: number of training steps.
        seed: seed of initial weights, sample order and noise.
    """

    kind: str = ADVERSARIAL
    steps: int = 20000
    seed: int = 0


Report = Callable[[int, int, dict[str, float]], None]
"""Function called with finished steps, total steps and the losses by name."""


def train_generator(
    clips: Sequence[Path],
    settings: GeneratorSettings,
    progress: ProgressCallback | None = None,
    report: Report | None = None,
) -> ControlGenerator:
    """Train a generator from clips.

    Args:
        clips: motion files.
        settings: kind, steps and seed.
        progress: called with finished clips, total clips and a name while clips are read.
        report: called with finished steps, total steps and the losses during the training.

    Raises:
        FootfallError: no clip can be used.
    """
    return fit_generator(read_series(clips, progress), settings, report)


def fit_generator(data: SeriesData, settings: GeneratorSettings, report: Report | None = None) -> ControlGenerator:
    """Train a generator from control series; the result depends only on the series and the settings.

    Args:
        data: control series of clips.
        settings: kind, steps and seed.
        report: called with finished steps, total steps and the losses.
    """
    torch.manual_seed(settings.seed)
    started = time.monotonic()
    mean, deviation = data.x.mean(axis=0), np.maximum(data.x.std(axis=0), MIN_DEVIATION).astype(np.float32)
    x = torch.from_numpy((data.x - mean) / deviation)
    network = ControlAutoEncoder(settings.kind, x.shape[1])
    losses = _Training(network, x).run(settings, report)
    codes = _encode_all(network, x)
    noise = np.ones(x.shape[1], np.float32) if settings.kind == DENOISER else codes.std(axis=0)
    provenance: dict[str, Any] = {
        "footfall": footfall_version(),
        "torch": torch.__version__,
        "sources": list(data.sources),
        "samples": len(data.x),
        "steps": settings.steps,
        "seed": settings.seed,
        "seconds": round(time.monotonic() - started, 1),
        "metrics": {name: round(value, 5) for name, value in losses.items()},
    }
    scaled = (NOISE_SHARES[settings.kind] * noise).astype(np.float32)
    return ControlGenerator(settings.kind, data.actions, network.tensors(), mean, deviation, scaled, provenance)


class _Training:
    """The optimizers of a generator and, for the adversarial kind, of its discriminator."""

    def __init__(self, network: ControlAutoEncoder, x: Tensor) -> None:
        self.network, self.x = network, x
        self.optimizer = torch.optim.AdamW(network.parameters(), LEARNING_RATE, weight_decay=WEIGHT_DECAY)
        self.discriminator = Discriminator(x.shape[1]) if network.kind == ADVERSARIAL else None
        self.judge = (
            torch.optim.AdamW(self.discriminator.parameters(), LEARNING_RATE, weight_decay=WEIGHT_DECAY)
            if self.discriminator
            else None
        )

    def run(self, settings: GeneratorSettings, report: Report | None) -> dict[str, float]:
        """Take all training steps; return the mean losses of the last thousand."""
        schedule = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, settings.steps)
        sums: dict[str, float] = {}
        last = min(1000, settings.steps)
        self.network.train()
        for step in range(settings.steps):
            batch = self.x[torch.randint(len(self.x), (BATCH_SIZE,))]
            losses = self._step(batch)
            schedule.step()
            if step >= settings.steps - last:
                sums = {name: sums.get(name, 0.0) + value / last for name, value in losses.items()}
            if report and step % REPORT_INTERVAL_STEPS == 0:
                report(step, settings.steps, losses)
        self.network.eval()
        return sums

    def _step(self, batch: Tensor) -> dict[str, float]:
        """Take one training step; return its losses by name."""
        made, divergence = self._reconstruct(batch)
        reconstruction = functional.l1_loss(made, batch)
        loss, losses = L1_WEIGHT * reconstruction, {"l1": reconstruction.item()}
        if divergence is not None:
            loss, losses["divergence"] = loss + KL_WEIGHT * divergence, divergence.item()
        if self.discriminator is not None and self.judge is not None:
            # The generator's part of equation 13 in its non-saturating form (Goodfellow et al. 2014, section 3).
            adversarial = functional.softplus(-self.discriminator(made)).mean()
            loss = loss + adversarial
            losses["adversarial"] = adversarial.item()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        if self.discriminator is not None and self.judge is not None:
            real, fake = self.discriminator(batch), self.discriminator(made.detach())
            judged = functional.softplus(-real).mean() + functional.softplus(fake).mean()
            self.judge.zero_grad()
            judged.backward()
            self.judge.step()
            losses["discriminator"] = judged.item()
        return losses

    def _reconstruct(self, batch: Tensor) -> tuple[Tensor, Tensor | None]:
        """Return the network's reconstruction of a batch, and the divergence of its codes if they are variational."""
        network = self.network
        if network.kind == DENOISER:
            low, high = np.log(DENOISING_RANGE)
            level = torch.exp(low + (high - low) * torch.rand(len(batch), 1))
            noised = batch + level * torch.randn_like(batch)
            return network.decode(network.encode(torch.cat([noised, level], dim=1))[0]), None
        code, log_variance = network.encode(batch)
        if log_variance is None:
            return network.decode(code), None
        divergence = 0.5 * (code.square() + log_variance.exp() - 1.0 - log_variance).sum(dim=1).mean()
        return network.decode(sample_latent(code, log_variance)), divergence


@torch.no_grad()
def _encode_all(network: ControlAutoEncoder, x: Tensor) -> Float32:
    """Return the latent codes (N, m) of all series; empty ones for a denoiser."""
    if network.kind == DENOISER:
        return np.zeros((len(x), 0), np.float32)
    return torch.cat([network.encode(rows)[0] for rows in x.split(8192)]).numpy()
