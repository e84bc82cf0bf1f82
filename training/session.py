"""A whole run: clips to data set to controller, in a run folder; the front door of training."""

import traceback
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from ..core.run_folder import RunFolder
from .config import TrainingConfig
from .dataset import DatasetSettings, build_dataset
from .device import device_failure, follows
from .run_config import RunConfig
from .trainer import fit

Report = Callable[[dict[str, Any]], None]


class _StopRequested(Exception):
    """Somebody asked the run to stop while its data set was being built."""


def train(
    run: RunFolder,
    config: TrainingConfig,
    *,
    clips: Sequence[Path] = (),
    dataset: Path | None = None,
    workers: int | None = None,
    report: Report | None = None,
) -> Path:
    """Trains a controller from clips, or from a data set that is there, and writes ``model.safetensors``.

    What an earlier run left in the folder goes, but for parts of its data set that still hold.

    Args:
        run: the folder; made where there is none.
        workers: processes that build the data set; the number of cores where ``None``.
        report: called with everything that goes to ``progress.jsonl``.

    Returns:
        The controller's path. Where the run was stopped, ``run.read_state().status`` is ``"stopped"`` and the file
        holds the best network until then; there is none yet where it was stopped before training.

    Raises:
        FootfallError: one sentence, also in the run's state: wrong settings, no usable clip, a full disk.
    """
    whole = RunConfig(config, tuple(clips), dataset)
    if follows():
        fit(run, whole.dataset_path(run), whole, lambda progress: None)
        return run.model_path
    with run.at_work(whole.to_toml(), anew=True):
        _work(run, whole, workers, report)
    return run.model_path


def resume(run: RunFolder, *, workers: int | None = None, report: Report | None = None) -> Path:
    """Goes on with a run that was stopped, killed or that failed, from its last checkpoint, with its own settings.

    Returns and raises as :func:`train`; a run that is finished is left as it is.
    """
    whole = RunConfig.read(run)
    if follows():
        fit(run, whole.dataset_path(run), whole, lambda progress: None)
    elif run.status() != "finished" or not run.model_path.exists():
        with run.at_work(whole.to_toml()):
            _work(run, whole, workers, report)
    return run.model_path


def _work(run: RunFolder, config: RunConfig, workers: int | None, report: Report | None) -> None:
    report = report or (lambda progress: None)
    try:
        if config.clips:
            run.write_state("building")
            _build(run, config, workers, report)
    except _StopRequested:
        run.write_state("stopped")
        return
    run.write_state("running")
    try:
        finished = fit(run, config.dataset_path(run), config, report)
    except RuntimeError as error:
        if (failure := device_failure(error)) is None:
            raise
        run.log(traceback.format_exc())
        raise failure from error
    run.write_state("finished" if finished else "stopped")


def _build(run: RunFolder, config: RunConfig, workers: int | None, report: Report) -> None:
    def progress(done: int, total: int, text: str) -> None:
        line = {"stage": "dataset", "step": done, "total": total, "clip": text}
        run.append_progress(line)
        report(line)
        if run.stop_requested():
            raise _StopRequested

    settings = DatasetSettings(**{one.name: getattr(config.training, one.name) for one in fields(DatasetSettings)})
    dataset = build_dataset(config.clips, run.dataset_path, settings, workers, progress)
    run.log(f"data set of {len(dataset.clips)} clips, {sum(clip.samples for clip in dataset.clips)} samples")
    for skipped in dataset.manifest["skipped"]:
        run.log(f"skipped {skipped['file']}: {skipped['reason']}")
