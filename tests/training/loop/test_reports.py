"""Progress reports of a run: the time that is left."""

from pathlib import Path
from typing import Any

import pytest

from footfall.core.jobs.run_folder import RunFolder
from footfall.training.config.config import TrainingConfig
from footfall.training.loop.checkpoint import Checkpoint
from footfall.training.loop.reports import ProgressReporter
from footfall.training.losses.stages import TrainingStage


def checkpoint(stage: int, step: int, spent: float = 0.0) -> Checkpoint:
    return Checkpoint("", stage, step, step, 0.0, spent, 1.0, None, {}, None, {})


@pytest.fixture
def told() -> list[dict[str, Any]]:
    return []


@pytest.fixture
def reporter(told: list[dict[str, Any]], tmp_path: Path) -> ProgressReporter:
    """Two stages of ten batches of 32 frames."""
    samples: Any = range(32)
    stages = [
        TrainingStage(
            name,
            1,
            1.0,
            epochs=10,
            batch=32,
            learning_rate=1e-3,
            dropout=0.0,
            final_dropout=0.0,
            restart_epochs=0,
            time_limit_s=0.0,
        )
        for name in ("frames", "windows")
    ]
    run = RunFolder(tmp_path / "run")
    run.begin("")
    return ProgressReporter(run, told.append, stages, samples, TrainingConfig())


def test_the_remaining_time_follows_from_the_speed(reporter: ProgressReporter, told: list[dict[str, Any]]) -> None:
    reporter.report(checkpoint(0, 5), 1, 32.0, 1e-3)
    assert told[-1]["eta"] == 15.0
