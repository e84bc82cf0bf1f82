"""Data sets with phase vectors: the labels' phase, those of contacts, and those that are found in the motion."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from footfall.core.control.path.path import Path as WalkPath
from footfall.core.control.walk.path_walk import begin_walk
from footfall.core.control.walk.plan import WalkRequest
from footfall.core.errors import FootfallError
from footfall.core.features.locomotion import FUTURE_OFFSETS_FRAMES, SAMPLE_OFFSETS_FRAMES, phase_channel_count
from footfall.core.features.phase_vectors import phase_vector
from footfall.core.jobs.run_folder import RunFolder
from footfall.core.models.model_file import load_model
from footfall.training.config.config import TrainingConfig
from footfall.training.data.dataset import Dataset
from footfall.training.data.manifest import ClipEntry
from footfall.training.loop.export import export_model
from footfall.training.loop.session import resume, train
from footfall.training.phases.phase_conditioning import condition_on_phases, prepare_folder

CPU = torch.device("cpu")
NOW = SAMPLE_OFFSETS_FRAMES.index(0)
CHANNELS = {"global": 1, "local": 4, "periodic": 2}
BRIEF = TrainingConfig(phase_channels=2, phase_epochs=1)


@pytest.fixture(scope="module", params=CHANNELS)
def kind(request: pytest.FixtureRequest) -> str:
    """A kind of phases."""
    return request.param


@pytest.fixture(scope="module")
def see(dataset: Dataset, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Dataset]:
    """The data set of walks with phases of a kind. Tests only read it."""
    made: dict[str, Dataset] = {}

    def seen(kind: str) -> Dataset:
        if kind not in made:
            found = condition_on_phases(begun(tmp_path_factory.mktemp(kind)), dataset, replace(BRIEF, phases=kind), CPU)
            assert found is not None
            made[kind] = found
        return made[kind]

    return seen


def begun(path: Path) -> RunFolder:
    run = RunFolder(path)
    run.begin("")
    return run


def clip_of(dataset: Dataset, name: str) -> ClipEntry:
    return next(clip for clip in dataset.clips if Path(clip.file).stem == name)


def vectors_of(dataset: Dataset, clip: ClipEntry) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """``phase.phase_vector`` of x (N, 12, C, 2) and y (N, 6, C, 2), and ``phase.frequency`` (N, C)."""
    x, y, _ = dataset.samples(clip)
    inputs, outputs = dataset.input_layout, dataset.output_layout
    return (
        inputs.view(x, "phase.vector"),
        outputs.view(y, "phase.vector"),
        outputs.view(y, "phase.frequency"),
    )


def cycles_of(vectors: np.ndarray) -> np.ndarray:
    """Unwrapped phases (F, C) of vectors (F, C, 2)."""
    return np.unwrap(np.arctan2(vectors[..., 0], vectors[..., 1]), axis=0) / (2 * np.pi)


def test_outputs_of_one_frame_are_inputs_of_the_next(see: Callable[[str], Dataset], kind: str):
    seen = see(kind)
    for clip in seen.clips:
        inputs, outputs, _ = vectors_of(seen, clip)
        for one in clip.sequences:
            before, after = slice(one.start, one.stop - 1), slice(one.start + 1, one.stop)
            np.testing.assert_allclose(outputs[before, 0], inputs[after, NOW], atol=1e-5)
            np.testing.assert_allclose(outputs[before, 1:], inputs[after, NOW + 1 :], atol=1e-5)


def test_samples_are_those_of_other_frames_within_a_sequence(see: Callable[[str], Dataset], kind: str):
    seen = see(kind)
    one = seen.clips[0].sequences[0]
    inputs, _, _ = vectors_of(seen, seen.clips[0])
    own = inputs[one.start : one.stop]
    for sample, offset in enumerate(SAMPLE_OFFSETS_FRAMES):
        here = np.arange(max(0, -offset), min(len(own), len(own) - offset))
        np.testing.assert_allclose(own[here, sample], own[here + offset, NOW], atol=1e-5)
    # At the ends they go on as long as they were there.
    lengths = np.linalg.norm(own, axis=-1)
    np.testing.assert_allclose(
        lengths[-1, NOW + 1 :], np.tile(lengths[-1, NOW], (len(FUTURE_OFFSETS_FRAMES), 1)), rtol=1e-4
    )


def test_the_global_phase_is_the_labels(see: Callable[[str], Dataset]):
    seen = see("global")
    for clip in seen.clips:
        _, y, phase = seen.samples(clip)
        inputs, _, turning = vectors_of(seen, clip)
        np.testing.assert_allclose(inputs[:, NOW, 0], phase_vector(phase), atol=1e-5)
        np.testing.assert_allclose(np.linalg.norm(inputs, axis=-1), 1.0, atol=1e-5)
        rate = seen.output_layout.view(y, "phase.rate")[:, 0]
        for one in clip.sequences:
            rows = slice(one.start + 1, one.stop - 1)
            mean = (rate[one.start : one.stop - 2] + rate[rows]) / 2
            np.testing.assert_allclose(turning[rows, 0], mean, atol=1e-3)


def test_local_phases_turn_once_a_stride_with_left_and_right_half_a_cycle_apart(see: Callable[[str], Dataset]):
    seen = see("local")
    clip = clip_of(seen, "turning")
    inputs, _, turning = vectors_of(seen, clip)
    _, _, phase = seen.samples(clip)
    for one in clip.sequences:
        rows = slice(one.start, one.stop)
        cycles = cycles_of(inputs[rows, NOW].astype(float))
        true = np.unwrap(phase[rows].astype(float), period=1.0)
        off = cycles - true[:, None]
        # Two seconds of a steady walk: there is little around any of its frames.
        assert np.std(off, axis=0).max() < 0.1
        assert turning[rows].mean() == pytest.approx(1.0, abs=0.1)
        mean = np.angle(np.exp(2j * np.pi * off).mean(axis=0)) / (2 * np.pi)
        left_heel, left_toe, right_heel, right_toe = mean
        for left, right in ((left_heel, right_heel), (left_toe, right_toe)):
            assert abs((left - right) % 1.0 - 0.5) < 0.1
        # The heel comes down before the toe.
        assert 0.0 < (right_heel - right_toe) % 1.0 < 0.5


def test_vectors_stay_vectors_when_they_are_normalised(dataset: Dataset, see: Callable[[str], Dataset], kind: str):
    seen = see(kind)
    plain, more = dataset.normalization, seen.normalization
    for name in ("x_mean", "x_std", "y_mean", "y_std"):
        np.testing.assert_array_equal(getattr(more, name)[: len(getattr(plain, name))], getattr(plain, name))
    for layout, mean, std in (
        (seen.input_layout, more.x_mean, more.x_std),
        (seen.output_layout, more.y_mean, more.y_std),
    ):
        where = layout.slices["phase.vector"]
        assert not mean[where].any()
        assert len(set(std[where].tolist())) == 1
    now = np.concatenate([vectors_of(seen, clip)[0][:, NOW] for clip in seen.clips_in_split("training")])
    assert np.sqrt(np.mean(now**2)) == pytest.approx(more.x_std[-1], rel=0.01)
    turning = np.concatenate([vectors_of(seen, clip)[2] for clip in seen.clips_in_split("training")])
    where = seen.output_layout.slices["phase.frequency"]
    np.testing.assert_allclose(turning.mean(axis=0), more.y_mean[where], atol=1e-4)


def test_the_start_has_the_vectors_of_its_frame(see: Callable[[str], Dataset], kind: str):
    seen = see(kind)
    start = seen.start
    assert start["vector"].shape == (CHANNELS[kind], 2)
    for clip in seen.clips:
        _, y, _ = seen.samples(clip)
        inputs, _, turning = vectors_of(seen, clip)
        velocity = seen.output_layout.view(y, "pose.velocity")
        for frame in np.flatnonzero((velocity == start["velocity"]).all(axis=(1, 2))):
            np.testing.assert_allclose(start["vector"], inputs[frame, NOW], atol=1e-6)
            np.testing.assert_allclose(start["frequency"], turning[frame], atol=1e-5)
            return
    raise AssertionError("no frame is the start")


def test_other_phases_take_the_place_of_those_of_an_earlier_run(dataset: Dataset, tmp_path: Path):
    run = begun(tmp_path)
    for kind in ("local", "global"):
        seen = condition_on_phases(run, dataset, replace(BRIEF, phases=kind), CPU)
        assert seen is not None
        assert phase_channel_count(seen.input_layout) == CHANNELS[kind]
        assert seen.samples(seen.clips[0])[0].shape[1] == seen.input_layout.size


def test_vectors_that_are_damaged_are_made_again(dataset: Dataset, tmp_path: Path, kind: str):
    run, settings = begun(tmp_path), replace(BRIEF, phases=kind)
    seen = condition_on_phases(run, dataset, settings, CPU)
    assert seen is not None
    clip = dataset.clips[1]
    whole = seen.samples(clip)[0].copy()
    file = run.path / "phases" / f"{clip.shard}.npy"
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(FootfallError, match="resume the run"):
        seen.samples(clip)
    again = condition_on_phases(run, dataset, settings, CPU)
    assert again is not None and again.digest == seen.digest
    np.testing.assert_allclose(again.samples(clip)[0], whole, atol=1e-6)


def test_a_run_asked_to_stop_stops_and_continues_later(dataset: Dataset, tmp_path: Path, kind: str):
    run, settings = begun(tmp_path), replace(BRIEF, phases=kind)
    run.request_stop()
    assert condition_on_phases(run, dataset, settings, CPU) is None
    run.begin("")
    assert condition_on_phases(run, dataset, settings, CPU) is not None


def test_a_run_learns_and_walks_with_phases(dataset: Dataset, tmp_path: Path, tiny: TrainingConfig, kind: str):
    run = RunFolder(tmp_path / "run")
    settings = replace(tiny, phases=kind, phase_channels=2, phase_epochs=1)
    model = load_model(train(run, settings, dataset=dataset.path))
    assert run.status() == "finished"
    assert phase_channel_count(model.input_layout) == CHANNELS[kind]
    assert model.start["vector"].shape == (CHANNELS[kind], 2)
    exported = load_model(export_model(run, tmp_path / "exported.safetensors"))
    for name, value in model.tensors.items():
        np.testing.assert_array_equal(exported.tensors[name], value)
    walk = begin_walk(model, WalkRequest(WalkPath(np.array([[0.0, 0.0], [0.0, 1.0]])), 1.0))
    walk.advance(30)
    assert np.isfinite(walk.finish().clip.positions).all()


def test_a_run_does_not_go_on_with_other_phases(dataset: Dataset, tmp_path: Path, tiny: TrainingConfig):
    run = RunFolder(tmp_path / "run")
    train(run, replace(tiny, phases="global"), dataset=dataset.path)
    run.model_path.unlink()
    config = run.config_path.read_text(encoding="utf-8")
    run.config_path.write_text(config.replace('phases = "global"', 'phases = "none"'), encoding="utf-8")
    with pytest.raises(FootfallError, match="another data set"):
        resume(run)


@pytest.mark.parametrize("content", [b"another", b"\xff", b""])
def test_vectors_of_another_or_a_damaged_key_are_removed(content: bytes, tmp_path: Path) -> None:
    folder = prepare_folder(RunFolder(tmp_path), "key")
    (folder / "walk.npy").write_bytes(b"old")
    assert prepare_folder(RunFolder(tmp_path), "key") == folder and (folder / "walk.npy").exists()
    (folder / "key").write_bytes(content)
    prepare_folder(RunFolder(tmp_path), "key")
    assert [path.name for path in folder.iterdir()] == ["key"] and (folder / "key").read_text() == "key"
