"""A data set with phase vectors as additional inputs and outputs of its samples.

The vectors are computed once per run and stored in its folder ``phases/``; they are added to x and y when samples are
read.

========================== ============================================================================================
``key``                    digest of what determines the vectors; vectors with another key are removed
``<clip>.npy``             (N, C, 2) float32, one row for each sample of the clip
``manifest.json``          written last: the data set's manifest with the vectors' groups, normalization and start
========================== ============================================================================================
"""

import hashlib
import io
import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from ...core.features import strikes
from ...core.features.layout import Layout
from ...core.features.locomotion import FUTURE_OFFSETS_FRAMES, SAMPLE_OFFSETS_FRAMES, input_layout, output_layout
from ...core.features.phase_vectors import phase_frequencies, phase_vector, sample_phase_vectors
from ...core.jobs.atomic import write_atomically
from ...core.jobs.bounded_files import MAX_MANIFEST_BYTES, ContentError, map_array, read_bytes, read_json_object
from ...core.jobs.run_folder import RunFolder
from ...core.labelling.phase.local_phases import find_local_phases
from ...core.models.network import Float32
from ...core.motion.roles import contact_roles, is_quadruped
from ..config.config import TrainingConfig
from ..config.reporting import ReportCallback
from ..data.dataset import Dataset
from ..data.manifest import MANIFEST_NAME, ClipEntry, DatasetError
from ..data.normalization import group_deviation, mean_and_deviation
from .periodic_autoencoder import PeriodicAutoencoder, phase_vectors
from .train_autoencoder import joint_velocities, train_autoencoder

FORMAT_VERSION: Final = 1
OUTPUT_OFFSETS_FRAMES: Final = (1, *(1 + offset for offset in FUTURE_OFFSETS_FRAMES))
"""Frames of the phase vectors in an output, relative to its own frame: the next frame, and future samples after it."""

VectorFunction = Callable[[Dataset, ClipEntry], Float32]
"""Function from a clip to the vectors (N, C, 2) of its samples."""


@dataclass(frozen=True, eq=False)
class PhaseConditionedDataset(Dataset):
    """A data set with phase vectors (N, C, 2) for each clip in ``vectors_folder``."""

    vectors_folder: Path

    @property
    def cache_folder(self) -> Path:
        return self.vectors_folder

    @property
    def digest(self) -> str:
        """Digest that identifies the data set, computed from the sources of the samples, not from rounded numbers."""
        return hashlib.sha256(json.dumps(self.manifest["phases"], sort_keys=True).encode()).hexdigest()

    def samples(self, clip: ClipEntry) -> tuple[Float32, Float32, Float32]:
        """Return a clip's inputs x (N, n) and outputs y (N, m) with phase vectors, and its phases (N), cycles.

        Raises:
            FootfallError: the shard or the vectors are damaged.
        """
        x, y, phase = super().samples(clip)
        vectors = _open_vectors(self.vectors_folder, clip)
        if vectors is None:
            raise DatasetError(
                "The phases in '{folder}' are damaged: resume the run to compute them again",
                folder=self.vectors_folder,
            )
        inputs, outputs = Layout(self.input_layout.groups[-1:]), Layout(self.output_layout.groups[-2:])
        seen = np.zeros((len(x), inputs.size), dtype=np.float32)
        targets = np.zeros((len(y), outputs.size), dtype=np.float32)
        for rows, own in _iter_sequences(clip, vectors):
            frames = np.arange(len(own))
            inputs.view(seen[rows], "phase.vector")[:] = sample_phase_vectors(
                own, self.rate, frames, SAMPLE_OFFSETS_FRAMES
            )
            outputs.view(targets[rows], "phase.frequency")[:] = phase_frequencies(own, self.rate)
            outputs.view(targets[rows], "phase.vector")[:] = sample_phase_vectors(
                own, self.rate, frames, OUTPUT_OFFSETS_FRAMES
            )
        return np.concatenate([x, seen], axis=1), np.concatenate([y, targets], axis=1), phase


def condition_on_phases(
    run: RunFolder,
    dataset: Dataset,
    settings: TrainingConfig,
    device: torch.device,
    report: ReportCallback | None = None,
) -> Dataset | None:
    """Return the data set with the phase inputs that a run's networks need, computing missing phase vectors.

    Args:
        run: the run.
        dataset: the run's data set.
        settings: settings of the run, with the kind of phases and the sizes of the autoencoder.
        device: device for the periodic autoencoder.
        report: called with each progress line.

    Returns:
        The data set itself if ``settings.phases`` is ``"none"``; ``None`` if a stop is requested.

    Raises:
        FootfallError: a part of the data set is damaged, or the autoencoder's loss is not finite.
        OSError: something cannot be written.
    """
    if settings.phases == "none":
        return dataset
    report = report or (lambda progress: None)
    about = {"format": FORMAT_VERSION, "kind": settings.phases, "dataset": dataset.digest}
    if settings.phases == "periodic":
        # Some versions of torch cannot multiply complex matrices on Apple's MPS.
        device = torch.device("cpu") if device.type == "mps" else device
        network = train_autoencoder(run, dataset, settings, device, report)
        if network is None:
            return None
        about["autoencoder"] = _network_digest(network)
        make: VectorFunction = partial(_periodic_phase_vectors, network)
    else:
        make = {"global": _global_phase_vectors, "local": _local_phase_vectors}[settings.phases]
    folder = prepare_folder(run, json.dumps(about, sort_keys=True))
    if not _make_vectors(run, dataset, folder, make, report):
        return None
    manifest = read_manifest(folder)
    if manifest is None:
        manifest = _build_manifest(dataset, folder, about)
        data = json.dumps(manifest, allow_nan=False).encode()
        write_atomically(folder / MANIFEST_NAME, data, follow_links=False)
    return PhaseConditionedDataset(dataset.path, manifest, folder)


def _global_phase_vectors(dataset: Dataset, clip: ClipEntry) -> Float32:
    """Return the labeled phase of the whole body as vectors of length 1 (NSM section 3.2).

    It is the phase given to all networks as a number, and it advances during standing. Vectors that shrink in standing
    have to grow before the first step: in a trial, reaching 1 m/s took a third of a second longer.
    """
    return phase_vector(dataset.samples(clip)[2])[:, None].astype(np.float32)


def _local_phase_vectors(dataset: Dataset, clip: ClipEntry) -> Float32:
    """Return the phase of each contact, in order (local motion phases, Starke et al. 2020, section 5).

    In data sets of attacks, each end effector adds the phase of its attacks.
    """
    x, y, phase = dataset.samples(clip)
    contacts = dataset.output_layout.view(y, "contact")
    moved = dataset.output_layout.view(y, "pose.velocity")[:, _contact_joints(dataset)]
    result = np.zeros((*contacts.shape, 2), dtype=np.float32)
    for one in clip.sequences:
        rows = slice(one.start, one.stop)
        if one.stop > one.start:
            speeds = np.linalg.norm(moved[rows], axis=-1)
            result[rows] = find_local_phases(contacts[rows], speeds, dataset.rate).vectors
    if not strikes.has_targets(dataset.input_layout):
        return result
    effectors = dataset.input_layout.view(x, "strike.effector")
    own = [
        strikes.effector_phase_vectors(phase[one.start : one.stop], effectors[one.start : one.stop])
        for one in clip.sequences
    ]
    return np.concatenate([result, np.concatenate(own)], axis=1).astype(np.float32)


def _contact_joints(dataset: Dataset) -> list[int]:
    """Return the pose joint of each contact; the foot stands in for a toe that is not a pose joint."""
    bones = {role: dataset.skeleton.names[joint] for role, joint in dataset.skeleton.roles.items()}
    if is_quadruped(bones):
        return [dataset.joints.index(bones[role]) for role in contact_roles(bones)]
    joints: list[int] = []
    for side in "LR":
        foot = dataset.joints.index(bones[f"foot.{side}"])
        toe = bones.get(f"toe.{side}")
        joints += [foot, dataset.joints.index(toe) if toe in dataset.joints else foot]
    return joints


def _periodic_phase_vectors(network: PeriodicAutoencoder, dataset: Dataset, clip: ClipEntry) -> Float32:
    """Return the phases of an autoencoder's channels for a clip."""
    own = joint_velocities(dataset, dataset.samples(clip)[1])
    return np.concatenate(phase_vectors(network, [own[one.start : one.stop] for one in clip.sequences]))


def _network_digest(network: PeriodicAutoencoder) -> str:
    """Return a digest of an autoencoder's weights."""
    digest = hashlib.sha256()
    for name, tensor in sorted(network.state_dict().items()):
        digest.update(name.encode() + np.ascontiguousarray(tensor.cpu().numpy()).tobytes())
    return digest.hexdigest()


def prepare_folder(run: RunFolder, key: str) -> Path:
    """Return the folder for a run's phase vectors, emptied if it was made with another key."""
    folder = run.path / "phases"
    key_path = folder / "key"
    if not _holds(key_path, key):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        write_atomically(key_path, key.encode(), follow_links=False)
    return folder


def _holds(path: Path, key: str) -> bool:
    """Return whether a file contains a key."""
    try:
        return read_bytes(path) == key.encode()
    except (OSError, ContentError):
        return False


def read_manifest(folder: Path) -> dict[str, Any] | None:
    """Return the manifest in a folder of phase vectors; ``None`` if it is missing or damaged."""
    try:
        return read_json_object(folder / MANIFEST_NAME, MAX_MANIFEST_BYTES)
    except (OSError, ContentError):
        return None


def _open_vectors(folder: Path, clip: ClipEntry) -> Float32 | None:
    """Return the memory-mapped vectors (N, C, 2) of a clip's samples; ``None`` if they are missing or damaged."""
    try:
        vectors = map_array(folder / f"{clip.shard}.npy")
    except (OSError, ContentError):
        return None
    fits = vectors.dtype == np.float32 and vectors.ndim == 3 and (len(vectors), vectors.shape[2]) == (clip.samples, 2)
    return vectors if fits else None


def _make_vectors(
    run: RunFolder, dataset: Dataset, folder: Path, vector_function: VectorFunction, report: ReportCallback
) -> bool:
    """Compute the missing vectors of all clips; return ``False`` if a stop was requested before all exist."""
    for number, clip in enumerate(dataset.clips, start=1):
        if _open_vectors(folder, clip) is not None:
            continue
        if run.stop_requested():
            return False
        vectors = vector_function(dataset, clip)
        if not np.isfinite(vectors).all():
            raise DatasetError(
                "The phases of the clip '{file}' are not finite numbers: leave the clip out", file=clip.file
            )
        content = io.BytesIO()
        np.save(content, vectors)
        write_atomically(folder / f"{clip.shard}.npy", content.getvalue(), follow_links=False)
        line = {"stage": "phases", "step": number, "total": len(dataset.clips), "clip": clip.file}
        run.append_progress(line)
        report(line)
    return True


def _iter_sequences(clip: ClipEntry, vectors: Float32) -> Iterator[tuple[slice, np.ndarray]]:
    """Yield the rows of each sequence of a clip with the sequence's vectors (F, C, 2)."""
    for one in clip.sequences:
        if one.stop > one.start:
            yield slice(one.start, one.stop), vectors[one.start : one.stop].astype(float)


def _build_manifest(dataset: Dataset, folder: Path, about: dict[str, Any]) -> dict[str, Any]:
    """Return the data set's manifest with the phase vectors added."""
    found = {clip.shard: _open_vectors(folder, clip) for clip in dataset.clips}
    vectors = {shard: one for shard, one in found.items() if one is not None}
    channels = next(iter(vectors.values())).shape[1]
    inputs = (
        strikes.input_layout(dataset.joints, channels)
        if strikes.has_targets(dataset.input_layout)
        else input_layout(dataset.joints, dataset.gaits, channels, len(dataset.performers))
    )
    outputs = output_layout(dataset.joints, channels)
    training = dataset.clips_in_split("training")
    mean, deviation = mean_and_deviation(
        phase_frequencies(own, dataset.rate)
        for clip in training
        for _, own in _iter_sequences(clip, vectors[clip.shard])
    )
    # Zero mean and one deviation for all components, so that directions and relative amplitudes are kept.
    length = mean_and_deviation(np.square(vectors[clip.shard]).reshape(-1, 1) for clip in training)[0] ** 0.5
    size = 2 * channels
    added = {
        "x_mean": np.zeros(len(SAMPLE_OFFSETS_FRAMES) * size),
        "x_std": np.repeat(length, len(SAMPLE_OFFSETS_FRAMES) * size),
        "y_mean": np.concatenate([mean, np.zeros(len(OUTPUT_OFFSETS_FRAMES) * size)]),
        "y_std": np.concatenate([deviation, np.repeat(length, len(OUTPUT_OFFSETS_FRAMES) * size)]),
    }
    for name, layout in (("x_std", Layout(inputs.groups[-1:])), ("y_std", Layout(outputs.groups[-2:]))):
        added[name] = group_deviation(layout, added[name])
    return {
        **dataset.manifest,
        "input_layout": inputs.to_json(),
        "output_layout": outputs.to_json(),
        "normalisation": {
            name: [*values, *added[name].astype(np.float32).tolist()]
            for name, values in dataset.manifest["normalisation"].items()
        },
        "start": {**dataset.manifest["start"], **_find_start_vectors(dataset, vectors)},
        "phases": about,
    }


def _find_start_vectors(dataset: Dataset, vectors: dict[str, Float32]) -> dict[str, list[Any]]:
    """Return the phase vectors and frequencies of the frame in the start pose's phase that moves most like it."""
    start = dataset.start
    nearest, found = np.inf, {}
    for clip in dataset.clips:
        _, y, phase = dataset.samples(clip)
        velocity = dataset.output_layout.view(y, "pose.velocity")
        for rows, own in _iter_sequences(clip, vectors[clip.shard]):
            frames = np.flatnonzero(phase[rows] == start["phase"])
            if not len(frames):
                continue
            away = np.abs(velocity[rows][frames] - start["velocity"]).max(axis=(1, 2))
            if away.min() < nearest:
                nearest, frame = away.min(), frames[np.argmin(away)]
                turning = phase_frequencies(own, dataset.rate)[frame]
                found = {"vector": own[frame].tolist(), "frequency": turning.tolist()}
    if not found:
        raise DatasetError(
            "The parts of the data set '{path}' do not match each other: build it again", path=dataset.path
        )
    return found
