"""What controllers are fitted to, and how well a fitted one does on what was held out."""

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
"""Windows of a judgement, at most."""


class FittedController(NamedTuple):
    """A fitted controller: the architecture as it turned out, since there may be fewer samples than were asked for; its
    tensors; and what to note of it in the log."""

    architecture: Architecture
    tensors: Tensors
    note: str


def require_file_size(architecture: Architecture, task: Task) -> None:
    """Raise :class:`ConfigError` where a controller would be larger than its file may be."""
    megabytes = 4 * sum(prod(shape) for shape in architecture.shapes(task).values()) >> 20
    most = (MAX_BYTES >> 20) - 1
    if megabytes > most:
        raise ConfigError(f"The controller would have {megabytes} MB, and {most} MB is the most: lower points.")


@dataclass(frozen=True, eq=False)
class FittingData:
    """A data set's samples in memory or mapped, and a run's settings."""

    dataset: Dataset
    training: SplitSamples
    validation: SplitSamples
    settings: TrainingConfig

    @property
    def task(self) -> Task:
        """What a controller is to map to what."""
        return self.dataset.task

    def validation_loss(self, network: Network, window_frames: int) -> float | None:
        """Return the loss over held-out windows in which the network is fed its own poses; ``None`` where there is no
        window.

        Args:
            window_frames: frames of a window; with 1, each frame is answered by itself.
        """
        starts = self.validation.window_starts(window_frames)
        return self._mean_loss(self.validation, network, starts, window_frames) if len(starts) else None

    def training_loss(self, network: Network) -> float:
        """Return the loss over some of the frames that it was made of, each by itself."""
        return self._mean_loss(self.training, network, self.training.window_starts(1), 1)

    def _mean_loss(self, samples: SplitSamples, network: Network, starts: Tensor, window_frames: int) -> float:
        evenly = torch.from_numpy(
            np.linspace(0, len(starts) - 1, min(MAX_EVALUATION_WINDOWS, len(starts))).round().astype(np.int64)
        )
        windows = samples.windows(starts[evenly], window_frames)
        feedback = PoseFeedback(self.dataset, samples.device)
        return window_loss(FittedNetworkAdapter(network), feedback, samples.ground_placement, windows).item()


class FittedNetworkAdapter(TrainedNetwork):
    """A numpy network where the trainer's own are asked for."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self._numpy_network = network

    def begin(self, count: int) -> Memory:
        """See :meth:`TrainedNetwork.begin`."""
        return tuple(map(torch.from_numpy, self._numpy_network.begin(count)))

    def step(self, x: Tensor, phase: Tensor, memory: Memory) -> tuple[Tensor, Memory]:
        """See :meth:`TrainedNetwork.step`."""
        y, memory_after = self._numpy_network.step(x.numpy(), phase.numpy(), tuple(part.numpy() for part in memory))
        return torch.from_numpy(y), tuple(map(torch.from_numpy, memory_after))
