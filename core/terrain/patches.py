"""Thousands of patches of ground in one memory-mapped file, cut from heightmaps at random positions and angles.

============================ ==========================================================================================
``patches.json`` points along a side, their spacing, number of patches, seed and sources ``heights.npy`` int16, 0.1 mm,
(points * points, P): heights of all patches at one point are contiguous ============================
==========================================================================================

PFNN section 4.2; sizes are those of its released code: squares of 5 m with cells of 4 cm and a mean height of zero.
"""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..errors import FootfallError
from ..jobs.bounded_files import map_array, read_json_object
from ..jobs.replacing import build_folder, list_contents, recover_replaced, replace_together
from ..motion.rotations import Array
from .heightfield import Heightfield
from .procedural import GROUND_KINDS, make_procedural_ground

FORMAT_VERSION: Final = 1
HEADER_FILE: Final = "patches.json"
"""File that marks a folder of patches."""
HEIGHTS_FILE: Final = "heights.npy"
DEFAULT_PATCH_COUNT: Final = 20_000
"""Default number of patches."""
POINTS_PER_SIDE: Final = 126
"""Number of grid points along a side."""
CELL_SIZE_M: Final = 0.04
"""Spacing of grid points."""
HEIGHT_UNIT_M: Final = 1e-4
"""Unit of the stored heights."""
MAX_PATCH_HEIGHT_M: Final = 1.5
"""Largest distance of a patch's heights from their mean; other patches are drawn again."""
MIN_GROUNDS_PER_KIND: Final = 12
"""Least number of procedural grounds of each kind."""
MAX_PATCHES_PER_GROUND: Final = 200
"""Largest number of patches cut from one ground."""
BLOCK_PATCHES: Final = 512
"""Number of patches cut before each write."""
MAX_DRAWS: Final = 20
"""Number of draws after which a patch that is still too high is clipped."""

ProgressCallback = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class PatchDatabase:
    """A database of P patches of ground in a folder, opened with :meth:`open`.

    Attributes:
        header: content of ``patches.json``.
    """

    folder: Path
    header: Mapping[str, Any]

    @staticmethod
    def open(folder: Path) -> "PatchDatabase":
        """Open the patch database in a folder.

        Raises:
            FootfallError: the folder has no database, a damaged database, or a database of another version.
        """
        try:
            about = read_json_object(folder / HEADER_FILE)
        except FileNotFoundError as error:
            raise FootfallError(
                "There are no terrain patches in '{folder}': make them with `python -m footfall make-patches`",
                folder=folder,
            ) from error
        except (OSError, ValueError) as error:
            raise FootfallError(
                "The terrain patches in '{folder}' cannot be read ({error}): make them again",
                folder=folder,
                error=error,
            ) from error
        if about.get("format_version") != FORMAT_VERSION:
            raise FootfallError(
                "The terrain patches in '{folder}' are from another version of Footfall: make them again", folder=folder
            )
        if "count" not in about:
            if recover_replaced(folder):
                return PatchDatabase.open(folder)
            raise FootfallError(
                "The terrain patches in '{folder}' are damaged (partly overwritten): make them again", folder=folder
            )
        database = PatchDatabase(folder, about)
        try:
            whole = database.heights.shape == (database.points_per_side**2, database.count)
        except (OSError, ValueError, KeyError, TypeError, OverflowError) as error:
            raise FootfallError(
                "The terrain patches in '{folder}' are damaged ({error}): make them again", folder=folder, error=error
            ) from error
        if not whole or database.heights.dtype != np.int16:
            raise FootfallError("The terrain patches in '{folder}' are damaged: make them again", folder=folder)
        return database

    @property
    def heights(self) -> NDArray[np.int16]:
        """Heights (points * points, P), 0.1 mm, of each grid point (rows are y, columns x) in all patches."""
        return self._mapped

    @cached_property
    def _mapped(self) -> NDArray[np.int16]:
        """The memory-mapped heights."""
        return map_array(self.folder / HEIGHTS_FILE)

    @property
    def points_per_side(self) -> int:
        """Number of grid points along a side of a patch."""
        return int(self.header["cells"])

    @property
    def cell_size(self) -> float:
        """Spacing of the grid points of a patch, meters."""
        return float(self.header["cell"])

    @property
    def count(self) -> int:
        """Number P of patches in the database."""
        return int(self.header["count"])

    def patch(self, index: int) -> Heightfield:
        """Return one patch by its index, as a heightfield centered on the world's origin."""
        grid = self.heights[:, index].astype(float).reshape(self.points_per_side, self.points_per_side) * HEIGHT_UNIT_M
        return Heightfield.centred(grid, self.cell_size)


def build_patches(
    folder: Path,
    count: int = DEFAULT_PATCH_COUNT,
    seed: int = 0,
    heightmaps: Mapping[str, Heightfield] | None = None,
    progress: ProgressCallback | None = None,
) -> PatchDatabase:
    """Cut patches and write them to a folder; existing patches are replaced once all new ones are cut.

    Each heightmap and each procedural kind supplies the same number of patches.

    Args:
        folder: a new or empty folder, or a folder of patches.
        count: number of patches.
        seed: seed of terrains, positions, angles and flips; equal seeds give equal patches.
        heightmaps: heightfields by name; holes count as the lowest height.
        progress: function called with the number of finished patches and the total; may raise to cancel.

    Raises:
        FootfallError: a heightmap is smaller than a patch, or the folder holds other files.
    """
    _require_own(folder)
    sources = {**dict.fromkeys(GROUND_KINDS), **(heightmaps or {})}
    for name, field in sources.items():
        if field is not None and min(np.ptp(field.extent, axis=0)) < POINTS_PER_SIDE * CELL_SIZE_M:
            side = POINTS_PER_SIDE * CELL_SIZE_M
            raise FootfallError(
                "The heightmap '{name}' is smaller than a terrain patch of {side} m: give it a larger cell size",
                name=name,
                side=f"{side:.0f}",
            )
    shares = np.diff(np.linspace(0, count, len(sources) + 1).astype(int))
    kinds = {name: int(share) for name, share in zip(sources, shares, strict=True)}
    about = {
        "format_version": FORMAT_VERSION,
        "cells": POINTS_PER_SIDE,
        "cell": CELL_SIZE_M,
        "count": count,
        "seed": seed,
        "kinds": kinds,
    }
    with build_folder(folder) as made:
        _write_heights(made / HEIGHTS_FILE, sources, kinds, seed, progress or (lambda done, total: None))
        (made / HEADER_FILE).write_text(json.dumps(about), encoding="utf-8")
        replace_together(
            made, folder, [HEIGHTS_FILE], HEADER_FILE, json.dumps({"format_version": FORMAT_VERSION}).encode()
        )
    return PatchDatabase.open(folder)


def _require_own(folder: Path) -> None:
    """Raise an error if a folder holds files other than patches."""
    found = list_contents(folder)
    if found and HEADER_FILE not in found:
        raise FootfallError(
            "'{folder}' contains files that are not terrain patches (no {header}): give a new or empty folder",
            folder=folder,
            header=HEADER_FILE,
        )


def _write_heights(
    path: Path,
    sources: Mapping[str, Heightfield | None],
    kinds: Mapping[str, int],
    seed: int,
    progress: ProgressCallback,
) -> None:
    """Write the heights of all patches, block by block."""
    count, done = sum(kinds.values()), 0
    shape = (POINTS_PER_SIDE * POINTS_PER_SIDE, count)
    heights: np.memmap = np.lib.format.open_memmap(path, mode="w+", dtype=np.int16, shape=shape)
    _reserve(path)
    for number, (name, field) in enumerate(sources.items()):
        for begin in range(0, kinds[name], BLOCK_PATCHES):
            size = min(BLOCK_PATCHES, kinds[name] - begin)
            chance = np.random.default_rng([seed, number, begin])
            grounds = _source_grounds(name, field, seed, begin, size)
            block = np.concatenate([_cut_patches(ground, chance, many) for ground, many in grounds])
            heights[:, done : done + size] = np.rint(block / HEIGHT_UNIT_M).astype(np.int16).T
            done += size
            progress(done, count)
    heights.flush()


def _reserve(path: Path) -> None:
    """Allocate a sparse file's space now: writing mapped memory on a full disk would kill the process."""
    if hasattr(os, "posix_fallocate"):
        with path.open("rb+") as file:
            os.posix_fallocate(file.fileno(), 0, path.stat().st_size)


def _source_grounds(
    name: str, field: Heightfield | None, seed: int, begin: int, size: int
) -> Sequence[tuple[Heightfield, int]]:
    """Return the grounds from which to cut a block of patches, each with its number of patches."""
    if field is not None:
        return [(field, size)]
    grounds = max(min(MIN_GROUNDS_PER_KIND, size), -(-size // MAX_PATCHES_PER_GROUND))
    shares = np.diff(np.linspace(0, size, grounds + 1).astype(int))
    return [
        (make_procedural_ground(name, seed * 1_000_003 + begin + index), int(many)) for index, many in enumerate(shares)
    ]


def _cut_patches(field: Heightfield, generator: np.random.Generator, count: int) -> Array:
    """Cut ``count`` patches from a ground at random positions and angles, with random flips.

    Returns:
        (count, points * points) heights, meters, with a mean of zero for each patch.
    """
    axis = (np.arange(POINTS_PER_SIDE) - (POINTS_PER_SIDE - 1) / 2) * CELL_SIZE_M
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    low, high = field.extent
    lowest = float(np.nanmin(field.grid))
    result = np.empty((count, POINTS_PER_SIDE * POINTS_PER_SIDE))
    for heights in result:
        for _ in range(MAX_DRAWS):
            angle, flip = generator.uniform(0.0, 2 * np.pi), generator.choice([-1.0, 1.0])
            about = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
            places = (
                generator.uniform(low + POINTS_PER_SIDE * CELL_SIZE_M / 2, high - POINTS_PER_SIDE * CELL_SIZE_M / 2)
                + (grid * [flip, 1.0]) @ about
            )
            # Corners beyond the ground have the height of its edge.
            found = field.heights_at(places, extrapolate=True)
            heights[:] = np.where(np.isnan(found), lowest, found)
            heights -= heights.mean()
            if np.abs(heights).max() <= MAX_PATCH_HEIGHT_M:
                break
    return np.clip(result, -MAX_PATCH_HEIGHT_M, MAX_PATCH_HEIGHT_M)
