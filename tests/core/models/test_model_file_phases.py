"""Controller files of networks with phase vectors."""

from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.features.locomotion import input_layout, output_layout, phase_channel_count
from footfall.core.models.model_file import ControllerModel, ModelFileError, load_model, save_model

from .conftest import random_weights

VECTOR = np.arange(6, dtype=np.float32).reshape(3, 2)
FREQUENCY = np.array([1.0, 2.0, -0.5], dtype=np.float32)


@pytest.fixture
def phased(model: ControllerModel) -> ControllerModel:
    """A controller with three channels."""
    inputs, outputs = input_layout(model.joints, model.gaits, 3), output_layout(model.joints, 3)
    return replace(
        model,
        input_layout=inputs,
        output_layout=outputs,
        tensors=asdict(random_weights(np.random.default_rng(0), inputs.size, 8, outputs.size)),
        x_mean=np.zeros(inputs.size, np.float32),
        x_std=np.ones(inputs.size, np.float32),
        y_mean=np.zeros(outputs.size, np.float32),
        y_std=np.ones(outputs.size, np.float32),
        start={**model.start, "vector": VECTOR, "frequency": FREQUENCY},
    )


def test_vectors_and_frequencies_of_the_start_are_kept(phased: ControllerModel, tmp_path: Path):
    save_model(tmp_path / "a.safetensors", phased)
    found = load_model(tmp_path / "a.safetensors")
    assert phase_channel_count(found.input_layout) == 3
    np.testing.assert_array_equal(found.start["vector"], VECTOR)
    np.testing.assert_array_equal(found.start["frequency"], FREQUENCY)


@pytest.mark.parametrize(
    ("start", "said"),
    [
        ({}, "'start.vector' is missing"),
        ({"vector": VECTOR}, "'start.frequency' is missing"),
        ({"vector": VECTOR[:2], "frequency": FREQUENCY}, r"'start.vector' has the shape \(2, 2\)"),
        ({"vector": VECTOR, "frequency": np.float32(1.0)}, r"'start.frequency' has the shape \(\)"),
        ({"vector": VECTOR + np.nan, "frequency": FREQUENCY}, "not finite numbers"),
    ],
)
def test_a_controller_with_vectors_says_where_they_begin(
    phased: ControllerModel, tmp_path: Path, start: dict[str, np.ndarray], said: str
):
    plain = {name: value for name, value in phased.start.items() if name not in ("vector", "frequency")}
    with pytest.raises(ModelFileError, match=said):
        save_model(tmp_path / "a.safetensors", replace(phased, start={**plain, **start}))
