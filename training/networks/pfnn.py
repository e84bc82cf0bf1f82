"""The phase-functioned neural network for training (Holden, Komura, Saito 2017, section 5).

The paper blends the weights for each sample, then multiplies, so that a batch of B samples reads B networks. The
product is linear in the weights, so here a batch passes all control points in one product, and outputs are blended with
each sample's coefficients: the same function with the same gradients, at the speed of dense layers.
"""

from itertools import pairwise
from typing import Final, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from ...core.models.network import Task
from ...core.models.pfnn import PfnnArchitecture
from .dropout import dropout
from .network import MemorylessNetwork

# Eq. 7: coefficients of the control points k0 to k3 (columns) for the powers of w (rows).
_CATMULL_ROM: Final = (
    (0.0, 1.0, 0.0, 0.0),
    (-0.5, 0.0, 0.5, 0.0),
    (1.0, -2.5, 2.0, -0.5),
    (-0.5, 1.5, -1.5, 0.5),
)


def catmull_rom_weights(phase: Tensor, control_points: int, cyclic: bool = True) -> Tensor:
    """Return the weight of each control point (B, K) at phases (B), in cycles; they sum to 1.

    The spline is a cubic Catmull-Rom spline (PFNN eq. 7). If not cyclic, it goes from its first control point at phase
    0 to its last at phase 1.

    Args:
        phase: (B) phase, cycles.
        control_points: number of control points, K.
        cyclic: whether the phase function ends where it begins.
    """
    if cyclic:
        place = torch.remainder(phase, 1.0) * control_points
        first = torch.floor(place)
    else:
        place = phase.clamp(0.0, 1.0) * (control_points - 1)
        first = torch.floor(place).clamp(max=control_points - 2)
    powers = (place - first)[:, None] ** torch.arange(4, device=phase.device)
    index = first.long()[:, None] + torch.arange(-1, 3, device=phase.device)
    index = index % control_points if cyclic else index.clamp(0, control_points - 1)
    # Not a matrix product, which autocast would compute in half precision.
    shares = (powers[:, :, None] * torch.tensor(_CATMULL_ROM, device=phase.device, dtype=powers.dtype)).sum(dim=1)
    return torch.zeros(len(phase), control_points, device=phase.device, dtype=powers.dtype).scatter_add(
        1, index, shares
    )


class PhaseFunctionedNetwork(MemorylessNetwork):
    """A PFNN: three layers with ELU between them and dropout before each (PFNN sections 5.1 to 5.3).

    Args:
        inputs, hidden, outputs: widths n, h and m.
        control_points: number K of control points of the phase function, at least 4.
        dropout: share of inputs and hidden units dropped in training; the paper keeps 0.7.
        cyclic: whether the phase function ends where it begins.
    """

    def __init__(
        self, inputs: int, hidden: int, outputs: int, control_points: int = 4, dropout: float = 0.3, cyclic: bool = True
    ) -> None:
        super().__init__()
        self.control_points, self.cyclic, self.dropout = control_points, cyclic, dropout
        for number, (before, after) in enumerate(pairwise((inputs, hidden, hidden, outputs))):
            bound = (6.0 / (before + after)) ** 0.5
            weight = torch.empty(control_points, after, before).uniform_(-bound, bound)
            self.register_parameter(f"W{number}", nn.Parameter(weight))
            self.register_parameter(f"b{number}", nn.Parameter(torch.zeros(control_points, after)))

    @staticmethod
    def of(architecture: PfnnArchitecture, task: Task, dropout: float) -> "PhaseFunctionedNetwork":
        """Return a new network in torch, with random weights, of the sizes that an architecture gives.

        Args:
            architecture: sizes and choices of the network.
            task: input and output layouts.
            dropout: share of inputs and hidden units dropped in training.
        """
        sizes = (task.inputs.size, architecture.hidden, task.outputs.size)
        return PhaseFunctionedNetwork(*sizes, architecture.control_points, dropout, architecture.cyclic)

    @property
    def layers(self) -> list[tuple[Tensor, Tensor]]:
        """Weights (K, outputs, inputs) and biases (K, outputs) of the three layers, from input to output."""
        return [(cast(Tensor, getattr(self, f"W{n}")), cast(Tensor, getattr(self, f"b{n}"))) for n in range(3)]

    def forward(self, x: Tensor, phase: Tensor) -> Tensor:
        """Return normalized outputs (B, m) for normalized inputs (B, n) at phases (B), in cycles."""
        shares = catmull_rom_weights(phase, self.control_points, self.cyclic)
        for number, (weight, bias) in enumerate(self.layers):
            if number:
                x = functional.elu(x)
            x = dropout(x, self.dropout, self.training)
            products = functional.linear(x, weight.flatten(0, 1), bias.flatten())
            x = (products.unflatten(1, bias.shape) * shares[:, :, None].to(products.dtype)).sum(dim=1)
        return x
