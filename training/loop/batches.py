"""The batches of a stage by number: drawn anew for every epoch, alike whenever and by however many they are drawn."""

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType

import torch

from ..config.seeds import GROUNDS, ORDER, seed_of
from ..data.samples import Samples, Windows
from ..losses.stages import Stage


@dataclass(frozen=True, slots=True)
class Batch:
    """A process's part of a batch: its windows, and how much of the whole batch they are."""

    windows: Windows
    share: float
    frames: int


class Batches:
    """What a stage sees, step by step.

    Where samples are read from the disk, the next batch is read while the one before is learnt from.

    Args:
        samples: this process's share of the training split.
        stage, number: the stage, and which one it is.
        seed: the run's.
    """

    def __init__(self, samples: Samples, stage: Stage, number: int, seed: int) -> None:
        self._samples, self._stage, self._key = samples, stage, (seed, number)
        self._starts = stage.starts(samples)
        self.per_epoch = stage.steps_per_epoch(samples)
        self._epoch, self._order = -1, self._starts[:0]
        self._reader = ThreadPoolExecutor(1, "batches") if samples.mapped else None
        self._ahead: tuple[int, Future[Batch]] | None = None

    def __len__(self) -> int:
        """How many windows there are to draw from."""
        return len(self._starts)

    def __getitem__(self, step: int) -> Batch:
        """The batch of a step of the stage."""
        if self._reader is None:
            return self._drawn(step)
        wanted = self._ahead[1] if self._ahead and self._ahead[0] == step else self._reader.submit(self._drawn, step)
        batch = wanted.result()
        self._ahead = (step + 1, self._reader.submit(self._drawn, step + 1))
        return batch

    def __enter__(self) -> "Batches":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._reader is not None:
            self._reader.shutdown(cancel_futures=True)

    def _drawn(self, step: int) -> Batch:
        size = self._stage.batch
        epoch, place = divmod(step, self.per_epoch)
        if epoch != self._epoch:
            generator = torch.Generator().manual_seed(seed_of(ORDER, *self._key, epoch))
            self._order = self._stage.draw(self._starts, self.per_epoch * size, generator)
            self._epoch = epoch
        starts = self._order[place * size : (place + 1) * size]
        generator = torch.Generator().manual_seed(seed_of(GROUNDS, *self._key, step))
        choice = torch.randint(self._samples.choices, starts.shape, generator=generator)
        mine = self._samples.owned(starts)
        windows = self._samples.windows(starts[mine], self._stage.length, choice[mine])
        return Batch(windows, len(windows.x) / len(starts), self._stage.length * len(starts))
