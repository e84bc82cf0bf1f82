"""A data set whose networks do without some of their inputs."""

from pathlib import Path

import numpy as np
import pytest

from footfall.benchmarks.blinded import blinded
from footfall.core.control.runtime.interaction_runtime import GoalCommand, InteractionRuntime
from footfall.core.jobs.run_folder import RunFolder
from footfall.core.models.model_file import load_model
from footfall.tests.training.interactions.walker_takes import BODY, walker_take
from footfall.training.config.config import TrainingConfig
from footfall.training.data.dataset import Dataset
from footfall.training.interactions.dataset import InteractionDatasetSettings, build_interaction_dataset
from footfall.training.loop.session import train

SENSOR = "environment.occupancy"


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return build_interaction_dataset(
        walker_take, BODY, tmp_path_factory.mktemp("interactions"), InteractionDatasetSettings(takes=2)
    )


@pytest.fixture(scope="module")
def unseeing(dataset: Dataset, tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return Dataset.open(blinded(dataset.path, [SENSOR], tmp_path_factory.mktemp("blinded") / "view"))


def test_its_inputs_are_zero_and_all_others_as_they_were(dataset: Dataset, unseeing: Dataset) -> None:
    sets = [(one, *one.samples(one.clips[0])) for one in (dataset, unseeing)]
    (before, y, _), (after, same, _) = (
        ((x - one.normalization.x_mean) / one.normalization.x_std, y, phase) for one, x, y, phase in sets
    )
    np.testing.assert_array_equal(y, same)
    seen = np.ones(before.shape[1], dtype=bool)
    seen[dataset.input_layout.slices[SENSOR]] = False
    np.testing.assert_array_equal(before[:, seen], after[:, seen])
    assert np.abs(before[:, ~seen]).max() > 0.1 > 1e-6 > np.abs(after[:, ~seen]).max()
    assert dataset.digest != unseeing.digest, "a run cannot go on with the other"


def test_the_controller_does_not_feel_it_either(unseeing: Dataset, tmp_path: Path) -> None:
    config = TrainingConfig(family="plain", hidden=8, epochs=1, batch=64, rollouts=0, threads=1, device="cpu")
    model = load_model(train(RunFolder(tmp_path / "run"), config, dataset=unseeing.path))
    actors = InteractionRuntime(model, np.zeros((1, 2)), np.zeros(1))
    for _ in range(3):
        acted = actors.step([GoalCommand("walk", np.array([0.0, 2.0, 0.0]), np.array([0.0, 1.0]))], [])
    assert actors.network_input is not None and np.isfinite(acted.output).all()
    assert np.abs(model.input_layout.view(actors.network_input, SENSOR)).max() < 1e-6
