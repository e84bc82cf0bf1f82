"""Training runs of fitted families: in a run folder like any training, with possible stops between parts of the fit."""

import time
from pathlib import Path
from typing import Any, Final

import torch

from ...core.errors import FootfallError
from ...core.jobs.run_folder import RunFolder
from ...core.models.network import Architecture
from ..config.config import ConfigError, TrainingConfig
from ..config.reporting import ReportCallback
from ..config.run_config import RunConfig
from ..data.dataset import Dataset
from ..data.manifest import DatasetError
from ..data.samples import load_samples
from ..distributed.device import is_worker
from ..fitted.families import FIT_FUNCTIONS
from ..fitted.material import FittedController, FittingData
from ..networks.families import architecture_of
from ..phases.phase_conditioning import condition_on_phases
from .checkpoint import BestNetwork
from .export import make_provenance, write_controller
from .reports import StopRequested

STAGE_NAME: Final = "fit"


def fit_controller(
    run: RunFolder, dataset: Path, config: RunConfig, device: torch.device, report: ReportCallback
) -> bool:
    """Fit a run's controller and write it; return true if the fit was completed, false if it was stopped.

    In a distributed run the leader does all the work.

    Args:
        run: the run.
        dataset: the data set's folder.
        config: the run's configuration.
        device: device on which periodic phases, if any, are learned.
        report: called with each progress line.

    Raises:
        FootfallError: the settings or the clips do not suit the family, or the data set is damaged.
        OSError: a file cannot be written.
    """
    settings, cpu = config.training, torch.device("cpu")
    architecture = _validated_architecture(settings)
    seen = None if is_worker() else condition_on_phases(run, Dataset.open(dataset), settings, device, report)
    if seen is None:
        return False
    training = load_samples(seen, "training", cpu, settings.memory_limit)
    validation = load_samples(seen, "validation", cpu, settings.memory_limit)
    if len(training) == 0:
        raise DatasetError("There are no clips left for training: add clips, or lower the setting 'validation_share'")
    material = FittingData(seen, training, validation, settings)
    run.log(f"fitting to {len(training)} samples, {len(validation)} held out")
    begun, steps = time.monotonic(), 1

    def tell(done: int, total: int, text: str) -> None:
        nonlocal steps
        spent, steps = time.monotonic() - begun, total
        left = spent * (total - done) / done
        line = {"stage": STAGE_NAME, "step": done, "total": total, "clip": text}
        _report_line(run, {**line, "eta": round(left, 1), "fraction": round(done / (total + 1), 4)}, report)
        if run.stop_requested():
            raise StopRequested

    try:
        fit = FIT_FUNCTIONS[settings.family](architecture, material, tell)
    except StopRequested:
        run.write_state("stopping")
        return False
    run.log(fit.note)
    loss, held_out = _frame_losses(fit, material)
    provenance = make_provenance(seen, config, BestNetwork(seen.digest, 0, steps, loss, held_out, {}))
    write_controller(run.model_path, seen, fit.architecture, fit.tensors, {**provenance, "stages": [STAGE_NAME]})
    line = {"stage": STAGE_NAME, "step": steps, "total": steps, "loss": loss, "validation_loss": held_out}
    _report_line(run, {**line, "eta": 0.0, "fraction": 1.0}, report)
    return True


def _report_line(run: RunFolder, line: dict[str, Any], report: ReportCallback) -> None:
    """Append a line to ``progress.jsonl`` and report it."""
    run.append_progress(line)
    report(line)


def _validated_architecture(settings: TrainingConfig) -> Architecture:
    """Return the architecture that the settings describe, checked against the limits of its family."""
    architecture = architecture_of(settings)
    try:
        return type(architecture).from_json(architecture.to_json())
    except ValueError as error:
        raise ConfigError(
            "A controller of the family '{family}' cannot be trained with these settings: {error}",
            family=settings.family,
            error=error,
        ) from error


def _frame_losses(fit: FittedController, material: FittingData) -> tuple[float, float | None]:
    """Return the mean squared error of single frames over the training clips, and over the held-out clips."""
    try:
        network = fit.architecture.network(fit.tensors, material.task)
    except ValueError as error:
        raise FootfallError(
            "A controller of the family '{family}' cannot be trained on these clips: {error}",
            family=fit.architecture.family,
            error=error,
        ) from error
    return material.training_loss(network), material.validation_loss(network, 1)
