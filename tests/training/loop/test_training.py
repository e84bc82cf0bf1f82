"""Whole runs: they learn, stop, die, go on exactly, and say clearly what went wrong."""

import signal
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from footfall.core.jobs.run_folder import RunFolder, RunFolderError
from footfall.core.models.model_file import load_model
from footfall.tests.support.training_runs import assert_same_controller, start, weights
from footfall.training.config.config import TrainingConfig
from footfall.training.data.dataset import Dataset
from footfall.training.loop import checkpoint
from footfall.training.loop.export import export_model
from footfall.training.loop.session import resume, train

CPU = torch.device("cpu")


def wait_until(what: Callable[[], Any]) -> None:
    deadline = time.monotonic() + 120
    while not what():
        assert time.monotonic() < deadline, "it did not happen within two minutes"
        time.sleep(0.02)


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
@pytest.mark.all_only("stopped runs are tested")
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
    tmp_path: Path, dataset: Dataset, tiny: TrainingConfig
):
    """All of the second stage is lost but ``best.pt``, which must not be what the second stage begins with again."""
    config = replace(tiny, checkpoint_interval=0.0)
    whole, torn = RunFolder(tmp_path / "whole"), RunFolder(tmp_path / "torn")
    train(whole, config, dataset=dataset.path)
    first: dict[Path, bytes] = {}

    def remember(report: dict[str, Any]) -> None:
        for path in torn.checkpoints():
            if len(first) < 10:
                first.setdefault(path, path.read_bytes())

    train(torn, config, dataset=dataset.path, report=remember, report_interval_s=0.0)
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


def test_a_run_that_was_stopped_has_a_controller_and_goes_on_exactly(
    tmp_path: Path, dataset: Dataset, tiny: TrainingConfig
):
    config = replace(tiny, epochs=40)
    whole, stopped = RunFolder(tmp_path / "whole"), RunFolder(tmp_path / "stopped")
    train(whole, config, dataset=dataset.path)

    def stop_soon(report: dict[str, Any]) -> None:
        stopped.request_stop()

    train(stopped, config, dataset=dataset.path, report=stop_soon, report_interval_s=0.0)
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
    with pytest.raises(RunFolderError, match="no training run"):
        export_model(RunFolder(tmp_path / "nothing"), tmp_path / "out.safetensors")
