"""Interaction takes of a training run, composed from its clips with their labels and objects."""

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

from ...core.jobs.source_table import SkippedClip, tabulate_sources, write_table
from ...core.scene.clip_objects import objects_path
from ..config.config import TrainingConfig
from ..config.reporting import ProgressCallback
from ..data.clip_cache import PACKAGE_FOLDER, clip_key, file_digest
from ..data.dataset import Dataset
from ..data.network_skeleton import WALKING_CONTROLLER
from ..data.sources import source_of
from .dataset import InteractionDatasetSettings, build_interaction_dataset, has_key
from .motion_library import ClipReading
from .take_generator import TakeGenerator, load_motion_library
from .walk_library import walk_count_for

CODE_FOLDERS: Final = ("training/interactions", "core/scene", "core/control", "core/features")
"""Folders with code that determines takes, in addition to the code that determines labels."""


def build_run_takes(
    clips: Sequence[Path],
    out: Path,
    config: TrainingConfig,
    workers: int,
    progress: ProgressCallback,
    log: Callable[[str], None],
) -> Dataset:
    """Build the data set of a run's takes; an existing one with the same clips and settings is kept.

    Args:
        clips: captured clips of interactions, with the files beside them.
        out: the data set's folder.
        config: the run's settings.
        workers: number of processes.
        progress: called with finished takes, total takes and the take's name; may raise an exception to cancel.
        log: called with a sentence about the findings in each clip.

    Raises:
        FootfallError: no clip shows sitting or carrying, or a take cannot be made.
    """
    files = tuple(sorted({path.absolute() for path in clips}))
    settings = InteractionDatasetSettings(config.takes, config.seed, config.validation_share, config.joint_weight)
    key = _takes_key(files, settings)
    if has_key(out, key):
        return Dataset.open(out)
    generator = TakeGenerator(
        WALKING_CONTROLLER, seed=config.seed, clips=files, leaning=True, walk_count=walk_count_for(config.takes)
    )
    progress(0, config.takes, "the clips are read")
    library = load_motion_library(generator)
    for reading in library.readings:
        log(reading.sentence())
    out.mkdir(parents=True, exist_ok=True)
    dataset = build_interaction_dataset(generator, library.network_skeleton, out, settings, workers, progress, key)
    _write_source_table(out, library.readings)
    return dataset


def _takes_key(files: Sequence[Path], settings: InteractionDatasetSettings) -> str:
    """Return a digest of everything that determines the takes: clips, labels, objects, controller, settings, code."""
    digest = hashlib.sha256(json.dumps(asdict(settings)).encode())
    for file in files:
        digest.update(os.fsencode(file) + b"\0")
        if file.exists():
            digest.update(clip_key(file).encode())
        if objects_path(file).exists():
            digest.update(file_digest(objects_path(file)))
    digest.update(WALKING_CONTROLLER.read_bytes())
    for folder in CODE_FOLDERS:
        for module in sorted((PACKAGE_FOLDER / folder).rglob("*.py")):
            digest.update(module.read_bytes())
    return digest.hexdigest()[:32]


def _write_source_table(out: Path, readings: Sequence[ClipReading]) -> None:
    """Write the table of sources, with the reasons for unused clips."""
    sources = {one.path: source_of(one.path) for one in readings}
    write_table(
        out,
        tabulate_sources(
            (
                (sources[one.path].folder, sources[one.path].name, one.minutes, one.residuals)
                for one in readings
                if one.is_used
            ),
            (
                (sources[one.path].folder, sources[one.path].name, SkippedClip(one.path.name, one.reason))
                for one in readings
                if not one.is_used
            ),
        ),
    )
