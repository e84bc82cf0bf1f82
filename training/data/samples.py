"""Samples of one split of a data set as normalized tensors, on the device if they fit into its memory."""

from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from ...core.features.terrain import BASE_COLUMN, COLUMN_COUNT, HEIGHT_COUNT, PREVIOUS_BASE_COLUMN
from ...core.jobs.atomic import temporary_path
from ...core.jobs.locked_files import discard, when_free
from ...core.models.network import Float32
from .dataset import Dataset
from .manifest import ClipEntry, DatasetError

BYTES_PER_GIBIBYTE = 1 << 30
MAX_RUNS = 8
"""Largest number of runs that can map one data set at a time on systems that do not replace open files."""


@dataclass(frozen=True, slots=True, eq=False)
class WindowBatch:
    """Windows of T consecutive normalized samples: inputs x (B, T, n), outputs y (B, T, m), phases (B, T).

    ``ground_step`` (B, T) is the change, m, of the ground's reference height from a frame to the next; it is 0 except
    where one ground patch ends and the next begins.
    """

    x: Tensor
    y: Tensor
    phase: Tensor
    ground_step: Tensor


class GroundPlacement:
    """Places normalized samples on uneven terrain; the tensor version of ``core.features.terrain.apply_terrain``."""

    def __init__(self, dataset: Dataset, device: torch.device) -> None:
        inputs, outputs, norm = dataset.input_layout, dataset.output_layout, dataset.normalization
        self._terrain_height_slice = inputs.slices.get(
            "terrain.height", slice(0, 0)
        )  # Only locomotion is on rough ground.
        self._input_height_slice, self._output_height_slice = (
            _height_components(layout.slices["pose.position"]) for layout in (inputs, outputs)
        )
        self._terrain_height_std = torch.from_numpy(norm.x_std[self._terrain_height_slice]).to(device)
        self._input_height_std = torch.from_numpy(norm.x_std[self._input_height_slice]).to(device)
        self._output_height_std = torch.from_numpy(norm.y_std[self._output_height_slice]).to(device)

    def place_on_grounds(self, x: Tensor, y: Tensor, grounds: Tensor) -> Tensor:
        """Place inputs x (B, T, n) and outputs y (B, T, m) on terrains (B, T, COLUMN_COUNT), in place.

        Return the change (B, T), m, of the ground's reference height from each frame to the next.
        """
        base, before = grounds[..., BASE_COLUMN], grounds[..., PREVIOUS_BASE_COLUMN]
        x[..., self._terrain_height_slice] += grounds[..., :HEIGHT_COUNT] / self._terrain_height_std
        x[..., self._input_height_slice] -= before[..., None] / self._input_height_std
        y[..., self._output_height_slice] -= base[..., None] / self._output_height_std
        step = torch.zeros_like(base)
        step[:, :-1] = base[:, :-1] - before[:, 1:]
        return step

    def raise_pose(self, x: Tensor, ground_step: Tensor) -> Tensor:
        """Raise the poses in inputs x (B, n), in place, by the changes (B), m, of reference height; return x."""
        x[..., self._input_height_slice] += ground_step[..., None] / self._input_height_std
        return x


def _height_components(positions: slice) -> slice:
    """Return the slice of the z components of positions (P, 3)."""
    return slice(positions.start + 2, positions.stop, 3)


@dataclass(frozen=True, eq=False)
class SplitSamples:
    """The samples of one split, or of one process's partition of it; a window is identified by its first frame.

    Attributes:
        x, y, phase: inputs (N, n), outputs (N, m) and phases (N), normalized; on the device, in memory, or
            memory-mapped.
        sequences: (S, 2) first frame and frame after the last of every run of consecutive frames of the whole split.
        device: device of the batches.
        grounds: (R, K, COLUMN_COUNT) terrains of the samples not on level ground, see ``core.features.terrain``.
        ground_index: (N) row of each sample in ``grounds``; -1 on level ground.
        ground_placement: conversion of x and y to these terrains.
        frame_count: number of frames of the whole split.
        first_frame: number, in the whole split, of the first of the N frames.
        owned_range: first frame of this partition and the frame after its last; x, y and phase reach into the next
            partition by the length of a window.
        memory_mapped: whether x, y and phase are read from disk.
    """

    x: Tensor
    y: Tensor
    phase: Tensor
    sequences: Tensor
    device: torch.device
    grounds: Tensor
    ground_index: Tensor
    ground_placement: "GroundPlacement"
    frame_count: int
    first_frame: int
    owned_range: tuple[int, int]
    memory_mapped: bool

    def __len__(self) -> int:
        return self.frame_count

    @property
    def grounds_per_sample(self) -> int:
        """Number K of terrains available for each sample."""
        return self.grounds.shape[1]

    def is_owned(self, starts: Tensor) -> Tensor:
        """Return a mask (B) of the windows, given by their first frames, that belong to this partition."""
        return (starts >= self.owned_range[0]) & (starts < self.owned_range[1])

    def windows(self, starts: Tensor, length: int, ground_choice: Tensor | None = None) -> "WindowBatch":
        """Return windows of T consecutive samples, as tensors on the device.

        Args:
            starts: (B) first frames.
            length: frames of each window, T.
            ground_choice: (B) index, below K, of the ground of each window; by default ``starts % K``.
        """
        ground_choice = starts % self.grounds_per_sample if ground_choice is None else ground_choice
        first = _to_device(starts - self.first_frame, self.x.device)
        index = first[:, None] + torch.arange(length, device=first.device)
        flat = index.flatten()
        x, y, phase = (
            _to_device(values.index_select(0, flat), self.device).view(*index.shape, -1)
            for values in (self.x, self.y, self.phase[:, None])
        )
        if len(self.grounds) == 0:
            return WindowBatch(x, y, phase[..., 0], torch.zeros(index.shape, device=self.device))
        rough = self.ground_index[_to_device(flat, self.device)].view(index.shape)
        rows = (
            self.grounds[rough.clamp(min=0), _to_device(ground_choice, self.device)[:, None]] * (rough >= 0)[..., None]
        )
        step = self.ground_placement.place_on_grounds(x, y, rows)
        return WindowBatch(x, y, phase[..., 0], step)

    def window_starts(self, length: int) -> Tensor:
        """Return the first frames (W), in the whole split, of all windows of ``length`` consecutive frames."""
        spans = [
            torch.arange(int(start), int(stop) - length + 1) for start, stop in self.sequences if stop - start >= length
        ]
        return torch.cat(spans) if spans else torch.zeros(0, dtype=torch.int64)


def load_samples(
    dataset: Dataset,
    split: str,
    device: torch.device,
    memory_limit: float,
    partition: tuple[int, int] = (0, 1),
    longest_window: int = 1,
) -> SplitSamples:
    """Load the samples of the split ``"training"`` or ``"validation"``, or one of several equal parts of it.

    Args:
        dataset: the data set.
        split: name of the split.
        device: device of the batches.
        memory_limit: gibibytes above which the normalized partition is written to files in the data set's folder and
            mapped.
        partition: index of the partition, and number of partitions.
        longest_window: number of frames of the longest window that will be requested.

    Raises:
        FootfallError: a part of the data set is damaged.
        OSError: the files of a larger partition cannot be written.
    """
    clips, sizes = dataset.clips_in_split(split), (dataset.input_layout.size, dataset.output_layout.size, 1)
    firsts = np.cumsum([0, *(clip.samples for clip in clips)])
    frames = int(firsts[-1])
    owns = partition_range(frames, partition)
    start, stop = owns[0], min(owns[1] + longest_window - 1, frames)
    held = [
        (clip, slice(max(start - int(at), 0), min(stop - int(at), clip.samples)))
        for clip, at in zip(clips, firsts, strict=False)
        if at < stop and at + clip.samples > start
    ]
    parts = (_normalize_rows(dataset, clip, rows) for clip, rows in held)
    mapped = (stop - start) * sum(sizes) * 4 > memory_limit * BYTES_PER_GIBIBYTE
    if mapped:
        name = split if partition[1] == 1 else f"{split}.{partition[0]}-{partition[1]}"
        arrays = write_memory_maps(
            parts, [dataset.cache_folder / f"{name}.{array}.cache" for array in ("x", "y", "phase")], sizes
        )
    else:
        arrays = [np.empty((stop - start, size), dtype=np.float32) for size in sizes]
        row = 0
        for rows in parts:
            for array, values in zip(arrays, rows, strict=True):
                array[row : row + len(values)] = values
            row += len(rows[0])
    x, y, phase = (torch.from_numpy(array) if mapped else torch.from_numpy(array).to(device) for array in arrays)
    spans = [(at + one.start, at + one.stop) for at, clip in zip(firsts, clips, strict=False) for one in clip.sequences]
    sequences = torch.tensor(spans, dtype=torch.int64).reshape(-1, 2)
    grounds, rough = _load_grounds(dataset, held, max((clip.grounds for clip in clips), default=0))
    return SplitSamples(
        x,
        y,
        phase[:, 0],
        sequences,
        device,
        grounds.to(device),
        rough.to(device),
        GroundPlacement(dataset, device),
        frames,
        start,
        owns,
        mapped,
    )


def partition_range(frame_count: int, partition: tuple[int, int]) -> tuple[int, int]:
    """Return the first frame, and the frame after the last, of one of several equal parts of a split.

    Args:
        frame_count: number of frames of the split.
        partition: index of the part, and number of parts.
    """
    return frame_count * partition[0] // partition[1], frame_count * (partition[0] + 1) // partition[1]


def _to_device(values: Tensor, device: torch.device) -> Tensor:
    """Move values to a device; a copy to CUDA does not wait for computations running there."""
    if device.type == "cuda" and values.device.type == "cpu":
        return values.pin_memory().to(device, non_blocking=True)
    return values.to(device)


def _load_grounds(
    dataset: Dataset, clip_rows: Sequence[tuple[ClipEntry, slice]], grounds_per_sample: int
) -> tuple[Tensor, Tensor]:
    """Return the grounds (R, K, COLUMN_COUNT) off level ground, and each sample's row in them (N), -1 if level.

    Args:
        dataset: the data set.
        clip_rows: the clips, and the rows of each.
        grounds_per_sample: K; samples with fewer grounds repeat theirs.
    """
    grounds: list[np.ndarray] = []
    rough: list[np.ndarray] = []
    count = 0
    for clip, rows in clip_rows:
        terrain, samples = dataset.terrain(clip), rows.stop - rows.start
        if terrain is None:
            rough.append(np.full(samples, -1))
            continue
        grounds.append(np.array(terrain[rows, np.arange(grounds_per_sample) % clip.grounds]))
        rough.append(count + np.arange(samples))
        count += samples
    table = (
        np.concatenate(grounds)
        if grounds
        else np.zeros((0, max(grounds_per_sample, 1), COLUMN_COUNT), dtype=np.float32)
    )
    return torch.from_numpy(table), torch.from_numpy(np.concatenate(rough) if rough else np.zeros(0, dtype=np.int64))


def _normalize_rows(dataset: Dataset, clip: ClipEntry, rows: slice) -> tuple[Float32, Float32, Float32]:
    """Return the normalized x (N, n) and y (N, m), and the phase (N, 1), of selected rows of a clip."""
    x, y, phase = (array[rows] for array in dataset.samples(clip))
    normal = dataset.normalization
    parts = (x - normal.x_mean) / normal.x_std, (y - normal.y_mean) / normal.y_std, np.asarray(phase)[:, None]
    if not all(np.isfinite(part).all() for part in parts):
        raise DatasetError(
            "Part '{name}' of the data set contains numbers that are not finite: build the data set again",
            name=clip.shard,
        )
    return parts


def write_memory_maps(
    blocks: Iterable[tuple[Float32, Float32, Float32]], paths: Sequence[Path], sizes: Sequence[int]
) -> list[np.ndarray]:
    """Write three arrays (x, y, phase) to files, block by block, and return them memory-mapped.

    The files are written before mapping, so that a full disk raises an error instead of killing the process, and under
    temporary names, since another run may have mapped the old files.
    """
    fresh = [temporary_path(path) for path in paths]
    try:
        with ExitStack() as stack:
            files = [stack.enter_context(path.open("xb")) for path in fresh]
            for part in blocks:
                for file, rows in zip(files, part, strict=True):
                    file.write(np.ascontiguousarray(rows).data)
        placed = [_place(path, final) for path, final in zip(fresh, paths, strict=True)]
    finally:
        for path in fresh:
            discard(path)
    # Copy-on-write, since torch requires writable arrays.
    return [np.memmap(path, np.float32, "c").reshape(-1, size) for path, size in zip(placed, sizes, strict=True)]


def _place(fresh: Path, final: Path) -> Path:
    """Rename a file to its final name and return its path.

    If another run on Windows has mapped the old file, the new one gets a numbered name instead.

    Raises:
        PermissionError: :data:`MAX_RUNS` such files are in use.
    """
    for number in range(1, MAX_RUNS + 1):
        path = final if number == 1 else final.with_name(f"{final.stem}-{number}{final.suffix}")
        with suppress(PermissionError):
            return fresh.replace(path)
    return when_free(lambda: fresh.replace(final), final)
