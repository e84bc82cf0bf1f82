"""The paper's method of training: blended weights of every sample, then products. For comparison only."""

import torch
from torch import Tensor
from torch.nn import functional

from ..training.networks.pfnn import PhaseFunctionedNetwork, catmull_rom_weights


def per_sample_blending_forward(network: PhaseFunctionedNetwork, x: Tensor, phase: Tensor) -> Tensor:
    """Return the normalized outputs (B, m) of a network (eq. 5 to 7).

    They equal ``network(x, phase)`` up to dropout and rounding.
    """
    shares = catmull_rom_weights(phase, network.control_points)
    for number, (weight, bias) in enumerate(network.layers):
        if number:
            x = functional.elu(x)
        x = functional.dropout(x, network.dropout, network.training)
        blended = torch.einsum("bk,khn->bhn", shares, weight)
        x = torch.einsum("bhn,bn->bh", blended, x) + shares @ bias
    return x
