"""Interface of the networks trained by gradients."""

from abc import abstractmethod

import torch
from torch import Tensor, nn

Memory = tuple[Tensor, ...]


class TrainedNetwork(nn.Module):
    """A network in torch, trained by gradients.

    Its ``state_dict`` has the names and shapes of the family's tensors in ``core.models`` and is saved unchanged.
    """

    def begin(self, count: int) -> Memory:
        """Return the initial recurrent state of ``count`` sequences (B), as tensors whose first axis is B."""
        return ()

    @abstractmethod
    def step(self, x: Tensor, phase: Tensor, memory: Memory) -> tuple[Tensor, Memory]:
        """Return normalized outputs (B, m) for inputs (B, n) at phases (B), in cycles, and the new recurrent state."""

    def forward_sequence(self, x: Tensor, phase: Tensor) -> Tensor:
        """Return normalized outputs (B, T, m) for sequences of inputs (B, T, n) and phases (B, T), cycles."""
        memory, outputs = self.begin(len(x)), []
        for frame in range(x.shape[1]):
            y, memory = self.step(x[:, frame], phase[:, frame], memory)
            outputs.append(y)
        return torch.stack(outputs, dim=1)


class MemorylessNetwork(TrainedNetwork):
    """A network whose output depends only on one frame's input."""

    @abstractmethod
    def forward(self, x: Tensor, phase: Tensor) -> Tensor:
        """Return normalized outputs (B, m) for normalized inputs (B, n) at phases (B), in cycles."""

    def step(self, x: Tensor, phase: Tensor, memory: Memory) -> tuple[Tensor, Memory]:
        return self(x, phase), memory

    def forward_sequence(self, x: Tensor, phase: Tensor) -> Tensor:
        """Return the outputs (B, T, m) for inputs (B, T, n) and phases (B, T), cycles, of all frames at once."""
        return self(x.flatten(0, 1), phase.flatten()).unflatten(0, phase.shape)
