"""The system of local motion phases from labeled clips to a walk: every labeled sensor has its phase in it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from footfall.core.control.path.path import Path as WalkPath
from footfall.core.control.walk.path_walk import make_walk
from footfall.core.control.walk.plan import WalkRequest
from footfall.core.errors import FootfallError
from footfall.core.features.phase_system import DELTA_GROUP, sensor_contacts
from footfall.core.jobs.run_folder import RunFolder
from footfall.core.labelling import Labels, label_clip
from footfall.core.models.gating import GatingInput
from footfall.core.models.model_file import ControllerModel, load_model, save_model
from footfall.core.motion.bvh import read_bvh
from footfall.core.motion.roles import FOOT_CONTACTS
from footfall.training.config.config import TrainingConfig
from footfall.training.data.dataset import Dataset
from footfall.training.loop.session import train
from footfall.training.losses.system_feedback import SystemFeedback
from footfall.training.networks.families import NETWORK_FACTORIES

SYSTEM = {"features": "local_phase_system", "family": "experts", "gating": "phase_vectors"}
TINY = {"experts": 3, "hidden": 16, "gating_hidden": 8, "batch": 64, "rollouts": 0, "device": "cpu", "threads": 1}
SEAT_HZ = 0.5


def with_contacts(labels: Labels, rate: float, **hertz: float) -> Labels:
    """Labels in which further sensors touch something so often a second; 0 is never."""
    time = np.arange(len(labels)) / rate
    more = np.column_stack([np.sin(2 * np.pi * often * time) > 0 for often in hertz.values()]).astype(float)
    return replace(
        labels,
        contact_joints=(*labels.contact_joints, *hertz),
        contacts=np.column_stack([labels.contacts, more]),
        confidence=np.column_stack([labels.confidence, np.ones_like(more)]),
    )


@pytest.fixture(scope="module")
def labeled(tmp_path_factory: pytest.TempPathFactory, write_walk: Callable[..., Path]) -> list[Path]:
    """Two walks with rests, the first with labels beside it."""
    folder = tmp_path_factory.mktemp("labeled")
    clips = [write_walk(folder / f"{name}.bvh", speed=1.0, pause=1.5, seconds=5.0) for name in ("tap", "plain")]
    clip = read_bvh(clips[0])
    with_contacts(label_clip(clip), clip.rate, **{"hand.R": 2.0, "hips": 0.0}).save(folder / "tap.labels.npz")
    return clips


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, labeled: list[Path]) -> RunFolder:
    """A run of a few seconds."""
    folder = RunFolder(tmp_path_factory.mktemp("run"))
    config = TrainingConfig(**SYSTEM, **TINY, epochs=3, unroll_steps=4, unroll_epochs=2, unroll_batch=16)
    train(folder, config, clips=labeled, workers=1)
    return folder


@pytest.fixture(scope="module")
def model(run: RunFolder) -> ControllerModel:
    return load_model(run.model_path)


def test_every_labeled_sensor_reaches_the_training(run: RunFolder, model: ControllerModel) -> None:
    assert model.sensors == (*FOOT_CONTACTS, "hand.R", "hand.L"), "the left one of the mirrored clips"
    assert "local phases of foot.L, toe.L, foot.R, toe.R, hand.R, hand.L" in run.log_path.read_text(encoding="utf-8")
    dataset = Dataset.open(run.dataset_path)
    hands = [
        np.abs(dataset.input_layout.view(dataset.samples(clip)[0], "phase.vector")[:, :, 4]).max()
        for clip in sorted(dataset.clips, key=lambda clip: clip.file)
    ]
    assert hands[0] == 0.0  # plain.bvh has no label of a hand
    assert hands[1] > 0.01


def test_hips_that_sit_down_and_rise_have_a_phase_in_the_clip_and_mirrored(
    tmp_path: Path, write_walk: Callable[..., Path]
) -> None:
    clip = write_walk(tmp_path / "seat.bvh", speed=1.0, pause=1.5, seconds=8.0)
    motion = read_bvh(clip)
    with_contacts(label_clip(motion), motion.rate, hips=SEAT_HZ).save(tmp_path / "seat.labels.npz")
    folder = RunFolder(tmp_path / "run")
    train(folder, TrainingConfig(**SYSTEM, **TINY, epochs=1, unroll_steps=0), clips=[clip], workers=1)
    model, dataset = load_model(folder.model_path), Dataset.open(folder.dataset_path)
    assert model.sensors == (*FOOT_CONTACTS, "hips"), "hips are on both sides at once"
    (entry,) = dataset.clips
    vectors = dataset.input_layout.view(dataset.samples(entry)[0], "phase.vector")[:, 6, 4]
    assert [sequence.variant.endswith("mirrored") for sequence in entry.sequences] == [False, True]
    for sequence in entry.sequences:
        own = vectors[sequence.start : sequence.stop]
        angle = np.unwrap(np.arctan2(own[:, 0], own[:, 1]))[60:-60]
        hertz = (angle[-1] - angle[0]) / (2 * np.pi) / (len(angle) - 1) * model.rate
        assert hertz == pytest.approx(SEAT_HZ, rel=0.1)
    assert model.start["vector"].shape == (5, 2)


def test_phases_keep_their_directions_in_the_normalization(model: ControllerModel) -> None:
    for layout, mean, std in (
        (model.input_layout, model.x_mean, model.x_std),
        (model.output_layout, model.y_mean, model.y_std),
    ):
        assert not layout.view(mean, "phase.vector").any()
        scales = layout.view(std, "phase.vector")
        np.testing.assert_array_equal(scales, np.broadcast_to(scales[:1, :, :1], scales.shape))


def test_the_gate_sees_the_phases_alone(model: ControllerModel) -> None:
    assert GatingInput.of("phase_vectors", model.task).size == 13 * 6 * 2
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2, model.input_layout.size)).astype(np.float32)
    x[1, model.input_layout.slices["phase.vector"]] = x[0, model.input_layout.slices["phase.vector"]]
    weights = model.network().blending_weights(x, np.zeros(2))
    np.testing.assert_allclose(weights[0], weights[1], atol=1e-6)


def test_numpy_and_torch_agree(model: ControllerModel) -> None:
    twin = NETWORK_FACTORIES["experts"](model.architecture, model.task, 0.0).eval()
    twin.load_state_dict({name: torch.from_numpy(tensor.copy()) for name, tensor in model.tensors.items()})
    x = np.random.default_rng(1).normal(size=(16, model.input_layout.size)).astype(np.float32)
    with torch.no_grad():
        expected = twin(torch.from_numpy(x), torch.zeros(16)).numpy()
    network = type(model.network())(model.architecture, model.tensors, model.task, negligible_ratio=0.0)
    np.testing.assert_allclose(network(x, np.zeros(16)), expected, atol=1e-5)


def test_windows_feed_phases_and_contacts_back_as_the_roll_out_does(run: RunFolder) -> None:
    dataset = Dataset.open(run.dataset_path)
    inputs, outputs, norm = dataset.input_layout, dataset.output_layout, dataset.normalization
    x, y, _ = (np.array(part[:3]) for part in dataset.samples(dataset.clips[0]))
    normal_x, normal_y = (x - norm.x_mean) / norm.x_std, (y - norm.y_mean) / norm.y_std
    rng = np.random.default_rng(0)
    said = normal_y[:1] + rng.normal(size=(1, outputs.size)).astype(np.float32)
    feedback = SystemFeedback(dataset, torch.device("cpu"))
    parts = (torch.from_numpy(part) for part in (normal_x[:1], normal_x[1:2], said))
    found = feedback.next_input(*parts).numpy() * norm.x_std + norm.x_mean
    said = said * norm.y_std + norm.y_mean
    before = inputs.view(x[:1], "phase.vector")[:, 6:]
    phases = 0.5 * outputs.view(said, "phase.vector") + 0.5 * (before + outputs.view(said, DELTA_GROUP))
    np.testing.assert_allclose(inputs.view(found, "phase.vector")[:, 6:], phases, atol=1e-4)
    np.testing.assert_allclose(
        inputs.view(found, "phase.vector")[:, :6], inputs.view(x[1:2], "phase.vector")[:, :6], atol=1e-4
    )
    np.testing.assert_allclose(inputs.view(found, "contact.past")[:, -1], sensor_contacts(outputs, said), atol=1e-4)
    np.testing.assert_allclose(inputs.view(found, "pose.rotation"), outputs.view(said, "pose.rotation"), atol=1e-4)
    np.testing.assert_allclose(
        inputs.view(found, "trajectory.position"), inputs.view(x[1:2], "trajectory.position"), atol=1e-4
    )


def test_it_walks_along_a_path(model: ControllerModel) -> None:
    walk = make_walk(model, WalkRequest(WalkPath(np.array([[0.0, 0.0], [0.0, 2.0]])), 1.0, responsiveness=0.8))
    assert np.isfinite(walk.clip.rotations).all()
    assert np.isfinite(walk.clip.root_positions).all()


def test_a_file_without_its_sensors_is_refused(model: ControllerModel, tmp_path: Path) -> None:
    with pytest.raises(FootfallError, match="'sensors'"):
        save_model(tmp_path / "a.safetensors", replace(model, sensors=()))
    with pytest.raises(FootfallError, match="contact points do not begin with heels and balls"):
        save_model(tmp_path / "a.safetensors", replace(model, sensors=model.sensors[::-1]))


def test_a_sensor_without_a_contact_in_any_clip_is_refused(labeled: list[Path], tmp_path: Path) -> None:
    config = TrainingConfig(**SYSTEM, sensors=("hips",), device="cpu", threads=1)
    with pytest.raises(FootfallError, match="The contact point 'hips' has no contact in any clip"):
        train(RunFolder(tmp_path / "run"), config, clips=labeled, workers=1)
