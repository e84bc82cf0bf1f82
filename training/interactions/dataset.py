"""Interaction data sets: samples from takes for one network, in the same folder layout as other data sets."""

import json
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from ...core.errors import FootfallError
from ...core.features.interaction import ACTIONS, SAMPLE_OFFSETS_FRAMES, has_goals, input_layout, output_layout
from ...core.features.layout import Layout
from ...core.features.locomotion import FEATURE_RATE_HZ, pose_rotations
from ...core.jobs.atomic import write_atomically
from ...core.jobs.bounded_files import MAX_MANIFEST_BYTES, ContentError, read_json_object
from ...core.jobs.locked_files import when_free
from ...core.jobs.pool import start_pool
from ...core.jobs.replacing import build_folder, list_contents, replace_together
from ..config.reporting import ProgressCallback
from ..data.build import compute_normalization
from ..data.dataset import Dataset
from ..data.dataset_folder import told_of_full_disk
from ..data.manifest import FORMAT_VERSION, MANIFEST_NAME, DatasetError, skeleton_to_json
from ..data.network_skeleton import NetworkSkeleton
from ..data.shard_files import ARRAY_NAMES
from ..data.shards import save_array
from .samples import take_samples
from .take import InteractionTake
from .take_distribution import add_distributions, frame_distribution
from .take_record import RECORD_NAME, TakeRecord

TakeFunction = Callable[[int], InteractionTake]
"""Function that makes the take with a given number."""
UNFINISHED_PREFIX: Final = "takes-"
"""Prefix of the folder with the takes of a cancelled build, followed by its key."""
ENTRY_NAME: Final = "entry.json"
"""File with the manifest entry of a take in the take's folder, written last."""
CURRENT_SAMPLE: Final = SAMPLE_OFFSETS_FRAMES.index(0)
"""Index of the current frame among the trajectory samples."""


@dataclass(frozen=True, slots=True)
class InteractionDatasetSettings:
    """Settings of the conversion of takes to a data set.

    Attributes:
        takes: number of takes.
        seed: seed of the takes; with it, take ``n`` is always the same.
        validation_share: share of the takes held out.
        joint_weight: scale of the normalized joint inputs (PFNN section 5.3).
        terrain: ground of the takes; always level.
    """

    takes: int = 400
    seed: int = 0
    validation_share: float = 0.05
    joint_weight: float = 0.1
    terrain: str = "level"


def build_interaction_dataset(
    make_take: TakeFunction,
    network_skeleton: NetworkSkeleton,
    out: Path,
    settings: InteractionDatasetSettings,
    workers: int = 1,
    progress: ProgressCallback = lambda done, total, text: None,
    key: str = "",
) -> Dataset:
    """Build a data set of takes; an existing data set is replaced only after the build has succeeded.

    Args:
        make_take: function that makes take ``n``; must be picklable for several processes.
        network_skeleton: network skeleton of the takes.
        out: the data set's folder: new, empty, or a data set of interactions.
        settings: the settings.
        workers: number of processes.
        progress: called with finished takes, total takes and the take's name; may raise an exception to cancel.
        key: digest of all inputs of the takes; with it, the takes of a cancelled build are reused.

    Raises:
        FootfallError: a take cannot be made, the disk is full, or the folder holds other files.
    """
    _require_interaction_folder(out)
    with told_of_full_disk(out), build_folder(out) as made:
        shards = _begin_shards(out, made, key)
        manifest = _write_dataset(make_take, network_skeleton, shards, settings, workers, progress)
        if key:
            when_free(lambda: shards.rename(made / "shards"), shards)
        manifest["key"] = key
        dataset = Dataset(made, manifest)
        manifest["normalisation"] = compute_normalization(dataset, settings.joint_weight)
        manifest["start"] = _find_start(dataset, network_skeleton)
        (made / MANIFEST_NAME).write_text(json.dumps(manifest, allow_nan=False), encoding="utf-8")
        unfinished = {name: manifest[name] for name in ("format_version", "input_layout")}
        replace_together(made, out, ["shards"], MANIFEST_NAME, json.dumps(unfinished).encode())
    return Dataset.open(out)


def has_key(folder: Path, key: str) -> bool:
    """Return whether a folder holds a finished data set of takes with the given key."""
    try:
        return bool(read_json_object(folder / MANIFEST_NAME, MAX_MANIFEST_BYTES)["key"] == key)
    except (OSError, ValueError, KeyError):
        return False


def _begin_shards(out: Path, made: Path, key: str) -> Path:
    """Return the folder in which to write takes; with a key, it is kept if the build is cancelled."""
    shards = out / f"{UNFINISHED_PREFIX}{key}" if key else made / "shards"
    for other in filter(_is_unfinished, out.glob(f"{UNFINISHED_PREFIX}*")):
        if other != shards:
            shutil.rmtree(other, ignore_errors=True)
    shards.mkdir(exist_ok=True)
    return shards


def _is_unfinished(folder: Path) -> bool:
    """Return whether a folder holds nothing but the takes of a cancelled build."""
    key = folder.name.removeprefix(UNFINISHED_PREFIX)
    if folder.is_symlink() or not folder.is_dir() or not re.fullmatch("[0-9a-f]+", key):
        return False
    return all(re.fullmatch(r"take-\d{5,}", path.name) and path.is_dir() for path in folder.iterdir())


def _require_interaction_folder(folder: Path) -> None:
    """Raise :class:`DatasetError` if a folder has content other than a data set of interactions."""
    contents = {name for name in list_contents(folder) if not _is_unfinished(folder / name)}
    if contents and not _is_interaction_folder(folder):
        raise DatasetError(
            "The folder '{folder}' contains other files than a data set of interactions: give a new folder, or "
            "empty the folder by hand",
            folder=folder,
        )


def _is_interaction_folder(folder: Path) -> bool:
    """Return whether a folder's manifest belongs to a data set of interactions, complete or half replaced."""
    try:
        manifest = read_json_object(folder / MANIFEST_NAME, MAX_MANIFEST_BYTES)
        return has_goals(Layout.from_json(manifest["input_layout"]))
    except (OSError, ValueError, LookupError, TypeError, AttributeError, OverflowError):
        return False


def _write_dataset(
    make_take: TakeFunction,
    network_skeleton: NetworkSkeleton,
    shards: Path,
    settings: InteractionDatasetSettings,
    workers: int,
    progress: ProgressCallback,
) -> dict[str, Any]:
    """Write the samples of all takes into a folder; return the manifest without the fields computed from samples."""
    write = partial(_write_take, make_take, network_skeleton.joints, network_skeleton.reference_rotations, shards)
    entries: list[dict[str, Any]] = []
    with _iter_entries(write, settings.takes, workers) as results:
        for entry in results:
            entries.append(entry)
            progress(len(entries), settings.takes, entry["file"])
    entries.sort(key=lambda entry: entry["shard"])
    every = max(round(1 / settings.validation_share), 2) if settings.validation_share else 0
    for number, entry in enumerate(entries):
        entry["split"] = "validation" if every and number % every == every - 1 else "training"
    return {
        "format_version": FORMAT_VERSION,
        "settings": asdict(settings),
        "rate": FEATURE_RATE_HZ,
        "input_layout": input_layout(network_skeleton.joints).to_json(),
        "output_layout": output_layout(network_skeleton.joints).to_json(),
        "skeleton": skeleton_to_json(network_skeleton.skeleton),
        "joints": list(network_skeleton.joints),
        "reference_rotations": np.asarray(network_skeleton.reference_rotations).tolist(),
        "gaits": list(ACTIONS),
        "clips": entries,
        "skipped": [],
        "distribution": add_distributions([entry.pop("distribution") for entry in entries]),
    }


@contextmanager
def _iter_entries(
    write: Callable[[int], dict[str, Any]], count: int, workers: int
) -> Iterator[Iterable[dict[str, Any]]]:
    """Open the workers, and yield an iterator over the manifest entries of all takes, in order of completion."""
    if workers <= 1:
        yield (write(number) for number in range(count))
        return
    pool: ProcessPoolExecutor = start_pool(workers)
    try:
        yield (future.result() for future in as_completed([pool.submit(write, number) for number in range(count)]))
    except BrokenProcessPool as error:
        raise DatasetError(
            "A process that was making takes was killed, probably because memory ran out: try again with fewer workers"
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


def _write_take(
    make_take: TakeFunction, joints: tuple[str, ...], reference_rotations: np.ndarray, shards: Path, number: int
) -> dict[str, Any]:
    """Make a take and write its samples and record unless they exist; return the take's manifest entry."""
    folder = shards / f"take-{number:05d}"
    if (folder / ENTRY_NAME).is_file() and (folder / RECORD_NAME).is_file():
        with suppress(OSError, ContentError):
            return read_json_object(folder / ENTRY_NAME)
    take = make_take(number)
    arrays = take_samples(take, joints, reference_rotations)
    if not all(np.isfinite(array).all() for array in arrays):
        raise FootfallError(
            "Take {number} leads to features that are not finite numbers: build the data set again, with another seed",
            number=number,
        )
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, array in zip(ARRAY_NAMES, arrays, strict=True):
        save_array(folder / f"{name}.npy", array)
    TakeRecord.of(take).save(folder)
    count = len(arrays[2])
    entry = {
        "file": f"{folder.name} ({take.name})",
        "source": take.source.name,
        "licence": take.source.licence,
        "credit": take.source.credit,
        "minutes": round(len(take.clip) / FEATURE_RATE_HZ / 60, 4),
        "shard": folder.name,
        "samples": count,
        "grounds": 0,
        "sequences": [{"variant": "built", "start": 0, "stop": count}],
        "distribution": frame_distribution(take),
    }
    write_atomically(folder / ENTRY_NAME, json.dumps(entry).encode())
    return entry


def _find_start(dataset: Dataset, network_skeleton: NetworkSkeleton) -> dict[str, Any]:
    """Return a controller's start: the walking controller's standing pose, with the phase of the nearest idle frame.

    If the network skeleton has no standing pose, the start is the idle frame nearest to the mean, or the frame nearest
    to it if none is idle. People in takes rarely stand relaxed: they already bend their knees for their next action.
    """
    rows, phases, idles = [], [], []
    for clip in dataset.clips:
        x, y, phase = dataset.samples(clip)
        idle = dataset.input_layout.view(x, "trajectory.action")[:, CURRENT_SAMPLE, ACTIONS.index("idle")]
        resting = np.linalg.norm(dataset.output_layout.view(y, "root.velocity"), axis=-1) < 0.1
        idles.append((idle > 0.9) & resting)
        rows.append(np.asarray(y))
        phases.append(np.asarray(phase))
    chosen = np.flatnonzero(np.concatenate(idles))
    y, phase = np.concatenate(rows), np.concatenate(phases)
    chosen = chosen if len(chosen) else np.arange(len(y))
    position = dataset.output_layout.view(y, "pose.position")
    known = network_skeleton.start
    wanted = position[chosen].mean(axis=0) if known is None else known[0]
    best = int(chosen[np.argmin(np.square(position[chosen] - wanted).sum(axis=(1, 2)))])
    own = position[best], pose_rotations(y[best], dataset.output_layout, dataset.reference_rotations)
    stands, turned = own if known is None else known
    return {
        "position": stands.tolist(),
        "velocity": np.zeros_like(stands).tolist(),
        "rotation": turned.tolist(),
        "phase": float(phase[best]),
    }
