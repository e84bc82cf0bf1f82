"""Controllers that are fitted come from the same command as trained ones, and walk."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from footfall.core.control.path.path import Path as WalkPath
from footfall.core.control.walk.path_walk import make_walk
from footfall.core.control.walk.plan import WalkRequest
from footfall.core.errors import FootfallError
from footfall.core.jobs.run_folder import RunFolder
from footfall.core.models.model_file import load_model
from footfall.training.config.config import ConfigError, TrainingConfig
from footfall.training.data.dataset import Dataset
from footfall.training.data.manifest import DatasetError
from footfall.training.loop.export import export_model
from footfall.training.loop.session import resume, train

SMALL: dict[str, dict[str, Any]] = {
    "gp": {"family": "gp", "points": 60, "phase_input": True, "unroll_steps": 10},
    "phase gp": {"family": "gp", "points": 30, "bins": 4, "unroll_steps": 10},
    "gp of phase vectors": {"family": "gp", "points": 60, "phases": "global", "unroll_steps": 0},
    "matching": {"family": "matching", "points": 100_000},
}
WAY = WalkPath(np.array([[0.0, 0.0], [0.0, 2.0]]))


@pytest.fixture(params=SMALL)
def config(request: pytest.FixtureRequest) -> TrainingConfig:
    """A fit of each kind, of a second."""
    return TrainingConfig(validation_share=0.2, device="cpu", threads=1, **SMALL[request.param])


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    return RunFolder(tmp_path / "run")


def test_fitted_controllers_walk(run: RunFolder, dataset: Dataset, config: TrainingConfig):
    told: list[dict[str, Any]] = []
    model = load_model(train(run, config, dataset=dataset.path, report=told.append))
    assert run.status() == "finished"
    assert model.architecture.family == config.family
    assert model.provenance["family"] == config.family
    assert model.provenance["stages"] == ["fit"]
    assert 0 <= model.provenance["metrics"]["loss"] < model.provenance["metrics"]["validation_loss"] < 10
    fits = [report for report in told if report["stage"] == "fit"]
    assert [report["fraction"] for report in fits] == sorted(report["fraction"] for report in fits)
    assert fits[-1]["fraction"] == 1.0
    assert fits[-1]["eta"] == 0.0
    assert fits[-1]["validation_loss"] == model.provenance["metrics"]["validation_loss"]
    walk = make_walk(model, WalkRequest(WAY, 1.0))
    assert np.isfinite(walk.clip.rotations).all()
    assert np.isfinite(walk.clip.root_positions).all()
    assert np.linalg.norm(walk.clip.root_positions[-1, :2] - [0.0, 2.0]) < 0.3


def test_a_fit_that_was_stopped_is_done_again(tmp_path: Path, run: RunFolder, dataset: Dataset, config: TrainingConfig):
    whole = RunFolder(tmp_path / "whole")
    train(whole, config, dataset=dataset.path)
    train(run, config, dataset=dataset.path, report=lambda report: run.request_stop())
    assert run.status() == "stopped"
    assert not run.model_path.exists()
    with pytest.raises(FootfallError, match="no controller to export yet"):
        export_model(run, tmp_path / "early.safetensors")
    resume(run)
    assert run.status() == "finished"
    assert run.model_path.read_bytes() == whole.model_path.read_bytes(), "the same seed, the same controller"


def test_a_fitted_controller_is_exported(run: RunFolder, tmp_path: Path, dataset: Dataset, config: TrainingConfig):
    train(run, config, dataset=dataset.path)
    exported = load_model(export_model(run, tmp_path / "a.safetensors"))
    model = load_model(run.model_path)
    assert exported.provenance == model.provenance
    for name, tensor in model.tensors.items():
        np.testing.assert_array_equal(exported.tensors[name], tensor)


def test_clips_larger_than_the_memory_limit(run: RunFolder, tmp_path: Path, dataset: Dataset, config: TrainingConfig):
    if config.phases != "none":
        pytest.skip("phases are made anew in each run")
    mapped = RunFolder(tmp_path / "mapped")
    train(run, config, dataset=dataset.path)
    train(mapped, replace(config, memory_limit=0.0), dataset=dataset.path)
    expected = load_model(run.model_path).tensors
    for name, tensor in load_model(mapped.model_path).tensors.items():
        np.testing.assert_array_equal(tensor, expected[name])


def test_a_setting_beyond_the_family_s_limits(run: RunFolder, dataset: Dataset):
    with pytest.raises(
        ConfigError, match="'gp' cannot be trained with these settings: the setting 'points' is not from 1 to"
    ):
        train(run, TrainingConfig(family="gp", points=1 << 20), dataset=dataset.path)
    state = run.read_state()
    assert state is not None
    assert state.status == "failed"
    assert "'points'" in state.error


def test_a_data_set_with_nothing_to_train_on(run: RunFolder, tmp_path: Path, dataset: Dataset):
    manifest = json.loads((dataset.path / "manifest.json").read_text())
    for clip in manifest["clips"]:
        clip.update(split="validation")
    kept = tmp_path / "held_out"
    kept.mkdir()
    (kept / "shards").symlink_to(dataset.path / "shards", target_is_directory=True)
    (kept / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(DatasetError, match="no clips left for training"):
        train(run, TrainingConfig(**SMALL["gp"]), dataset=kept)
