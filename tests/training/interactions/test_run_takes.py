"""A run composes takes of its clips, trains on them, and goes on where it was stopped."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from footfall.core.control.interaction.sequencer import InteractionSequencer
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.errors import FootfallError
from footfall.core.jobs.run_folder import RunFolder
from footfall.core.jobs.source_table import read_table
from footfall.core.models.model_file import load_model
from footfall.core.motion.rotations import rotation_about_up
from footfall.core.scene.interaction_object import InteractionObject
from footfall.tests.training.interactions.test_families import TINY
from footfall.tests.training.interactions.walker_takes import STOOL
from footfall.training.config.config import TrainingConfig
from footfall.training.config.origin import FineTuningOrigin
from footfall.training.data.dataset import Dataset
from footfall.training.interactions.run_takes import WALKING_CONTROLLER
from footfall.training.loop.session import resume, train

TAKES = 3


@pytest.fixture
def config() -> TrainingConfig:
    tiny = {name: value for name, value in TINY.to_mapping().items() if name not in ("takes", "gating")}
    return TrainingConfig(**{**tiny, "family": "experts", "gating": "goals", "takes": TAKES})


def stages_of(run: RunFolder) -> list[str]:
    return list(dict.fromkeys(report["stage"] for report in run.read_progress()[0]))


@pytest.mark.slow
def test_a_run_is_stopped_among_its_takes_and_goes_on(
    shared_data: Path, tmp_path: Path, config: TrainingConfig
) -> None:
    clip, run = tmp_path / "14_32.bvh", RunFolder(tmp_path / "run")
    shutil.copyfile(shared_data / "mocap/cmu_asfamc/sit/14_32.bvh", clip)

    def stop_at_the_second(report: dict[str, Any]) -> None:
        if report["stage"] == "takes" and report["step"] == 2:
            run.request_stop()

    train(run, config, clips=[clip], workers=1, report=stop_at_the_second)
    assert run.status() == "stopped" and not run.model_path.exists()
    (unfinished,) = run.dataset_path.glob("takes-*")
    made = {folder.name: (folder / "entry.json").stat().st_mtime_ns for folder in unfinished.iterdir()}
    assert len(made) == 2, "what was made is kept"

    resume(run, workers=1)
    assert run.status() == "finished" and stages_of(run) == ["takes", "frames", "windows"]
    shards = run.dataset_path / "shards"
    assert len(list(shards.iterdir())) == TAKES and not unfinished.exists()
    assert all((shards / name / "entry.json").stat().st_mtime_ns == time for name, time in made.items())
    log = run.log_path.read_text(encoding="utf-8")
    assert "14_32.bvh, by detection: 3 sits" in log and f"{TAKES} takes" in log

    (row,) = read_table(run.dataset_path)
    assert (row.clips, row.left_out) == (1, ()) and 0.0 < row.residual < 30.0 and row.minutes > 0.3

    manifest = (run.dataset_path / "manifest.json").stat().st_mtime_ns
    run.model_path.unlink()
    resume(run, workers=1)
    assert (run.dataset_path / "manifest.json").stat().st_mtime_ns == manifest, "takes are made once"
    assert len(Dataset.open(run.dataset_path).clips) == TAKES

    model = load_model(run.model_path)
    assert model.is_interaction_controller
    stool = InteractionObject("stool", "seat", STOOL, np.array([0.0, 2.0, 0.0]), rotation_about_up(np.array(0.0)))
    play = InteractionSequencer(model, [stool], [InteractionTask("sit", 0)], np.zeros(2), 0.0)
    play.advance(20)
    assert np.isfinite(np.concatenate([acted.output for acted in play.frames])).all()


def test_clips_that_show_neither_are_refused(shared_data: Path, tmp_path: Path, config: TrainingConfig) -> None:
    run, walk = RunFolder(tmp_path / "run"), shared_data / "mocap/cmu_asfamc/walk/02_01.bvh"
    with pytest.raises(FootfallError, match=r"None of the 1 clips shows sitting or lying down.*02_01\.bvh"):
        train(run, config, clips=[walk], workers=1)
    assert run.status() == "failed"


def test_takes_are_of_a_run_of_their_own(shared_data: Path, tmp_path: Path, config: TrainingConfig) -> None:
    sits = shared_data / "mocap/cmu_asfamc/sit/14_32.bvh"
    with pytest.raises(FootfallError, match="start a new run"):
        train(RunFolder(tmp_path / "run"), config, clips=[sits], origin=FineTuningOrigin(WALKING_CONTROLLER), workers=1)
