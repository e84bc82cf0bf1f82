"""Dense layers for training, with dropout before each and ELU after each (PFNN sections 5.1 to 5.3)."""

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional

from .dropout import dropout


def append_phase(x: Tensor, phase: Tensor) -> Tensor:
    """Return x (..., n) with sine and cosine of phases (...), cycles, appended, (..., n + 2) (PFNN section 8)."""
    angle = 2.0 * torch.pi * phase[..., None]
    return torch.cat([x, torch.sin(angle), torch.cos(angle)], dim=-1)


class Dense(nn.ModuleList):
    """Dense layers with ELU after each, initialized after Glorot and Bengio 2010.

    Args:
        widths: width n of the input, widths of the hidden layers, width m of the output.
        dropout: share of each layer's inputs dropped in training.
        linear_output: whether the last layer has no activation.
    """

    def __init__(self, widths: Sequence[int], dropout: float, linear_output: bool) -> None:
        super().__init__(nn.Linear(before, after) for before, after in pairwise(widths))
        self.dropout, self.activated_layers = dropout, len(self) - 1 if linear_output else len(self)
        for layer in self.children():
            assert isinstance(layer, nn.Linear)
            nn.init.xavier_uniform_(layer.weight)
            nn.init.zeros_(layer.bias)

    def forward(self, x: Tensor) -> Tensor:
        """Return the outputs (..., m) of the last layer for inputs x (..., n)."""
        for number, layer in enumerate(self):
            x = layer(dropout(x, self.dropout, self.training))
            if number < self.activated_layers:
                x = functional.elu(x)
        return x
