"""The batches of a training stage, by step: redrawn for every epoch, and the same for any number of processes."""

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType

import torch
from torch import Tensor

from ..config.seeds import GROUNDS_PURPOSE, OBJECTS_PURPOSE, ORDER_PURPOSE, seed_of
from ..data.samples import SplitSamples, WindowBatch
from ..interactions.augmentation.augmentation_pool import AugmentationPool
from ..losses.stages import TrainingStage


@dataclass(frozen=True, slots=True)
class Batch:
    """One process's part of a batch: its windows, their share of the batch, and the frame count of the whole batch."""

    windows: WindowBatch
    share: float
    frames: int


class BatchLoader:
    """The batches of a training stage, step by step.

    If samples are read from disk, or objects are replaced, a thread prepares the next batch in advance.

    Args:
        samples: this process's partition of the training split.
        stage, stage_index: the stage, and its index.
        seed: the run's seed.
        emphasis: (N) relative frequency of windows that start at each frame of the split; equal by default.
        augmentation: replacement of objects in windows of interaction takes; none by default.
    """

    def __init__(
        self,
        samples: SplitSamples,
        stage: TrainingStage,
        stage_index: int,
        seed: int,
        emphasis: Tensor | None = None,
        augmentation: AugmentationPool | None = None,
    ) -> None:
        self._augmentation = augmentation
        self._samples, self._stage, self._seed_numbers = samples, stage, (seed, stage_index)
        self._starts = starts = stage.window_starts(samples)
        if emphasis is not None:
            new = starts[starts < len(emphasis)]  # Rehearsed ones follow.
            self._starts = torch.cat([starts[starts >= len(emphasis)], new.repeat_interleave(emphasis[new])])
        self.steps_per_epoch = stage.steps_per_epoch(samples)
        self._epoch, self._order = -1, self._starts[:0]
        ahead = samples.memory_mapped or augmentation is not None
        self._prefetcher = ThreadPoolExecutor(1, "batches") if ahead else None
        self._prefetched: tuple[int, Future[Batch]] | None = None

    def __len__(self) -> int:
        """Return the number of windows from which batches are drawn."""
        return len(self._starts)

    def __getitem__(self, step: int) -> Batch:
        """Return this process's part of the batch for a step of the stage, counted from 0."""
        if self._prefetcher is None:
            return self._draw(step)
        wanted = (
            self._prefetched[1]
            if self._prefetched and self._prefetched[0] == step
            else self._prefetcher.submit(self._draw, step)
        )
        batch = wanted.result()
        self._prefetched = (step + 1, self._prefetcher.submit(self._draw, step + 1))
        return batch

    def __enter__(self) -> "BatchLoader":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._prefetcher is not None:
            self._prefetcher.shutdown(cancel_futures=True)
        if self._augmentation is not None:
            self._augmentation.close()

    def _draw(self, step: int) -> Batch:
        size = self._stage.batch
        epoch, place = divmod(step, self.steps_per_epoch)
        if epoch != self._epoch:
            generator = torch.Generator().manual_seed(seed_of(ORDER_PURPOSE, *self._seed_numbers, epoch))
            self._order = self._stage.draw_starts(self._starts, self.steps_per_epoch * size, generator)
            self._epoch = epoch
        starts = self._order[place * size : (place + 1) * size]
        generator = torch.Generator().manual_seed(seed_of(GROUNDS_PURPOSE, *self._seed_numbers, step))
        choice = torch.randint(self._samples.grounds_per_sample, starts.shape, generator=generator)
        mine = self._samples.is_owned(starts)
        windows = self._samples.windows(starts[mine], self._stage.window_frames, choice[mine])
        if self._augmentation is not None:
            base = seed_of(OBJECTS_PURPOSE, *self._seed_numbers, step)
            seeds = [(base, row) for row in mine.nonzero().flatten().tolist()]
            rows, x, y = self._augmentation.draw(starts[mine].numpy(), self._stage.window_frames, seeds)
            windows.x[rows], windows.y[rows] = (torch.from_numpy(one).to(windows.x) for one in (x, y))
        return Batch(windows, len(windows.x) / len(starts), self._stage.window_frames * len(starts))
