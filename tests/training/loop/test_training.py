"""Whole runs: they learn, stop, die, go on exactly, and say clearly what went wrong."""

import json
import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch.optim.optimizer import register_optimizer_step_pre_hook

from footfall.core.errors import FootfallError
from footfall.core.jobs.atomic import write_atomically
from footfall.core.jobs.run_folder import RunFolder, RunFolderError
from footfall.core.models.model_file import load_model
from footfall.training.config.checksummed_file import to_checksummed_bytes
from footfall.training.config.config import ConfigError, TrainingConfig
from footfall.training.data.dataset import Dataset
from footfall.training.distributed.device import DeviceError
from footfall.training.loop import checkpoint
from footfall.training.loop.export import export_model
from footfall.training.loop.session import resume, train

CPU = torch.device("cpu")

TRAIN = """
import sys, json
from pathlib import Path
from footfall.core.jobs.run_folder import RunFolder
from footfall.training.config.config import TrainingConfig
from footfall.training.loop.session import train
if __name__ == "__main__":
    config = TrainingConfig.from_mapping(json.loads(sys.argv[3]))
    train(RunFolder(Path(sys.argv[1])), config, dataset=Path(sys.argv[2]))
"""


def start(run: RunFolder, dataset: Dataset, config: TrainingConfig) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", TRAIN, str(run.path), str(dataset.path), json.dumps(config.to_mapping())]
    )


def wait_until(what: Callable[[], Any]) -> None:
    deadline = time.monotonic() + 120
    while not what():
        assert time.monotonic() < deadline, "it did not happen within two minutes"
        time.sleep(0.02)


def weights(run: RunFolder) -> dict[str, np.ndarray]:
    return dict(load_model(run.model_path).tensors)


def assert_same_controller(one: RunFolder, other: RunFolder) -> None:
    for name, array in weights(one).items():
        np.testing.assert_array_equal(array, weights(other)[name], err_msg=name)


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    return RunFolder(tmp_path / "run")


def test_clips_become_a_controller(run: RunFolder, walks: list[Path], tiny: TrainingConfig):
    told: list[dict[str, Any]] = []
    path = train(run, replace(tiny, epochs=30), clips=walks, workers=1, report=told.append)
    assert run.status() == "finished"
    model = load_model(path)
    assert model.architecture.family == "pfnn"
    assert model.provenance["clips"] == 4
    assert model.provenance["settings"]["hidden"] == 16
    assert model.provenance["stages"] == ["frames", "windows"]
    assert 0 < model.provenance["metrics"]["validation_loss"] < 10
    reports, _ = run.read_progress()
    assert [report["stage"] for report in reports if report["stage"] == "dataset"] == ["dataset"] * 8
    training = [report for report in reports if report["stage"] != "dataset"]
    assert training[-1]["step"] == training[-1]["total"]
    assert training[-1]["fraction"] == 1.0
    assert training[-1]["eta"] == 0.0
    assert {key: training[-1][key] for key in told[-1]} == told[-1]
    # Nothing of the machine, no one's folders.
    assert str(walks[0].parent).encode() not in run.model_path.read_bytes()
    known = {
        "family",
        "footfall",
        "torch",
        "sources",
        "clips",
        "minutes",
        "samples",
        "settings",
        "terrain",
        "stages",
        "steps",
    }
    assert set(model.provenance) == known | {"metrics"}


def test_the_loss_falls(run: RunFolder, dataset: Dataset, tiny: TrainingConfig):
    train(run, replace(tiny, hidden=32, epochs=1, unroll_steps=0), dataset=dataset.path)
    early = load_model(run.model_path).provenance["metrics"]["validation_loss"]
    train(run, replace(tiny, hidden=32, epochs=60, unroll_steps=0), dataset=dataset.path)
    assert load_model(run.model_path).provenance["metrics"]["validation_loss"] < 0.6 * early


def test_unrolled_training_makes_long_runs_better(run: RunFolder, dataset: Dataset, tiny: TrainingConfig):
    """What stage two is for: the loss over windows of the network's own poses falls further than stage one takes it."""
    config = replace(tiny, hidden=32, epochs=30, unroll_steps=8, unroll_epochs=20, unroll_learning_rate=1e-3)
    train(run, config, dataset=dataset.path)
    text = run.log_path.read_text()
    assert "stage windows done" in text
    best = checkpoint.read_best(run, CPU)
    assert best is not None
    assert best.stage == 1


def test_the_same_seed_gives_the_same_controller_and_another_one_another(
    tmp_path: Path, dataset: Dataset, tiny: TrainingConfig
):
    runs = [RunFolder(tmp_path / name) for name in "abc"]
    for run, seed in zip(runs, (1, 1, 2), strict=True):
        train(run, replace(tiny, seed=seed), dataset=dataset.path)
    assert_same_controller(runs[0], runs[1])
    assert not np.array_equal(weights(runs[0])["W0"], weights(runs[2])["W0"])


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no kill -9")
def test_a_run_that_was_killed_goes_on_exactly(tmp_path: Path, dataset: Dataset, tiny: TrainingConfig):
    config = replace(tiny, epochs=60, checkpoint_interval=0.02)
    whole, killed = RunFolder(tmp_path / "whole"), RunFolder(tmp_path / "killed")
    train(whole, config, dataset=dataset.path)
    with start(killed, dataset, config) as process:
        wait_until(lambda: killed.checkpoints() and int(killed.checkpoints()[0].stem[5:]) > 40)
        process.kill()
    assert killed.status() == "interrupted"
    # As if it had been killed while it wrote: the newest checkpoint is cut off, so the one before is taken.
    newest = killed.checkpoints()[0]
    newest.write_bytes(newest.read_bytes()[:1000])
    resume(killed)
    assert killed.status() == "finished"
    assert_same_controller(whole, killed)
    steps = [report["step"] for report in killed.read_progress()[0]]
    assert steps[-1] == whole.read_progress()[0][-1]["step"]


def test_a_run_goes_on_exactly_from_a_checkpoint_of_the_stage_before(
    tmp_path: Path, dataset: Dataset, tiny: TrainingConfig, monkeypatch: pytest.MonkeyPatch
):
    """All of the second stage is lost but ``best.pt``, which must not be what the second stage begins with again."""
    config = replace(tiny, checkpoint_interval=0.0)
    whole, torn = RunFolder(tmp_path / "whole"), RunFolder(tmp_path / "torn")
    train(whole, config, dataset=dataset.path)
    first: dict[Path, bytes] = {}
    save = RunFolder.save_checkpoint

    def remember(run: RunFolder, step: int, data: bytes) -> Path:
        path = save(run, step, data)
        if len(first) < 10:
            first[path] = data
        return path

    monkeypatch.setattr(RunFolder, "save_checkpoint", remember)
    train(torn, config, dataset=dataset.path)
    monkeypatch.undo()
    torn.write_state("failed", "The machine went down.")
    for path in torn.checkpoints():
        path.write_bytes(bytes(path.stat().st_size))
    path, data = list(first.items())[-1]
    path.write_bytes(data)
    torn.model_path.unlink()
    resume(torn)
    assert_same_controller(whole, torn)


def test_a_best_network_that_was_damaged_is_there_again_when_the_run_goes_on(
    tmp_path: Path, dataset: Dataset, tiny: TrainingConfig
):
    whole, torn = RunFolder(tmp_path / "whole"), RunFolder(tmp_path / "torn")
    for run in (whole, torn):
        train(run, replace(tiny, epochs=2, unroll_steps=0), dataset=dataset.path)
    torn.best_checkpoint.write_bytes(bytes(1000))
    torn.write_state("failed", "The machine went down.")
    resume(torn)
    assert_same_controller(whole, torn)
    assert checkpoint.read_best(torn, CPU) is not None


@pytest.mark.usefixtures("every_step_told")
def test_a_run_that_was_stopped_has_a_controller_and_goes_on_exactly(
    tmp_path: Path, dataset: Dataset, tiny: TrainingConfig
):
    config = replace(tiny, epochs=40)
    whole, stopped = RunFolder(tmp_path / "whole"), RunFolder(tmp_path / "stopped")
    train(whole, config, dataset=dataset.path)

    def stop_soon(report: dict[str, Any]) -> None:
        stopped.request_stop()

    train(stopped, config, dataset=dataset.path, report=stop_soon)
    assert stopped.status() == "stopped"
    load_model(stopped.model_path)
    assert stopped.read_progress()[0][-1]["step"] < whole.read_progress()[0][-1]["step"]
    assert len(stopped.checkpoints()) <= 2
    resume(stopped)
    assert stopped.status() == "finished"
    assert_same_controller(whole, stopped)


def test_a_stop_while_the_data_set_is_built(run: RunFolder, walks: list[Path], tiny: TrainingConfig):
    train(run, tiny, clips=walks, workers=1, report=lambda report: run.request_stop())
    assert run.status() == "stopped"
    assert not run.model_path.exists()
    resume(run, workers=1)
    assert run.status() == "finished"


def test_a_finished_run_is_left_alone(run: RunFolder, dataset: Dataset, tiny: TrainingConfig):
    train(run, replace(tiny, epochs=1, unroll_steps=0), dataset=dataset.path)
    before = run.model_path.stat().st_mtime_ns
    assert resume(run) == run.model_path
    assert run.model_path.stat().st_mtime_ns == before


def test_a_time_limit_ends_the_run_as_planned(run: RunFolder, dataset: Dataset, tiny: TrainingConfig):
    config = replace(tiny, epochs=1_000_000, unroll_epochs=1_000_000, time_limit=0.05)
    train(run, config, dataset=dataset.path)
    assert run.status() == "finished"
    last = run.read_progress()[0][-1]
    assert last["stage"] == "windows"
    # The cosine was on its way down; how far its last step came before the end depends on how long a step takes.
    assert last["learning_rate"] < 0.5 * config.unroll_learning_rate
    assert last["fraction"] > 0.9


def test_a_controller_is_exported_from_a_run_at_any_time(
    run: RunFolder, tmp_path: Path, dataset: Dataset, tiny: TrainingConfig
):
    train(run, replace(tiny, epochs=2, unroll_steps=0), dataset=dataset.path)
    out = export_model(run, tmp_path / "out.safetensors")
    assert out.read_bytes() == run.model_path.read_bytes()
    with pytest.raises(RunFolderError, match="no run"):
        export_model(RunFolder(tmp_path / "nothing"), tmp_path / "out.safetensors")


def failure(run: RunFolder, error: type[FootfallError], work: Callable[[], object]) -> str:
    """The error's sentence, which must be the state's, too."""
    with pytest.raises(error) as caught:
        work()
    state = run.read_state()
    assert state is not None
    assert (state.status, state.error) == ("failed", str(caught.value))
    return state.error


def test_the_data_set_is_missing(run: RunFolder, tmp_path: Path, tiny: TrainingConfig):
    words = failure(run, FootfallError, lambda: train(run, tiny, dataset=tmp_path / "nowhere"))
    assert "no finished data set" in words


def test_no_clip_can_be_used(run: RunFolder, tmp_path: Path, tiny: TrainingConfig):
    words = failure(run, FootfallError, lambda: train(run, tiny, clips=[tmp_path / "a.bvh"], workers=1))
    assert "a.bvh" in words


def test_windows_longer_than_every_clip(run: RunFolder, dataset: Dataset, tiny: TrainingConfig):
    config = replace(tiny, epochs=1, unroll_steps=240)
    manifest = json.loads((dataset.path / "manifest.json").read_text())
    assert max(s["stop"] - s["start"] for c in manifest["clips"] for s in c["sequences"]) > 240  # the small one stands
    (run.path.parent / "set").mkdir()
    short = {**manifest, "clips": [clip for clip in manifest["clips"] if clip["file"] != "small.bvh"]}
    (run.path.parent / "set" / "manifest.json").write_text(json.dumps(short))
    (run.path.parent / "set" / "shards").symlink_to(dataset.path / "shards")
    words = failure(run, FootfallError, lambda: train(run, config, dataset=run.path.parent / "set"))
    assert "240 consecutive frames" in words


def test_a_full_disk_loses_nothing_and_the_run_goes_on_when_there_is_room(
    tmp_path: Path, dataset: Dataset, tiny: TrainingConfig, monkeypatch: pytest.MonkeyPatch
):
    config = replace(tiny, epochs=5, checkpoint_interval=0.0)
    whole, full = RunFolder(tmp_path / "whole"), RunFolder(tmp_path / "full")
    train(whole, config, dataset=dataset.path)

    def until_full(path: Path, data: bytes, **options: bool) -> None:
        if path.name == "step-0000000020.pt":
            raise OSError(28, "No space left on device", str(path))
        write_atomically(path, data, **options)

    monkeypatch.setattr("footfall.core.jobs.run_folder.write_atomically", until_full)
    words = failure(full, RunFolderError, lambda: train(full, config, dataset=dataset.path))
    assert "full" in words
    assert "last checkpoint is safe" in words
    assert [path.stem for path in full.checkpoints()] == ["step-0000000019", "step-0000000018"]
    monkeypatch.undo()
    resume(full)
    assert_same_controller(whole, full)


def test_the_checkpoints_of_another_data_set(run: RunFolder, dataset: Dataset, tiny: TrainingConfig, tmp_path: Path):
    train(run, replace(tiny, epochs=1, unroll_steps=0), dataset=dataset.path)
    run.write_state("stopped")
    text = run.config_path.read_text()
    other = tmp_path / "other"
    other.mkdir()
    manifest = json.loads((dataset.path / "manifest.json").read_text())
    (other / "manifest.json").write_text(json.dumps({**manifest, "clips": manifest["clips"][:3]}))
    (other / "shards").symlink_to(dataset.path / "shards")
    run.config_path.write_text(text.replace(str(dataset.path), str(other)))
    assert "another data set" in failure(run, checkpoint.CheckpointError, lambda: resume(run))


def test_the_checkpoints_of_a_network_of_another_size(run: RunFolder, dataset: Dataset, tiny: TrainingConfig):
    train(run, replace(tiny, epochs=1, unroll_steps=0), dataset=dataset.path)
    run.write_state("stopped")
    run.config_path.write_text(run.config_path.read_text().replace("hidden = 16", "hidden = 17"))
    assert "another size" in failure(run, checkpoint.CheckpointError, lambda: resume(run))


def test_all_checkpoints_are_damaged(run: RunFolder, dataset: Dataset, tiny: TrainingConfig):
    train(run, replace(tiny, epochs=1, unroll_steps=0), dataset=dataset.path)
    run.write_state("stopped")
    for path in run.checkpoints():
        path.write_bytes(b"not a checkpoint")
    assert "damaged" in failure(run, checkpoint.CheckpointError, lambda: resume(run))


def test_a_checkpoint_that_would_run_code_is_refused(run: RunFolder, dataset: Dataset, tiny: TrainingConfig):
    class Evil:
        def __reduce__(self):
            return (os.system, ("echo evil",))

    train(run, replace(tiny, epochs=1, unroll_steps=0), dataset=dataset.path)
    run.write_state("stopped")
    for path in run.checkpoints():
        path.write_bytes(to_checksummed_bytes({"format_version": checkpoint.FORMAT_VERSION, "network": Evil()}))
    assert "damaged" in failure(run, checkpoint.CheckpointError, lambda: resume(run))


def test_a_training_that_goes_astray(run: RunFolder, dataset: Dataset, tiny: TrainingConfig):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "footfall.training.loop.learner.window_loss", lambda *a, **k: torch.tensor(math.nan, requires_grad=True)
        )
        assert "went astray at step" in failure(run, FootfallError, lambda: train(run, tiny, dataset=dataset.path))
    assert not run.checkpoints()


def test_a_device_that_is_lost_ends_the_run_with_a_sentence_and_it_goes_on_exactly(
    tmp_path: Path, dataset: Dataset, tiny: TrainingConfig
):
    config = replace(tiny, checkpoint_interval=0.0)
    whole, lost = RunFolder(tmp_path / "whole"), RunFolder(tmp_path / "lost")
    train(whole, config, dataset=dataset.path)
    steps = iter(range(15))

    def unplugged(*arguments: Any) -> None:
        if next(steps, None) is None:
            raise torch.AcceleratorError("CUDA error: device lost\nCompile with TORCH_USE_CUDA_DSA.")

    handle = register_optimizer_step_pre_hook(unplugged)
    try:
        words = failure(lost, DeviceError, lambda: train(lost, config, dataset=dataset.path))
    finally:
        handle.remove()
    assert words == "The device stopped working (CUDA error: device lost): see that it is there and resume the run"
    assert "Traceback" in lost.log_path.read_text()
    assert lost.checkpoints()[0].stem == "step-0000000015"
    resume(lost)
    assert_same_controller(whole, lost)


@pytest.mark.usefixtures("every_step_told")
@pytest.mark.parametrize(("before", "after"), [(None, torch.float16), (torch.float16, None)])
def test_a_run_goes_on_on_a_device_of_another_precision(
    run: RunFolder,
    dataset: Dataset,
    tiny: TrainingConfig,
    monkeypatch: pytest.MonkeyPatch,
    before: torch.dtype | None,
    after: torch.dtype | None,
):
    """As where the GPU is gone, or another one is there."""
    config = replace(tiny, epochs=20, unroll_steps=0)
    monkeypatch.setattr("footfall.training.loop.learner.half_precision", lambda *arguments: before)
    train(run, config, dataset=dataset.path, report=lambda report: run.request_stop())
    assert run.status() == "stopped"
    monkeypatch.setattr("footfall.training.loop.learner.half_precision", lambda *arguments: after)
    resume(run)
    assert run.status() == "finished"


def test_a_device_that_is_not_there(run: RunFolder, dataset: Dataset, tiny: TrainingConfig):
    missing = "cuda" if not torch.cuda.is_available() else "mps"
    assert missing.upper() in failure(
        run, ConfigError, lambda: train(run, replace(tiny, device=missing), dataset=dataset.path)
    )


def test_a_run_goes_on_on_a_device_that_is_there(run: RunFolder, dataset: Dataset, tiny: TrainingConfig):
    missing = "cuda" if not torch.cuda.is_available() else "mps"
    with pytest.raises(ConfigError):
        train(run, replace(tiny, epochs=1, unroll_steps=0, device=missing), dataset=dataset.path)
    with pytest.raises(ConfigError, match="keeps its 'hidden': only device, amp"):
        resume(run, changes=["device=cpu", "hidden=17"])
    resume(run, changes=["device=cpu"])
    assert run.status() == "finished"
    assert 'device = "cpu"' in run.config_path.read_text()


def test_neither_clips_nor_a_data_set(run: RunFolder, tiny: TrainingConfig):
    with pytest.raises(ConfigError, match="clips or a data set"):
        train(run, tiny)
    assert not run.path.exists()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[data", "valid TOML"),
        ("[data]\n", r"lack \[data\] or \[training\]"),
        ("[data]\nclips = [1]\n[training]\n", "no paths"),
        ("[data]\n[training]\n", "clips or a data set"),
        ('[data]\nclips = ["a"]\n[training]\nhiden = 3\n', "'hiden'"),
    ],
)
def test_damaged_settings_of_a_run(run: RunFolder, text: str, words: str):
    run.path.mkdir()
    run.config_path.write_text(text)
    with pytest.raises(ConfigError, match=words):
        resume(run)


def test_a_full_disk_while_the_data_set_is_built(
    run: RunFolder, walks: list[Path], tiny: TrainingConfig, monkeypatch: pytest.MonkeyPatch
):
    def full(path: Path, array: np.ndarray) -> None:
        raise OSError(28, "No space left on device", str(path))

    with monkeypatch.context() as patch:
        patch.setattr("footfall.training.data.shards.save_array", full)
        assert "make room" in failure(run, RunFolderError, lambda: train(run, tiny, clips=walks, workers=1))
    resume(run, workers=1)
    assert run.status() == "finished"
