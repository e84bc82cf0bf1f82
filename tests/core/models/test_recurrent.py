"""Networks that remember: cells that count and forget, memories carried along, crowds."""

import numpy as np
import pytest

from footfall.core.features.layout import Group, Layout
from footfall.core.models.erd import ErdArchitecture
from footfall.core.models.lstm import LstmArchitecture
from footfall.core.models.network import Architecture, Float32, Task
from footfall.core.models.recurrent import EncoderRecurrentDecoder, LstmLayers, recurrent_shapes

OPEN, SHUT = 40.0, -40.0
INPUT, FORGET, CELL, OUTPUT = range(4)

TASK = Task(Layout((Group("x", (30,), "1", ""),)), Layout((Group("y", (20,), "1", ""),)), (), 60.0)
NETWORKS = [
    ErdArchitecture(hidden=24, recurrent=16),
    ErdArchitecture(hidden=24, recurrent=16, layers=1, phase_input=True),
    LstmArchitecture(hidden=24, recurrent=16, layers=4),
]
LARGER_THAN_THE_CACHE = ErdArchitecture(hidden=24, recurrent=900)
"""Of 37 MB of weights in two layers."""


def cell(biases: list[float], given: list[float], last: float = 0.0) -> dict[str, Float32]:
    """One unit with one input: the gates' biases and weights for the input, and what its own answer counts for it."""
    tensors = {name: np.zeros(shape, np.float32) for name, shape in recurrent_shapes((1,), 1, 1, (1,)).items()}
    tensors["lstm.bias_ih_l0"][:] = biases
    tensors["lstm.weight_ih_l0"][:, 0] = given
    tensors["lstm.weight_hh_l0"][CELL, 0] = last
    return tensors


def run(tensors: dict[str, Float32], shown: list[float]) -> tuple[list[float], list[float]]:
    """What the unit answers and what its cell holds after each of the things shown to it."""
    memory, answers, held = LstmLayers(tensors).begin(1), [], []
    for one in shown:
        answer, memory = LstmLayers(tensors).step(np.array([[one]], np.float32), memory)
        answers.append(float(answer[0, 0]))
        held.append(float(memory[1][0, 0]))
    return answers, held


def test_a_cell_that_keeps_all_and_lets_all_in_counts() -> None:
    counter = cell([OPEN, OPEN, 0.0, OPEN], [0.0, 0.0, OPEN, 0.0])
    answers, held = run(counter, [1, 0, 1, 1, 0, -1])
    np.testing.assert_allclose(held, [1, 1, 2, 3, 3, 2], atol=1e-6)
    np.testing.assert_allclose(answers, np.tanh([1, 1, 2, 3, 3, 2]), atol=1e-6)


def random_network(architecture: Architecture, seed: int = 0) -> EncoderRecurrentDecoder:
    """One with made-up weights that nothing saturates at."""
    rng = np.random.default_rng(seed)
    shapes = architecture.shapes(TASK).items()
    tensors = {name: rng.normal(0, 1 / np.sqrt(shape[-1]), shape).astype(np.float32) for name, shape in shapes}
    network = architecture.network(tensors, TASK)
    assert isinstance(network, EncoderRecurrentDecoder)
    return network


@pytest.mark.parametrize("architecture", [*NETWORKS, LARGER_THAN_THE_CACHE], ids=str)
def test_a_crowd_gets_what_each_would_get_alone(architecture: Architecture) -> None:
    network, rng = random_network(architecture), np.random.default_rng(1)
    x, phase = rng.normal(size=(6, 10, 30)), rng.uniform(-1, 2, (6, 10))
    memory, together = network.begin(10), []
    for frame in range(6):
        y, memory = network.step(x[frame], phase[frame], memory)
        together.append(y)
    for one in range(10):
        memory = network.begin(1)
        for frame in range(6):
            y, memory = network.step(x[frame, one : one + 1], phase[frame, one : one + 1], memory)
            np.testing.assert_allclose(y[0], together[frame][one], atol=1e-5)


@pytest.mark.parametrize("architecture", NETWORKS, ids=str)
def test_what_was_seen_before_matters_and_the_memory_tells_it(architecture: Architecture) -> None:
    network, rng = random_network(architecture), np.random.default_rng(1)
    x, phase = rng.normal(size=(2, 30)), np.zeros(2)
    _, memory = network.step(x, phase, network.begin(2))
    same = np.repeat(x[:1], 2, axis=0)
    y, _ = network.step(same, phase, memory)
    assert np.abs(y[0] - y[1]).max() > 1e-3
    # Whose memory is changed for another's goes on as the other.
    y, _ = network.step(same, phase, tuple(np.repeat(one[:1], 2, axis=0) for one in memory))
    np.testing.assert_allclose(y[0], y[1], atol=1e-6)


@pytest.mark.parametrize("architecture", NETWORKS, ids=str)
def test_a_step_leaves_the_memory_that_it_was_given(architecture: Architecture) -> None:
    network = random_network(architecture)
    memory = network.begin(2)
    before = [one.copy() for one in memory]
    first, _ = network.step(np.ones((2, 30), np.float32), np.zeros(2), memory)
    for one, other in zip(memory, before, strict=True):
        np.testing.assert_array_equal(one, other)
    again, _ = network.step(np.ones((2, 30), np.float32), np.zeros(2), memory)
    np.testing.assert_array_equal(first, again)
