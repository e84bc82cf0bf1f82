"""The torch mixture and its numpy twin are the same function, before and after training."""

from typing import Final

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from footfall.core.models.experts import ExpertMixture, ExpertsArchitecture  # noqa: E402
from footfall.core.models.network import Task  # noqa: E402
from footfall.tests.support.mixtures import ARCHITECTURES, among_things, random_inputs, task  # noqa: E402
from footfall.training.config.config import TrainingConfig  # noqa: E402
from footfall.training.networks.experts import MixtureOfExperts  # noqa: E402
from footfall.training.networks.families import architecture_of  # noqa: E402

TASK: Final[Task] = task(channels=2)


@pytest.fixture(params=ARCHITECTURES, ids=str)
def architecture(request: pytest.FixtureRequest) -> ExpertsArchitecture:
    """Every gate, with encoders and without."""
    return request.param


def trained(network: MixtureOfExperts) -> MixtureOfExperts:
    """Has learnt something of its inputs: weights well away from their start."""
    torch.manual_seed(0)
    optimiser = torch.optim.Adam(network.parameters(), 5e-3)
    wanted = torch.randn(TASK.inputs.size, TASK.outputs.size) / TASK.inputs.size**0.5
    for _ in range(60):
        x = torch.randn(64, TASK.inputs.size)
        optimiser.zero_grad()
        torch.mean((network(x, torch.zeros(64)) - torch.tanh(x @ wanted)) ** 2).backward()
        optimiser.step()
    return network


@pytest.mark.parametrize("learnt", [False, True])
def test_numpy_computes_what_torch_computes(architecture: ExpertsArchitecture, learnt: bool) -> None:
    torch.manual_seed(0)
    network = MixtureOfExperts(architecture, TASK, 0.1)
    network = (trained(network) if learnt else network).eval()
    state = {name: tensor.numpy() for name, tensor in network.state_dict().items()}
    assert {name: tensor.shape for name, tensor in state.items()} == architecture.shapes(TASK)
    x = random_inputs(TASK, 60)
    with torch.no_grad():
        expected = network(torch.from_numpy(x), torch.zeros(60)).numpy()
    numpy_network = ExpertMixture(architecture, state, TASK, negligible_ratio=0.0)
    np.testing.assert_allclose(numpy_network(x, np.zeros(60)), expected, atol=1e-5)
    np.testing.assert_allclose([numpy_network(one, 0.0) for one in x], expected, atol=1e-5)


def test_a_gate_that_sees_the_phase_does_so_in_numpy_as_in_torch() -> None:
    torch.manual_seed(0)
    wanted, architecture = among_things(), ExpertsArchitecture(4, 24, "concatenated", 16, 12)
    network = MixtureOfExperts(architecture, wanted, 0.1).eval()
    state = {name: tensor.numpy() for name, tensor in network.state_dict().items()}
    assert {name: tensor.shape for name, tensor in state.items()} == architecture.shapes(wanted)
    x, phase = random_inputs(wanted, 20), np.linspace(0.0, 0.9, 20, dtype=np.float32)
    with torch.no_grad():
        expected = network(torch.from_numpy(x), torch.from_numpy(phase)).numpy()
    numpy_network = ExpertMixture(architecture, state, wanted, negligible_ratio=0.0)
    np.testing.assert_allclose(numpy_network(x, phase), expected, atol=1e-5)
    alone = [numpy_network(one, at) for one, at in zip(x, phase, strict=True)]
    np.testing.assert_allclose(alone, expected, atol=1e-5)
    assert np.abs(numpy_network(x, 1 - phase) - expected).max() > 1e-3, "the phase counts"


def test_blending_outputs_has_the_values_and_gradients_of_blended_weights(architecture: ExpertsArchitecture) -> None:
    torch.manual_seed(0)
    network = MixtureOfExperts(architecture, TASK, 0.0)
    x = torch.from_numpy(random_inputs(TASK, 20))
    shares, seen = network.blending_weights(x, torch.zeros(20)), network.encode_inputs(x)
    for layer, (weight, bias) in enumerate(network.layers):
        seen = torch.nn.functional.elu(seen) if layer else seen
        own = torch.einsum("bk,khn->bhn", shares, weight)
        seen = torch.einsum("bhn,bn->bh", own, seen) + shares @ bias
    results = []
    for y in (network(x, torch.zeros(20)), seen):
        results.append((y.detach(), *torch.autograd.grad(y.square().mean(), list(network.parameters()))))
    for ours, theirs in zip(*results, strict=True):
        torch.testing.assert_close(ours, theirs, atol=1e-5, rtol=1e-4)


def test_units_are_left_out_in_training_only(architecture: ExpertsArchitecture) -> None:
    network = MixtureOfExperts(architecture, TASK, 0.5)
    x, phase = torch.from_numpy(random_inputs(TASK, 5)), torch.zeros(5)
    assert not torch.allclose(network(x, phase), network(x, phase))
    assert not torch.allclose(network.blending_weights(x, phase), network.blending_weights(x, phase))
    network.eval()
    torch.testing.assert_close(network(x, phase), network(x, phase))


@pytest.mark.parametrize(
    ("name", "channels"), [("mann", 0), ("global_phase", 1), ("local_phases", 4), ("deep_phase", 5)]
)
def test_presets_ask_for_mixtures_that_there_are(name: str, channels: int) -> None:
    architecture, wanted = architecture_of(TrainingConfig.from_preset(name)), task(channels)
    assert isinstance(architecture, ExpertsArchitecture)
    network = MixtureOfExperts(architecture, wanted, 0.3)
    shapes = {part: tuple(tensor.shape) for part, tensor in network.state_dict().items()}
    assert shapes == architecture.shapes(wanted)
