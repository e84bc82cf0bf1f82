"""The mixture of experts: closed forms, one against many, and what skipping experts changes."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from footfall.core.features.layout import Group
from footfall.core.models.experts import NEGLIGIBLE_WEIGHT_RATIO, ExpertMixture, ExpertsArchitecture
from footfall.core.models.gating import GatingInput
from footfall.core.models.model_file import ControllerModel, ModelFileError, load_model, save_model
from footfall.core.models.network import Float32, Task, Tensors

from ...support.mixtures import ARCHITECTURES, FEET, GAITS, JOINTS, random_inputs, random_tensors, task

Float64 = np.ndarray[Any, np.dtype[np.float64]]

LARGER_THAN_THE_CACHE = ExpertsArchitecture(4, 1400, "velocity", 16)
"""Of 31 MB of weights."""
every_kind = pytest.mark.parametrize("architecture", ARCHITECTURES, ids=str)


def unit(x: Float64) -> Float64:
    """ELU, NSM eq. 4."""
    return np.maximum(x, 0) + np.exp(np.minimum(x, 0)) - 1


def dense(x: Float64, tensors: Tensors, name: str, count: int) -> Float64:
    """Layers with ELU between them, in float64."""
    for layer in range(count):
        x = unit(x) if layer else x
        x = tensors[f"{name}.{layer}.weight"].astype(float) @ x + tensors[f"{name}.{layer}.bias"]
    return x


def blended_by_weights(architecture: ExpertsArchitecture, tensors: Tensors, wanted: Task, x: Float32) -> Float64:
    """The papers' own way (NSM eq. 1 to 3 and 8), in float64: blend all the weights, then multiply."""
    gate = np.exp(dense(GatingInput.of(architecture.gating, wanted)(x).astype(float), tensors, "gate", 3))
    share = gate / gate.sum()
    parts = architecture.encoder_columns(wanted).items()
    if architecture.encoder:
        seen = [unit(dense(x[at].astype(float), tensors, f"encoders.{part}", 2)) for part, at in parts]
    else:
        seen = [x[at].astype(float) for _, at in parts]
    values = np.concatenate(seen)
    for layer in range(3):
        weight = np.einsum("k,kij->ij", share, tensors[f"W{layer}"].astype(float))
        values = weight @ (unit(values) if layer else values) + share @ tensors[f"b{layer}"]
    return values


@every_kind
def test_blending_outputs_is_blending_weights(architecture: ExpertsArchitecture) -> None:
    wanted = task(channels=2)
    tensors = random_tensors(architecture, wanted)
    network = ExpertMixture(architecture, tensors, wanted, negligible_ratio=0.0)
    for x in random_inputs(wanted, 20):
        np.testing.assert_allclose(network(x, 0.0), blended_by_weights(architecture, tensors, wanted, x), atol=1e-5)


@pytest.mark.parametrize("chosen", range(4))
def test_a_gate_that_is_sure_picks_one_expert(chosen: int) -> None:
    architecture, wanted = ARCHITECTURES[0], task()
    tensors = random_tensors(architecture, wanted)
    sure = tensors | {"gate.2.bias": np.where(np.arange(4) == chosen, 1e4, 0).astype(np.float32)}
    alone = {name: tensor for name, tensor in tensors.items() if not name.startswith("gate.2")}
    alone |= {name: tensors[name][[chosen]] for name in ("W0", "b0", "W1", "b1", "W2", "b2")}
    alone |= {name: tensors[name][[chosen]] for name in ("gate.2.weight", "gate.2.bias")}
    x = random_inputs(wanted, 9)
    one = replace(architecture, experts=1).network(alone, wanted)
    np.testing.assert_allclose(architecture.network(sure, wanted)(x, 0.0), one(x, 0.0), atol=1e-5)


@every_kind
def test_shares_sum_to_one_and_are_never_lost(architecture: ExpertsArchitecture) -> None:
    wanted = task(channels=2)
    network = ExpertMixture(architecture, random_tensors(architecture, wanted), wanted)
    for size in (0.0, 1.0, 1e3):
        shares = network.blending_weights(np.float32(size) * random_inputs(wanted, 50), np.zeros(50))
        np.testing.assert_allclose(shares.sum(axis=1), 1.0, rtol=1e-5)
        assert (shares >= 0).all()


@pytest.mark.parametrize("architecture", [*ARCHITECTURES, LARGER_THAN_THE_CACHE], ids=str)
@pytest.mark.parametrize("negligible", [0.0, NEGLIGIBLE_WEIGHT_RATIO, 0.5])
def test_a_crowd_gets_what_each_would_get_alone(architecture: ExpertsArchitecture, negligible: float) -> None:
    wanted = task(channels=2)
    network = ExpertMixture(architecture, random_tensors(architecture, wanted), wanted, negligible)
    x = random_inputs(wanted, 40)
    alone = [network(one, 0.0) for one in x]
    np.testing.assert_allclose(network(x, np.zeros(40)), alone, atol=1e-5)
    one, memory = network.step(x[:1], np.zeros(1), network.begin(1))
    np.testing.assert_array_equal(one, network(x[:1], 0.0))
    assert memory == ()


def hardly_counting(
    share: float, architecture: ExpertsArchitecture = ARCHITECTURES[0]
) -> tuple[ExpertsArchitecture, dict[str, Float32], Task]:
    """A mixture in which, whatever the input, two experts count the same and two this share of that."""
    wanted = task()
    tensors = random_tensors(architecture, wanted)
    tensors["gate.2.weight"][:] = 0.0
    tensors["gate.2.bias"][:] = np.log([1.0, share, 1.0, share])
    return architecture, tensors, wanted


def test_experts_that_hardly_count_are_not_read_from_memory() -> None:
    architecture, tensors, wanted = hardly_counting(0.5 * NEGLIGIBLE_WEIGHT_RATIO, LARGER_THAN_THE_CACHE)
    broken = tensors | {name: tensors[name].copy() for name in ("W0", "W1", "W2")}
    for name in ("W0", "W1", "W2"):
        broken[name][[1, 3]] = np.nan
    x = random_inputs(wanted, 9)
    answer = architecture.network(broken, wanted)(x, 0.0)
    assert np.isfinite(answer).all()
    np.testing.assert_array_equal(answer, architecture.network(tensors, wanted)(x, 0.0))


def test_what_is_left_out_changes_answers_by_a_few_hundredths_at_most() -> None:
    # The worst case: experts that have nothing in common. Trained ones mostly agree.
    architecture, tensors, wanted = hardly_counting(0.99 * NEGLIGIBLE_WEIGHT_RATIO)
    x = random_inputs(wanted, 200)
    skipping, whole = (
        ExpertMixture(architecture, tensors, wanted, least)(x, 0.0) for least in (NEGLIGIBLE_WEIGHT_RATIO, 0.0)
    )
    error, size = (np.sqrt(np.mean(values**2)) for values in (skipping - whole, whole))
    assert 0 < error < 4 * NEGLIGIBLE_WEIGHT_RATIO * size


def test_inputs_are_encoded_part_by_part() -> None:
    more = (
        Group("goal.position", (12, 3), "m", "root"),
        Group("environment.occupancy", (30,), "1", "root"),
        Group("interaction.occupancy", (8, 4), "1", "root"),
    )
    architecture, wanted = ExpertsArchitecture(10, 24, "velocity", 16, encoder=32), task(channels=1, more=more)
    places = architecture.encoder_columns(wanted)
    assert list(places) == ["frame", "environment", "goal", "interaction"]
    size = {group.name: group.size for group in wanted.inputs}
    assert len(places["environment"]) == size["terrain.height"] + 30
    assert len(places["goal"]) == 36
    every = np.sort(np.concatenate(list(places.values())))
    assert len(every) == wanted.inputs.size - size["phase.vector"]
    shapes = architecture.shapes(wanted)
    assert shapes["encoders.goal.1.weight"] == (8, 8)
    assert shapes["encoders.interaction.1.weight"] == (32, 32)
    assert shapes["W0"] == (10, 24, 32 + 32 + 8 + 32)
    paper = ExpertsArchitecture(10, 512, "velocity", 16, encoder=512, interaction_encoder=256).shapes(wanted)
    widths = {part: paper[f"encoders.{part}.1.weight"][0] for part in places}
    assert widths == {"frame": 512, "goal": 128, "interaction": 256, "environment": 512}, "NSM eq. 2"
    assert np.isfinite(
        architecture.network(random_tensors(architecture, wanted), wanted)(np.ones(every.size + 24), 0)
    ).all()


def with_mixture(model: ControllerModel, architecture: ExpertsArchitecture, channels: int) -> ControllerModel:
    """A controller of a body with feet, and with as many channels of phase vectors."""
    wanted = task(channels)
    sizes = {"x": wanted.inputs.size, "y": wanted.outputs.size}
    ones = {f"{side}_{what}": np.ones(size, np.float32) for side, size in sizes.items() for what in ("mean", "std")}
    roles = {"hips": 0, "foot.L": 2, "toe.L": 3, "foot.R": 5, "toe.R": 6}
    parents, places = (-1, 0, 1, 2, 0, 4, 5, 0), np.ones((len(JOINTS), 3))
    start = {name: np.ones((len(JOINTS), 3), np.float32) for name in ("position", "velocity")}
    start["phase"] = np.float32(0.5)  # type: ignore[assignment]
    if channels:
        start |= {"vector": np.ones((channels, 2), np.float32), "frequency": np.ones(channels, np.float32)}
    return replace(
        model,
        architecture=architecture,
        tensors=random_tensors(architecture, wanted),
        input_layout=wanted.inputs,
        output_layout=wanted.outputs,
        skeleton=replace(model.skeleton, names=JOINTS, parents=parents, offsets=places, tips=places, roles=roles),
        joints=JOINTS,
        gaits=GAITS,
        reference_rotations=np.tile(np.array([1, 0, 0, 0], np.float32), (len(JOINTS), 1)),
        start=start,
        **ones,
    )


@every_kind
def test_a_controller_comes_back_as_it_was(
    tmp_path: Path, model: ControllerModel, architecture: ExpertsArchitecture
) -> None:
    channels = 0 if architecture.gating == "velocity" else 3
    saved = with_mixture(model, architecture, channels)
    save_model(tmp_path / "a.safetensors", saved)
    loaded = load_model(tmp_path / "a.safetensors")
    assert loaded.architecture == architecture
    assert loaded.task == saved.task
    assert loaded.task.foot_joints == FEET
    assert loaded.start.keys() == saved.start.keys()
    for name, value in saved.start.items():
        np.testing.assert_array_equal(loaded.start[name], value)
    x = random_inputs(saved.task, 3)
    (one, _), (other, _) = (each.network().step(x, np.zeros(3), ()) for each in (saved, loaded))
    np.testing.assert_array_equal(one, other)


def test_controllers_whose_gate_sees_nothing_are_refused(tmp_path: Path, model: ControllerModel) -> None:
    architecture = ARCHITECTURES[0]
    good = with_mixture(model, architecture, 0)
    for gating, reason in (
        ("phase", "no phase vectors"),
        ("phase_vectors", "no phase vectors"),
        ("mood", "'gating' is not one of"),
    ):
        with pytest.raises(ModelFileError, match=reason):
            save_model(tmp_path / "a", replace(good, architecture=replace(architecture, gating=gating)))
    footless = replace(good.skeleton, roles={"hips": 0})
    with pytest.raises(
        ModelFileError,
        match="the network is gated by the velocity of the feet, but the feet of the skeleton are unknown",
    ):
        save_model(tmp_path / "a", replace(good, skeleton=footless))
