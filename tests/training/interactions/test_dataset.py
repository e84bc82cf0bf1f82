"""Data sets of takes, and a network that learns from one."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.control.runtime.interaction_runtime import GoalCommand, InteractionRuntime
from footfall.core.errors import FootfallError
from footfall.core.features.interaction import ACTIONS
from footfall.core.jobs.run_folder import RunFolder
from footfall.core.models.model_file import load_model
from footfall.tests.training.interactions.walker_takes import BODY, SOURCE, walker_take
from footfall.training.config.config import TrainingConfig
from footfall.training.data.dataset import Dataset
from footfall.training.data.manifest import DatasetError
from footfall.training.interactions.dataset import InteractionDatasetSettings, build_interaction_dataset
from footfall.training.interactions.take import InteractionTake
from footfall.training.loop.session import train

SETTINGS = InteractionDatasetSettings(takes=6, validation_share=0.34)


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return build_interaction_dataset(walker_take, BODY, tmp_path_factory.mktemp("interactions"), SETTINGS)


def test_takes_become_a_data_set_like_any_other(dataset: Dataset) -> None:
    again = Dataset.open(dataset.path)
    assert again.gaits == ACTIONS and len(again.clips) == 6 and len(again.clips_in_split("validation")) == 2
    assert {clip.source for clip in again.clips} == {SOURCE.name}
    x, y, _ = again.samples(again.clips[0])
    norm = again.normalization
    assert np.abs((x - norm.x_mean) / norm.x_std).max() < 1e3 and np.isfinite((y - norm.y_mean) / norm.y_std).all()


def test_the_same_seed_gives_the_same_data_set_with_several_processes(dataset: Dataset, tmp_path: Path) -> None:
    other = build_interaction_dataset(walker_take, BODY, tmp_path / "again", SETTINGS, workers=2)
    assert other.digest == dataset.digest
    for one, two in zip(dataset.clips, other.clips, strict=True):
        for a, b in zip(dataset.samples(one), other.samples(two), strict=True):
            np.testing.assert_array_equal(a, b)


@pytest.fixture(scope="module")
def controller(dataset: Dataset, tmp_path_factory: pytest.TempPathFactory) -> Path:
    config = TrainingConfig(
        family="experts",
        gating="goals",
        experts=2,
        hidden=16,
        gating_hidden=16,
        encoder=16,
        batch=64,
        epochs=2,
        unroll_steps=4,
        unroll_epochs=1,
        unroll_batch=32,
        threads=1,
        device="cpu",
    )
    return train(RunFolder(tmp_path_factory.mktemp("run") / "run"), config, dataset=dataset.path)


def test_a_network_of_experts_learns_from_it_and_drives_an_actor(controller: Path) -> None:
    model = load_model(controller)
    assert model.is_interaction_controller and model.architecture.family == "experts" and not model.trained_on_terrain
    actors = InteractionRuntime(model, np.zeros((2, 2)), np.zeros(2))
    for _ in range(30):
        acted = actors.step([GoalCommand("sit", np.array([0.0, 2.0, 0.0]), np.array([0.0, 1.0]))] * 2, [])
    assert np.isfinite(acted.output).all()
    np.testing.assert_allclose(acted.output[0], acted.output[1], atol=1e-4)


def unwanted(number: int) -> InteractionTake:
    raise AssertionError("nothing was to be made")


def failing(number: int) -> InteractionTake:
    if number == 1:
        raise FootfallError("In none of the clips somebody comes and sits down.")
    return walker_take(number)


@pytest.mark.parametrize("manifest", [None, "[]", "{", '{"format_version": 2, "input_layout": []}'])
def test_a_folder_of_something_else_is_refused_before_any_work(manifest: str | None, tmp_path: Path) -> None:
    file = tmp_path / "shards" / "walk" / "x.npy"
    file.parent.mkdir(parents=True)
    file.write_text("a user's")
    if manifest is not None:
        (tmp_path / "manifest.json").write_text(manifest)
    with pytest.raises(DatasetError, match="contains other files than a data set of interactions: give a new folder"):
        build_interaction_dataset(unwanted, BODY, tmp_path, SETTINGS)
    assert file.read_text() == "a user's"
    with pytest.raises(FootfallError, match="is not a folder but a file"):
        build_interaction_dataset(unwanted, BODY, file, SETTINGS)


def test_folders_that_only_sound_like_takes_are_kept(tmp_path: Path) -> None:
    files = [tmp_path / "takes-2024" / "day.bvh", tmp_path / "takes-abc" / "take-00001.bvh"]
    for file in files:
        file.parent.mkdir()
        file.write_text("a user's")
    with pytest.raises(DatasetError, match="contains other files"):
        build_interaction_dataset(unwanted, BODY, tmp_path, SETTINGS, key="0123")
    (tmp_path / "empty" / "takes-99" / "take-00007").mkdir(parents=True)
    with pytest.raises(FootfallError, match="In none of the clips"):
        build_interaction_dataset(failing, BODY, tmp_path / "empty", SETTINGS, key="0123")
    assert [path.name for path in (tmp_path / "empty").iterdir()] == ["takes-0123"]
    assert all(file.read_text() == "a user's" for file in files)


def test_takes_that_cannot_be_made_leave_the_old_ones(dataset: Dataset, tmp_path: Path) -> None:
    shutil.copytree(dataset.path, tmp_path / "old")
    for out in (tmp_path / "old", tmp_path / "new"):
        with pytest.raises(FootfallError, match="In none of the clips"):
            build_interaction_dataset(failing, BODY, out, SETTINGS)
    assert Dataset.open(tmp_path / "old").digest == dataset.digest
    assert [path.name for path in tmp_path.iterdir()] == ["old"]


def test_takes_are_replaced_and_nothing_else(dataset: Dataset, tmp_path: Path) -> None:
    shutil.copytree(dataset.path, tmp_path, dirs_exist_ok=True)
    (tmp_path / "notes.txt").write_text("mine")
    fewer = build_interaction_dataset(walker_take, BODY, tmp_path, replace(SETTINGS, takes=3))
    assert len(fewer.clips) == len(list((tmp_path / "shards").iterdir())) == 3
    assert {path.name for path in tmp_path.iterdir()} == {"manifest.json", "shards", "notes.txt"}


def test_takes_that_were_half_replaced_are_said_to_be_and_made_again(dataset: Dataset, tmp_path: Path) -> None:
    shutil.copytree(dataset.path, tmp_path, dirs_exist_ok=True)
    kept = {name: dataset.manifest[name] for name in ("format_version", "input_layout")}
    (tmp_path / "manifest.json").write_text(json.dumps(kept))
    with pytest.raises(DatasetError, match="damaged: build it again"):
        Dataset.open(tmp_path)
    assert build_interaction_dataset(walker_take, BODY, tmp_path, SETTINGS).digest == dataset.digest
