"""Generators of control series with weights that can be written down, or drawn."""

import numpy as np

from footfall.core.models.control_generator import ControlGenerator, generator_shapes, latent_size, series_size
from footfall.core.models.generator_kinds import DENOISER

ACTIONS = ("stand", "walk", "run", "crouch", "jump")


def random_generator(kind: str, seed: int = 0, noise: float = 0.5) -> ControlGenerator:
    """A generator with drawn weights."""
    rng, size = np.random.default_rng(seed), series_size(ACTIONS)
    tensors = {
        name: rng.normal(0, 1 / np.sqrt(shape[-1]), shape).astype(np.float32)
        for name, shape in generator_shapes(kind, size).items()
    }
    noises = np.full(size if kind == DENOISER else latent_size(size), noise, np.float32)
    return ControlGenerator(kind, ACTIONS, tensors, np.zeros(size, np.float32), np.ones(size, np.float32), noises)
