"""The periodic autoencoder: sinusoids are found as what they are, phases of motion without its labels."""

import itertools
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from footfall.core.jobs.run_folder import RunFolder
from footfall.tests.support.walker import Walker
from footfall.training.config.config import TrainingConfig
from footfall.training.data.build import build_dataset
from footfall.training.data.dataset import Dataset
from footfall.training.data.manifest import ClipEntry, DatasetSettings
from footfall.training.phases.periodic_autoencoder import (
    DOWNSAMPLING_FRAMES,
    HALF_WINDOW_FRAMES,
    PeriodicAutoencoder,
    WindowConvolution,
    phase_vectors,
)
from footfall.training.phases.train_autoencoder import joint_velocities, train_autoencoder

CPU = torch.device("cpu")
LENGTH = 2 * (HALF_WINDOW_FRAMES // DOWNSAMPLING_FRAMES) + 1
SECONDS = np.arange(-HALF_WINDOW_FRAMES, HALF_WINDOW_FRAMES + 1, DOWNSAMPLING_FRAMES) / 60


def turning(vectors: np.ndarray) -> np.ndarray:
    """Unwrapped phases (F, C), cycles, of vectors (F, C, 2)."""
    return np.unwrap(np.arctan2(vectors[..., 0], vectors[..., 1]), axis=0) / (2 * np.pi)


def never_told(progress: dict[str, object]) -> None:
    pass


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    folder = RunFolder(tmp_path / "run")
    folder.begin("")
    return folder


@pytest.fixture
def brief() -> TrainingConfig:
    """Some fifteen steps on the data set of walks."""
    return TrainingConfig(phases="periodic", phase_channels=2, phase_epochs=1, checkpoint_interval=0.0)


def test_a_convolution_as_long_as_the_window_is_torchs_own():
    torch.manual_seed(0)
    ours, theirs = WindowConvolution(5, 3, LENGTH), nn.Conv1d(5, 3, LENGTH, padding=LENGTH // 2)
    with torch.no_grad():
        ours.bias.normal_()
        theirs.weight.copy_(ours.weight.flip(-1))
        theirs.bias.copy_(ours.bias[:, 0])
    windows = torch.randn(4, 5, LENGTH)
    torch.testing.assert_close(ours(windows), theirs(windows), atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("cycles", [1, 2, 5])
def test_a_channel_that_is_a_sinusoid_is_found_as_that_one(cycles: int):
    network = PeriodicAutoencoder(1, 1).eval()
    network.encoder = nn.Identity()
    # Whole cycles in what the transform takes for its period.
    frequency = cycles / (LENGTH * DOWNSAMPLING_FRAMES / 60)
    curve = 0.3 + 1.5 * np.sin(2 * np.pi * frequency * SECONDS + 0.7)
    found = network.sinusoids(torch.from_numpy(curve.astype(np.float32))[None, None])
    for value, expected in ((found.frequency, frequency), (found.amplitude, 1.5), (found.offset, 0.3)):
        assert value.item() == pytest.approx(expected, rel=1e-4)


def test_a_sinusoid_is_put_together_again():
    network = PeriodicAutoencoder(1, 1)
    network.encoder, network.decoder, network.even = nn.Identity(), nn.Identity(), nn.Identity()
    frequency = 2 / (LENGTH * DOWNSAMPLING_FRAMES / 60)
    angles = torch.from_numpy(2 * np.pi * frequency * SECONDS).float()
    # The middle's sine and cosine are what a window gives in products with these.
    with torch.no_grad():
        network.shift.copy_(torch.stack([angles.cos(), angles.sin()])[None])
    windows = torch.stack([1.5 * torch.sin(angles + shift) for shift in (0.0, 1.0, 3.0, -2.0)])[:, None]
    torch.testing.assert_close(network(windows), windows, atol=1e-3, rtol=1e-3)


def test_every_frame_of_every_sequence_has_its_vectors():
    network = PeriodicAutoencoder(2, 3)
    sequences = [np.random.default_rng(0).normal(size=(frames, 2)).astype(np.float32) for frames in (150, 0, 1, 7)]
    found = phase_vectors(network, sequences)
    assert [one.shape for one in found] == [(150, 3, 2), (0, 3, 2), (1, 3, 2), (7, 3, 2)]
    assert all(np.isfinite(one).all() for one in found)
    assert phase_vectors(network, []) == []
    np.testing.assert_allclose(found[0], phase_vectors(network, sequences[:1])[0], atol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seconds", "epochs", "inside", "error", "drift"),
    [(10.0, 10, slice(HALF_WINDOW_FRAMES, -HALF_WINDOW_FRAMES), 0.03, 0.03), (2.0, 50, slice(None), 0.05, 0.1)],
    ids=["long", "short"],
)
def test_phases_of_walks_are_found_without_their_labels(
    tmp_path: Path,
    run: RunFolder,
    write_walk: Callable[..., Path],
    seconds: float,
    epochs: int,
    inside: slice,
    error: float,
    drift: float,
):
    cycles = {"brisk": 0.9, "middling": 1.0, "leisurely": 1.15}
    clips = [write_walk(tmp_path / f"{name}.bvh", cycle=cycle, seconds=seconds) for name, cycle in cycles.items()]
    dataset = build_dataset(clips, tmp_path / "set", DatasetSettings(mirror=False, validation_share=0.0), workers=1)
    settings = TrainingConfig(phases="periodic", phase_channels=1, phase_epochs=epochs)
    network = train_autoencoder(run, dataset, settings, CPU, never_told)
    assert network is not None
    offsets = []
    for clip in dataset.clips:
        found = phase_vectors(network, [joint_velocities(dataset, dataset.samples(clip)[1])])[0]
        cycle = cycles[Path(clip.file).stem]
        true = Walker(cycle=cycle, seconds=seconds).cycles[2:-1]
        phase = turning(found)[:, 0]
        # A channel goes once a stride or, since left and right steps are alike, once a step; evenly at any rate.
        rate = np.polyfit(true[inside], phase[inside], 1)[0]
        turns = round(rate)
        assert turns in (1, 2)
        assert rate == pytest.approx(turns, rel=drift)
        off = phase - turns * true
        assert np.std(off[inside]) < error
        offsets.append(np.exp(2j * np.pi * off[inside]).mean())
    # And means the same moment in all of them.
    assert abs(np.mean(offsets)) > 0.95


def test_a_stopped_training_continues_to_the_same_weights(
    dataset: Dataset, run: RunFolder, tmp_path: Path, brief: TrainingConfig, monkeypatch: pytest.MonkeyPatch
):
    whole = train_autoencoder(run, dataset, brief, CPU, never_told)
    assert whole is not None
    other = RunFolder(tmp_path / "stopped")
    other.begin("")
    looks = itertools.count()
    with monkeypatch.context() as patched:
        patched.setattr(time, "monotonic", lambda: float(next(looks)))
        assert train_autoencoder(other, dataset, brief, CPU, lambda _progress: other.request_stop()) is None
    (other.path / "STOP").unlink()
    assert other.periodic_checkpoint.exists()
    torch.rand(3)
    resumed = train_autoencoder(other, dataset, brief, CPU, never_told)
    assert resumed is not None
    for name, value in whole.state_dict().items():
        torch.testing.assert_close(resumed.state_dict()[name], value, rtol=0.0, atol=0.0)


def test_it_is_trained_once_for_a_run(dataset: Dataset, run: RunFolder, brief: TrainingConfig):
    told: list[dict[str, object]] = []
    first = train_autoencoder(run, dataset, brief, CPU, told.append)
    assert {line["stage"] for line in told} == {"periodic"}
    assert told[-1]["fraction"] == 1.0
    assert told == [{k: v for k, v in line.items() if k != "time"} for line in run.read_progress()[0]]
    told.clear()
    again = train_autoencoder(run, dataset, brief, CPU, told.append)
    assert not told and first is not None and again is not None
    torch.testing.assert_close(first.shift, again.shift)
    # Other settings, another one.
    other = train_autoencoder(run, dataset, replace(brief, seed=1), CPU, told.append)
    assert told and other is not None
    assert not torch.equal(other.shift, again.shift)


def test_it_ends_with_its_share_of_the_time_limit(
    dataset: Dataset, run: RunFolder, brief: TrainingConfig, monkeypatch: pytest.MonkeyPatch
):
    told: list[tuple[float, float]] = []
    clock = itertools.count()
    monkeypatch.setattr(time, "monotonic", lambda: float(next(clock)))
    hurried = replace(brief, phase_epochs=1000, time_limit=1.0, phase_share=0.5, checkpoint_interval=1e6)
    train_autoencoder(run, dataset, hurried, CPU, lambda line: told.append((float(next(clock)), float(line["eta"]))))
    assert told[-1] == pytest.approx((30.0, 0.0), abs=3.0)
    assert all(spent + left == pytest.approx(30.0, abs=3.0) for spent, left in told)


def test_only_training_clips_are_learned(dataset: Dataset, run: RunFolder, tmp_path: Path, brief: TrainingConfig):
    assert {clip.split for clip in dataset.clips} == {"training", "validation"}
    clips = [clip for clip in dataset.manifest["clips"] if clip["split"] == "training"]
    other = RunFolder(tmp_path / "alone")
    other.begin("")
    first = train_autoencoder(run, dataset, brief, CPU, never_told)
    second = train_autoencoder(
        other, Dataset(dataset.path, {**dataset.manifest, "clips": clips}), brief, CPU, never_told
    )
    assert first is not None and second is not None
    assert torch.equal(first.shift, second.shift)


def test_one_that_is_damaged_is_trained_again(dataset: Dataset, run: RunFolder, brief: TrainingConfig):
    first = train_autoencoder(run, dataset, brief, CPU, never_told)
    data = bytearray(run.periodic_checkpoint.read_bytes())
    data[len(data) // 2] ^= 255
    run.periodic_checkpoint.write_bytes(data)
    again = train_autoencoder(run, dataset, brief, CPU, never_told)
    assert first is not None and again is not None
    torch.testing.assert_close(first.shift, again.shift, rtol=0.0, atol=0.0)


def test_time_before_a_stop_counts_against_the_limit(
    dataset: Dataset, run: RunFolder, brief: TrainingConfig, monkeypatch: pytest.MonkeyPatch
):
    clock = itertools.count()
    monkeypatch.setattr(time, "monotonic", lambda: float(next(clock)))
    hurried = replace(brief, phase_epochs=1000, time_limit=1.0, phase_share=0.5, checkpoint_interval=1e6)

    def stop_half_way(line: dict[str, object]) -> None:
        if float(str(line["fraction"])) > 0.5:
            run.request_stop()

    assert train_autoencoder(run, dataset, hurried, CPU, stop_half_way) is None
    (run.path / "STOP").unlink()
    assert train_autoencoder(run, dataset, hurried, CPU, never_told) is not None
    assert next(clock) == pytest.approx(30.0, abs=5.0)


def test_each_report_has_its_own_mean_loss_and_epochs_end_at_the_last(
    dataset: Dataset, run: RunFolder, brief: TrainingConfig, monkeypatch: pytest.MonkeyPatch
):
    clock = itertools.count(step=1000)  # every step is reported
    monkeypatch.setattr(time, "monotonic", lambda: float(next(clock)))
    told: list[dict[str, object]] = []
    train_autoencoder(run, dataset, replace(brief, phase_epochs=3), CPU, told.append)
    assert [line["step"] for line in told] == list(range(1, len(told) + 1)) and len(told) > 5
    assert {line["epoch"] for line in told} == {1, 2, 3}
    losses = [float(str(line["loss"])) for line in told]
    assert max(losses) < 2.0 * losses[0]


class Centimeters(Dataset):
    """The same data set, with outputs in centimeters."""

    def samples(self, clip: ClipEntry) -> tuple[np.ndarray, ...]:
        x, y, phase = super().samples(clip)
        return x, 100.0 * y, phase


def test_the_unit_of_velocities_makes_no_difference(
    dataset: Dataset, run: RunFolder, tmp_path: Path, brief: TrainingConfig
):
    other = RunFolder(tmp_path / "centimeters")
    other.begin("")
    first = train_autoencoder(run, dataset, brief, CPU, never_told)
    second = train_autoencoder(other, Centimeters(dataset.path, dataset.manifest), brief, CPU, never_told)
    assert first is not None and second is not None
    torch.testing.assert_close(second.shift, first.shift, rtol=0.0, atol=1e-3)
