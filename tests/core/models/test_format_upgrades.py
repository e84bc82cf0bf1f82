"""Controller files of older formats open with today's names and compute what they did."""

import copy
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

from footfall.core.features import interaction, locomotion
from footfall.core.models.experts import ExpertsArchitecture
from footfall.core.models.format_upgrades import (
    GATING_KIND_NAMES,
    GROUP_FRAMES,
    GROUP_NAMES,
    GROUP_UNITS,
    upgrade_layout,
)
from footfall.core.models.gating import GATING_KINDS
from footfall.core.models.model_file import ControllerModel, ModelFileError, load_model, save_model

FORMAT_2_FILE = Path(__file__).parents[2] / "data" / "models" / "format_2.safetensors"
"""Written by the code of format 2: a PFNN of one hidden unit for one joint, and two gaits."""
Description = dict[str, Any]


def describe(path: Path) -> Description:
    with safe_open(path, framework="np") as file:
        return json.loads(file.metadata()["footfall"])


def write(path: Path, description: Description, tensors: dict[str, np.ndarray]) -> Path:
    save_file(tensors, path, {"footfall": json.dumps(description)})
    return path


def downgraded(description: Description) -> Description:
    """A description of today as format 2 had it."""
    old = copy.deepcopy(description)
    tables = {
        key: {new: older for older, new in table.items()}
        for key, table in (("name", GROUP_NAMES), ("unit", GROUP_UNITS), ("frame", GROUP_FRAMES))
    }
    for layout in ("input_layout", "output_layout"):
        old[layout] = [
            {**group, **{key: table.get(group[key], group[key]) for key, table in tables.items()}}
            for group in old[layout]
        ]
    if "gating" in old["network"]:
        kinds = {new: older for older, new in GATING_KIND_NAMES.items()}
        old["network"]["gating"] = kinds.get(old["network"]["gating"], old["network"]["gating"])
    return {**old, "format_version": 2}


def answers(model: ControllerModel) -> np.ndarray:
    x = np.linspace(-1, 1, model.input_layout.size, dtype=np.float32)[None]
    network = model.network()
    return network.step(x, [0.7], network.begin(1))[0]


@pytest.fixture
def interactions(model: ControllerModel) -> ControllerModel:
    """A controller of interactions whose gate has a kind that has changed its name."""
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


def test_a_file_that_the_code_of_format_2_wrote_opens_with_the_names_of_today() -> None:
    assert describe(FORMAT_2_FILE)["format_version"] == 2
    assert "root.turn" in {group["name"] for group in describe(FORMAT_2_FILE)["output_layout"]}
    model = load_model(FORMAT_2_FILE)
    assert model.output_layout == locomotion.output_layout(("hips",))
    assert "root.angular_velocity" in model.output_layout.slices
    assert answers(model).sum(dtype=float) == pytest.approx(-2.97440152708441, rel=1e-6), "as that code answered"


def test_a_file_of_format_2_is_saved_in_the_present_format_with_the_same_tensors(tmp_path: Path) -> None:
    save_model(tmp_path / "a.safetensors", load_model(FORMAT_2_FILE))
    assert describe(tmp_path / "a.safetensors")["format_version"] == 4
    old, new = load_file(FORMAT_2_FILE), load_file(tmp_path / "a.safetensors")
    assert old.keys() == new.keys()
    for name, tensor in old.items():
        np.testing.assert_array_equal(new[name], tensor)


def test_a_file_of_format_1_lacks_its_network_and_opens(tmp_path: Path) -> None:
    description = {name: value for name, value in describe(FORMAT_2_FILE).items() if name != "network"}
    path = write(tmp_path / "a.safetensors", {**description, "format_version": 1}, load_file(FORMAT_2_FILE))
    model = load_model(path)
    assert model.architecture == load_model(FORMAT_2_FILE).architecture
    np.testing.assert_array_equal(answers(model), answers(load_model(FORMAT_2_FILE)))


def test_interactions_and_gates_of_format_2_have_the_names_of_today(
    tmp_path: Path, interactions: ControllerModel
) -> None:
    save_model(tmp_path / "new.safetensors", interactions)
    description, tensors = describe(tmp_path / "new.safetensors"), load_file(tmp_path / "new.safetensors")
    old = downgraded(description)
    assert old["network"]["gating"] == "beside"
    names = {group["name"] for layout in ("input_layout", "output_layout") for group in old[layout]}
    assert names >= set(GROUP_NAMES), "every name that has changed"
    again = load_model(write(tmp_path / "old.safetensors", old, tensors))
    assert again.architecture == interactions.architecture
    assert (again.input_layout, again.output_layout) == (interactions.input_layout, interactions.output_layout)
    np.testing.assert_array_equal(answers(again), answers(interactions))


def test_a_controller_knows_the_actions_that_its_file_names(tmp_path: Path, interactions: ControllerModel) -> None:
    file = tmp_path / "seven.safetensors"
    save_model(file, interactions)
    again = load_model(file)
    assert again.actions == interaction.ACTIONS[:7] and again.goal_actions == interaction.GOAL_ACTIONS[:6]
    description, tensors = describe(file), load_file(file)
    for gaits in ([*description["gaits"], "swim"], ["stroll", *description["gaits"][1:]], description["gaits"][:5]):
        with pytest.raises(ModelFileError, match="actions that this Footfall does not know, so update Footfall"):
            load_model(write(tmp_path / "other.safetensors", {**description, "gaits": gaits}, tensors))
    with pytest.raises(ModelFileError, match="input_layout differs"):
        wide = {**description, "gaits": list(interaction.ACTIONS)}
        load_model(write(tmp_path / "other.safetensors", wide, tensors))


def test_new_names_are_in_use_and_old_ones_are_not(model: ControllerModel) -> None:
    groups = [
        group
        for layout in (
            locomotion.input_layout(model.joints, model.gaits, 2),
            locomotion.output_layout(model.joints, 2),
            interaction.input_layout(model.joints),
            interaction.output_layout(model.joints),
        )
        for group in layout
    ]
    for table, used in (
        (GROUP_NAMES, {group.name for group in groups}),
        (GROUP_UNITS, {group.unit for group in groups}),
        (GROUP_FRAMES, {group.frame for group in groups}),
        (GATING_KIND_NAMES, set(GATING_KINDS)),
    ):
        assert set(table.values()) <= used
        assert not set(table) & used


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("output_layout", None, "not a list of groups"),
        ("output_layout", [3, "root.turn"], "not a list of groups"),
        ("output_layout", [{"name": ["root.turn"], "unit": {}, "frame": 3, "shape": [1]}], "output_layout differs"),
        ("family", "experts", "described by other settings|lacks|is no|not from"),
        ("skeleton", 3, "skeleton is not a JSON object"),
    ],
)
def test_foreign_descriptions_of_older_formats_are_refused(
    tmp_path: Path, version: int, key: str, value: Any, reason: str
) -> None:
    description = {**describe(FORMAT_2_FILE), "format_version": version, key: value}
    path = write(tmp_path / "a.safetensors", description, load_file(FORMAT_2_FILE))
    with pytest.raises(ModelFileError, match=reason):
        load_model(path)


def test_a_group_that_no_format_had_is_named(tmp_path: Path) -> None:
    description = describe(FORMAT_2_FILE)
    description["output_layout"][1]["name"] = "root.spin"
    path = write(tmp_path / "a.safetensors", description, load_file(FORMAT_2_FILE))
    with pytest.raises(ModelFileError, match=r"root\.spin.*against.*root\.angular_velocity"):
        load_model(path)


def test_a_network_that_is_no_table_is_refused(tmp_path: Path) -> None:
    for network in ([], "pfnn", {"gating": ["beside"]}):
        description = {**describe(FORMAT_2_FILE), "network": network}
        path = write(tmp_path / "a.safetensors", description, load_file(FORMAT_2_FILE))
        with pytest.raises(ModelFileError, match="described by other settings"):
            load_model(path)


def test_upgrading_twice_changes_nothing() -> None:
    groups = upgrade_layout(describe(FORMAT_2_FILE)["output_layout"])
    assert upgrade_layout(groups) == groups
