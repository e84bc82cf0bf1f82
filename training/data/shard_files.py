"""The files of a shard: memory-mapped after a check against the manifest, and removed once replaced."""

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import numpy as np

from ...core.errors import FootfallError
from ...core.features.terrain import COLUMN_COUNT
from ...core.jobs.bounded_files import ContentError, map_array
from ...core.models.network import Float32

ARRAY_NAMES: Final = ("x", "y", "phase")


def open_shard(folder: Path, samples: int) -> tuple[Float32, Float32, Float32]:
    """Return memory maps of a shard's x (N, n), y (N, m) and phase (N).

    Args:
        folder: the shard's folder.
        samples: number of samples N, according to the manifest.

    Raises:
        FootfallError: the shard is missing, damaged or of another size.
    """
    try:
        arrays = [map_array(folder / f"{name}.npy") for name in ARRAY_NAMES]
    except (OSError, ContentError) as error:
        raise FootfallError(
            "Part '{name}' of the data set is missing or damaged ({error}): build the data set again",
            name=folder.name,
            error=error,
        ) from error
    x, y, phase = arrays
    if any(array.dtype != np.float32 or array.shape[:1] != (samples,) for array in arrays) or not (
        x.ndim == y.ndim == 2 and phase.ndim == 1
    ):
        raise FootfallError(
            "Part '{name}' of the data set does not match the manifest: build the data set again", name=folder.name
        )
    return x, y, phase


def open_terrain(folder: Path, samples: int, grounds: int) -> Float32 | None:
    """Return the memory-mapped terrains (N, K, COLUMN_COUNT) of a shard; ``None`` for a clip on level ground.

    Args:
        folder: the shard's folder.
        samples: number of samples N, according to the manifest.
        grounds: number of terrains K per sample, according to the manifest; 0 on level ground.

    Raises:
        FootfallError: the array is missing, damaged or of another size.
    """
    if grounds == 0:
        return None
    try:
        rows = map_array(folder / "terrain.npy")
    except (OSError, ContentError) as error:
        raise FootfallError(
            "Part '{name}' of the data set is missing or damaged ({error}): build the data set again",
            name=folder.name,
            error=error,
        ) from error
    if rows.shape != (samples, grounds, COLUMN_COUNT) or rows.dtype != np.float32:
        raise FootfallError(
            "Part '{name}' of the data set does not match the manifest: build the data set again", name=folder.name
        )
    return rows


def remove_superseded_shards(shards_folder: Path, used: Iterable[str]) -> None:
    """Remove shards that newer shards of the same clips have replaced.

    Args:
        shards_folder: folder that holds one folder per clip.
        used: names of the shards in the manifest.
    """
    names = set(used)
    clips = {name.rpartition("-")[0] for name in names}
    for folder in shards_folder.iterdir():
        is_of_clip = folder.name in clips or folder.name.rpartition("-")[0] in clips
        if is_of_clip and folder.name not in names and (folder / "shard.json").is_file():
            shutil.rmtree(folder, ignore_errors=True)
