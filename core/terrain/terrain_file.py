"""A clip's fitted grounds as a ``.terrain.npz`` file for inspection: a square heightfield for each."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..errors import FootfallError
from ..jobs.atomic import write_atomically
from ..jobs.bounded_files import ContentError, read_arrays
from ..motion.rotations import Array
from .clip_terrain import SegmentTerrain
from .heightfield import Heightfield, sample_heightfield

FILE_CELL_SIZE_M: Final = 0.04
"""Spacing of heights in the file."""
FILE_SQUARE_SIDE_M: Final = 5.0
ARRAY_NAMES: Final = ("frames", "grids", "origins", "cell", "errors", "patches")
MAX_FILE_BYTES: Final = 1 << 31
"""Largest unpacked size of all arrays of a terrain file, bytes."""


@dataclass(frozen=True, eq=False)
class TerrainFile:
    """The content of a terrain file: R segments of a clip with K terrains each.

    Attributes:
        frames: (R, 2) first frame and frame after the last of each segment.
        grids: (R, K, N, N) heights, meters; rows are y, columns x.
        origins: (R, 2) world x and y of the first grid point of each segment, meters.
        cell_size: spacing of heights, meters.
        errors: (R, K) fit error E_fit, square meters.
        patch_indices: (R, K) indices in the database; -1 for a ground that is not a patch.
    """

    frames: NDArray[np.intp]
    grids: NDArray[np.float32]
    origins: Array
    cell_size: float
    errors: Array
    patch_indices: NDArray[np.intp]

    @staticmethod
    def of(segments: Sequence[SegmentTerrain]) -> "TerrainFile":
        """Sample all terrains of the segments, each in a square around the mean of its segment's contacts."""
        lowers = np.array([segment.centre[:2] - FILE_SQUARE_SIDE_M / 2 for segment in segments])
        grids = [
            [
                sample_heightfield(ground, lower, lower + FILE_SQUARE_SIDE_M, FILE_CELL_SIZE_M).grid
                for ground in segment.grounds
            ]
            for segment, lower in zip(segments, lowers, strict=True)
        ]
        return TerrainFile(
            np.array([[segment.start, segment.stop] for segment in segments]),
            np.array(grids, dtype=np.float32),
            lowers,
            FILE_CELL_SIZE_M,
            np.array([segment.errors for segment in segments]),
            np.array([segment.patch_indices for segment in segments]),
        )

    def ground(self, segment: int, index: int) -> Heightfield:
        """Return ground ``index`` (0 to K - 1) of a segment (0 to R - 1) as a heightfield."""
        return Heightfield(self.grids[segment, index], self.cell_size, self.origins[segment])

    def save(self, path: Path) -> None:
        """Write the file atomically; raise ``OSError`` on failure."""
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

    def _validate(self) -> None:
        """Raise :class:`ContentError` if shapes are inconsistent, or numbers impossible for grounds."""
        segments, count, side = len(self.frames), *self.grids.shape[1:3]
        shapes = [
            (self.frames, (segments, 2)),
            (self.grids, (segments, count, side, side)),
            (self.origins, (segments, 2)),
            (self.errors, (segments, count)),
            (self.patch_indices, (segments, count)),
        ]
        if side < 2 or any(values.shape != shape for values, shape in shapes):
            raise ContentError("the arrays in the file have unequal lengths")
        if not 0 < self.cell_size < np.inf or not np.isfinite(self.origins).all() or np.isinf(self.grids).any():
            raise ContentError("the file contains numbers that are impossible for ground")
        if np.any(self.frames[:, 0] < 0) or np.any(self.frames[:, 1] <= self.frames[:, 0]):
            raise ContentError("the file has terrain segments without frames")

    @staticmethod
    def load(path: Path) -> "TerrainFile":
        """Read a file; raise :class:`FootfallError` if it is damaged or not a terrain file."""
        try:
            data = read_arrays(path, ARRAY_NAMES, MAX_FILE_BYTES)
            frames, grids, origins, cell, errors, patches = (data[name] for name in ARRAY_NAMES)
            file = TerrainFile(frames, grids, origins, float(cell), errors, patches)
            file._validate()
            return file
        except Exception as error:  # a damaged archive can raise errors of zipfile, zlib, struct or numpy
            raise FootfallError(
                "'{path}' is not a file of fitted terrain ({error}): fit the terrain of the clip again",
                path=path,
                error=error,
            ) from error
