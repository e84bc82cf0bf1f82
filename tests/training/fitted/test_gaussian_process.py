"""How processes are fitted: which samples, how far each input matters, and what is solved."""

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from footfall.core.models.gaussian_process import GaussianProcessArchitecture  # noqa: E402
from footfall.training.config.config import TrainingConfig  # noqa: E402
from footfall.training.data.dataset import Dataset  # noqa: E402
from footfall.training.data.samples import load_samples  # noqa: E402
from footfall.training.fitted.gaussian_process import (  # noqa: E402
    MAX_TUNING_TRIALS,
    fit_gaussian_processes,
    group_scales,
    select_spread_samples,
    solve_weights,
)
from footfall.training.fitted.material import FittingData  # noqa: E402

CPU = torch.device("cpu")


@pytest.fixture
def material(dataset: Dataset) -> FittingData:
    """Four small walks."""
    training, validation = (load_samples(dataset, split, CPU, 1.0) for split in ("training", "validation"))
    return FittingData(dataset, training, validation, TrainingConfig(unroll_steps=10))


def test_samples_are_far_from_each_other() -> None:
    rng = np.random.default_rng(0)
    places = rng.normal(size=(20, 5)) * 100
    crowded = np.repeat(places, [1000] + [3] * 19, axis=0) + rng.normal(size=(1057, 5)) * 0.01
    chosen = select_spread_samples(crowded.astype(np.float32), 20, np.random.default_rng(1))
    owners = np.repeat(np.arange(20), [1000] + [3] * 19)[chosen]
    assert len(set(owners.tolist())) > 15, "drawn evenly, nearly all were of the crowd"


def test_solved_weights_reproduce_the_outputs() -> None:
    rng = np.random.default_rng(0)
    inputs, outputs = rng.normal(size=(30, 4)).astype(np.float32), rng.normal(size=(30, 7)).astype(np.float32)
    covariance = np.exp(-0.5 * np.linalg.norm(inputs[:, None] - inputs, axis=-1) ** 2)
    alpha = solve_weights(inputs, outputs, 0.1)
    np.testing.assert_allclose((covariance + 0.1 * np.eye(30)) @ alpha, outputs, atol=1e-4)


def test_groups_of_inputs_count_alike(material: FittingData) -> None:
    architecture = GaussianProcessArchitecture(phase_input=True)
    x = np.random.default_rng(0).normal(size=(4000, architecture.input_width(material.task))).astype(np.float32)
    slices = material.task.inputs.slices
    x[:, slices["trajectory.position"]] *= 100
    x[:, slices["terrain.height"]] = 3.0
    scaled = x * group_scales(architecture, material, x)
    apart = np.square(scaled[:2000] - scaled[2000:])
    np.testing.assert_allclose(apart.sum(axis=1).mean(), 2, rtol=0.02)
    groups = [*slices.values(), slice(x.shape[1] - 2, x.shape[1])]
    shares = [apart[:, group].sum(axis=1).mean() for group in groups]
    expected = [0 if name == "terrain.height" else 2 / (len(groups) - 1) for name in [*slices, "phase"]]
    np.testing.assert_allclose(shares, expected, rtol=0.05)


def test_a_process_reproduces_its_samples(material: FittingData) -> None:
    steps: list[tuple[int, int]] = []
    fit = fit_gaussian_processes(
        GaussianProcessArchitecture(300, phase_input=True),
        material,
        lambda done, total, text: steps.append((done, total)),
    )
    network = fit.architecture.network(fit.tensors, material.task)
    assert material.training_loss(network) < 0.2
    mean = fit_gaussian_processes(GaussianProcessArchitecture(1, phase_input=True), material, lambda *told: None)
    assert material.training_loss(network) < 0.3 * material.training_loss(
        mean.architecture.network(mean.tensors, material.task)
    )
    assert [done for done, _ in steps] == sorted({done for done, _ in steps})
    assert steps[-1] == (MAX_TUNING_TRIALS + 2, MAX_TUNING_TRIALS + 2)
    found, alone = (material.validation_loss(network, length) for length in (10, 1))
    assert found is not None
    assert alone is not None
    assert alone < found, "on its own poses it strays"


def test_a_time_limit_ends_the_search(material: FittingData) -> None:
    settings = replace(material.settings, time_limit=1e-6)
    fit = fit_gaussian_processes(
        GaussianProcessArchitecture(50), replace(material, settings=settings), lambda *told: None
    )
    assert "noise 0.01" in fit.note
