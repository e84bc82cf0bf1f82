"""A split of a data set as tensors: normalised, contiguous, on the device where they fit."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from .dataset import Dataset, DatasetError

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
        memory_limit: gigabytes; a larger split is normalised into a file of the data set's folder and mapped.

    Raises:
        FootfallError: a part of the data set is damaged.
    """
    clips, normalisation = dataset.split(split), dataset.normalisation
    count = sum(clip.samples for clip in clips)
    sizes = (dataset.input_layout.size, dataset.output_layout.size, 1)
    mapped = count * sum(sizes) * 4 > memory_limit * GIGABYTE
    arrays: list[np.ndarray] = []
    for name, size in zip("xyp", sizes, strict=True):
        if mapped:
            arrays.append(np.memmap(dataset.path / f"{split}.{name}.cache", np.float32, "w+", shape=(count, size)))
        else:
            arrays.append(np.empty((count, size), dtype=np.float32))
    x, y, phase = arrays
    start, sequences = 0, []
    for clip in clips:
        raw_x, raw_y, raw_phase = dataset.samples(clip)
        rows = slice(start, start + clip.samples)
        np.divide(raw_x - normalisation.x_mean, normalisation.x_std, out=x[rows])
        np.divide(raw_y - normalisation.y_mean, normalisation.y_std, out=y[rows])
        phase[rows, 0] = raw_phase
        if not (np.isfinite(x[rows]).all() and np.isfinite(y[rows]).all() and np.isfinite(phase[rows]).all()):
            raise DatasetError(
                f"Part '{clip.shard}' of the data set holds numbers that are not finite: build it again."
            )
        sequences += [(start + one.start, start + one.stop) for one in clip.sequences]
        start += clip.samples
    home = torch.device("cpu") if mapped else device
    tensors = [torch.from_numpy(array).to(home) for array in (x, y, phase[:, 0])]
    spans = torch.tensor(sequences, dtype=torch.int64).reshape(-1, 2)
    return Samples(tensors[0], tensors[1], tensors[2], spans, device)
