"""Torch networks of the generative control model (LMP equations 9 to 11)."""

from typing import Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from ...core.models.control_generator import HIDDEN_UNITS, latent_size
from ...core.models.generator_kinds import DENOISER, VARIATIONAL
from ...core.models.network import Float32
from ..networks.dropout import dropout

DROPOUT: Final = 0.3
"""Dropout rate of the encoder."""
DISCRIMINATOR_UNITS: Final = (128, 64, 32)
"""Units h0, h1 and h2 of the discriminator."""


class ControlAutoEncoder(nn.Module):
    """Encoder and decoder of one kind of generator.

    Args:
        kind: one of ``KINDS``.
        size: number of values n of a control series.
    """

    def __init__(self, kind: str, size: int) -> None:
        super().__init__()
        self.kind, latent = kind, latent_size(size)
        self.dropout = 0.0 if kind == DENOISER else DROPOUT
        self.encoder = nn.ModuleList([nn.Linear(size + (kind == DENOISER), HIDDEN_UNITS), _linear(latent)])
        self.decoder = nn.ModuleList([nn.Linear(latent, HIDDEN_UNITS), _linear(size)])
        self.log_variance = _linear(latent) if kind == VARIATIONAL else None

    def encode(self, x: Tensor) -> tuple[Tensor, Tensor | None]:
        """Return latent codes (B, m) of normalized series x (B, n), and the log variances of a variational network.

        The latter are ``None`` for other kinds.
        """
        hidden = dropout(functional.relu(self.encoder[0](x)), self.dropout, self.training)
        if self.log_variance is not None:
            return self.encoder[1](hidden), self.log_variance(hidden)
        return dropout(self.encoder[1](hidden), self.dropout, self.training), None

    def decode(self, latent: Tensor) -> Tensor:
        """Return the normalized series (B, n) that latent codes (B, m) stand for (equation 10)."""
        return self.decoder[1](functional.relu(self.decoder[0](latent)))

    def tensors(self) -> dict[str, Float32]:
        """Return the weights of encoder and decoder as arrays, under their names in a generator file."""
        state = self.state_dict()
        return {
            name: np.array(value.cpu().numpy(), np.float32)
            for name, value in state.items()
            if name.startswith(("encoder.", "decoder."))
        }


class Discriminator(nn.Module):
    """The discriminator (equation 11), without its sigmoid, which is part of the loss.

    Args:
        size: number of values n of a control series.
    """

    def __init__(self, size: int) -> None:
        super().__init__()
        first, second, third = DISCRIMINATOR_UNITS
        self.layers = nn.Sequential(
            nn.Linear(size, first),
            nn.ReLU(),
            nn.Linear(first, second),
            nn.Linear(second, third),
            nn.ReLU(),
            nn.Linear(third, 1),
        )

    def forward(self, x: Tensor) -> Tensor:
        """Return logits (B) of the probability that each series x (B, n) was captured."""
        return self.layers(x)[:, 0]


def _linear(outputs: int) -> nn.Linear:
    """Return a linear layer to follow a hidden layer."""
    return nn.Linear(HIDDEN_UNITS, outputs)


def sample_latent(mean: Tensor, log_variance: Tensor) -> Tensor:
    """Return codes (B, m) drawn from normal distributions with means and log variances (B, m).

    Kingma and Welling 2014, section 2.4.
    """
    return mean + torch.randn_like(mean) * torch.exp(0.5 * log_variance)
