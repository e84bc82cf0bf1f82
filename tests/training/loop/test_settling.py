"""Settling: the last stage of a run ends it, chooses among its own networks, and goes on exactly."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from footfall.core.jobs.run_folder import RunFolder
from footfall.core.models.model_file import load_model
from footfall.training.config.config import TrainingConfig
from footfall.training.data.dataset import Dataset
from footfall.training.loop import checkpoint
from footfall.training.loop.session import resume, train

CPU = torch.device("cpu")
WINDOWS, SETTLING = 1, 2


@pytest.fixture
def settling(tiny: TrainingConfig) -> TrainingConfig:
    """A training of three stages, bound by steps; the dropout of the last falls from a half to nothing."""
    return replace(tiny, dropout=0.5, settle_share=0.1, settle_epochs=3, settle_dropout=0.0)


def trained(folder: Path, config: TrainingConfig, dataset: Dataset) -> RunFolder:
    """A finished run."""
    run = RunFolder(folder)
    train(run, config, dataset=dataset.path, report_interval_s=0.0)
    return run


def best_network(run: RunFolder) -> checkpoint.BestNetwork:
    best = checkpoint.read_best(run, CPU)
    assert best is not None
    return best


def assert_same_controller(one: RunFolder, other: RunFolder) -> None:
    expected = load_model(other.model_path).tensors
    for name, tensor in load_model(one.model_path).tensors.items():
        np.testing.assert_array_equal(tensor, expected[name], err_msg=name)


def test_a_run_of_three_stages_names_them(tmp_path: Path, dataset: Dataset, settling: TrainingConfig):
    run = trained(tmp_path / "run", settling, dataset)
    assert run.status() == "finished"
    reports, _ = run.read_progress()
    assert list(dict.fromkeys(report["stage"] for report in reports)) == ["frames", "windows", "settling"]
    last = reports[-1]
    assert (last["step"], last["epochs"], last["fraction"]) == (last["total"], 3, 1.0)
    assert load_model(run.model_path).provenance["stages"] == ["frames", "windows", "settling"]


@pytest.mark.parametrize("reports_before_stop", [1, 5])
def test_a_run_that_was_stopped_while_it_settled_goes_on_exactly(
    tmp_path: Path, dataset: Dataset, settling: TrainingConfig, reports_before_stop: int
):
    """At its first step, before any network of the stage was judged, and later."""
    whole, stopped = trained(tmp_path / "whole", settling, dataset), RunFolder(tmp_path / "stopped")
    seen: list[dict[str, Any]] = []

    def stop_while_settling(report: dict[str, Any]) -> None:
        seen.extend([report] if report["stage"] == "settling" else [])
        if len(seen) == reports_before_stop:
            stopped.request_stop()

    train(stopped, settling, dataset=dataset.path, report=stop_while_settling, report_interval_s=0.0)
    assert stopped.status() == "stopped"
    assert seen[-1]["step"] < seen[-1]["total"]
    load_model(stopped.model_path)
    resume(stopped)
    assert stopped.status() == "finished"
    assert_same_controller(stopped, whole)


def test_settling_begins_with_the_best_network_so_far(tmp_path: Path, dataset: Dataset, settling: TrainingConfig):
    """At a rate of next to nothing it ends with that."""
    resting = replace(settling, settle_learning_rate=1e-8, l1=0.0)
    settled = trained(tmp_path / "settled", resting, dataset)
    unsettled = trained(tmp_path / "unsettled", replace(resting, settle_share=0.0), dataset)
    assert (best_network(settled).stage, best_network(unsettled).stage) == (SETTLING, WINDOWS)
    for name, tensor in best_network(unsettled).network.items():
        torch.testing.assert_close(best_network(settled).network[name], tensor, atol=1e-5, rtol=0)
