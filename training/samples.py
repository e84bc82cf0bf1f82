"""A split of a data set as tensors: normalised, contiguous, on the device where they fit."""

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from .dataset import ClipEntry, Dataset, DatasetError, Float32

GIGABYTE = 1 << 30


@dataclass(frozen=True, eq=False)
class Samples:
    """The samples of one split.

    Attributes:
        x, y, phase: (N, n), (N, m) and (N), normalised; on the device, or in memory, or mapped from the disk.
        sequences: (S, 2), first frame and frame after the last of every run of consecutive frames.
        device: where batches go.
    """

    x: Tensor
    y: Tensor
    phase: Tensor
    sequences: Tensor
    device: torch.device

    def __len__(self) -> int:
        return len(self.phase)

    def batch(self, index: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """x, y and phase of an index of any shape (...), on the device: (..., n), (..., m), (...)."""
        flat = index.flatten().to(self.x.device)
        x, y, phase = (values.index_select(0, flat).to(self.device) for values in (self.x, self.y, self.phase))
        return x.view(*index.shape, -1), y.view(*index.shape, -1), phase.view(index.shape)

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
        arrays = _mapped(parts, [dataset.path / f"{split}.{name}.cache" for name in ("x", "y", "phase")], sizes)
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
    return Samples(x, y, phase[:, 0], torch.tensor(spans, dtype=torch.int64).reshape(-1, 2), device)


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
