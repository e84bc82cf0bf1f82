"""Files of generators: nothing is lost, nothing is believed, and those that ship say where they come from."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from footfall.core.models import generator_file
from footfall.core.models.generator_file import GeneratorFileError, load_generator, save_generator
from footfall.core.models.generator_kinds import KINDS, VARIATIONAL
from footfall.tests.support.generators import random_generator

SHIPPED = Path(__file__).parents[3] / "presets" / "generators"


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    save_generator(tmp_path / "a.safetensors", random_generator(VARIATIONAL))
    return tmp_path / "a.safetensors"


@pytest.mark.parametrize("kind", KINDS)
def test_a_saved_generator_loads_as_it_was(tmp_path: Path, kind: str) -> None:
    generator = replace(random_generator(kind), provenance={"sources": []})
    save_generator(tmp_path / "a.safetensors", generator)
    again = load_generator(tmp_path / "a.safetensors")
    assert (again.kind, again.actions, again.provenance) == (kind, generator.actions, {"sources": []})
    for name, tensor in generator.tensors.items():
        np.testing.assert_array_equal(again.tensors[name], tensor)


@pytest.mark.parametrize("kind", KINDS)
def test_the_shipped_ones_name_their_sources(kind: str) -> None:
    file = SHIPPED / f"{kind}.safetensors"
    generator = load_generator(file)
    assert generator.kind == kind and file.stat().st_size < 1 << 20
    sources = generator.provenance["sources"]
    assert sources and all(source["licence"] and source["credit"] for source in sources)


def rewritten(path: Path, description: str, **tensors: np.ndarray) -> Path:
    save_file(load_file(path) | tensors, path, {generator_file.METADATA_KEY: description})
    return path


GOOD = '{"format_version": 1, "kind": "variational", "actions": ["stand", "walk", "run", "crouch", "jump"]}'


@pytest.mark.parametrize(
    ("description", "reason"),
    [
        ("no JSON", "is not JSON text"),
        ("[1]", "has no format version"),
        (GOOD.replace(": 1,", ": 99,"), "newer format"),
        (GOOD.replace("variational", "oracle"), "of a kind that this Footfall lacks"),
        (
            GOOD.replace('"stand", ', ""),
            "the list of actions is empty or too long, or has duplicates, or lacks standing",
        ),
        (
            GOOD.replace('"jump"', '"walk"'),
            "the list of actions is empty or too long, or has duplicates, or lacks standing",
        ),
        (
            GOOD.replace(', "jump"', ""),
            "the tensors do not match a generator, so the file is damaged or not a Footfall file",
        ),
        (GOOD.replace('["', '[1, "'), "not a list of names"),
        (GOOD[:-1] + ', "provenance": 3}', "provenance is not a JSON object"),
    ],
)
def test_a_wrong_description_is_refused(saved: Path, description: str, reason: str) -> None:
    with pytest.raises(GeneratorFileError, match=reason):
        load_generator(rewritten(saved, description))


def test_wrong_values_are_refused(saved: Path) -> None:
    size = len(load_file(saved)["mean"])
    for name, value, reason in (
        ("mean", np.full(size, np.nan, np.float32), "not finite numbers"),
        ("deviation", np.zeros(size, np.float32), "below zero"),
        ("mean", np.zeros(size, np.float64), "not of type F32"),
        (
            "more",
            np.zeros(3, np.float32),
            "the tensors do not match a generator, so the file is damaged or not a Footfall file",
        ),
    ):
        save_generator(saved, random_generator(VARIATIONAL))
        with pytest.raises(GeneratorFileError, match=reason):
            load_generator(rewritten(saved, GOOD, **{name: value}))


def test_what_is_no_generator_is_refused(saved: Path, tmp_path: Path) -> None:
    data = saved.read_bytes()
    for content in (b"", b"12345", data[:100], data[:-9], b"\xff" * 1000):
        saved.write_bytes(content)
        with pytest.raises(GeneratorFileError, match=r"truncated|damaged"):
            load_generator(saved)
    with pytest.raises(GeneratorFileError, match="cannot be read"):
        load_generator(tmp_path / "gone.safetensors")
    with pytest.raises(GeneratorFileError, match="is a folder"):
        load_generator(tmp_path)
    with pytest.raises(GeneratorFileError, match="not a generator of Footfall"):
        load_generator(SHIPPED.parent / "controllers" / "locomotion_small.safetensors")


def test_a_generator_that_could_not_be_loaded_is_not_saved(tmp_path: Path) -> None:
    wrong = replace(random_generator(VARIATIONAL), actions=("walk",))
    with pytest.raises(
        GeneratorFileError, match="the list of actions is empty or too long, or has duplicates, or lacks standing"
    ):
        save_generator(tmp_path / "a.safetensors", wrong)
    with pytest.raises(GeneratorFileError, match="cannot be written"):
        save_generator(tmp_path / "none" / "a.safetensors", random_generator(VARIATIONAL))
    assert not list(tmp_path.iterdir())
