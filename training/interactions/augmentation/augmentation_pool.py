"""Worker processes that replace objects in windows during training."""

import os
import pickle
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ....core.errors import FootfallError
from ....core.features.interaction import Float32
from ....core.jobs.pool import start_pool
from ...data.dataset import Dataset
from .object_augmentation import DrawCounts, ObjectAugmentation, WindowSeeds

MAX_PROCESSES: Final = 4
"""Largest default number of processes; the training itself uses the other half of the cores."""


class AugmentationPool:
    """Object augmentation in separate processes; its results do not depend on the number of processes.

    Threads would compete with the training for Python's interpreter lock.

    Args:
        dataset: the interaction data set on which the network trains.
        split: the split to which frame numbers refer.
        share: share of the windows near an object in which that object is replaced.
        seed: seed of the pool of seats.
        processes: number of processes; by default half of the cores.

    Raises:
        DatasetError: the data set has no records of its takes.
    """

    def __init__(self, dataset: Dataset, split: str, share: float, seed: int, processes: int = 0) -> None:
        ObjectAugmentation(dataset, split, share, seed)  # Report errors at once.
        self.counts = DrawCounts()
        self._recipe = pickle.dumps((dataset, split, share, seed))
        self._processes = processes or min(max((os.cpu_count() or 1) // 2, 1), MAX_PROCESSES)
        self._pool: ProcessPoolExecutor | None = None

    def draw(
        self, starts: NDArray[np.intp], length: int, seeds: WindowSeeds
    ) -> tuple[NDArray[np.intp], Float32, Float32]:
        """Replace objects in a random share of the windows, and return the samples of the changed ones.

        Arguments and results, (R), (R, T, n) and (R, T, m), are those of :meth:`.ObjectAugmentation.draw`.

        Raises:
            FootfallError: a process was killed.
        """
        self._pool = self._pool or start_pool(self._processes)
        parts = [part for part in np.array_split(np.arange(len(starts)), self._processes) if len(part)]
        try:
            futures = [
                self._pool.submit(_draw_part, self._recipe, starts[part], length, [seeds[row] for row in part])
                for part in parts
            ]
            drawn = [future.result() for future in futures]
        except BrokenProcessPool as error:
            raise FootfallError(
                "A process that was preparing training windows was killed, probably because memory ran out: "
                "set augmented_share to 0, or train on fewer takes"
            ) from error
        for *_, counts in drawn:
            self.counts = self.counts + counts
        rows = np.concatenate([part[rows] for part, (rows, *_) in zip(parts, drawn, strict=True)])
        return rows, np.concatenate([x for _, x, _, _ in drawn]), np.concatenate([y for _, _, y, _ in drawn])

    def close(self) -> None:
        """End the worker processes; the next draw starts new ones."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None


@cache
def _make_augmentation(recipe: bytes) -> ObjectAugmentation:
    """Return the augmentation that a recipe describes; each process makes it only once."""
    return ObjectAugmentation(*pickle.loads(recipe))


def _draw_part(
    recipe: bytes, starts: NDArray[np.intp], length: int, seeds: WindowSeeds
) -> tuple[NDArray[np.intp], Float32, Float32, DrawCounts]:
    """Replace objects in a worker process; return rows, x and y, and the counts."""
    augmentation = _make_augmentation(recipe)
    augmentation.counts = DrawCounts()
    return *augmentation.draw(starts, length, seeds), augmentation.counts
