"""The generative control model: weights that can be written down."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.models.control_generator import HIDDEN_UNITS, generator_shapes, latent_size, series_size
from footfall.core.models.generator_kinds import ADVERSARIAL, DENOISER, KINDS, VARIATIONAL
from footfall.tests.support.generators import ACTIONS, random_generator

SIZE = series_size(ACTIONS)


def series(count: int = 4, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(count, SIZE)).astype(np.float32)


def noise_of(size: int, count: int = 4, seed: int = 2) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(count, size)).astype(np.float32)


def test_the_sizes_are_the_papers() -> None:
    # n = 12 samples of position, direction, velocity and five actions; m = n / 2; 512 hidden units.
    assert SIZE == 12 * (2 + 2 + 2 + 5) and latent_size(SIZE) == SIZE // 2
    shapes = generator_shapes(ADVERSARIAL, SIZE)
    assert shapes["encoder.0.weight"] == (512, SIZE) and shapes["encoder.1.weight"] == (SIZE // 2, 512)
    assert shapes["decoder.0.weight"] == (512, SIZE // 2) and shapes["decoder.1.weight"] == (SIZE, 512)


@pytest.mark.parametrize("kind", KINDS)
def test_an_amount_of_zero_leaves_the_series_as_it_is(kind: str) -> None:
    generator, x = random_generator(kind), series()
    np.testing.assert_array_equal(generator.vary(x, noise_of(generator.noise_size), np.zeros(4, np.float32)), x)


@pytest.mark.parametrize("kind", [ADVERSARIAL, VARIATIONAL])
def test_the_full_amount_is_what_the_paper_does(kind: str) -> None:
    generator, x = random_generator(kind), series()
    noise = noise_of(generator.noise_size)
    papers = generator.decode(generator.encode(x) + noise * generator.noise_deviation)
    np.testing.assert_allclose(generator.vary(x, noise, np.ones(4, np.float32)), papers, atol=1e-5)


def test_the_encoder_is_equation_9_without_dropout() -> None:
    generator, x = random_generator(ADVERSARIAL), series()
    w, tensors = [generator.tensors[f"encoder.{n}.weight"] for n in range(2)], generator.tensors
    hidden = np.maximum(w[0] @ x[0] + tensors["encoder.0.bias"], 0.0)
    np.testing.assert_allclose(generator.encode(x)[0], w[1] @ hidden + tensors["encoder.1.bias"], atol=1e-5)


def test_characters_of_a_batch_do_not_touch_each_other() -> None:
    generator, x = random_generator(VARIATIONAL), series(5)
    noise, amounts = noise_of(generator.noise_size, 5), np.array([0.0, 0.3, 1.0, 0.5, 0.2], np.float32)
    together = generator.vary(x, noise, amounts)
    for row in range(5):
        alone = generator.vary(x[[row]], noise[[row]], amounts[[row]])
        np.testing.assert_allclose(alone[0], together[row], atol=1e-5)


def test_a_denoiser_that_knows_one_series_returns_to_it() -> None:
    known = series(1)[0]
    tensors = {name: np.zeros(shape, np.float32) for name, shape in generator_shapes(DENOISER, SIZE).items()}
    tensors["decoder.1.bias"] = known
    generator = replace(random_generator(DENOISER), tensors=tensors)
    made = generator.generate(series(3, seed=5), noise_of(SIZE, 3))
    np.testing.assert_allclose(made, np.tile(known, (3, 1)), atol=1e-5)
    assert tensors["encoder.0.weight"].shape == (HIDDEN_UNITS, SIZE + 1), "it is told the level of the noise"


@pytest.mark.parametrize("kind", [ADVERSARIAL, VARIATIONAL])
@pytest.mark.parametrize("amount", [0.25, 0.5])
def test_noise_grows_with_the_amount_and_the_generator_s_share_with_its_square(kind: str, amount: float) -> None:
    generator, x = random_generator(kind), series()
    generator = replace(generator, mean=np.full(SIZE, 0.5, np.float32), deviation=np.full(SIZE, 2.0, np.float32))
    noise, normalized = noise_of(generator.noise_size), (x - 0.5) / 2.0
    code = generator.encode(normalized)
    plain = generator.decode(code)
    varied = generator.decode(code + amount * noise * generator.noise_deviation)
    expected = x + 2.0 * (varied - plain + amount**2 * (plain - normalized))
    found = generator.vary(x, noise, np.full(4, amount, np.float32))
    np.testing.assert_allclose(found, expected, atol=1e-5)
    assert found.dtype == np.float32


def test_a_denoiser_takes_the_noise_away_in_three_steps_of_half_the_level_each() -> None:
    """It is told the level as the last input, and keeps half of what it would take away until the last step."""
    generator, x = random_generator(DENOISER), series()
    noise = noise_of(SIZE)
    levels = np.sqrt(np.mean(noise**2, axis=1, keepdims=True))
    expected = x + noise
    for share, kept in ((1.0, 0.5), (0.5, 0.5), (0.25, 0.0)):
        clean = generator.decode(generator.encode(np.concatenate([expected, share * levels], axis=1)))
        expected = clean + kept * (expected - clean)
    np.testing.assert_allclose(generator.generate(x, noise), expected, atol=1e-5)


def test_the_decoder_is_equation_10() -> None:
    generator = random_generator(ADVERSARIAL)
    code = noise_of(latent_size(SIZE), 1)
    w, tensors = [generator.tensors[f"decoder.{n}.weight"] for n in range(2)], generator.tensors
    hidden = np.maximum(w[0] @ code[0] + tensors["decoder.0.bias"], 0.0)
    np.testing.assert_allclose(generator.decode(code)[0], w[1] @ hidden + tensors["decoder.1.bias"], atol=1e-5)


def test_noise_is_as_large_as_the_code_or_as_the_series_of_a_denoiser() -> None:
    assert [random_generator(kind).noise_size for kind in (ADVERSARIAL, VARIATIONAL, DENOISER)] == [66, 66, 132]
    assert generator_shapes(DENOISER, SIZE)["decoder.1.weight"] == (SIZE, 512)
    assert generator_shapes(VARIATIONAL, SIZE, 8)["encoder.0.bias"] == (8,)
