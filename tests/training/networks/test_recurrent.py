"""Networks that remember, for training: the same functions as in numpy over whole sequences, and what is learnt."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from footfall.core.features.layout import Group, Layout  # noqa: E402
from footfall.core.models.erd import ErdArchitecture  # noqa: E402
from footfall.core.models.lstm import LstmArchitecture  # noqa: E402
from footfall.core.models.network import Architecture, Task  # noqa: E402
from footfall.training.networks.families import NETWORK_FACTORIES  # noqa: E402
from footfall.training.networks.recurrent import RecurrentNetwork  # noqa: E402

TASK = Task(Layout((Group("x", (4,), "1", ""),)), Layout((Group("y", (2,), "1", ""),)), (), 60.0)
ARCHITECTURES = [
    ErdArchitecture(hidden=24, recurrent=16),
    ErdArchitecture(hidden=24, recurrent=16, layers=1, phase_input=True),
    LstmArchitecture(hidden=24, recurrent=16, layers=4),
]
FRAMES = 20


@pytest.fixture(params=ARCHITECTURES, ids=str)
def architecture(request: pytest.FixtureRequest) -> Architecture:
    """Each kind of recurrent network, small."""
    return request.param


def network_of(architecture: Architecture, dropout: float = 0.0) -> RecurrentNetwork:
    torch.manual_seed(0)
    network = NETWORK_FACTORIES[architecture.family](architecture, TASK, dropout)
    assert isinstance(network, RecurrentNetwork)
    return network


def train(network: RecurrentNetwork, steps: int = 100) -> float:
    """Teaches it to sum up its inputs over the frames, from 0.5 on, which needs a memory; returns the last loss."""
    optimiser = torch.optim.Adam(network.parameters(), 1e-2)
    loss = torch.zeros(())
    for _ in range(steps):
        x = 0.3 * torch.randn(32, FRAMES, 4)
        wanted = 0.5 + x[..., :2].cumsum(dim=1)
        optimiser.zero_grad()
        loss = torch.mean((network.forward_sequence(x, torch.rand(32, FRAMES)) - wanted) ** 2)
        loss.backward()
        optimiser.step()
    return loss.item()


@pytest.mark.parametrize("learnt", [False, True])
def test_numpy_computes_what_torch_computes_frame_by_frame(architecture: Architecture, learnt: bool) -> None:
    network = network_of(architecture)
    if learnt:
        train(network)
    network.eval()
    state = {name: tensor.numpy() for name, tensor in network.state_dict().items()}
    assert {name: tensor.shape for name, tensor in state.items()} == architecture.shapes(TASK)
    rng = np.random.default_rng(0)
    x, phase = rng.normal(size=(5, FRAMES, 4)).astype(np.float32), rng.uniform(-1, 2, (5, FRAMES)).astype(np.float32)
    with torch.no_grad():
        expected = network.forward_sequence(torch.from_numpy(x), torch.from_numpy(phase)).numpy()
    twin = architecture.network(state, TASK)
    memory = twin.begin(5)
    for frame in range(FRAMES):
        y, memory = twin.step(x[:, frame], phase[:, frame], memory)
        np.testing.assert_allclose(y, expected[:, frame], atol=1e-5)


def test_whole_sequences_are_followed_as_frame_by_frame(architecture: Architecture) -> None:
    network = network_of(architecture)
    train(network, steps=10)
    x, phase = torch.randn(3, FRAMES, 4), torch.rand(3, FRAMES)
    together, memory = network.forward_sequence(x, phase), network.begin(3)
    for frame in range(FRAMES):
        y, memory = network.step(x[:, frame], phase[:, frame], memory)
        torch.testing.assert_close(y, together[:, frame], atol=1e-6, rtol=1e-5)


def test_the_state_to_begin_with_is_learnt(architecture: Architecture) -> None:
    network = network_of(architecture)
    network.forward_sequence(torch.randn(3, FRAMES, 4), torch.rand(3, FRAMES)).square().mean().backward()
    for name, parameter in network.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.abs().max() > 0.0, name
    memory = network.begin(2)
    network.step(torch.randn(2, 4), torch.rand(2), memory)[0].square().mean().backward()
    train(network, steps=5)
    assert all(one.abs().min() > 0.0 for one in network.begin(1))


def test_memories_stand_in_the_order_of_the_characters(architecture: Architecture) -> None:
    network = network_of(architecture).eval()
    x, phase = torch.randn(4, 4), torch.rand(4)
    _, memory = network.step(x, phase, network.begin(4))
    assert all(len(one) == 4 for one in memory)
    y, _ = network.step(x, phase, memory)
    backwards, _ = network.step(x.flip(0), phase.flip(0), tuple(one.flip(0) for one in memory))
    torch.testing.assert_close(backwards.flip(0), y)
