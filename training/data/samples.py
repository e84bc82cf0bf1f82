"""A split of a data set as tensors: normalised, contiguous, on the device where they fit."""

import os
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from ...core.features.terrain import BASE, BEFORE, COLUMNS, HEIGHTS
from .dataset import ClipEntry, Dataset, DatasetError, Float32

GIGABYTE = 1 << 30


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """Windows of T consecutive samples: x (B, T, n), y (B, T, m), phase (B, T), normalised.

    ``step`` (B, T) is by how much, metres, the base that a frame's pose is above changes to the one that the next
    frame's input counts it from: nothing, but where one patch of ground ends and the next begins.
    """

    x: Tensor
    y: Tensor
    phase: Tensor
    step: Tensor


class Footing:
    """How grounds come into normalised samples: ``core.features.terrain.stand_on`` for tensors."""

    def __init__(self, dataset: Dataset, device: torch.device) -> None:
        inputs, outputs, norm = dataset.input_layout, dataset.output_layout, dataset.normalisation
        self._heights = inputs.slices.get("terrain.height", slice(0, 0))  # only locomotion is over rough ground
        self._into, self._out = (_upward(layout.slices["pose.position"]) for layout in (inputs, outputs))
        self._height_std = torch.from_numpy(norm.x_std[self._heights]).to(device)
        self._into_std = torch.from_numpy(norm.x_std[self._into]).to(device)
        self._out_std = torch.from_numpy(norm.y_std[self._out]).to(device)

    def put(self, x: Tensor, y: Tensor, rows: Tensor) -> Tensor:
        """Puts x (B, T, n) and y (B, T, m) onto grounds (B, T, COLUMNS), in place; returns ``step`` (B, T)."""
        base, before = rows[..., BASE], rows[..., BEFORE]
        x[..., self._heights] += rows[..., :HEIGHTS] / self._height_std
        x[..., self._into] -= before[..., None] / self._into_std
        y[..., self._out] -= base[..., None] / self._out_std
        step = torch.zeros_like(base)
        step[:, :-1] = base[:, :-1] - before[:, 1:]
        return step

    def rise(self, x: Tensor, step: Tensor) -> Tensor:
        """The inputs x (B, n) with their poses higher by ``step`` (B), metres."""
        x[..., self._into] += step[..., None] / self._into_std
        return x


def _upward(positions: slice) -> slice:
    """The heights among positions (P, 3)."""
    return slice(positions.start + 2, positions.stop, 3)


@dataclass(frozen=True, eq=False)
class Samples:
    """The samples of one split, or of a process's share of it; windows are known by their frames' numbers in the split.

    Attributes:
        x, y, phase: (N, n), (N, m) and (N), normalised; on the device, or in memory, or mapped from the disk.
        sequences: (S, 2), first frame and frame after the last of every run of consecutive frames in the whole split.
        device: where batches go.
        grounds: (R, K, COLUMNS), what samples that are not on level ground stand on, see ``core.features.terrain``.
        rough: (N), where in ``grounds`` each sample's are; -1 on level ground.
        footing: how grounds come into x and y.
        frames: of the whole split.
        first: number of the first of the N frames that are here.
        owns: the first frame of this share, and the one after its last; x, y and phase go on into the next share by
            what a window needs.
        mapped: whether they are read from the disk.
    """

    x: Tensor
    y: Tensor
    phase: Tensor
    sequences: Tensor
    device: torch.device
    grounds: Tensor
    rough: Tensor
    footing: "Footing"
    frames: int
    first: int
    owns: tuple[int, int]
    mapped: bool

    def __len__(self) -> int:
        return self.frames

    @property
    def choices(self) -> int:
        """How many grounds each sample has (K)."""
        return self.grounds.shape[1]

    def owned(self, starts: Tensor) -> Tensor:
        """Which of the windows (B) that begin at ``starts`` are in this share."""
        return (starts >= self.owns[0]) & (starts < self.owns[1])

    def windows(self, starts: Tensor, length: int, choice: Tensor | None = None) -> "Windows":
        """The samples of windows of consecutive frames, on the device.

        Args:
            starts: (B), their first frames.
            length: frames of each, T.
            choice: which of its grounds each window (B) is on; in turns where not given.
        """
        choice = starts % self.choices if choice is None else choice
        first = _sent(starts - self.first, self.x.device)
        index = first[:, None] + torch.arange(length, device=first.device)
        flat = index.flatten()
        x, y, phase = (
            _sent(values.index_select(0, flat), self.device).view(*index.shape, -1)
            for values in (self.x, self.y, self.phase[:, None])
        )
        if len(self.grounds) == 0:
            return Windows(x, y, phase[..., 0], torch.zeros(index.shape, device=self.device))
        rough = self.rough[_sent(flat, self.device)].view(index.shape)
        rows = self.grounds[rough.clamp(min=0), _sent(choice, self.device)[:, None]] * (rough >= 0)[..., None]
        step = self.footing.put(x, y, rows)
        return Windows(x, y, phase[..., 0], step)

    def window_starts(self, length: int) -> Tensor:
        """The first frames (W) of all windows of ``length`` consecutive frames."""
        spans = [
            torch.arange(int(start), int(stop) - length + 1) for start, stop in self.sequences if stop - start >= length
        ]
        return torch.cat(spans) if spans else torch.zeros(0, dtype=torch.int64)


def load_samples(
    dataset: Dataset,
    split: str,
    device: torch.device,
    memory_limit: float,
    part: tuple[int, int] = (0, 1),
    longest: int = 1,
) -> Samples:
    """The samples of ``"training"`` or ``"validation"``, or one of several equal shares of them.

    Args:
        memory_limit: gigabytes; a larger share is normalised into files of the data set's folder, which are mapped.
        part: which share of how many.
        longest: frames of the longest window that will be asked for.

    Raises:
        FootfallError: a part of the data set is damaged.
        OSError: the files of a larger share cannot be written.
    """
    clips, sizes = dataset.split(split), (dataset.input_layout.size, dataset.output_layout.size, 1)
    firsts = np.cumsum([0, *(clip.samples for clip in clips)])
    frames = int(firsts[-1])
    owns = share_of(frames, part)
    start, stop = owns[0], min(owns[1] + longest - 1, frames)
    held = [
        (clip, slice(max(start - int(at), 0), min(stop - int(at), clip.samples)))
        for clip, at in zip(clips, firsts, strict=False)
        if at < stop and at + clip.samples > start
    ]
    parts = (_normalised(dataset, clip, rows) for clip, rows in held)
    mapped = (stop - start) * sum(sizes) * 4 > memory_limit * GIGABYTE
    if mapped:
        name = split if part[1] == 1 else f"{split}.{part[0]}-{part[1]}"
        arrays = _mapped(parts, [dataset.scratch / f"{name}.{array}.cache" for array in ("x", "y", "phase")], sizes)
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
    grounds, rough = _grounds(dataset, held, max((clip.grounds for clip in clips), default=0))
    return Samples(
        x,
        y,
        phase[:, 0],
        sequences,
        device,
        grounds.to(device),
        rough.to(device),
        Footing(dataset, device),
        frames,
        start,
        owns,
        mapped,
    )


def share_of(frames: int, part: tuple[int, int]) -> tuple[int, int]:
    """The first frame of a share, and the one after its last: which of how many equal ones."""
    return frames * part[0] // part[1], frames * (part[0] + 1) // part[1]


def _sent(values: Tensor, device: torch.device) -> Tensor:
    """The values on a device; the way to CUDA does not wait for what is still computed there."""
    if device.type == "cuda" and values.device.type == "cpu":
        return values.pin_memory().to(device, non_blocking=True)
    return values.to(device)


def _grounds(dataset: Dataset, held: Sequence[tuple[ClipEntry, slice]], most: int) -> tuple[Tensor, Tensor]:
    """The grounds (R, K, COLUMNS) of all samples that are not on level ground; and where each sample's are (N).

    Args:
        held: the clips, and which rows of each.
        most: grounds that each sample gets (K); where it has fewer, they are repeated.
    """
    grounds: list[np.ndarray] = []
    rough: list[np.ndarray] = []
    count = 0
    for clip, rows in held:
        terrain, samples = dataset.terrain(clip), rows.stop - rows.start
        if terrain is None:
            rough.append(np.full(samples, -1))
            continue
        grounds.append(np.array(terrain[rows, np.arange(most) % clip.grounds]))
        rough.append(count + np.arange(samples))
        count += samples
    table = np.concatenate(grounds) if grounds else np.zeros((0, max(most, 1), COLUMNS), dtype=np.float32)
    return torch.from_numpy(table), torch.from_numpy(np.concatenate(rough) if rough else np.zeros(0, dtype=np.int64))


def _normalised(dataset: Dataset, clip: ClipEntry, rows: slice) -> tuple[Float32, Float32, Float32]:
    """Some of a clip's x (N, n), y (N, m), normalised, and phase (N, 1)."""
    x, y, phase = (array[rows] for array in dataset.samples(clip))
    normal = dataset.normalisation
    parts = (x - normal.x_mean) / normal.x_std, (y - normal.y_mean) / normal.y_std, np.asarray(phase)[:, None]
    if not all(np.isfinite(part).all() for part in parts):
        raise DatasetError(f"Part '{clip.shard}' of the data set holds numbers that are not finite: build it again.")
    return parts


def _mapped(
    parts: Iterable[tuple[Float32, Float32, Float32]], paths: Sequence[Path], sizes: Sequence[int]
) -> list[np.ndarray]:
    """The parts one after the other in files, mapped.

    They are written before they are mapped, so that a full disk is an error and not the end of the process, and under
    other names, since another run may have mapped what is there.
    """
    fresh = [path.with_name(f".{path.name}.{os.getpid()}.part") for path in paths]
    try:
        with ExitStack() as stack:
            files = [stack.enter_context(path.open("wb")) for path in fresh]
            for part in parts:
                for file, rows in zip(files, part, strict=True):
                    file.write(np.ascontiguousarray(rows).data)
        for path, final in zip(fresh, paths, strict=True):
            path.replace(final)
    finally:
        for path in fresh:
            path.unlink(missing_ok=True)
    # Copy on write: torch wants arrays that could be written.
    return [np.memmap(path, np.float32, "c").reshape(-1, size) for path, size in zip(paths, sizes, strict=True)]
