"""The torch network and its numpy twin are the same function, before and after training."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from footfall.benchmarks.per_sample_blending import per_sample_blending_forward  # noqa: E402
from footfall.core.models.pfnn import Pfnn, PfnnWeights  # noqa: E402
from footfall.training.networks.pfnn import PhaseFunctionedNetwork  # noqa: E402

PHASES = np.concatenate([np.linspace(-1, 2, 121), [0.0, 1.0, 1 - 1e-7, 1e-7, 0.25, 0.5, 0.75]]).astype(np.float32)


def trained_network() -> PhaseFunctionedNetwork:
    """A network that has learnt to turn a vector around with the phase: weights well away from their start."""
    torch.manual_seed(0)
    network = PhaseFunctionedNetwork(12, 32, 6, dropout=0.1)
    optimiser = torch.optim.Adam(network.parameters(), 1e-2)
    for _ in range(150):
        x, phase = torch.randn(64, 12), torch.rand(64)
        angle = 2 * torch.pi * phase[:, None]
        wanted = x[:, :6] * torch.cos(angle) + x[:, 6:] * torch.sin(angle)
        optimiser.zero_grad()
        loss = torch.mean((network(x, phase) - wanted) ** 2)
        loss.backward()
        optimiser.step()
    assert loss.item() < 0.5
    return network.eval()


@pytest.fixture(scope="module", params=["fresh", "trained"])
def network(request: pytest.FixtureRequest) -> PhaseFunctionedNetwork:
    """One as it is made, and one that has been trained."""
    torch.manual_seed(0)
    return trained_network() if request.param == "trained" else PhaseFunctionedNetwork(12, 32, 6).eval()


def test_numpy_computes_what_torch_computes(network: PhaseFunctionedNetwork) -> None:
    x = np.random.default_rng(0).normal(size=(len(PHASES), 12)).astype(np.float32)
    with torch.no_grad():
        expected = network(torch.from_numpy(x), torch.from_numpy(PHASES)).numpy()
    numpy_network = Pfnn(weights_of(network))
    np.testing.assert_allclose(numpy_network(x, PHASES), expected, atol=1e-5)
    alone = [numpy_network(one, float(phase)) for one, phase in zip(x, PHASES, strict=True)]
    np.testing.assert_allclose(alone, expected, atol=1e-5)


def test_blending_outputs_has_the_papers_values_and_gradients(network: PhaseFunctionedNetwork) -> None:
    x, phase = torch.randn(50, 12), torch.rand(50)
    gradients = []
    for forward in (network, lambda x, phase: per_sample_blending_forward(network, x, phase)):
        y = forward(x, phase)
        gradients.append((y.detach(), *torch.autograd.grad(y.square().mean(), list(network.parameters()))))
    for ours, theirs in zip(*gradients, strict=True):
        torch.testing.assert_close(ours, theirs, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("points", [4, 5, 7])
def test_a_phase_function_that_does_not_repeat_is_the_same_in_numpy(points: int) -> None:
    torch.manual_seed(1)
    network = PhaseFunctionedNetwork(12, 32, 6, points, cyclic=False).eval()
    x = np.random.default_rng(0).normal(size=(len(PHASES), 12)).astype(np.float32)
    with torch.no_grad():
        expected = network(torch.from_numpy(x), torch.from_numpy(PHASES)).numpy()
    np.testing.assert_allclose(Pfnn(weights_of(network), cyclic=False)(x, PHASES), expected, atol=1e-5)


def weights_of(network: PhaseFunctionedNetwork) -> PfnnWeights:
    return PfnnWeights(**{name: tensor.numpy() for name, tensor in network.state_dict().items()})


def test_dropout_acts_in_training_only() -> None:
    torch.manual_seed(0)
    network = PhaseFunctionedNetwork(12, 32, 6, dropout=0.5)
    x, phase = torch.randn(5, 12), torch.rand(5)
    assert not torch.allclose(network(x, phase), network(x, phase))
    network.eval()
    torch.testing.assert_close(network(x, phase), network(x, phase))
