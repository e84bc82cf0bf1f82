"""The data to which a controller is fitted, and its loss on held-out clips."""

from dataclasses import dataclass
from math import prod
from typing import Final, NamedTuple

import numpy as np
import torch
from torch import Tensor

from ...core.models.model_file import MAX_BYTES
from ...core.models.network import Architecture, Network, Task, Tensors
from ..config.config import ConfigError, TrainingConfig
from ..data.dataset import Dataset
from ..data.samples import SplitSamples
from ..losses.stages import PoseFeedback, window_loss
from ..networks.network import Memory, TrainedNetwork

MAX_EVALUATION_WINDOWS: Final = 256
"""Largest number of windows in an evaluation."""


class FittedController(NamedTuple):
    """A fitted controller: architecture (with the number of samples actually used), tensors, and a note for the log."""

    architecture: Architecture
    tensors: Tensors
    note: str


def require_file_size(architecture: Architecture, task: Task) -> None:
    """Raise :class:`ConfigError` if a controller's file would exceed the largest allowed size."""
    megabytes = 4 * sum(prod(shape) for shape in architecture.shapes(task).values()) >> 20
    most = (MAX_BYTES >> 20) - 1
    if megabytes > most:
        raise ConfigError(
            "The controller would be {megabytes} MB large, but at most {most} MB are possible: lower the "
            "setting 'points'",
            megabytes=megabytes,
            most=most,
        )


@dataclass(frozen=True, eq=False)
class FittingData:
    """A data set's samples, in memory or memory-mapped, and a run's settings."""

    dataset: Dataset
    training: SplitSamples
    validation: SplitSamples
    settings: TrainingConfig

    @property
    def task(self) -> Task:
        """Input and output layouts of the controller."""
        return self.dataset.task

    def validation_loss(self, network: Network, window_frames: int) -> float | None:
        """Return the mean loss over held-out windows in which a network is fed its own poses.

        ``None`` if no held-out sequence is as long as a window.

        Args:
            network: the network to evaluate.
            window_frames: frames of a window; 1 evaluates single frames.
        """
        starts = self.validation.window_starts(window_frames)
        return self._mean_loss(self.validation, network, starts, window_frames) if len(starts) else None

    def training_loss(self, network: Network) -> float:
        """Return the single-frame loss over a sample of the training frames."""
        return self._mean_loss(self.training, network, self.training.window_starts(1), 1)

    def _mean_loss(self, samples: SplitSamples, network: Network, starts: Tensor, window_frames: int) -> float:
        """Return the mean loss over evenly spaced windows."""
        evenly = torch.from_numpy(
            np.linspace(0, len(starts) - 1, min(MAX_EVALUATION_WINDOWS, len(starts))).round().astype(np.int64)
        )
        windows = samples.windows(starts[evenly], window_frames)
        feedback = PoseFeedback(self.dataset, samples.device)
        return window_loss(FittedNetworkAdapter(network), feedback, samples.ground_placement, windows).item()


class FittedNetworkAdapter(TrainedNetwork):
    """A numpy network with the torch interface of trained networks, so that losses can be computed for it."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self._numpy_network = network

    def begin(self, count: int) -> Memory:
        return tuple(map(torch.from_numpy, self._numpy_network.begin(count)))

    def step(self, x: Tensor, phase: Tensor, memory: Memory) -> tuple[Tensor, Memory]:
        y, memory_after = self._numpy_network.step(x.numpy(), phase.numpy(), tuple(part.numpy() for part in memory))
        return torch.from_numpy(y), tuple(map(torch.from_numpy, memory_after))
