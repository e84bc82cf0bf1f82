"""Small patch databases, and clips with known grounds, for tests of terrain fitting."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from footfall.benchmarks.procedural import scene
from footfall.benchmarks.procedural.scenes import motions
from footfall.core.labelling import Labels, label_clip
from footfall.core.motion import Clip
from footfall.core.terrain.heightfield import Heightfield


@dataclass(frozen=True)
class SomePatches:
    """A patch database in memory, with the attributes of ``PatchDatabase``."""

    heights: np.ndarray
    points_per_side: int
    cell_size: float

    @staticmethod
    def of(grids: np.ndarray, cell: float) -> "SomePatches":
        """Return the patches of heights (P, points per side, points per side), meters."""
        count, side, _ = grids.shape
        units = np.rint(grids.reshape(count, -1).T / 1e-4).astype(np.int16)
        return SomePatches(np.ascontiguousarray(units), side, cell)

    def patch(self, index: int) -> Heightfield:
        """Return a patch around (0, 0)."""
        grid = self.heights[:, index].reshape(self.points_per_side, self.points_per_side)
        return Heightfield.centred(grid * 1e-4, self.cell_size)


def hills(count: int, cells: int = 31, cell: float = 0.16, seed: int = 0) -> np.ndarray:
    """Patches (P, cells, cells) of a few waves each, meters."""
    chance = np.random.default_rng(seed)
    x = cell * (np.arange(cells) - (cells - 1) / 2)
    waves = chance.normal(size=(count, 3, 2)) * 1.5
    along = waves[..., 0, None, None] * x + waves[..., 1, None, None] * x[:, None]
    return (chance.uniform(0.02, 0.2, (count, 3, 1, 1)) * np.sin(along + chance.uniform(0, 6, (count, 3, 1, 1)))).sum(1)


@cache
def procedural(name: str) -> tuple[Clip, Labels]:
    """A procedural motion at 60 Hz and the labels that are found of it."""
    motion = next(motion for motion in motions() if motion.name == name)
    clip = scene(motion, 60.0, 0.0, np.random.default_rng(0)).clip
    return clip, label_clip(clip)


STAIRS = {"rise": 0.17, "tread": 0.29, "count": 8}
"""Those of "stairs up", which is walked towards +Y."""
