"""The generative control model: weights that can be written down."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.models.control_generator import generator_shapes, series_size
from footfall.core.models.generator_kinds import ADVERSARIAL, DENOISER, KINDS, VARIATIONAL
from footfall.tests.support.generators import ACTIONS, random_generator

SIZE = series_size(ACTIONS)


def series(count: int = 4, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(count, SIZE)).astype(np.float32)


def noise_of(size: int, count: int = 4, seed: int = 2) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(count, size)).astype(np.float32)


@pytest.mark.parametrize("kind", [ADVERSARIAL, VARIATIONAL])
def test_the_full_amount_is_what_the_paper_does_to_normalized_series(kind: str) -> None:
    mean, deviation = series(1, seed=3)[0], np.exp(series(1, seed=4)[0])
    generator, x = replace(random_generator(kind), mean=mean, deviation=deviation), series()
    noise = noise_of(generator.noise_size)
    papers = generator.decode(generator.encode((x - mean) / deviation) + noise * generator.noise_deviation)
    varied = generator.vary(x, noise, np.ones(4, np.float32))
    np.testing.assert_allclose(varied, papers * deviation + mean, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_without_noise_the_generator_s_share_grows_with_the_square_of_the_amount(kind: str) -> None:
    generator, x = random_generator(kind), series()
    none, amounts = np.zeros((4, generator.noise_size), np.float32), np.array([0.0, 0.5, 0.8, 1.0], np.float32)
    expected = x + (amounts**2)[:, None] * (generator.generate(x, none) - x)
    np.testing.assert_allclose(generator.vary(x, none, amounts), expected, atol=1e-5)


def test_a_denoiser_takes_noise_away_in_three_steps_and_is_told_the_level_of_each() -> None:
    """To it half of the first channel is clean, and the second one is to be the level."""
    tensors = {name: np.zeros(shape, np.float32) for name, shape in generator_shapes(DENOISER, SIZE).items()}
    for layer in ("encoder.1", "decoder.0", "decoder.1"):
        tensors[f"{layer}.weight"][[0, 1], [0, 1]] = 1.0
    tensors["encoder.0.weight"][[0, 1], [0, SIZE]] = 0.5, 1.0
    x, noise = np.abs(series()), np.abs(noise_of(SIZE))
    made = replace(random_generator(DENOISER), tensors=tensors).generate(x, noise)
    # Half of the noise is left after the first step and the second one, none after the last.
    np.testing.assert_allclose(made[:, 0], (x + noise)[:, 0] * 0.75 * 0.75 * 0.5, rtol=1e-5)
    np.testing.assert_allclose(made[:, 1], 0.25 * np.sqrt(np.mean(noise**2, axis=1)), rtol=1e-5)
