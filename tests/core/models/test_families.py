"""Controllers of every family as files: nothing is lost, and nothing that does not fit comes in."""

import json
import struct
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from footfall.core.models.erd import ErdArchitecture
from footfall.core.models.lstm import LstmArchitecture
from footfall.core.models.model_file import ControllerModel, ModelFileError, load_model, save_model
from footfall.core.models.network import Architecture
from footfall.core.models.pfnn import PfnnArchitecture
from footfall.core.models.plain import PlainArchitecture

ARCHITECTURES = [
    PfnnArchitecture(hidden=8),
    PlainArchitecture(hidden=8),
    PlainArchitecture(hidden=8, layers=1, phase_input=True),
    ErdArchitecture(hidden=8, recurrent=6),
    ErdArchitecture(hidden=8, recurrent=6, layers=1, phase_input=True),
    LstmArchitecture(hidden=8, recurrent=6, layers=4),
]


@pytest.fixture(params=ARCHITECTURES, ids=str)
def controller(request: pytest.FixtureRequest, model: ControllerModel) -> ControllerModel:
    """A small controller of each family, with made-up weights."""
    architecture: Architecture = request.param
    rng = np.random.default_rng(2)
    shapes = architecture.shapes(model.task).items()
    tensors = {name: rng.normal(0, 1 / np.sqrt(shape[-1]), shape).astype(np.float32) for name, shape in shapes}
    return replace(model, architecture=architecture, tensors=tensors)


def answers(model: ControllerModel, frames: int = 4) -> np.ndarray:
    """What two characters are answered, frame by frame."""
    rng, network = np.random.default_rng(3), model.network()
    memory, result = network.begin(2), []
    for _ in range(frames):
        y, memory = network.step(rng.normal(size=(2, model.input_layout.size)), rng.uniform(size=2), memory)
        result.append(y)
    return np.array(result)


def describe(path: Path, **changes: Any) -> None:
    """Changes settings of the network that a file describes."""
    content = path.read_bytes()
    size = struct.unpack("<Q", content[:8])[0]
    header = json.loads(content[8 : 8 + size])
    described = json.loads(header["__metadata__"]["footfall"])
    described["network"].update(changes)
    header["__metadata__"]["footfall"] = json.dumps(described)
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + content[8 + size :])


def test_a_controller_comes_back_as_it_was(tmp_path: Path, controller: ControllerModel) -> None:
    save_model(tmp_path / "a.safetensors", controller)
    loaded = load_model(tmp_path / "a.safetensors")
    assert loaded.architecture == controller.architecture
    assert set(loaded.tensors) == set(controller.tensors)
    for name, tensor in controller.tensors.items():
        np.testing.assert_array_equal(loaded.tensors[name], tensor)
    np.testing.assert_array_equal(answers(loaded), answers(controller))


def test_every_tensor_is_needed_in_its_shape(tmp_path: Path, controller: ControllerModel) -> None:
    path = tmp_path / "a.safetensors"
    for name, tensor in controller.tensors.items():
        others = {other: value for other, value in controller.tensors.items() if other != name}
        with pytest.raises(ModelFileError, match=f"'weights.{name}' is missing"):
            save_model(path, replace(controller, tensors=others))
        with pytest.raises(ModelFileError, match=f"'weights.{name}' has the shape"):
            save_model(path, replace(controller, tensors={**others, name: tensor[..., 1:]}))
        with pytest.raises(ModelFileError, match=f"'weights.{name}' has values that are not finite numbers"):
            save_model(path, replace(controller, tensors={**others, name: tensor * np.float32(np.nan)}))
    assert not path.exists()


def test_tensors_beyond_the_network_s_are_refused(tmp_path: Path, controller: ControllerModel) -> None:
    with pytest.raises(ModelFileError, match="no controller has"):
        save_model(tmp_path / "a", replace(controller, tensors={**controller.tensors, "odd": np.ones(1, np.float32)}))


@pytest.mark.parametrize("size", [9, 1 << 40, 0, -1, 8.0, "8", None, True])
def test_other_sizes_than_the_tensors_have_are_refused(
    tmp_path: Path, controller: ControllerModel, size: object
) -> None:
    path = tmp_path / "a.safetensors"
    save_model(path, controller)
    describe(path, hidden=size)
    with pytest.raises(ModelFileError, match=r"shape|'hidden'"):
        load_model(path)
