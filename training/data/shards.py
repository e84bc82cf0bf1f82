"""The second pass: a clip's samples, in every variant, as memory-mappable arrays in a folder of their own."""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from collections.abc import Sequence as Many
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.control.feet.foot_lock import locked_contacts
from ...core.errors import FootfallError
from ...core.features.locomotion import RATE, clip_features
from ...core.features.terrain import COLUMNS, terrain_rows
from ...core.jobs.atomic import sync_folder, write_atomically
from ...core.labelling import Labels
from ...core.motion import Clip, Skeleton
from ...core.motion.roles import JOINTS
from ...core.motion.rotations import Array
from ...core.retarget.calibration import Calibration, calibrate
from ...core.retarget.fit import fit_clip
from ...core.rig.clip_file import read_clip
from ...core.terrain.clip_terrain import PartTerrain, bend_clip_terrain, fit_clip_terrain, flat_level
from ...core.terrain.foot_points import Feet
from ...core.terrain.ground import Nowhere, Plane
from ...core.terrain.patches import PatchDatabase
from .clip_cache import identity, read_take
from .curve_bending import bend
from .styles import in_gaits

Float32 = NDArray[np.float32]
ARRAYS = ("x", "y", "phase")
Part = tuple[str, tuple[Float32, Float32, Float32], Float32 | None]
"""A variant's name, its x, y and phase, and the grounds of its samples where it is not on level ground."""


@dataclass(frozen=True, slots=True)
class Terrain:
    """What is put under clips that are not on level ground.

    Attributes:
        kind: ``"fitted"``, ``"edited"`` or ``"level"``, nothing.
        patches: the folder of the patches that are fitted.
        count: how many patches each part gets.
    """

    kind: str = "level"
    patches: Path | None = None
    count: int = 10

    def about(self) -> list[Any]:
        """What samples depend on, as plain data."""
        fitted = self.kind == "fitted" and self.patches
        return [self.kind, dict(open_patches(self.patches).about), self.count] if fitted else [self.kind]

    def under(self, clip: Clip, labels: Labels) -> list[PartTerrain]:
        """The grounds of a clip that is not on level ground."""
        if self.kind == "edited" or self.patches is None:
            return bend_clip_terrain(clip, labels, "rough")
        return fit_clip_terrain(clip, labels, open_patches(self.patches), self.count, "rough")


@dataclass(frozen=True, eq=False)
class Recipe:
    """What turns a take into samples of one network: its skeleton, pose joints with references, and the variants.

    ``hinges`` are the axes about which the elbows and knees of the network's skeleton bend in its own clips. ``gaits``
    are those of a controller that is there, see ``styles.in_gaits``; else they are the labels' own.
    """

    skeleton: Skeleton
    joints: tuple[str, ...]
    reference: Array
    hinges: Mapping[str, Array]
    mirror: bool
    speeds: tuple[float, ...]
    bends: tuple[float, ...]
    terrain: Terrain
    gaits: tuple[str, ...] = ()
    style: str = ""

    def key(self, take_key: str, stance: Array | None) -> str:
        """A digest of a take, how its actor stands, and all else that its samples depend on."""
        digest = hashlib.sha256(take_key.encode())
        stances = [] if stance is None else [stance]
        for array in (self.skeleton.offsets, self.skeleton.tips, self.reference, *self.hinges.values(), *stances):
            digest.update(np.ascontiguousarray(array, dtype="<f8").tobytes())
        names = [self.skeleton.names, self.skeleton.parents, sorted(self.skeleton.roles.items())]
        variants = [self.mirror, self.speeds, self.bends, self.terrain.about()]
        if self.gaits:
            variants += [self.gaits, self.style]
        digest.update(json.dumps([names, self.joints, *variants]).encode())
        return digest.hexdigest()

    def told(self, labels: Labels) -> Labels:
        """A take's labels as the network is told them; raises :class:`FootfallError` where it cannot be."""
        return in_gaits(labels, self.gaits, self.style) if self.gaits else labels


@dataclass(frozen=True, slots=True)
class Sequence:
    """Consecutive frames within a shard, from ``start`` up to, not including, ``stop``."""

    variant: str
    start: int
    stop: int


def write_shard(path: Path, recipe: Recipe, takes: Path, shards: Path, stances: Mapping[Path, Array]) -> dict[str, Any]:
    """Writes the samples of a clip, unless the shard that is there is of the same clip, labels, code and recipe.

    Args:
        path: the clip.
        takes: the first pass's cache.
        shards: the folder that holds one folder per clip.
        stances: how the actors stand, by clip, where their zero poses do not say; see ``standing_pose``.

    Returns:
        ``{"shard", "key", "samples", "sequences", "grounds", "residuals"}``, plain data for the manifest: how many
        grounds each sample has, 0 on level ground; the residuals, degrees by role, of :class:`Calibration`.

    Raises:
        FootfallError: nothing of the clip can be used.
    """
    take = read_take(path, takes)
    folder, key = shards / identity(path), recipe.key(take.key, stances.get(path))
    entry = _kept(folder, key)
    if entry is not None:
        return entry
    clip = read_clip(path)
    calibration = calibrate(clip.skeleton, recipe.skeleton, stance=stances.get(path))
    calibration = replace(calibration, hinges=recipe.hinges)
    parts = list(_variants(clip, recipe.told(take.labels), recipe, calibration))
    if not any(len(phase) for _, (_, _, phase), _ in parts):
        raise FootfallError("The clip is too short: it has fewer than four frames at 60 Hz.")
    stops = np.cumsum([len(phase) for _, (_, _, phase), _ in parts])
    sequences = [
        {"variant": name, "start": int(stop) - len(phase), "stop": int(stop)}
        for (name, (_, _, phase), _), stop in zip(parts, stops, strict=True)
    ]
    terrain = _alike([rows for _, _, rows in parts], [len(phase) for _, (_, _, phase), _ in parts])
    grounds = 0 if terrain is None else terrain.shape[1]
    entry = {
        "shard": folder.name,
        "key": key,
        "samples": int(stops[-1]),
        "sequences": sequences,
        "grounds": grounds,
        "residuals": {role: round(degrees, 2) for role, degrees in calibration.residuals.items()},
    }
    unfinished = folder.with_name(f"{folder.name}.partial")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    for number, name in enumerate(ARRAYS):
        array = np.concatenate([arrays[number] for _, arrays, _ in parts])
        if not np.isfinite(array).all():
            raise FootfallError("The clip gives features that are not finite numbers: look for broken frames in it.")
        save_array(unfinished / f"{name}.npy", array)
    if terrain is not None:
        save_array(unfinished / "terrain.npy", terrain)
    write_atomically(unfinished / "shard.json", json.dumps(entry).encode())
    shutil.rmtree(folder, ignore_errors=True)
    unfinished.rename(folder)
    sync_folder(shards)
    return entry


def save_array(path: Path, array: Float32) -> None:
    """``numpy.save``, but a full disk is told as what it is: an ``OSError`` that knows its number."""
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, np.lib.format.header_data_from_array_1_0(array))
        file.write(np.ascontiguousarray(array).data)
        file.flush()
        os.fsync(file.fileno())  # or a machine that goes down may leave zeros in a file of the right length


def _kept(folder: Path, key: str) -> dict[str, Any] | None:
    try:
        entry = json.loads((folder / "shard.json").read_bytes())
        if entry["key"] != key:
            return None
        open_shard(folder, entry["samples"])
        open_terrain(folder, entry["samples"], entry["grounds"])
    except (OSError, ValueError, KeyError, TypeError, FootfallError):
        return None
    return entry


def _alike(parts: Many[Float32 | None], sizes: Many[int]) -> Float32 | None:
    """The grounds (N, K, COLUMNS) of all variants, one after the other; ``None`` where none is off level ground.

    Where a variant has fewer than another its own are repeated.
    """
    most = max((rows.shape[1] for rows in parts if rows is not None), default=0)
    if most == 0:
        return None
    level = (np.zeros((size, most, COLUMNS), dtype=np.float32) for size in sizes)
    return np.concatenate(
        [
            zeros if rows is None else rows[:, np.arange(most) % rows.shape[1]]
            for rows, zeros in zip(parts, level, strict=True)
        ]
    )


def _variants(clip: Clip, labels: Labels, recipe: Recipe, calibration: Calibration) -> Iterator[Part]:
    for speed in recipe.speeds:
        paced = replace(clip, rate=clip.rate * speed).resampled(RATE)
        marks = replace(labels, frame_rate=labels.frame_rate * speed).resampled(RATE, len(paced))
        fitted = fit_clip(paced, calibration, labels=marks)
        level = recipe.terrain.kind == "level" or flat_level(Feet.of(fitted, marks)) is not None
        for curvature in recipe.bends:
            scene = Plane() if level else Nowhere()
            held = locked_contacts(fitted, marks.contacts_of(JOINTS))
            bent = bend(fitted, held, curvature, scene) if curvature else fitted
            name = f"speed {speed:g}, bend {curvature:g}"
            yield _part(name, bent, marks, recipe, level)
            if recipe.mirror:
                yield _part(f"{name}, mirrored", bent.mirrored(), marks.mirrored(), recipe, level)


def _part(name: str, clip: Clip, labels: Labels, recipe: Recipe, level: bool) -> Part:
    features = clip_features(clip, labels, recipe.joints, recipe.reference)
    if level or len(features[2]) == 0:
        return name, features, None
    return name, features, terrain_rows(clip, recipe.terrain.under(clip, labels))


@cache
def open_patches(folder: Path) -> PatchDatabase:
    """The patches of a folder, opened once a process."""
    return PatchDatabase.open(folder)


def open_shard(folder: Path, samples: int) -> tuple[Float32, Float32, Float32]:
    """Memory maps of a shard's x (N, n), y (N, m) and phase (N); raises :class:`FootfallError` where it is damaged."""
    try:
        arrays = [np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False) for name in ARRAYS]
    except (OSError, ValueError, EOFError) as error:
        raise FootfallError(
            f"Part '{folder.name}' of the data set is missing or damaged ({error}): build it again."
        ) from error
    if any(len(array) != samples or array.dtype != np.float32 for array in arrays):
        raise FootfallError(
            f"Part '{folder.name}' of the data set is not the one that its manifest names: build it again."
        )
    return arrays[0], arrays[1], arrays[2]


def open_terrain(folder: Path, samples: int, grounds: int) -> Float32 | None:
    """The memory-mapped grounds (N, K, COLUMNS) of a shard's samples; ``None`` of a clip on level ground.

    Raises:
        FootfallError: they are damaged.
    """
    if grounds == 0:
        return None
    try:
        rows = np.load(folder / "terrain.npy", mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise FootfallError(
            f"Part '{folder.name}' of the data set is missing or damaged ({error}): build it again."
        ) from error
    if rows.shape != (samples, grounds, COLUMNS) or rows.dtype != np.float32:
        raise FootfallError(
            f"Part '{folder.name}' of the data set is not the one that its manifest names: build it again."
        )
    return rows
