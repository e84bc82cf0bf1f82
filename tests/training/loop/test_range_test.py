"""Batches and learning rates are suggested by what was tried."""

import json
from pathlib import Path

import pytest
import torch

from footfall.cli import main
from footfall.training.config.config import TrainingConfig
from footfall.training.data.dataset import Dataset
from footfall.training.loop.range_test import (
    BATCH_CANDIDATES,
    BatchTrial,
    RateTrial,
    choose_batch,
    choose_learning_rate,
    run_range_test,
)

CPU = torch.device("cpu")


def test_the_smallest_batch_that_is_nearly_as_quick_is_the_best():
    speeds = {32: 100.0, 64: 500.0, 128: 900.0, 256: 1000.0, 512: 990.0}
    assert choose_batch([BatchTrial(batch, speed, 1.0) for batch, speed in speeds.items()]) == 128


def test_a_learning_rate_is_a_tenth_of_where_the_loss_is_lowest():
    losses = {1e-4: 3.0, 1e-3: 2.0, 1.26e-2: 1.0, 1e-1: 4.0}
    assert choose_learning_rate([RateTrial(rate, loss) for rate, loss in losses.items()]) == 1.3e-3


def test_something_is_found_on_a_data_set(dataset: Dataset, tiny: TrainingConfig):
    told: list[tuple[int, int, str]] = []
    found = run_range_test(dataset, tiny, CPU, lambda *one: told.append(one))
    assert [trial.batch for trial in found.batches] == list(BATCH_CANDIDATES[: len(found.batches)])
    assert all(trial.samples_per_second > 0 for trial in found.batches)
    assert found.batch in BATCH_CANDIDATES
    assert [trial.learning_rate for trial in found.rates] == sorted(trial.learning_rate for trial in found.rates)
    assert 1e-6 < found.learning_rate < 0.1
    assert told[-1][:2] == (1, 1)
    assert torch.get_default_dtype() == torch.float32


def test_the_command_line(dataset: Dataset, capsys: pytest.CaptureFixture[str]):
    settings = ["--set", "device=cpu", "--set", "hidden=16", "--set", "threads=1"]
    assert main(["tune", str(dataset.path), *settings, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["batch"] in BATCH_CANDIDATES
    assert main(["tune", str(dataset.path), *settings]) == 0
    assert "--set batch=" in capsys.readouterr().out.splitlines()[-1]
    assert main(["tune", str(Path("nowhere"))]) == 1
