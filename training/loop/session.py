"""A whole training run, from clips over a data set to a controller; the entry point of training."""

import os
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path

from ...core.errors import FootfallError
from ...core.jobs.clip_tags import ClipTags
from ...core.jobs.run_folder import RunFolder
from ...core.models.model_file import ControllerModel
from ..config.config import TrainingConfig
from ..config.origin import FineTuningOrigin
from ..config.reporting import REPORT_INTERVAL_S, ProgressCallback, ReportCallback
from ..config.run_config import RunConfig
from ..data.build import build_dataset
from ..data.manifest import DatasetSettings
from ..data.network_skeleton import NetworkSkeleton
from ..data.sample_layouts import IDLE_SENSORS_FIELD
from ..distributed.device import World, device_failure, was_restarted
from ..fine_tuning.fine_tuning import merge_controller_settings, save_origin, starting_model
from ..fine_tuning.pseudo_rehearsal import RehearsalSettings, generate_rehearsal
from ..interactions.run_takes import build_run_takes
from ..quadruped.preparation import prepare_takes
from .reports import StopRequested
from .trainer import train_run


def train(
    run: RunFolder,
    config: TrainingConfig,
    *,
    clips: Sequence[Path] = (),
    dataset: Path | None = None,
    origin: FineTuningOrigin | None = None,
    tags: Mapping[Path, ClipTags] | None = None,
    workers: int | None = None,
    report: ReportCallback | None = None,
    report_interval_s: float = REPORT_INTERVAL_S,
) -> Path:
    """Train a controller from clips or from an existing data set, and write ``model.safetensors``.

    Results of an earlier run in the folder are discarded, except for parts of its data set that are still valid.

    Args:
        run: the run folder, created if missing.
        config: the settings.
        clips: BVH files from which the run builds its data set.
        dataset: an existing data set, instead of clips.
        origin: starting point of fine-tuning; its base controller defines network, skeleton and normalization, and
            overrides the network settings of ``config``.
        tags: tags of clips (performer, style, variants), by path.
        workers: number of processes that build the data set; ``None`` for one per core.
        report: called with each progress line.
        report_interval_s: shortest time between two progress lines of the training, s.

    Returns:
        The controller's path. If the run was stopped, ``run.read_state().status`` is ``"stopped"`` and the file holds
        the best network so far; there is no file if it was stopped before training.

    Raises:
        FootfallError: settings are wrong, no clip is usable, or the disk is full; the sentence is also in the run's
            state.
    """
    named = tuple(path for path in clips if _is_text(path))
    whole = RunConfig(config, named, dataset, origin, tags or {})
    if origin is not None:
        whole = replace(whole, training=merge_controller_settings(starting_model(origin), config))
    world = World.from_environment()
    if not world.is_leader:
        train_run(run, whole.dataset_path(run), whole, world)
        return run.model_path
    with run.run_session(whole.to_toml(), discard_results=not was_restarted()):
        for path in sorted(set(clips) - set(named)):
            run.log(f"skipped {path}: its file name is not UTF-8 text, which the settings of the run require")
        _build_and_train(run, whole, world, workers, report, report_interval_s)
    return run.model_path


def resume(
    run: RunFolder, *, changes: Sequence[str] = (), workers: int | None = None, report: ReportCallback | None = None
) -> Path:
    """Continue a run that was stopped, killed or failed, from its last checkpoint, with its own settings.

    Returns and raises as :func:`train` does; a finished run is unchanged.

    Args:
        run: the run folder.
        changes: changed machine settings, such as ``"device=cpu"`` if the GPU is gone.
        workers: number of processes that build the data set; ``None`` for one per core.
        report: called with each progress line.
    """
    whole = RunConfig.from_run(run)
    whole = replace(whole, training=whole.training.with_machine_overrides(changes))
    world = World.from_environment()
    if not world.is_leader:
        train_run(run, whole.dataset_path(run), whole, world)
    elif run.status() == "finished" and run.model_path.exists():
        world.release_workers()
    else:
        with run.run_session(whole.to_toml()):
            _build_and_train(run, whole, world, workers, report)
    return run.model_path


def _is_text(path: Path) -> bool:
    """Return whether a path is valid text rather than bytes in another encoding."""
    try:
        str(path.absolute()).encode()
    except UnicodeEncodeError:
        return False
    return True


def _build_and_train(
    run: RunFolder,
    config: RunConfig,
    world: World,
    workers: int | None,
    report: ReportCallback | None,
    report_interval_s: float = REPORT_INTERVAL_S,
) -> None:
    """Build the training data of the run, and train."""
    report = report or (lambda progress: None)
    try:
        if config.clips or config.origin:
            run.write_state("building")
        model = save_origin(run, config.origin) if config.origin else None
        if config.clips:
            _build_dataset(run, config, model, workers, report)
        if model is not None:
            _make_rehearsal_data(run, config, model, report)
    except StopRequested:
        world.release_workers()
        run.write_state("stopped")
        return
    run.write_state("running")
    try:
        finished = train_run(run, config.dataset_path(run), config, world, report, report_interval_s)
    except RuntimeError as error:
        if (failure := device_failure(error)) is None:
            raise
        run.log(traceback.format_exc())
        raise failure from error
    run.write_state("finished" if finished else "stopped")


def _build_dataset(
    run: RunFolder, config: RunConfig, model: ControllerModel | None, workers: int | None, report: ReportCallback
) -> None:
    """Build the run's data set from its clips."""
    if config.training.body == "quadruped":
        config = _prepare_animals(run, config, report)
    elif config.training.takes:
        _build_takes(run, config, workers, report)
        return
    settings = DatasetSettings(**{one.name: getattr(config.training, one.name) for one in fields(DatasetSettings)})
    body = NetworkSkeleton.of(model, config.origin.style) if model and config.origin else None
    tell = _progress_callback(run, "dataset", report)
    dataset = build_dataset(config.clips, run.dataset_path, settings, workers, tell, body, config.tags)
    run.log(f"data set of {len(dataset.clips)} clips, {sum(clip.samples for clip in dataset.clips)} samples")
    if dataset.sensors:
        run.log(f"local phases of {', '.join(dataset.sensors)}")
    if idle := dataset.manifest.get(IDLE_SENSORS_FIELD):
        run.log(f"no local phases of {', '.join(idle)}: without contacts in all clips, or not in the setting 'sensors'")
    for skipped in dataset.manifest["skipped"]:
        run.log(f"skipped {skipped['file']}: {skipped['reason']}")


def _prepare_animals(run: RunFolder, config: RunConfig, report: ReportCallback) -> RunConfig:
    """Return the configuration of a run with its animal clips replaced with takes made from them."""
    training = config.training
    tell = _progress_callback(run, "takes", report)
    takes, skipped = prepare_takes(config.clips, run.path / "takes", training.takes, training.seed, tell)
    for path, reason in skipped.items():
        run.log(f"skipped {path.name}: {reason}")
    return replace(config, clips=tuple(takes), tags={})


def _build_takes(run: RunFolder, config: RunConfig, workers: int | None, report: ReportCallback) -> None:
    """Build the run's data set of takes composed from its clips."""
    if config.origin is not None:
        raise FootfallError(
            "A controller cannot be fine-tuned on interaction takes: start a new run with the preset nsm"
        )
    tell = _progress_callback(run, "takes", report)
    dataset = build_run_takes(
        config.clips, run.dataset_path, config.training, workers or os.cpu_count() or 1, tell, run.log
    )
    run.log(f"{len(dataset.clips)} takes, {sum(clip.samples for clip in dataset.clips)} samples")


def _make_rehearsal_data(run: RunFolder, config: RunConfig, model: ControllerModel, report: ReportCallback) -> None:
    """Let the controller generate rehearsal data if its old clips are not available."""
    settings, origin = config.training, config.origin
    if origin is None or origin.rehearsal_dataset is not None or settings.replay_share == 0.0:
        return
    wanted = RehearsalSettings(settings.replay_minutes, settings.seed, origin.style, settings.joint_weight)
    tell = _progress_callback(run, "replay", report)
    practised = generate_rehearsal(
        model, run.replay_path, wanted, lambda done, total: tell(done, total, "what the controller can already do")
    )
    run.log(f"replay of {sum(clip.samples for clip in practised.clips)} samples")


def _progress_callback(run: RunFolder, stage: str, report: ReportCallback) -> ProgressCallback:
    """Return a callback that reports progress before training, and raises :class:`StopRequested` when asked to stop."""

    def tell(done: int, total: int, text: str) -> None:
        line = {"stage": stage, "step": done, "total": total, "clip": text}
        run.append_progress(line)
        report(line)
        if run.stop_requested():
            raise StopRequested

    return tell
