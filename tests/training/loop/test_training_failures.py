"""Runs that cannot begin or go on say why, and go on when they can."""

import json
import math
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch.optim.optimizer import register_optimizer_step_pre_hook

from footfall.core.errors import FootfallError
from footfall.core.jobs.run_folder import RunFolder, RunFolderError
from footfall.tests.support.training_runs import assert_same_controller
from footfall.training.config.checksummed_file import to_checksummed_bytes
from footfall.training.config.config import ConfigError, TrainingConfig
from footfall.training.data.dataset import Dataset
from footfall.training.distributed.device import DeviceError
from footfall.training.loop import checkpoint
from footfall.training.loop.session import resume, train


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

    replace_file = Path.replace

    def until_full(path: Path, to: Path) -> Path:
        if to.name == "step-0000000020.pt":
            raise OSError(28, "No space left on device", str(to))
        return replace_file(path, to)

    monkeypatch.setattr(Path, "replace", until_full)
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
    def astray(optimizer: torch.optim.Optimizer, *_: Any) -> None:
        optimizer.param_groups[0]["params"][0].data.fill_(math.nan)

    handle = register_optimizer_step_pre_hook(astray)
    try:
        assert "diverged at step" in failure(run, FootfallError, lambda: train(run, tiny, dataset=dataset.path))
    finally:
        handle.remove()
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
    assert (
        words == "The training device stopped working (CUDA error: device lost): check the device, then resume the run"
    )
    assert "Traceback" in lost.log_path.read_text()
    assert lost.checkpoints()[0].stem == "step-0000000015"
    resume(lost)
    assert_same_controller(whole, lost)


def test_a_run_goes_on_on_a_device_that_is_there(run: RunFolder, dataset: Dataset, tiny: TrainingConfig):
    missing = "cuda" if not torch.cuda.is_available() else "mps"
    with pytest.raises(ConfigError):
        train(run, replace(tiny, epochs=1, unroll_steps=0, device=missing), dataset=dataset.path)
    with pytest.raises(ConfigError, match="of a run that has begun cannot change: only device, amp"):
        resume(run, changes=["device=cpu", "hidden=17"])
    resume(run, changes=["device=cpu"])
    assert run.status() == "finished"
    assert 'device = "cpu"' in run.config_path.read_text()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[data", "valid TOML"),
        ("[data]\n", r"no table \[data\] or \[training\]"),
        ("[data]\nclips = [1]\n[training]\n", "not paths"),
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
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(np.lib.format, "write_array_header_1_0", full)
        assert "is full" in failure(run, RunFolderError, lambda: train(run, tiny, clips=walks, workers=1))
    resume(run, workers=1)
    assert run.status() == "finished"
