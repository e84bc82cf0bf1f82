"""A split of a data set as tensors: normalised, contiguous, on the device where they fit."""

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from ..core.features.terrain import BASE, BEFORE, COLUMNS, HEIGHTS
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
        self._heights = inputs.slices["terrain.height"]
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
    """The samples of one split.

    Attributes:
        x, y, phase: (N, n), (N, m) and (N), normalised; on the device, or in memory, or mapped from the disk.
        sequences: (S, 2), first frame and frame after the last of every run of consecutive frames.
        device: where batches go.
        grounds: (R, K, COLUMNS), what samples that are not on level ground stand on, see ``core.features.terrain``.
        rough: (N), where in ``grounds`` each sample's are; -1 on level ground.
        footing: how grounds come into x and y.
    """

    x: Tensor
    y: Tensor
    phase: Tensor
    sequences: Tensor
    device: torch.device
    grounds: Tensor
    rough: Tensor
    footing: "Footing"

    def __len__(self) -> int:
        return len(self.phase)

    def windows(self, starts: Tensor, length: int, drawn: bool = False) -> "Windows":
        """The samples of windows of consecutive frames, on the device.

        Args:
            starts: (B), their first frames.
            length: frames of each, T.
            drawn: whether each window's ground is drawn by chance; else they are taken in turns.
        """
        index = starts[:, None] + torch.arange(length)
        flat = index.flatten().to(self.x.device)
        x, y, phase = (
            values.index_select(0, flat).to(self.device).view(*index.shape, -1)
            for values in (self.x, self.y, self.phase[:, None])
        )
        if len(self.grounds) == 0:
            return Windows(x, y, phase[..., 0], torch.zeros(index.shape, device=self.device))
        count = self.grounds.shape[1]
        choice = torch.randint(count, starts.shape) if drawn else starts % count
        rough = self.rough[flat.to(self.rough.device)].view(index.shape)
        rows = self.grounds[rough.clamp(min=0), choice[:, None].to(self.grounds.device)].to(self.device)
        rows = rows * (rough >= 0)[..., None].to(self.device)
        step = self.footing.put(x, y, rows)
        return Windows(x, y, phase[..., 0], step)

    def window_starts(self, length: int) -> Tensor:
        """The first frames (W) of all windows of ``length`` consecutive frames."""
        spans = [
            torch.arange(int(start), int(stop) - length + 1) for start, stop in self.sequences if stop - start >= length
        ]
        return torch.cat(spans) if spans else torch.zeros(0, dtype=torch.int64)


def load_samples(dataset: Dataset, split: str, device: torch.device, memory_limit: float) -> Samples:
    """The samples of ``"training"`` or ``"validation"``.

    Args:
        memory_limit: gigabytes; a larger split is normalised into files of the data set's folder, which are mapped.

    Raises:
        FootfallError: a part of the data set is damaged.
        OSError: the files of a larger split cannot be written.
    """
    clips, sizes = dataset.split(split), (dataset.input_layout.size, dataset.output_layout.size, 1)
    count = sum(clip.samples for clip in clips)
    parts = (_normalised(dataset, clip) for clip in clips)
    if count * sum(sizes) * 4 > memory_limit * GIGABYTE:
        arrays = _mapped(parts, [dataset.scratch / f"{split}.{name}.cache" for name in ("x", "y", "phase")], sizes)
        device_of_data = torch.device("cpu")
    else:
        arrays = [np.empty((count, size), dtype=np.float32) for size in sizes]
        start = 0
        for part in parts:
            for array, rows in zip(arrays, part, strict=True):
                array[start : start + len(rows)] = rows
            start += len(part[0])
        device_of_data = device
    x, y, phase = (torch.from_numpy(array).to(device_of_data) for array in arrays)
    first = np.cumsum([0, *(clip.samples for clip in clips)])
    spans = [(at + one.start, at + one.stop) for at, clip in zip(first, clips, strict=False) for one in clip.sequences]
    sequences = torch.tensor(spans, dtype=torch.int64).reshape(-1, 2)
    grounds, rough = _grounds(dataset, clips)
    return Samples(x, y, phase[:, 0], sequences, device, grounds.to(device), rough.to(device), Footing(dataset, device))


def _grounds(dataset: Dataset, clips: Sequence[ClipEntry]) -> tuple[Tensor, Tensor]:
    """The grounds (R, K, COLUMNS) of all samples that are not on level ground; and where each sample's are (N)."""
    most = max((clip.grounds for clip in clips), default=0)
    grounds: list[np.ndarray] = []
    rough: list[np.ndarray] = []
    count = 0
    for clip in clips:
        terrain = dataset.terrain(clip)
        if terrain is None:
            rough.append(np.full(clip.samples, -1))
            continue
        grounds.append(np.array(terrain[:, np.arange(most) % clip.grounds]))
        rough.append(count + np.arange(clip.samples))
        count += clip.samples
    rows = np.concatenate(grounds) if grounds else np.zeros((0, max(most, 1), COLUMNS), dtype=np.float32)
    return torch.from_numpy(rows), torch.from_numpy(np.concatenate(rough) if rough else np.zeros(0, dtype=np.int64))


def _normalised(dataset: Dataset, clip: ClipEntry) -> tuple[Float32, Float32, Float32]:
    """A clip's x (N, n), y (N, m), normalised, and phase (N, 1)."""
    x, y, phase = dataset.samples(clip)
    normal = dataset.normalisation
    parts = (x - normal.x_mean) / normal.x_std, (y - normal.y_mean) / normal.y_std, np.asarray(phase)[:, None]
    if not all(np.isfinite(part).all() for part in parts):
        raise DatasetError(f"Part '{clip.shard}' of the data set holds numbers that are not finite: build it again.")
    return parts


def _mapped(
    parts: Iterable[tuple[Float32, Float32, Float32]], paths: Sequence[Path], sizes: Sequence[int]
) -> list[np.ndarray]:
    """The parts one after the other in files, mapped; written before they are mapped, so that a full disk is an error
    and not the end of the process."""
    with ExitStack() as stack:
        files = [stack.enter_context(path.open("wb")) for path in paths]
        for part in parts:
            for file, rows in zip(files, part, strict=True):
                file.write(np.ascontiguousarray(rows).data)
    # Copy on write: torch wants arrays that could be written.
    return [np.memmap(path, np.float32, "c").reshape(-1, size) for path, size in zip(paths, sizes, strict=True)]
