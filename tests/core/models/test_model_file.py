"""Controller files: nothing is lost, nothing is believed."""

import json
import pickle
import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from footfall.core.models.model_file import ControllerModel, ModelFileError, load_model, save_model
from footfall.tests.support.properties import examples

Header = dict[str, Any]


def split(data: bytes) -> tuple[Header, bytes]:
    """A file's header and its tensors' bytes."""
    (length,) = struct.unpack("<Q", data[:8])
    return json.loads(data[8 : 8 + length]), data[8 + length :]


def join(header: Header, body: bytes) -> bytes:
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + body


Damaged = Callable[[Callable[[Header, Header], None]], Path]


@pytest.fixture
def damaged(tmp_path: Path, model: ControllerModel) -> Damaged:
    """Writes the model with a change to the file's header or to the description in it."""

    def write(change: Callable[[Header, Header], None]) -> Path:
        path = tmp_path / "damaged.safetensors"
        save_model(path, model)
        header, body = split(path.read_bytes())
        described = json.loads(header["__metadata__"]["footfall"])
        change(header, described)
        if "footfall" in header.get("__metadata__", {}):
            header["__metadata__"]["footfall"] = json.dumps(described)
        path.write_bytes(join(header, body))
        return path

    return write


def test_a_saved_controller_loads_as_it_was(tmp_path: Path, model: ControllerModel) -> None:
    save_model(tmp_path / "a.safetensors", model)
    again = load_model(tmp_path / "a.safetensors")
    for name in ("architecture", "input_layout", "output_layout", "joints", "gaits", "rate", "provenance"):
        assert getattr(again, name) == getattr(model, name)
    for name in ("x_mean", "x_std", "y_mean", "y_std", "reference_rotations"):
        np.testing.assert_array_equal(getattr(again, name), getattr(model, name))
    assert again.skeleton.names == model.skeleton.names
    assert again.skeleton.roles == model.skeleton.roles
    np.testing.assert_allclose(again.skeleton.offsets, model.skeleton.offsets, atol=1e-6)
    assert again.start.keys() == model.start.keys()
    for name, value in model.start.items():
        np.testing.assert_array_equal(again.start[name], value)
    x = np.linspace(-1, 1, model.input_layout.size, dtype=np.float32)[None]
    (one, _), (other, _) = (each.network().step(x, [0.7], each.network().begin(1)) for each in (again, model))
    np.testing.assert_array_equal(one, other)
    assert [path.name for path in tmp_path.iterdir()] == ["a.safetensors"]


def test_an_inconsistent_controller_is_not_saved_over_a_good_one(tmp_path: Path, model: ControllerModel) -> None:
    path = tmp_path / "a.safetensors"
    save_model(path, model)
    good = path.read_bytes()
    with pytest.raises(ModelFileError, match="'x_mean' has the shape"):
        save_model(path, replace(model, x_mean=model.x_mean[1:]))
    with pytest.raises(ModelFileError, match="not finite numbers"):
        save_model(path, replace(model, y_mean=model.y_mean * np.float32(np.nan)))
    assert path.read_bytes() == good
    with pytest.raises(ModelFileError, match="cannot be written"):
        save_model(tmp_path / "missing" / "a.safetensors", model)


def set_in(key: str, value: Any) -> Callable[[Header, Header], None]:
    """Changes one entry of the description; dots go deeper."""

    def change(header: Header, described: Header) -> None:
        *above, last = key.split(".")
        for step in above:
            described = described[step]
        described[last] = value

    return change


def foreign(header: Header, described: Header) -> None:
    header["__metadata__"] = {"format": "pt"}


def half_precision(header: Header, described: Header) -> None:
    entry = header["x_mean"]
    entry["dtype"], entry["shape"] = "F16", [entry["shape"][0] * 2]


def rename(old: str, new: str) -> Callable[[Header, Header], None]:
    def change(header: Header, described: Header) -> None:
        header[new] = header.pop(old)

    return change


def reshape(header: Header, described: Header) -> None:
    header["weights.W1"]["shape"] = [2, 16, 8]


def swap_groups(header: Header, described: Header) -> None:
    groups = described["input_layout"]
    groups[0], groups[1] = groups[1], groups[0]


def other_unit(header: Header, described: Header) -> None:
    described["output_layout"][-1]["unit"] = "degrees"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (foreign, "not a Footfall controller"),
        (set_in("format_version", 5), "update Footfall"),
        (set_in("format_version", True), "no format version"),
        (set_in("format_version", None), "no format version"),
        (set_in("family", "mann"), "'mann'"),
        (set_in("family", 3), "'family' is not text"),
        (set_in("network", None), "has other settings"),
        (set_in("network", {"hidden": 8}), "has other settings"),
        (set_in("network.hidden", "8"), "'hidden' is not of the type int"),
        (set_in("network.hidden", True), "'hidden' is not of the type int"),
        (set_in("network.hidden", 1 << 40), "'hidden' is not from 1 to"),
        (set_in("network.cyclic", 1), "'cyclic' is not of the type bool"),
        (set_in("rate", 0), "frame rate"),
        (set_in("rate", float("nan")), "frame rate"),
        (set_in("gaits", []), "'gaits'"),
        (set_in("gaits", ["stand", "stand"]), "'gaits'"),
        (set_in("gaits", ["stand", "a\nb"]), "'gaits'"),
        (set_in("gaits", ["stand", "walk", "run"]), "input_layout differs"),
        (set_in("joints", ["hips", "lfemur", "tail"]), "skeleton lacks"),
        (set_in("skeleton.parents", [-1, 0, 3, 0]), "form a tree"),
        (set_in("skeleton.parents", [-1, 0, 1]), "form a tree"),
        (set_in("skeleton.roles", {"hips": 4}), "body parts of the skeleton"),
        (set_in("skeleton", None), "skeleton is not a JSON object"),
        (set_in("input_layout", [{"name": "x"}]), "not a list of groups"),
        (set_in("input_layout", 5), "not a list of groups"),
        (swap_groups, "trajectory.direction"),
        (other_unit, "pose.rotation"),
        (set_in("provenance", []), "provenance"),
        (half_precision, "not of type F32"),
        (rename("weights.W1", "weights.W7"), "'weights.W1' is missing"),
        (rename("weights.W0", "weights.W7"), "'weights.W0' is missing"),
        (rename("start.rotation", "start.rotations"), "no controller has"),
        (reshape, "'weights.W1' has the shape"),
    ],
)
def test_what_does_not_fit_is_named(damaged: Damaged, change: Callable[[Header, Header], None], reason: str) -> None:
    path = damaged(change)
    with pytest.raises(ModelFileError, match=reason) as caught:
        load_model(path)
    assert str(caught.value).startswith(f"Controller file '{path}': ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("name", "value", "reason"), [
    ("weights.W1", np.nan, "'weights.W1' has values that are not finite numbers"),
    ("y_mean", np.inf, "not finite numbers"),
    ("x_std", 0.0, "not above zero"),
    ("y_std", 1e-45, "not above zero"),
    ("weights.W1", 3.4e38, "'weights.W1' has values that are too large"),
    ("x_mean", -1e30, "too large"),
    ("skeleton.offsets", 1e3, "too large"),
    ("start.position", 1e3, "too large"),
    ("reference_rotations", 0.5, "unit quaternions"),
])  # fmt: skip
def test_values_that_cannot_be_used_are_refused(
    tmp_path: Path, model: ControllerModel, name: str, value: float, reason: str
) -> None:
    path = tmp_path / "a.safetensors"
    save_model(path, model)
    header, body = split(path.read_bytes())
    start = header[name]["data_offsets"][0]
    path.write_bytes(join(header, body[:start] + struct.pack("<f", value) + body[start + 4 :]))
    with pytest.raises(ModelFileError, match=reason):
        load_model(path)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty or truncated"),
        (b"\x05\0\0", "empty or truncated"),
        (struct.pack("<Q", 2**63) + b"{}", "header of the file is larger than possible"),
        (struct.pack("<Q", 2**23) + b" " * 2**23, "header of the file is larger than possible"),
        (struct.pack("<Q", 5) + b"nojso", "damaged or not a safetensors file"),
        (pickle.dumps({"a": 1}) * 10, "header of the file is larger than possible"),
        (join({}, b""), "not a Footfall controller"),
        (join({"__metadata__": {"footfall": "{"}}, b""), "not JSON text"),
        (join({"__metadata__": {"footfall": "[]"}}, b""), "not a JSON object"),
        (join({"__metadata__": {"footfall": "[" * 100_000}}, b""), "not JSON text"),
        (join({"__metadata__": {"footfall": '{"format_version": ' + "9" * 5000 + "}"}}, b""), "not JSON text"),
        (join({"a": {"dtype": "F32", "shape": [2**40], "data_offsets": [0, 2**42]}}, b""), "damaged"),
    ],
    ids=range(12),
)
def test_foreign_files_are_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "a.safetensors"
    path.write_bytes(content)
    with pytest.raises(ModelFileError, match=reason):
        load_model(path)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=examples(200), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_nothing_but_a_model_file_error_escapes_from_damage(
    tmp_path: Path, model: ControllerModel, data: st.DataObject
) -> None:
    path = tmp_path / "a.safetensors"
    save_model(path, model)
    content = path.read_bytes()
    match data.draw(st.sampled_from(["bytes", "cut", "description", "header"])):
        case "bytes":
            header_end = 8 + struct.unpack("<Q", content[:8])[0]
            for _ in range(data.draw(st.integers(1, 4))):
                place = data.draw(st.integers(0, header_end) | st.integers(0, len(content) - 1))
                content = content[:place] + bytes([data.draw(st.integers(0, 255))]) + content[place + 1 :]
        case "cut":
            content = content[: data.draw(st.integers(0, len(content)))]
        case "description":
            header, body = split(content)
            described = json.loads(header["__metadata__"]["footfall"])
            target = described[data.draw(st.sampled_from(["skeleton", "provenance"]))]
            target = data.draw(st.sampled_from([described, target]))
            target[data.draw(st.sampled_from(sorted(target)))] = data.draw(json_values)
            header["__metadata__"]["footfall"] = json.dumps(described)
            content = join(header, body)
        case _:
            header, body = split(content)
            name = data.draw(st.sampled_from(sorted(header)))
            entry = header[name]
            if data.draw(st.booleans()):
                entry[data.draw(st.sampled_from(sorted(entry)))] = data.draw(json_values)
            else:
                header[name] = data.draw(json_values)
            content = join(header, body)
    path.write_bytes(content)
    try:
        survivor = load_model(path)
    except ModelFileError as error:
        assert "\n" not in str(error)
    else:
        network = survivor.network()
        x = np.zeros((1, survivor.input_layout.size), np.float32)
        assert np.isfinite(network.step(x, [0.5], network.begin(1))[0]).all()
