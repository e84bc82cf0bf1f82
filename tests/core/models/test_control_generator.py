"""The generative control model: weights that can be written down."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.models.control_generator import HIDDEN_UNITS, generator_shapes, series_size
from footfall.core.models.generator_kinds import ADVERSARIAL, DENOISER, VARIATIONAL
from footfall.tests.support.generators import ACTIONS, random_generator

SIZE = series_size(ACTIONS)


def series(count: int = 4, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(count, SIZE)).astype(np.float32)


def noise_of(size: int, count: int = 4, seed: int = 2) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(count, size)).astype(np.float32)


@pytest.mark.parametrize("kind", [ADVERSARIAL, VARIATIONAL])
def test_the_full_amount_is_what_the_paper_does(kind: str) -> None:
    generator, x = random_generator(kind), series()
    noise = noise_of(generator.noise_size)
    papers = generator.decode(generator.encode(x) + noise * generator.noise_deviation)
    np.testing.assert_allclose(generator.vary(x, noise, np.ones(4, np.float32)), papers, atol=1e-5)


def test_a_denoiser_that_knows_one_series_returns_to_it() -> None:
    known = series(1)[0]
    tensors = {name: np.zeros(shape, np.float32) for name, shape in generator_shapes(DENOISER, SIZE).items()}
    tensors["decoder.1.bias"] = known
    generator = replace(random_generator(DENOISER), tensors=tensors)
    made = generator.generate(series(3, seed=5), noise_of(SIZE, 3))
    np.testing.assert_allclose(made, np.tile(known, (3, 1)), atol=1e-5)
    assert tensors["encoder.0.weight"].shape == (HIDDEN_UNITS, SIZE + 1), "it is told the level of the noise"
