"""Training of generators: numpy computes what torch computes, and a known course comes back."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from footfall.core.models.control_generator import ControlGenerator, series_size  # noqa: E402
from footfall.core.models.generator_kinds import ADVERSARIAL, DENOISER, KINDS  # noqa: E402
from footfall.tests.support.generators import ACTIONS  # noqa: E402
from footfall.training.generator.networks import ControlAutoEncoder, Discriminator, sample_latent  # noqa: E402
from footfall.training.generator.series_data import SeriesData  # noqa: E402
from footfall.training.generator.train import GeneratorSettings, fit_generator  # noqa: E402

SIZE = series_size(ACTIONS)


def lines(count: int = 400) -> SeriesData:
    """Series that have one degree of freedom each way: all channels go with two numbers."""
    rng = np.random.default_rng(0)
    basis = rng.normal(size=(2, SIZE))
    return SeriesData((rng.normal(size=(count, 2)) @ basis).astype(np.float32), ACTIONS, (), {})


@pytest.mark.parametrize("kind", KINDS)
def test_numpy_computes_what_torch_computes(kind: str) -> None:
    torch.manual_seed(0)
    network = ControlAutoEncoder(kind, SIZE).eval()
    still = np.zeros(SIZE, np.float32)
    generator = ControlGenerator(kind, ACTIONS, network.tensors(), still, still + 1, still)
    x = np.random.default_rng(1).normal(size=(50, SIZE + (kind == DENOISER))).astype(np.float32)
    with torch.no_grad():
        latent = network.encode(torch.from_numpy(x))[0]
        made = network.decode(latent).numpy()
    np.testing.assert_allclose(generator.encode(x), latent.numpy(), atol=1e-5)
    np.testing.assert_allclose(generator.decode(generator.encode(x)), made, atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_a_generator_learns_to_reproduce_its_input(kind: str) -> None:
    data = lines()
    first, last = (fit_generator(data, GeneratorSettings(kind, steps)) for steps in (1, 300))
    assert last.provenance["metrics"]["l1"] < 0.6 * first.provenance["metrics"]["l1"]
    assert last.provenance["samples"] == len(data.x)


def test_training_again_gives_the_same() -> None:
    first, second = (fit_generator(lines(), GeneratorSettings(ADVERSARIAL, 5, seed=3)) for _ in range(2))
    for name, tensor in first.tensors.items():
        np.testing.assert_array_equal(second.tensors[name], tensor)


def test_the_discriminator_is_equation_11() -> None:
    layers = [layer for layer in Discriminator(SIZE).layers if isinstance(layer, torch.nn.Linear)]
    assert [layer.out_features for layer in layers] == [128, 64, 32, 1]


def test_latent_codes_are_normal_with_the_given_mean_and_variance() -> None:
    torch.manual_seed(0)
    mean, deviation = torch.tensor([1.0, -2.0, 0.0]), torch.tensor([0.5, 1.0, 2.0])
    codes = sample_latent(mean.expand(20_000, 3), (2.0 * deviation.log()).expand(20_000, 3)).numpy()
    np.testing.assert_allclose(codes.mean(axis=0), mean, atol=0.1)
    np.testing.assert_allclose(codes.std(axis=0), deviation, rtol=0.05)
    beyond = np.abs(codes - mean.numpy()) > 2.0 * deviation.numpy()
    np.testing.assert_allclose(beyond.mean(axis=0), 0.046, atol=0.01)  # of a normal distribution


@pytest.mark.parametrize("kind", KINDS)
def test_dropout_is_in_the_training_of_all_but_the_denoiser(kind: str) -> None:
    torch.manual_seed(0)
    network, x = ControlAutoEncoder(kind, SIZE), torch.randn(8, SIZE + (kind == DENOISER))
    first, second = (network.train().encode(x)[0] for _ in range(2))
    assert torch.equal(first, second) == (kind == DENOISER)
    first, second = (network.eval().encode(x)[0] for _ in range(2))
    assert torch.equal(first, second)


def test_the_discriminator_gives_logits_of_either_sign() -> None:
    torch.manual_seed(0)
    logits = Discriminator(SIZE)(100.0 * torch.randn(200, SIZE))
    assert logits.shape == (200,) and logits.min() < -1.0 and logits.max() > 1.0
