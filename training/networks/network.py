"""What the trainer asks of every family of networks that is trained by gradients."""

from abc import abstractmethod

import torch
from torch import Tensor, nn

Memory = tuple[Tensor, ...]


class TrainedNetwork(nn.Module):
    """A network in the making. Its ``state_dict`` has the names and shapes of the family's tensors in ``core.models``:
    what is trained is what is saved.
    """

    def begin(self, count: int) -> Memory:
        """What ``count`` sequences (B) remember that have just begun: tensors whose first axis is B."""
        return ()

    @abstractmethod
    def step(self, x: Tensor, phase: Tensor, memory: Memory) -> tuple[Tensor, Memory]:
        """Normalised outputs (B, m) of normalised inputs (B, n) at phases (B) in cycles, and what is remembered."""

    def forward_sequence(self, x: Tensor, phase: Tensor) -> Tensor:
        """Output (B, T, m) for whole sequences of the data's own inputs (B, T, n) and phases (B, T)."""
        memory, outputs = self.begin(len(x)), []
        for frame in range(x.shape[1]):
            y, memory = self.step(x[:, frame], phase[:, frame], memory)
            outputs.append(y)
        return torch.stack(outputs, dim=1)


class MemorylessNetwork(TrainedNetwork):
    """A network whose answer depends on one frame's input alone: its ``forward`` is all there is."""

    @abstractmethod
    def forward(self, x: Tensor, phase: Tensor) -> Tensor:
        """Normalised outputs (B, m) of normalised inputs (B, n) at phases (B) in cycles."""

    def step(self, x: Tensor, phase: Tensor, memory: Memory) -> tuple[Tensor, Memory]:
        """See :meth:`TrainedNetwork.step`."""
        return self(x, phase), memory

    def forward_sequence(self, x: Tensor, phase: Tensor) -> Tensor:
        """See :meth:`TrainedNetwork.follow`: all frames at once."""
        return self(x.flatten(0, 1), phase.flatten()).unflatten(0, phase.shape)
