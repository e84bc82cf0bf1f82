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
    with pytest.raises(ModelFileError, match="actions that this Footfall does not know, so update"):
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


@pytest.mark.parametrize(
    "sensors", [FOOT_CONTACTS[:3], ("hand.R", *FOOT_CONTACTS), (*FOOT_CONTACTS, *map(str, range(61)))]
)
def test_sensors_begin_with_the_feet_and_are_not_too_many(
    tmp_path: Path, model: ControllerModel, sensors: tuple[str, ...]
) -> None:
    with pytest.raises(ModelFileError, match="do not begin with heels and balls, or are too many"):
        save_model(tmp_path / "a.safetensors", replace(system_of(model, SENSORS), sensors=sensors))


def test_sixty_four_sensors_are_not_too_many(tmp_path: Path, model: ControllerModel) -> None:
    sensors = (*FOOT_CONTACTS, *map(str, range(60)))
    assert again(tmp_path, system_of(model, sensors)).sensors == sensors


def test_performers_are_a_group_of_the_inputs(tmp_path: Path, model: ControllerModel) -> None:
    names = ("ann", "bob", "cid")
    inputs = locomotion.input_layout(model.joints, model.gaits, performers=3)
    own = of_layouts(model, inputs, model.output_layout, performers=names)
    assert again(tmp_path, own).performers == names
    with pytest.raises(ModelFileError, match="input_layout differs"):
        save_model(tmp_path / "b.safetensors", replace(own, performers=names[:2]))


@pytest.mark.parametrize(("rate", "fits"), [(1.0, True), (0.99, False), (1000.0, True), (1001.0, False), (30, True)])
def test_rates_are_from_one_frame_a_second_to_a_thousand(
    tmp_path: Path, model: ControllerModel, rate: float, fits: bool
) -> None:
    if fits:
        assert again(tmp_path, replace(model, rate=rate)).rate == rate
    else:
        with pytest.raises(ModelFileError, match="frame rate"):
            save_model(tmp_path / "a.safetensors", replace(model, rate=rate))


def test_a_start_may_have_offsets_of_idling_frame_by_frame(tmp_path: Path, model: ControllerModel) -> None:
    idle = np.full((5, 3, 3), 0.25, np.float32)
    np.testing.assert_array_equal(again(tmp_path, with_start(model, idle=idle)).start["idle"], idle)
    for odd in (np.float32(1.0), np.zeros((5, 2, 3), np.float32), np.zeros((36_001, 3, 3), np.float32)):
        with pytest.raises(ModelFileError, match=r"'start\.idle' has the shape"):
            save_model(tmp_path / "b.safetensors", with_start(model, idle=np.asarray(odd)))


@pytest.mark.parametrize(("off", "fits"), [(5e-4, True), (-5e-4, True), (3e-3, False), (-3e-3, False)])
def test_rotations_are_of_unit_length_to_a_thousandth(
    tmp_path: Path, model: ControllerModel, off: float, fits: bool
) -> None:
    turned = np.array(model.reference_rotations * np.float32(1 + off))
    for odd, name in (
        (replace(model, reference_rotations=turned), "reference_rotations"),
        (with_start(model, rotation=turned), "start.rotation"),
    ):
        if fits:
            again(tmp_path, odd)
        else:
            with pytest.raises(ModelFileError, match=f"'{name}' are not unit quaternions"):
                save_model(tmp_path / "b.safetensors", odd)


@pytest.mark.parametrize(("length", "fits"), [(0.21, True), (0.19, False)])
def test_the_bones_of_the_tiniest_body_are_a_fifth_of_a_meter_together(
    tmp_path: Path, model: ControllerModel, length: float, fits: bool
) -> None:
    """The place of the root is no bone."""
    offsets = np.array([[0.0, 0.0, 50.0], [length / 3, 0, 0], [0, length / 3, 0], [0, 0, length / 3]])
    small = replace(model, skeleton=replace(model.skeleton, offsets=offsets))
    if fits:
        again(tmp_path, small)
    else:
        with pytest.raises(ModelFileError, match="smaller than any animal's"):
            save_model(tmp_path / "a.safetensors", small)


@pytest.mark.parametrize(
    ("name", "value", "fits"),
    [
        ("x_std", 1e12, True),
        ("x_mean", 1e6, True),
        ("x_mean", -1e6, True),
        ("x_mean", 1.1e6, False),
        ("y_std", 1.1e-8, True),
        ("y_std", 0.9e-8, False),
    ],
)
def test_values_at_their_bounds_are_taken(
    tmp_path: Path, model: ControllerModel, name: str, value: float, fits: bool
) -> None:
    values = getattr(model, name).copy()
    values[1] = value
    if fits:
        np.testing.assert_array_equal(getattr(again(tmp_path, replace(model, **{name: values})), name), values)
    else:
        with pytest.raises(ModelFileError, match=f"'{name}' has values"):
            save_model(tmp_path / "a.safetensors", replace(model, **{name: values}))


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
    with pytest.raises(ModelFileError, match=r"do not form a tree|roles are not those of its joints"):
        save_model(tmp_path / "a.safetensors", replace(model, skeleton=skeleton))


def test_foreign_words_are_quoted_and_cut(tmp_path: Path, model: ControllerModel) -> None:
    odd = {**model.tensors, "x" * 60: np.ones(1, np.float32)}
    with pytest.raises(ModelFileError) as caught:
        save_model(tmp_path / "a.safetensors", replace(model, tensors=odd))
    assert f"'weights.{'x' * 42}...'" in str(caught.value)


def test_a_header_reaches_to_the_end_of_the_file_at_most(tmp_path: Path, model: ControllerModel) -> None:
    path = tmp_path / "a.safetensors"
    save_model(path, model)
    data = path.read_bytes()
    for size, reason in ((len(data) - 8, "is damaged or not"), (len(data) - 7, "its header is larger than possible")):
        path.write_bytes(size.to_bytes(8, "little") + data[8:])
        with pytest.raises(ModelFileError, match=reason):
            load_model(path)
