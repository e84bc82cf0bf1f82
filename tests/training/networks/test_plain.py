"""The torch network and its numpy twin are the same function, before and after training."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from footfall.core.features.layout import Group, Layout  # noqa: E402
from footfall.core.models.network import Task  # noqa: E402
from footfall.core.models.plain import PlainArchitecture  # noqa: E402
from footfall.training.networks.plain import PlainNetwork  # noqa: E402

TASK = Task(Layout((Group("x", (12,), "1", ""),)), Layout((Group("y", (6,), "1", ""),)), (), 60.0)
PHASES = np.linspace(-1, 2, 50).astype(np.float32)


def trained(network: PlainNetwork) -> PlainNetwork:
    """Turns a vector around with the phase, as well as it can: weights well away from their start."""
    optimiser = torch.optim.Adam(network.parameters(), 1e-2)
    for _ in range(100):
        x, phase = torch.randn(64, 12), torch.rand(64)
        angle = 2 * torch.pi * phase[:, None]
        wanted = x[:, :6] * torch.cos(angle) + x[:, 6:] * torch.sin(angle)
        optimiser.zero_grad()
        torch.mean((network(x, phase) - wanted) ** 2).backward()
        optimiser.step()
    return network


@pytest.mark.parametrize("learnt", [False, True])
@pytest.mark.parametrize("architecture", [PlainArchitecture(32), PlainArchitecture(32, 3, True)], ids=str)
def test_numpy_computes_what_torch_computes(architecture: PlainArchitecture, learnt: bool) -> None:
    torch.manual_seed(0)
    network = PlainNetwork.of(architecture, TASK, 0.1)
    network = (trained(network) if learnt else network).eval()
    state = {name: tensor.numpy() for name, tensor in network.state_dict().items()}
    assert {name: tensor.shape for name, tensor in state.items()} == architecture.shapes(TASK)
    x = np.random.default_rng(0).normal(size=(len(PHASES), 12)).astype(np.float32)
    with torch.no_grad():
        expected = network(torch.from_numpy(x), torch.from_numpy(PHASES)).numpy()
    twin = architecture.network(state, TASK)
    np.testing.assert_allclose(twin(x, PHASES), expected, atol=1e-5)
    alone = [twin(one, float(phase)) for one, phase in zip(x, PHASES, strict=True)]
    np.testing.assert_allclose(alone, expected, atol=1e-5)


def test_dropout_acts_in_training_only_and_leaves_no_input_out_of_it() -> None:
    """The phase is dropped like anything else: what the paper blames for its weak part in such a network."""
    torch.manual_seed(0)
    network = PlainNetwork.of(PlainArchitecture(32, phase_input=True), TASK, 0.5)
    with torch.no_grad():
        network.layers[0].weight[:, :12] = 0.0
    x, phase = torch.randn(400, 12), torch.full((400,), 0.125)
    assert network(x, phase).std(dim=0).min() > 0.01
    network.eval()
    assert network(x, phase).std(dim=0).max() < 1e-6
