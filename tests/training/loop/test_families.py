"""Networks of every family are trained, stopped and resumed alike, and what comes out walks."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from footfall.core.control.path.path import Path as WalkPath
from footfall.core.control.walk.path_walk import make_walk
from footfall.core.control.walk.plan import WalkRequest
from footfall.core.features.phase_system import PhaseSystem
from footfall.core.jobs.run_folder import RunFolder
from footfall.core.models.model_file import load_model
from footfall.core.models.network import Task
from footfall.core.motion.roles import FOOT_CONTACTS
from footfall.training.config.config import TrainingConfig, preset_names
from footfall.training.data.dataset import Dataset
from footfall.training.loop.session import resume, train
from footfall.training.networks.families import NETWORK_FACTORIES, architecture_of

SMALL: dict[str, dict[str, Any]] = {
    "plain": {"family": "plain", "layers": 2},
    "plain, phase": {"family": "plain", "layers": 2, "phase_input": True},
    "erd": {"family": "erd", "layers": 2, "recurrent": 12, "sequence_steps": 20, "batch": 8},
    "erd, phase": {
        "family": "erd",
        "layers": 1,
        "recurrent": 12,
        "phase_input": True,
        "sequence_steps": 20,
        "batch": 8,
    },
    "lstm": {"family": "lstm", "layers": 4, "recurrent": 12, "sequence_steps": 20, "batch": 8, "unroll_steps": 0},
    "auto-lstm": {
        "family": "lstm",
        "layers": 4,
        "recurrent": 12,
        "sequence_steps": 20,
        "batch": 8,
        "unroll_steps": 6,
        "unroll_forcing": 0.5,
    },
    "experts, by feet": {"family": "experts", "experts": 3, "gating_hidden": 8},
    "experts, by phase and gait": {
        "family": "experts",
        "experts": 3,
        "gating": "phase",
        "phases": "global",
        "gating_hidden": 8,
        "encoder": 8,
    },
    "experts, by contacts": {"family": "experts", "gating": "phase_vectors", "phases": "local", "gating_hidden": 8},
}


@pytest.fixture(params=SMALL)
def config(request: pytest.FixtureRequest, tiny: TrainingConfig) -> TrainingConfig:
    """A training of each kind of network, of a few seconds."""
    return replace(tiny, epochs=3, unroll_epochs=2, **SMALL[request.param])


def test_trained_networks_walk(tmp_path: Path, dataset: Dataset, config: TrainingConfig):
    model = load_model(train(RunFolder(tmp_path / "run"), config, dataset=dataset.path))
    assert model.architecture == architecture_of(config)
    assert model.provenance["metrics"]["validation_loss"] < 10
    walk = make_walk(model, WalkRequest(WalkPath(np.array([[0.0, 0.0], [0.0, 2.0]])), 1.0))
    assert np.isfinite(walk.clip.rotations).all()
    assert np.isfinite(walk.clip.root_positions).all()


def test_a_run_that_was_stopped_goes_on_exactly(tmp_path: Path, dataset: Dataset, config: TrainingConfig):
    whole, stopped = RunFolder(tmp_path / "whole"), RunFolder(tmp_path / "stopped")
    train(whole, config, dataset=dataset.path)
    train(stopped, config, dataset=dataset.path, report=lambda report: stopped.request_stop(), report_interval_s=0.0)
    assert stopped.status() == "stopped"
    assert stopped.read_progress()[0][-1]["step"] < whole.read_progress()[0][-1]["step"]
    resume(stopped)
    assert stopped.status() == "finished"
    expected = load_model(whole.model_path).tensors
    for name, tensor in load_model(stopped.model_path).tensors.items():
        np.testing.assert_array_equal(tensor, expected[name], err_msg=name)


def task_of(config: TrainingConfig, dataset: Dataset) -> Task:
    """The task of a data set if it had the features of a configuration."""
    if config.features == "locomotion":
        return dataset.task
    system = PhaseSystem(dataset.joints, dataset.gaits, FOOT_CONTACTS)
    return replace(dataset.task, inputs=system.input_layout(), outputs=system.output_layout())


@pytest.mark.parametrize("name", preset_names())
def test_presets_ask_for_networks_that_there_are(name: str, dataset: Dataset):
    config = TrainingConfig.from_preset(name)
    if config.family not in NETWORK_FACTORIES:
        pytest.skip(f"{name} is trained in a way of its own")
    if config.takes:
        pytest.skip(f"{name} needs a data set of interactions")
    if config.phases != "none":
        pytest.skip(f"{name} needs a data set with phase vectors")
    architecture, task = architecture_of(config), task_of(config, dataset)
    network = NETWORK_FACTORIES[config.family](architecture, task, 0.0)
    shapes = {part: tuple(tensor.shape) for part, tensor in network.state_dict().items()}
    assert shapes == architecture.shapes(task)
