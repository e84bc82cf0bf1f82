"""The file of an interaction controller names the actions that it knows."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

from footfall.core.features import interaction
from footfall.core.models.experts import ExpertsArchitecture
from footfall.core.models.model_file import ControllerModel, ModelFileError, load_model, save_model

Description = dict[str, Any]


def describe(path: Path) -> Description:
    with safe_open(path, framework="np") as file:
        return json.loads(file.metadata()["footfall"])


def write(path: Path, description: Description, tensors: dict[str, np.ndarray]) -> Path:
    save_file(tensors, path, {"footfall": json.dumps(description)})
    return path


@pytest.fixture
def interactions(model: ControllerModel) -> ControllerModel:
    """A controller of the first seven actions."""
    known = interaction.ACTIONS[: interaction.FIRST_ACTION_COUNT]
    inputs, outputs = interaction.input_layout(model.joints, known), interaction.output_layout(model.joints, known)
    rng = np.random.default_rng(3)

    def values(count: int) -> np.ndarray:
        return rng.uniform(0.5, 1.5, count).astype(np.float32)

    architecture = ExpertsArchitecture(experts=2, hidden=4, gating="concatenated", gating_hidden=4, encoder=2)
    made = replace(
        model,
        architecture=architecture,
        gaits=known,
        input_layout=inputs,
        output_layout=outputs,
        x_mean=values(inputs.size),
        x_std=values(inputs.size),
        y_mean=values(outputs.size),
        y_std=values(outputs.size),
    )
    shapes = architecture.shapes(made.task)
    return replace(made, tensors={name: rng.normal(0, 0.1, shape).astype(np.float32) for name, shape in shapes.items()})


def test_a_controller_knows_the_actions_that_its_file_names(tmp_path: Path, interactions: ControllerModel) -> None:
    file = tmp_path / "seven.safetensors"
    save_model(file, interactions)
    again = load_model(file)
    assert again.actions == interaction.ACTIONS[:7] and again.goal_actions == interaction.GOAL_ACTIONS[:6]
    description, tensors = describe(file), load_file(file)
    for gaits in ([*description["gaits"], "swim"], ["stroll", *description["gaits"][1:]], description["gaits"][:5]):
        with pytest.raises(
            ModelFileError, match="actions that this version of Footfall does not know, so update Footfall"
        ):
            load_model(write(tmp_path / "other.safetensors", {**description, "gaits": gaits}, tensors))
    with pytest.raises(ModelFileError, match="input_layout differs"):
        wide = {**description, "gaits": list(interaction.ACTIONS)}
        load_model(write(tmp_path / "other.safetensors", wide, tensors))
