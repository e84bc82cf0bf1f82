"""Controllers with one more gait answer as before, and know the new gait as a walk."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from footfall.core.features.locomotion import input_layout, output_layout, pose_joints
from footfall.core.models.erd import ErdArchitecture
from footfall.core.models.experts import ExpertsArchitecture
from footfall.core.models.lstm import LstmArchitecture
from footfall.core.models.model_file import ControllerModel, load_model, save_model
from footfall.core.models.network import Architecture
from footfall.core.models.pfnn import PfnnArchitecture
from footfall.core.models.plain import PlainArchitecture
from footfall.tests.support.walker import person
from footfall.training.fine_tuning.style_column import add_gait, map_columns
from footfall.training.networks.families import NETWORK_FACTORIES

GAITS = ("stand", "walk", "run")
CHANNELS = 2
ROWS = 20


def controller(architecture: Architecture) -> ControllerModel:
    """A controller of the walker's skeleton with weights as they are before any training."""
    skeleton = person()
    joints = pose_joints(skeleton)
    channels = CHANNELS if getattr(architecture, "gating", "") in ("phase", "phase_vectors") else 0
    inputs, outputs = input_layout(joints, GAITS, channels), output_layout(joints, channels)
    rng = np.random.default_rng(0)
    start = {"position": np.zeros((len(joints), 3)), "velocity": np.zeros((len(joints), 3)), "phase": np.array(0.0)}
    if channels:
        start |= {"vector": np.ones((channels, 2)), "frequency": np.ones(channels)}
    model = ControllerModel(
        architecture,
        {},
        inputs,
        outputs,
        rng.normal(size=inputs.size).astype(np.float32),
        rng.uniform(0.5, 2.0, inputs.size).astype(np.float32),
        np.zeros(outputs.size, np.float32),
        np.ones(outputs.size, np.float32),
        skeleton,
        joints,
        np.tile(np.float32([1.0, 0.0, 0.0, 0.0]), (len(joints), 1)),
        GAITS,
        60.0,
        {name: value.astype(np.float32) for name, value in start.items()},
    )
    torch.manual_seed(0)
    network = NETWORK_FACTORIES[architecture.family](architecture, model.task, 0.0)
    return replace(model, tensors={name: tensor.numpy() for name, tensor in network.state_dict().items()})


ARCHITECTURES = [
    PfnnArchitecture(hidden=8),
    PlainArchitecture(hidden=8, layers=2, phase_input=True),
    ErdArchitecture(hidden=8, recurrent=8, layers=1, phase_input=True),
    LstmArchitecture(hidden=8, recurrent=8, layers=2),
    ExpertsArchitecture(experts=3, hidden=8, gating="velocity", gating_hidden=4),
    ExpertsArchitecture(experts=3, hidden=8, gating="phase", gating_hidden=4, encoder=8),
]


def answers(model: ControllerModel, x: np.ndarray) -> np.ndarray:
    """Of inputs (B, n) as they are in the world."""
    network = model.network()
    return network.step(
        ((x - model.x_mean) / model.x_std).astype(np.float32), np.linspace(0, 1, len(x)), network.begin(len(x))
    )[0]


@pytest.mark.parametrize("architecture", ARCHITECTURES, ids=lambda one: f"{one.family}-{getattr(one, 'gating', '')}")
def test_without_the_new_gait_a_character_walks_as_before(architecture: Architecture) -> None:
    model = controller(architecture)
    larger = add_gait(model, "limp")
    assert larger.gaits == (*GAITS, "limp")
    x = np.random.default_rng(1).normal(size=(ROWS, model.input_layout.size)).astype(np.float32)
    wide = np.zeros((ROWS, larger.input_layout.size), np.float32)
    wide[:, map_columns(larger.input_layout, model.input_layout)] = x
    assert not larger.input_layout.view(wide, "trajectory.gait")[..., -1].any()
    np.testing.assert_allclose(answers(larger, wide), answers(model, x), atol=1e-6)


@pytest.mark.parametrize("architecture", ARCHITECTURES[:4], ids=lambda one: one.family)
def test_a_gait_of_which_nothing_is_known_yet_is_a_walk(architecture: Architecture) -> None:
    larger = add_gait(controller(architecture), "limp")
    x = np.random.default_rng(1).normal(size=(ROWS, larger.input_layout.size)).astype(np.float32)
    gaits = larger.input_layout.view(x, "trajectory.gait")
    gaits[:] = [0.0, 1.0, 0.0, 0.0]
    walked = answers(larger, x)
    gaits[:] = [0.0, 0.0, 0.0, 1.0]
    np.testing.assert_allclose(answers(larger, x), walked, atol=1e-5)


def test_a_grown_controller_is_a_controller_like_any_other(tmp_path) -> None:
    larger = add_gait(controller(ARCHITECTURES[0]), "limp")
    save_model(tmp_path / "larger.safetensors", larger)
    assert load_model(tmp_path / "larger.safetensors").gaits == larger.gaits
    assert add_gait(larger, "hop").gaits == (*GAITS, "limp", "hop")


def test_the_new_gait_is_the_last_column_of_each_sample() -> None:
    model = controller(ARCHITECTURES[0])
    larger = add_gait(model, "limp")
    x = larger.input_layout.view(np.arange(larger.input_layout.size), "trajectory.gait")
    added = np.setdiff1d(np.arange(larger.input_layout.size), map_columns(larger.input_layout, model.input_layout))
    np.testing.assert_array_equal(added, x[:, -1])
