"""Generative control model, forward pass only (Starke et al. 2020, section 6, equations 9 and 10).

A control series passes through a bottleneck, where noise varies it, and is decoded to a series that people could walk.
Three kinds differ in training and in the place of the noise: the paper's, trained against a discriminator, and a
variational auto-encoder (Kingma and Welling 2014) add it to the latent code; a denoiser (as in diffusion models, Ho et
al. 2020) adds it to the series and removes implausible parts in a few steps (SDEdit, Meng et al. 2022).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np

from ..features.control_series import control_layout
from .dense import dense_shapes
from .generator_kinds import DENOISER
from .network import Float32, Shapes, Tensors

HIDDEN_UNITS: Final = 512
"""Default number of units of each hidden layer of encoder and decoder."""
DENOISING_LEVELS: Final = (1.0, 0.5, 0.25)
"""Noise level of each of the denoiser's steps, as a share of the first step's level."""


def latent_size(series_size: int) -> int:
    """Return the size m = n / 2 of the latent code, for control series of size n."""
    return series_size // 2


def generator_shapes(kind: str, series_size: int, hidden: int = HIDDEN_UNITS) -> Shapes:
    """Return the shapes of the weights and biases of a generator's encoder and decoder, by name.

    Args:
        kind: one of :data:`KINDS`.
        series_size: size n of a control series.
        hidden: units of the hidden layers.
    """
    latent = latent_size(series_size)
    inputs = series_size + (kind == DENOISER)
    encoder = dense_shapes("encoder", (inputs, hidden, latent))
    return encoder | dense_shapes("decoder", (latent, hidden, series_size))


@dataclass(frozen=True, eq=False)
class ControlGenerator:
    """A trained generative control model.

    Attributes:
        kind: one of :data:`KINDS`.
        actions: names of the actions (A) in its series.
        tensors: weights of encoder and decoder.
        mean: (n) mean of the series; they are normalized as (x - mean) / deviation.
        deviation: (n) standard deviation of the series.
        noise_deviation: (k) standard deviation of the noise at full variation, in the latent code or the series.
        provenance: data sets and settings of its training, as plain JSON data.
    """

    kind: str
    actions: tuple[str, ...]
    tensors: Tensors
    mean: Float32
    deviation: Float32
    noise_deviation: Float32
    provenance: Mapping[str, Any] = field(default_factory=dict)

    @property
    def noise_size(self) -> int:
        """Size k of the noise: that of the latent code, or for a denoiser that of the control series."""
        return len(self.noise_deviation)

    @cached_property
    def _layers(self) -> dict[str, tuple[Float32, Float32]]:
        """Transposed weights and biases, by the layers' names."""
        names = [f"{part}.{layer}" for part in ("encoder", "decoder") for layer in range(2)]
        return {
            name: (np.ascontiguousarray(self.tensors[f"{name}.weight"].T), self.tensors[f"{name}.bias"])
            for name in names
        }

    def vary(self, series: Float32, noise: Float32, amounts: Float32) -> Float32:
        """Return control series (B, n), varied with noise by the given amounts.

        An amount of 0 returns the series unchanged, an amount of 1 the generator's series, G(E(x) + noise). In between,
        the noise grows with the amount, but the changes that the generator makes without noise grow with the square of
        the amount: such changes, like the smoothing of a sudden command, delay the response without adding variation.

        Args:
            series: (B, n) control series, see :func:`.control_series.pack_series`.
            noise: (B, k) standard normal noise.
            amounts: (B) amounts of variation, from 0 to 1.
        """
        x, amount = (series - self.mean) / self.deviation, amounts[:, None].astype(np.float32)
        scaled = noise * self.noise_deviation * amount
        both = self.generate(np.concatenate([x, x]), np.concatenate([scaled, np.zeros_like(scaled)]))
        varied, plain = both[: len(x)], both[len(x) :]
        return (series + (varied - plain + amount**2 * (plain - x)) * self.deviation).astype(np.float32)

    def generate(self, x: Float32, noise: Float32) -> Float32:
        """Return plausible normalized series (B, n) near the given ones, varied by noise.

        Args:
            x: (B, n) normalized control series to vary.
            noise: (B, k) noise to add, in units of the latent code, or for a denoiser of the normalized series.
        """
        if self.kind != DENOISER:
            return self.decode(self.encode(x) + noise)
        return self._denoise(x + noise, np.sqrt(np.mean(np.square(noise), axis=1)))

    def encode(self, x: Float32) -> Float32:
        """Encode normalized series (B, n) as latent codes (B, m): equation 9 without dropout."""
        return self._dense(x, "encoder")

    def decode(self, latent: Float32) -> Float32:
        """Decode latent codes (B, m) to normalized series (B, n): equation 10."""
        return self._dense(latent, "decoder")

    def _denoise(self, x: Float32, levels: Float32) -> Float32:
        """Remove noise of standard deviations (B) from series (B, n), level by level."""
        following = [*DENOISING_LEVELS[1:], 0.0]
        for share, next_share in zip(DENOISING_LEVELS, following, strict=True):
            level = (share * levels[:, None]).astype(np.float32)
            clean = self.decode(self.encode(np.concatenate([x, level], axis=1)))
            x = (clean + np.float32(next_share / share) * (x - clean)).astype(np.float32)
        return x

    def _dense(self, x: Float32, part: str) -> Float32:
        """Return the output of the two layers of a part, the encoder or the decoder."""
        (first, first_bias), (second, second_bias) = self._layers[f"{part}.0"], self._layers[f"{part}.1"]
        return np.maximum(x @ first + first_bias, 0.0) @ second + second_bias


def series_size(actions: tuple[str, ...]) -> int:
    """Return the number n of values in a control series with the given actions."""
    return control_layout(actions).size
