"""The plain network: functions that can be written down, and what the phase does to it."""

import numpy as np
import pytest

from footfall.core.features.layout import Group, Layout
from footfall.core.models.network import Float32, Task, Tensors
from footfall.core.models.plain import PlainArchitecture

Numbers = list[list[float]]


def task(inputs: int, outputs: int) -> Task:
    return Task(Layout((Group("x", (inputs,), "1", ""),)), Layout((Group("y", (outputs,), "1", ""),)), (), 60.0)


def layers(*weights: tuple[Numbers, list[float]]) -> Tensors:
    """Hand-set weights and biases from the first layer to the last."""
    parts = {f"layers.{n}.weight": weight for n, (weight, _) in enumerate(weights)}
    parts |= {f"layers.{n}.bias": bias for n, (_, bias) in enumerate(weights)}
    return {name: np.array(part, np.float32) for name, part in parts.items()}


def random_tensors(architecture: PlainArchitecture, wanted: Task, seed: int = 0) -> dict[str, Float32]:
    rng = np.random.default_rng(seed)
    shapes = architecture.shapes(wanted).items()
    return {name: rng.normal(0, 1 / np.sqrt(shape[-1]), shape).astype(np.float32) for name, shape in shapes}


def test_hidden_units_are_exponential_linear_and_the_answer_is_linear() -> None:
    tensors = layers(([[1.0], [-1.0]], [0.0, 0.5]), ([[2.0, -3.0]], [-1.0]))
    network = PlainArchitecture(hidden=2, layers=1).network(tensors, task(1, 1))
    for x in (-2.0, 0.0, 0.25, 3.0):
        units = [unit if unit > 0 else np.expm1(unit) for unit in (x, 0.5 - x)]
        np.testing.assert_allclose(network(np.array([x]), 0.0), [2 * units[0] - 3 * units[1] - 1], rtol=1e-6)


def test_a_network_that_answers_with_the_phase() -> None:
    # Of one unit that is sine and one that is cosine, both lifted to where the unit is linear.
    tensors = layers(([[0, 1, 0], [0, 0, 1]], [2, 2]), ([[1, 0], [0, 1]], [-2, -2]))
    network = PlainArchitecture(hidden=2, layers=1, phase_input=True).network(tensors, task(1, 2))
    phase = np.linspace(-1, 2, 31)
    answers = network(np.ones((31, 1)), phase)
    np.testing.assert_allclose(answers.T, [np.sin(2 * np.pi * phase), np.cos(2 * np.pi * phase)], atol=1e-6)


@pytest.mark.parametrize("phase_input", [False, True])
def test_a_crowd_gets_what_each_would_get_alone(phase_input: bool) -> None:
    architecture, wanted = PlainArchitecture(24, 3, phase_input), task(30, 20)
    network = architecture.network(random_tensors(architecture, wanted), wanted)
    rng = np.random.default_rng(1)
    x, phase = rng.normal(size=(40, 30)).astype(np.float32), rng.uniform(-1, 2, 40)
    alone = [network(one, at) for one, at in zip(x, phase, strict=True)]
    np.testing.assert_allclose(network(x, phase), alone, atol=1e-5)
    np.testing.assert_allclose(network.step(x[:1], phase[:1], network.begin(1))[0][0], alone[0], atol=1e-5)
