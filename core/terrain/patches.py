"""Thousands of patches of ground in one memory-mapped file, cut from heightmaps at random places and angles.

============================ ==========================================================================================
``patches.json``             cells along a side, metres between them, how many, the seed and what they were cut from
``heights.npy``              int16, 0.1 mm, (cells * cells, P): all patches' heights of one place are side by side
============================ ==========================================================================================

PFNN section 4.2; sizes as its released code has them: 5 m squares of 4 cm cells, whose mean height is taken out.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..errors import FootfallError
from ..jobs.replacing import contents, replace_together, workshop
from ..motion.rotations import Array
from .heightfield import Heightfield
from .procedural import KINDS, procedural

FORMAT: Final = 1
SIGN: Final = "patches.json"
"""The file by which a folder of patches is known."""
HEIGHTS: Final = "heights.npy"
COUNT: Final = 20_000
CELLS: Final = 126
CELL: Final = 0.04
UNIT: Final = 1e-4
"""Metres of a height of 1."""
HIGHEST: Final = 1.5
"""Metres from its mean that a patch's heights are at most: others are drawn again."""
MADE: Final = 12
"""How many procedural grounds of each kind patches are cut from, at least."""
CUTS: Final = 200
"""How many patches are cut from one of them, at most."""
BLOCK: Final = 512
"""Patches that are cut before they are written side by side."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class PatchDatabase:
    """Patches in a folder; open it with :meth:`open`."""

    folder: Path
    about: Mapping[str, Any]

    @staticmethod
    def open(folder: Path) -> "PatchDatabase":
        """Opens a database that was built.

        Raises:
            FootfallError: there is none, it is damaged, or of another version.
        """
        try:
            about = json.loads((folder / SIGN).read_bytes())
        except FileNotFoundError as error:
            raise FootfallError(
                f"There are no patches in '{folder}': make them with `python -m footfall terrain patches`."
            ) from error
        except (OSError, ValueError) as error:
            raise FootfallError(f"The patches in '{folder}' cannot be read ({error}): make them again.") from error
        if not isinstance(about, dict) or about.get("format_version") != FORMAT:
            raise FootfallError(f"The patches in '{folder}' are of another version: make them again.")
        if "count" not in about:
            raise FootfallError(f"The patches in '{folder}' are damaged (half replaced): make them again.")
        database = PatchDatabase(folder, about)
        try:
            whole = database.heights.shape == (database.cells**2, database.count)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise FootfallError(f"The patches in '{folder}' are damaged ({error}): make them again.") from error
        if not whole or database.heights.dtype != np.int16:
            raise FootfallError(f"The patches in '{folder}' are damaged: make them again.")
        return database

    @property
    def heights(self) -> NDArray[np.int16]:
        """Heights (cells * cells, P), 0.1 mm, of each point of the grid (rows are y, columns x) over all patches."""
        return self._mapped

    @cached_property
    def _mapped(self) -> NDArray[np.int16]:
        return np.load(self.folder / HEIGHTS, mmap_mode="r", allow_pickle=False)

    @property
    def cells(self) -> int:
        """Points of the grid along a side."""
        return int(self.about["cells"])

    @property
    def cell(self) -> float:
        """Metres from point to point."""
        return float(self.about["cell"])

    @property
    def count(self) -> int:
        """How many patches there are."""
        return int(self.about["count"])

    def patch(self, number: int) -> Heightfield:
        """One patch, centred on the world's origin."""
        grid = self.heights[:, number].astype(float).reshape(self.cells, self.cells) * UNIT
        return Heightfield.centred(grid, self.cell)


def build_patches(
    folder: Path,
    count: int = COUNT,
    seed: int = 0,
    heightmaps: Mapping[str, Heightfield] | None = None,
    progress: Progress | None = None,
) -> PatchDatabase:
    """Cut patches and write them; those that are there are replaced when all are cut, and nothing else is touched.

    As many come from each heightmap given as from each procedural kind.

    Args:
        folder: where they go: a new or empty folder, or one of patches.
        count: how many.
        seed: draws grounds, places, angles and flips: the same seed gives the same patches.
        heightmaps: by name; holes count as the lowest height.
        progress: called with how many are cut and how many there will be; may raise to cancel.

    Raises:
        FootfallError: a heightmap is too small to cut a patch from, or the folder holds something else.
    """
    _require_own(folder)
    sources = {**dict.fromkeys(KINDS), **(heightmaps or {})}
    for name, field in sources.items():
        if field is not None and min(np.ptp(field.extent, axis=0)) < CELLS * CELL:
            raise FootfallError(
                f"The heightmap '{name}' is smaller than a patch of {CELLS * CELL:.0f} m: give it a larger cell size."
            )
    shares = np.diff(np.linspace(0, count, len(sources) + 1).astype(int))
    kinds = {name: int(share) for name, share in zip(sources, shares, strict=True)}
    about = {"format_version": FORMAT, "cells": CELLS, "cell": CELL, "count": count, "seed": seed, "kinds": kinds}
    with workshop(folder) as made:
        _write(made / HEIGHTS, sources, kinds, seed, progress or (lambda done, total: None))
        (made / SIGN).write_text(json.dumps(about), encoding="utf-8")
        replace_together(made, folder, [HEIGHTS], SIGN, json.dumps({"format_version": FORMAT}).encode())
    return PatchDatabase.open(folder)


def _require_own(folder: Path) -> None:
    """Raise where a folder holds something that is no database of patches."""
    found = contents(folder)
    if found and SIGN not in found:
        raise FootfallError(
            f"'{folder}' holds something else than patches of ground (no {SIGN}): name a new or empty folder."
        )


def _write(
    path: Path, sources: Mapping[str, Heightfield | None], kinds: Mapping[str, int], seed: int, progress: Progress
) -> None:
    """Writes the heights of all patches, block by block."""
    count, done = sum(kinds.values()), 0
    shape = (CELLS * CELLS, count)
    heights: np.memmap = np.lib.format.open_memmap(path, mode="w+", dtype=np.int16, shape=shape)
    for number, (name, field) in enumerate(sources.items()):
        for begin in range(0, kinds[name], BLOCK):
            size = min(BLOCK, kinds[name] - begin)
            chance = np.random.default_rng([seed, number, begin])
            grounds = _grounds(name, field, seed, begin, size)
            block = np.concatenate([_cut(ground, chance, many) for ground, many in grounds])
            heights[:, done : done + size] = np.rint(block / UNIT).astype(np.int16).T
            done += size
            progress(done, count)
    heights.flush()


def _grounds(
    name: str, field: Heightfield | None, seed: int, begin: int, size: int
) -> Sequence[tuple[Heightfield, int]]:
    """What a block of patches is cut from, and how many from each."""
    if field is not None:
        return [(field, size)]
    grounds = max(min(MADE, size), -(-size // CUTS))
    shares = np.diff(np.linspace(0, size, grounds + 1).astype(int))
    return [(procedural(name, seed * 1_000_003 + begin + index), int(many)) for index, many in enumerate(shares)]


def _cut(field: Heightfield, chance: np.random.Generator, count: int) -> Array:
    """Patches (count, cells * cells), metres, at random places, angles and flips; their means are zero."""
    axis = (np.arange(CELLS) - (CELLS - 1) / 2) * CELL
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    low, high = field.extent
    lowest = float(np.nanmin(field.grid))
    result = np.empty((count, CELLS * CELLS))
    for heights in result:
        for _ in range(TRIES):
            angle, flip = chance.uniform(0.0, 2 * np.pi), chance.choice([-1.0, 1.0])
            about = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
            places = chance.uniform(low + CELLS * CELL / 2, high - CELLS * CELL / 2) + (grid * [flip, 1.0]) @ about
            # Corners that lie beyond the ground are as high as its edge.
            found = field.heights_at(places, extended=True)
            heights[:] = np.where(np.isnan(found), lowest, found)
            heights -= heights.mean()
            if np.abs(heights).max() <= HIGHEST:
                break
    return np.clip(result, -HIGHEST, HIGHEST)


TRIES: Final = 20
"""Draws before a patch that is too steep is clipped."""
