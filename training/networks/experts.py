"""A mixture of experts for training (NSM, Starke et al. 2019, section 3; see ``core.models.experts``).

The papers blend the experts' weights for each sample, then multiply. Here a batch passes all experts in one product,
and outputs are blended: the same function with the same gradients, at the speed of dense layers.
"""

from itertools import pairwise
from typing import cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from ...core.models.experts import ExpertsArchitecture
from ...core.models.gating import GatingInput
from ...core.models.network import Task
from .dense import Dense, append_phase
from .network import MemorylessNetwork


class MixtureOfExperts(MemorylessNetwork):
    """A mixture of experts with three layers, gated by a network with three; optional input encoders have two layers.

    Args:
        architecture, task: sizes and gating input; input and output layouts.
        dropout: share of inputs and hidden units dropped in training; NSM keeps 0.7.
    """

    def __init__(self, architecture: ExpertsArchitecture, task: Task, dropout: float) -> None:
        super().__init__()
        self.dropout = dropout
        gating, parts = GatingInput.of(architecture.gating, task), architecture.encoder_columns(task)
        columns = {
            "single": gating.direct,
            "left": gating.first_factors,
            "right": gating.second_factors,
            "gains": gating.direct_gains,
        }
        for name, values in columns.items():
            self.register_buffer(f"_{name}", torch.from_numpy(values), persistent=False)
        self.register_buffer("_encoded", torch.from_numpy(np.concatenate(list(parts.values()))), persistent=False)
        self._part_sizes = [len(places) for places in parts.values()]
        self._phase_input = gating.phase
        units, experts = architecture.gating_hidden, architecture.experts
        self.gate = Dense((gating.size, units, units, experts), dropout, linear_output=True)
        widths = {part: architecture.encoder_widths(part, len(places)) for part, places in parts.items()}
        self.encoders = nn.ModuleDict({part: Dense(widths[part], dropout, linear_output=False) for part in parts})
        inputs = sum(each[-1] for each in widths.values())
        sizes = (inputs, architecture.hidden, architecture.hidden, task.outputs.size)
        for layer, (before, after) in enumerate(pairwise(sizes)):
            bound = (6.0 / (before + after)) ** 0.5
            weight = torch.empty(experts, after, before).uniform_(-bound, bound)
            self.register_parameter(f"W{layer}", nn.Parameter(weight))
            self.register_parameter(f"b{layer}", nn.Parameter(torch.zeros(experts, after)))

    @property
    def layers(self) -> list[tuple[Tensor, Tensor]]:
        """Weights (K, outputs, inputs) and biases (K, outputs) of the experts' layers, from input to output."""
        return [(cast(Tensor, getattr(self, f"W{n}")), cast(Tensor, getattr(self, f"b{n}"))) for n in range(3)]

    def forward(self, x: Tensor, phase: Tensor) -> Tensor:
        """Return normalized outputs (B, m) for normalized inputs (B, n); the gating network may use the phase (B)."""
        shares, x = self.blending_weights(x, phase), self.encode_inputs(x)
        for layer, (weight, bias) in enumerate(self.layers):
            if layer:
                x = functional.elu(x)
            x = functional.dropout(x, self.dropout, self.training)
            products = functional.linear(x, weight.flatten(0, 1), bias.flatten())
            x = torch.einsum("bk,bkh->bh", shares.to(products.dtype), products.unflatten(1, bias.shape))
        return x

    def blending_weights(self, x: Tensor, phase: Tensor) -> Tensor:
        """Return the weight of each expert (B, K) for inputs (B, n) and phases (B); they sum to 1 (NSM eq. 8)."""
        names = "single", "left", "right"
        columns = torch.cat([self.get_buffer(f"_{name}") for name in names])
        single, left, right = x[:, columns].split([len(self.get_buffer(f"_{name}")) for name in names], dim=1)
        seen = torch.cat([single * self.get_buffer("_gains"), left * right], dim=1)
        return self.gate(append_phase(seen, phase) if self._phase_input else seen).float().softmax(dim=1)

    def encode_inputs(self, x: Tensor) -> Tensor:
        """Return the inputs (B, e) of the experts: the parts of inputs x (B, n), each encoded, side by side."""
        # One selection for all parts: the gradient of each has the width of x.
        parts = self._select_columns(x, "encoded").split(self._part_sizes, dim=1)
        return torch.cat([encode(part) for encode, part in zip(self.encoders.values(), parts, strict=True)], dim=1)

    def _select_columns(self, x: Tensor, name: str) -> Tensor:
        """Return the columns of x whose indices are in the buffer called ``name``."""
        return x[:, self.get_buffer(f"_{name}")]
