"""Files of controllers of every kind of inputs, and the limits of what a file may hold."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from footfall.core.features import interaction, locomotion, strikes
from footfall.core.features.interaction import ACTIONS
from footfall.core.features.layout import Layout
from footfall.core.features.phase_system import PhaseSystem
from footfall.core.models.model_file import ControllerModel, ModelFileError, load_model, save_model
from footfall.core.models.plain import PlainArchitecture
from footfall.core.motion.roles import FOOT_CONTACTS

SENSORS = (*FOOT_CONTACTS, "hand.R")


def of_layouts(model: ControllerModel, inputs: Layout, outputs: Layout, **changes: Any) -> ControllerModel:
    """Return a controller with other layouts, whose network is plain and gives zeros."""
    architecture = PlainArchitecture(hidden=2, layers=1)
    changed = replace(model, architecture=architecture, input_layout=inputs, output_layout=outputs, **changes)
    shapes = architecture.shapes(changed.task)
    scales = {
        f"{side}_{what}": np.ones(layout.size, np.float32)
        for side, layout in (("x", inputs), ("y", outputs))
        for what in ("mean", "std")
    }
    return replace(changed, tensors={name: np.zeros(shape, np.float32) for name, shape in shapes.items()}, **scales)


def again(tmp_path: Path, model: ControllerModel) -> ControllerModel:
    save_model(tmp_path / "a.safetensors", model)
    return load_model(tmp_path / "a.safetensors")


def with_start(model: ControllerModel, **values: np.ndarray) -> ControllerModel:
    return replace(model, start={**model.start, **values})


def test_a_controller_of_attacks_comes_back(tmp_path: Path, model: ControllerModel) -> None:
    own = of_layouts(model, strikes.input_layout(model.joints), locomotion.output_layout(model.joints))
    found = again(tmp_path, own)
    assert found.is_strike_controller and found.input_layout == own.input_layout


@pytest.mark.parametrize("rotations", [True, False])
def test_a_controller_of_interactions_comes_back(tmp_path: Path, model: ControllerModel, rotations: bool) -> None:
    actions = ACTIONS[:8]
    inputs = interaction.input_layout(model.joints, actions, rotations)
    own = of_layouts(model, inputs, interaction.output_layout(model.joints, actions), gaits=actions)
    found = again(tmp_path, own)
    assert found.actions == actions and found.input_layout == inputs


def test_actions_that_are_not_known_are_of_a_newer_program(tmp_path: Path, model: ControllerModel) -> None:
    odd = (*ACTIONS, "swim")
    own = of_layouts(model, interaction.input_layout(model.joints, odd), interaction.output_layout(model.joints, odd))
    with pytest.raises(ModelFileError, match="actions that this version of Footfall does not know, so update"):
        save_model(tmp_path / "a.safetensors", replace(own, gaits=odd))


def system_of(model: ControllerModel, sensors: tuple[str, ...], performers: tuple[str, ...] = ()) -> ControllerModel:
    """Return a controller of a system of local motion phases with a ball."""
    system = PhaseSystem(model.joints, model.gaits, sensors, len(performers), frozenset({"ball"}))
    own = of_layouts(model, system.input_layout(), system.output_layout(), sensors=sensors, performers=performers)
    count = len(sensors)
    return with_start(own, vector=np.ones((count, 2), np.float32), frequency=np.ones(count, np.float32))


@pytest.mark.parametrize("performers", [(), ("ann", "bob")])
def test_a_system_of_local_phases_comes_back(
    tmp_path: Path, model: ControllerModel, performers: tuple[str, ...]
) -> None:
    own = system_of(model, SENSORS, performers)
    found = again(tmp_path, own)
    assert (found.sensors, found.performers) == (SENSORS, performers)
    assert (found.input_layout, found.output_layout) == (own.input_layout, own.output_layout)


def test_performers_are_a_group_of_the_inputs(tmp_path: Path, model: ControllerModel) -> None:
    names = ("ann", "bob", "cid")
    inputs = locomotion.input_layout(model.joints, model.gaits, performers=3)
    own = of_layouts(model, inputs, model.output_layout, performers=names)
    assert again(tmp_path, own).performers == names
    with pytest.raises(ModelFileError, match="input_layout differs"):
        save_model(tmp_path / "b.safetensors", replace(own, performers=names[:2]))


@pytest.mark.parametrize(
    ("parents", "roles"),
    [
        ((-1, 0, 0, 3), None),
        ((-1, 0, 0, 0, 0), None),
        ((-1, 0, -1, 0), None),
        ((0, 0, 0, 0), None),
        (None, {"hips": -1}),
        (None, {"hips": 4}),
    ],
)
def test_a_skeleton_is_a_tree_whose_roles_are_its_joints(
    tmp_path: Path, model: ControllerModel, parents: tuple[int, ...] | None, roles: dict[str, int] | None
) -> None:
    skeleton = replace(model.skeleton)
    if parents is not None:
        object.__setattr__(skeleton, "parents", parents)
    if roles is not None:
        object.__setattr__(skeleton, "roles", roles)
    with pytest.raises(ModelFileError, match=r"do not form a tree|body parts of the skeleton do not match its joints"):
        save_model(tmp_path / "a.safetensors", replace(model, skeleton=skeleton))
