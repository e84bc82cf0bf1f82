"""Gaussian processes against their closed forms."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.models.gaussian_process import (
    GaussianProcess,
    GaussianProcessArchitecture,
    append_cosine_sine,
    bin_weights,
)
from footfall.core.models.model_file import ControllerModel, load_model, save_model
from footfall.core.models.network import Float32

from ...support.mixtures import random_inputs, task

TASK = task()
SCALE = np.float32(TASK.inputs.size**-0.5)
"""With it, samples drawn from a normal distribution are about 1.4 lengths apart."""


def samples(count: int, seed: int = 0) -> tuple[Float32, Float32]:
    """Made-up inputs (M, n) and outputs (M, m)."""
    x = random_inputs(TASK, count, seed)
    return x, np.random.default_rng(seed + 100).normal(0.5, 1.0, (count, TASK.outputs.size)).astype(np.float32)


def process(
    seeds: tuple[int, ...] = (0,), count: int = 12, noise: float = 1e-6, phase_input: bool = False
) -> dict[str, Float32]:
    """A process for each seed, of as many samples, solved in the plainest way."""
    scales = np.full(TASK.inputs.size + 2 * phase_input, SCALE)
    inputs, alpha, means = [], [], []
    for seed in seeds:
        x, y = samples(count, seed)
        known = (append_cosine_sine(x, np.arange(count) / count) if phase_input else x) * scales
        apart = np.linalg.norm(known[:, None].astype(float) - known, axis=-1)
        inputs.append(known)
        means.append(y.mean(axis=0))
        alpha.append(np.linalg.solve(np.exp(-0.5 * apart**2) + noise * np.eye(count), y - means[-1]))
    tensors = {"scales": scales, "inputs": np.stack(inputs), "alpha": np.stack(alpha), "mean": np.stack(means)}
    return {name: tensor.astype(np.float32) for name, tensor in tensors.items()}


def test_without_noise_it_knows_its_samples() -> None:
    x, y = samples(12)
    np.testing.assert_allclose(GaussianProcess(**process())(x, 0.3), y, atol=1e-4)


def test_places_around_the_cycle_are_mixed_linearly() -> None:
    np.testing.assert_allclose(
        bin_weights(np.array([0.0, 0.1, 0.25, 0.95, -0.05, 1.0]), 4)[:, 0], [1, 0.6, 0, 0.8, 0.8, 1]
    )
    np.testing.assert_allclose(bin_weights(np.linspace(-1, 2, 301), 10).sum(axis=1), 1, atol=1e-6)
    np.testing.assert_allclose(bin_weights(np.array([0.25, 0.75]), 2), 0.5)


def test_at_a_place_only_its_own_process_answers() -> None:
    tensors, x = process((0, 1, 2, 3)), random_inputs(TASK, 5, 9)
    whole = GaussianProcess(**tensors)
    for part in range(4):
        alone = {name: tensor[part : part + 1] for name, tensor in tensors.items() if name != "scales"}
        own = GaussianProcess(tensors["scales"], **alone)
        np.testing.assert_allclose(whole(x, part / 4), own(x, 0.7), atol=1e-6)
        before = whole(x, (part - 1) / 4)
        np.testing.assert_allclose(whole(x, (part - 0.25) / 4), 0.25 * before + 0.75 * own(x, 0.0), atol=1e-5)


@pytest.mark.parametrize("parts", [1, 10])
@pytest.mark.parametrize("phase_input", [False, True])
def test_a_crowd_gets_what_each_would_get_alone(parts: int, phase_input: bool) -> None:
    network = GaussianProcess(**process(tuple(range(parts)), phase_input=phase_input), phase_input=phase_input)
    x, phases = random_inputs(TASK, 40, 9), np.random.default_rng(0).uniform(-1, 2, 40)
    alone = [network(one, phase) for one, phase in zip(x, phases, strict=True)]
    np.testing.assert_allclose(network(x, phases), alone, atol=1e-5)
    y, memory = network.step(x, phases, network.begin(40))
    np.testing.assert_allclose(y, alone, atol=1e-5)
    assert memory == ()


@pytest.mark.parametrize("architecture", [GaussianProcessArchitecture(5), GaussianProcessArchitecture(3, 4, True)])
def test_a_controller_comes_back_as_it_was(
    tmp_path: Path, model: ControllerModel, architecture: GaussianProcessArchitecture
) -> None:
    rng, shapes = np.random.default_rng(0), architecture.shapes(model.task).items()
    tensors = {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes}
    save_model(tmp_path / "a.safetensors", replace(model, architecture=architecture, tensors=tensors))
    again = load_model(tmp_path / "a.safetensors")
    assert again.architecture == architecture
    for name, tensor in tensors.items():
        np.testing.assert_array_equal(again.tensors[name], tensor)
