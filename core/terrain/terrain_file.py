"""A clip's fitted grounds as a file, to look at: a ``.terrain.npz`` of squares of heights."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..errors import FootfallError
from ..jobs.atomic import write_atomically
from ..motion.rotations import Array
from .clip_terrain import SegmentTerrain
from .heightfield import Heightfield, sample_heightfield

FILE_CELL_SIZE_M: Final = 0.04
FILE_SQUARE_SIDE_M: Final = 5.0
"""Metres."""


@dataclass(frozen=True, eq=False)
class TerrainFile:
    """What a file holds of the R parts of a clip, each with K grounds.

    Attributes:
        frames: (R, 2), first frame and frame after the last of each part.
        grids: (R, K, N, N), heights in metres; rows are y, columns x.
        origins: (R, 2), world x and y of each part's first height, metres.
        cell: metres from one height to the next.
        errors: (R, K), E_fit in square metres.
        patches: (R, K), their numbers in the database; -1 of what is no patch.
    """

    frames: NDArray[np.intp]
    grids: NDArray[np.float32]
    origins: Array
    cell_size: float
    errors: Array
    patch_indices: NDArray[np.intp]

    @staticmethod
    def of(segments: Sequence[SegmentTerrain]) -> "TerrainFile":
        """Squares of 5 m of the parts' grounds, around where the feet stand."""
        lowers = np.array([part.centre[:2] - FILE_SQUARE_SIDE_M / 2 for part in segments])
        grids = [
            [
                sample_heightfield(ground, lower, lower + FILE_SQUARE_SIDE_M, FILE_CELL_SIZE_M).grid
                for ground in part.grounds
            ]
            for part, lower in zip(segments, lowers, strict=True)
        ]
        return TerrainFile(
            np.array([[part.start, part.stop] for part in segments]),
            np.array(grids, dtype=np.float32),
            lowers,
            FILE_CELL_SIZE_M,
            np.array([part.errors for part in segments]),
            np.array([part.patch_indices for part in segments]),
        )

    def ground(self, segment: int, index: int) -> Heightfield:
        """Return a ground of a part, over its square."""
        return Heightfield(self.grids[segment, index], self.cell_size, self.origins[segment])

    def save(self, path: Path) -> None:
        """Write the file, whole or not at all; raises ``OSError`` where it cannot."""
        buffer = io.BytesIO()
        np.savez_compressed(
            buffer,
            frames=self.frames,
            grids=self.grids,
            origins=self.origins,
            cell=self.cell_size,
            errors=self.errors,
            patches=self.patch_indices,
        )
        write_atomically(path, buffer.getvalue())

    @staticmethod
    def load(path: Path) -> "TerrainFile":
        """Read a file; raises :class:`FootfallError` where it is damaged or none of these."""
        try:
            with np.load(path, allow_pickle=False) as data:
                return TerrainFile(
                    data["frames"],
                    data["grids"],
                    data["origins"],
                    float(data["cell"]),
                    data["errors"],
                    data["patches"],
                )
        except Exception as error:  # a damaged archive can fail in zipfile, zlib, struct or numpy alike
            raise FootfallError(f"{path} is not a file of fitted ground ({error}): fit the clip again.") from error
