"""The phase-functioned neural network for training (Holden, Komura, Saito 2017, section 5).

The paper computes every sample's own weights and multiplies with them: a batch of B samples then reads B networks.
The product is linear in the weights, so here a batch goes through all control points in one product and the outputs
are blended with each sample's coefficients: the same function and the same gradients, at the speed of dense layers.
"""

from itertools import pairwise
from typing import Final, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from ...core.models.pfnn import PfnnWeights

# Eq. 7: coefficients of the control points k0 to k3 (columns) for the powers of w (rows).
_CATMULL_ROM: Final = (
    (0.0, 1.0, 0.0, 0.0),
    (-0.5, 0.0, 0.5, 0.0),
    (1.0, -2.5, 2.0, -0.5),
    (-0.5, 1.5, -1.5, 0.5),
)


def catmull_rom(phase: Tensor, control_points: int) -> Tensor:
    """What each control point counts at phases (B) in cycles: (B, K), summing to 1 (eq. 7)."""
    place = torch.remainder(phase, 1.0) * control_points
    first = torch.floor(place)
    powers = (place - first)[:, None] ** torch.arange(4, device=phase.device)
    index = (first.long()[:, None] + torch.arange(-1, 3, device=phase.device)) % control_points
    # Not a matrix product: autocast would do that in half precision.
    shares = (powers[:, :, None] * torch.tensor(_CATMULL_ROM, device=phase.device, dtype=powers.dtype)).sum(dim=1)
    return torch.zeros(len(phase), control_points, device=phase.device, dtype=powers.dtype).scatter(1, index, shares)


class PhaseLayer(nn.Module):
    """A dense layer whose weights run along a cyclic spline of control points."""

    def __init__(self, inputs: int, outputs: int, control_points: int) -> None:
        super().__init__()
        bound = (6.0 / (inputs + outputs)) ** 0.5
        self.weight = nn.Parameter(torch.empty(control_points, outputs, inputs).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.zeros(control_points, outputs))

    def forward(self, x: Tensor, shares: Tensor) -> Tensor:
        """Outputs (B, outputs) of inputs (B, inputs), with each control point's share (B, K)."""
        products = functional.linear(x, self.weight.flatten(0, 1), self.bias.flatten())
        return torch.einsum("bk,bkh->bh", shares.to(products.dtype), products.unflatten(1, self.bias.shape))


class PhaseFunctionedNetwork(nn.Module):
    """Three layers with ELU between them, dropout before each (sections 5.1 to 5.3).

    Args:
        inputs, hidden, outputs: widths n, h and m.
        control_points: K of the phase function, at least 4.
        dropout: share of inputs and hidden units left out while training; the paper keeps 0.7.
    """

    def __init__(self, inputs: int, hidden: int, outputs: int, control_points: int = 4, dropout: float = 0.3) -> None:
        super().__init__()
        self.control_points = control_points
        self.dropout = dropout
        widths = (inputs, hidden, hidden, outputs)
        self.layers = nn.ModuleList(PhaseLayer(before, after, control_points) for before, after in pairwise(widths))

    @property
    def phase_layers(self) -> list[PhaseLayer]:
        """The three layers, from input to output."""
        return cast("list[PhaseLayer]", list(self.layers))

    def forward(self, x: Tensor, phase: Tensor) -> Tensor:
        """Normalised outputs (B, m) of normalised inputs (B, n) at phases (B) in cycles."""
        shares = catmull_rom(phase, self.control_points)
        for number, layer in enumerate(self.phase_layers):
            if number:
                x = functional.elu(x)
            x = layer(functional.dropout(x, self.dropout, self.training), shares)
        return x

    def to_weights(self) -> PfnnWeights:
        """The weights for inference: arrays of their own, whatever device these are on."""
        arrays = (
            parameter.detach().to("cpu", torch.float32).numpy().copy()
            for layer in self.phase_layers
            for parameter in (layer.weight, layer.bias)
        )
        return PfnnWeights(*arrays)

    @classmethod
    def from_weights(cls, weights: PfnnWeights, dropout: float = 0.3) -> "PhaseFunctionedNetwork":
        """A network with these weights, to go on training from."""
        network = cls(weights.inputs, weights.hidden, weights.outputs, weights.control_points, dropout)
        for number, layer in enumerate(network.phase_layers):
            for name, parameter in (("W", layer.weight), ("b", layer.bias)):
                values: np.ndarray = getattr(weights, f"{name}{number}")
                with torch.no_grad():
                    parameter.copy_(torch.from_numpy(values))
        return network
