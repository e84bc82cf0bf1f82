"""Fitting patches of ground to strides: the whole database, compared with a plain loop, and quality of stances."""

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter
from typing import Final

import numpy as np

from ..core.errors import FootfallError
from ..core.labelling import Labels, label_clip
from ..core.motion import Clip
from ..core.motion.bvh import read_bvh
from ..core.motion.rotations import Array
from ..core.terrain.clip_terrain import SegmentTerrain, fit_clip_terrain
from ..core.terrain.foot_points import FootTracks
from ..core.terrain.patches import PatchDatabase, build_patches
from ..core.terrain.refinement import FittedGround
from ..core.terrain.stride_segments import find_strides, stride_segments
from .setup import ROOT, Setup
from .tables import Part, Table, table
from .terrain_loop import LOOPED, compare

TITLE = "Terrain fitting"
RATE: Final = 60.0
JOB: Final = 5000
"""Number of strides in the paper."""
PROCESSES: Final = 2
ROUGH: Final = ("terrain", "stairs", "jump")
LEVEL: Final = ("walk", "run", "turn")
LEVEL_CLIPS: Final = 24
"""Number of clips of each level category that are also fitted, as if captured on rough ground."""
MILLIMETRE: Final = 1e-3

NOTES: Final = """\
{parts} parts ({strides} whole strides, and what lies between them) of {clips} CMU clips at 60 Hz: all of {rough}, and
{level_clips} each of {level}, fitted as if they had been captured on rough ground. Each against {patches} patches of
5 m with heights every 4 cm; the ten best, and the clip's own ground, are bent to the feet."""


@dataclass(frozen=True, eq=False)
class Take:
    """A clip and its labels."""

    clip: Clip
    labels: Labels

    @property
    def strides(self) -> int:
        """Number of whole strides in the clip."""
        return len(find_strides(self.labels.phase, self.labels.standing))


@dataclass(frozen=True, eq=False)
class Quality:
    """Quality of stances and swings over the grounds of a clip, meters.

    Attributes:
        contacts: distances from the ground at each contact.
        frames: the same at each frame of a contact.
        raw, refined: depths of swinging feet in the ground, before and after the refinement.
    """

    contacts: Array
    frames: Array
    raw: Array
    refined: Array


def measure(setup: Setup) -> list[Part]:
    """Return the section's tables."""
    folder = patches_folder()
    takes = find_takes(setup)
    with ProcessPoolExecutor(PROCESSES, get_context("spawn")) as pool:
        qualities = list(pool.map(partial(quality_of, folder), takes))
        start = perf_counter()
        parts = sum(pool.map(partial(count_parts, folder), takes))
        seconds = perf_counter() - start
    job = JOB * seconds / parts
    rows: list[list[object]] = [
        [f"measured, {PROCESSES} processes", parts, seconds, 1e3 * seconds / parts],
        ["the paper's job, extrapolated", JOB, job, 1e3 * seconds / parts],
        ["reach", JOB, 180, None],
        ["paper, data processing included", JOB, 3 * 3600, None],
    ]
    notes = NOTES.format(
        parts=parts,
        strides=sum(take.strides for take in takes),
        clips=len(takes),
        rough=", ".join(ROUGH),
        level_clips=LEVEL_CLIPS,
        level=", ".join(LEVEL),
        patches=open_patches(folder).count,
    )
    compared = compare(some_parts(takes), open_patches(folder))
    whole = table(["job", "parts", "s", "ms each"], rows)
    return [whole, *compared, quality_table(qualities), notes]


def patches_folder() -> Path:
    """Return the folder of the database of 20 000 procedural patches, built if it is missing."""
    folder = ROOT / ".cache" / "terrain_patches"
    try:
        PatchDatabase.open(folder)
    except FootfallError:
        folder.parent.mkdir(parents=True, exist_ok=True)
        build_patches(folder)
    return folder


@cache
def open_patches(folder: Path) -> PatchDatabase:
    """Return the database, opened once per process."""
    return PatchDatabase.open(folder)


def find_takes(setup: Setup) -> list[Take]:
    """Return the clips, the longest first, so that all processes end at about the same time."""
    files = list(setup.clips(*ROUGH))
    for category in LEVEL:
        known = list(setup.clips(category))
        files += known[:: max(len(known) // LEVEL_CLIPS, 1)][:LEVEL_CLIPS]
    clips = [read_bvh(file).resampled(RATE) for file in files]
    return [Take(clip, label_clip(clip)) for clip in sorted(clips, key=len, reverse=True)]


def some_parts(takes: Sequence[Take]) -> list[tuple[FootTracks, int, int]]:
    """Return stride segments of clips of all lengths: the feet, and the frames [start, stop)."""
    chosen: list[tuple[FootTracks, int, int]] = []
    for number in np.linspace(0, len(takes) - 1, LOOPED).astype(int):
        take = takes[number]
        parts = stride_segments(take.labels)
        start, stop = parts[len(parts) // 2].tolist()
        chosen.append((FootTracks.of(take.clip, take.labels), start, stop))
    return chosen


def fitted(folder: Path, take: Take) -> list[SegmentTerrain]:
    """Return the fitted grounds of a clip."""
    return fit_clip_terrain(take.clip, take.labels, open_patches(folder), kind="rough")


def count_parts(folder: Path, take: Take) -> int:
    """Fit a clip and return the number of its stride segments."""
    return len(fitted(folder, take))


def quality_of(folder: Path, take: Take) -> Quality:
    """Fit a clip and measure the quality of its stances and swings."""
    feet = FootTracks.of(take.clip, take.labels)
    columns: list[tuple[Array, ...]] = []
    for part in fitted(folder, take):
        points = feet.points(part.start, part.stop)
        standing = feet.sole_points[part.start : part.stop][feet.down[part.start : part.stop]]
        for ground in part.grounds:
            assert isinstance(ground, FittedGround)
            raw = replace(ground, bend=None)
            columns.append(
                (
                    np.abs(ground.heights(points.contacts) - points.contacts[:, 2]),
                    np.abs(ground.heights(standing) - standing[:, 2]),
                    np.maximum(raw.heights(points.swings) - points.swings[:, 2], 0.0),
                    np.maximum(ground.heights(points.swings) - points.swings[:, 2], 0.0),
                )
            )
    return Quality(*(np.concatenate(values) for values in zip(*columns, strict=True)))


def quality_table(qualities: list[Quality]) -> Table:
    """Return the table of the quality of stances and swings over all grounds."""
    rows: list[list[object]] = []
    for name, values in (
        ("residual at contacts, refined", [quality.contacts for quality in qualities]),
        ("residual at their frames, refined", [quality.frames for quality in qualities]),
        ("depth of swinging feet, before", [quality.raw for quality in qualities]),
        ("depth of swinging feet, refined", [quality.refined for quality in qualities]),
    ):
        all_of_them = np.concatenate(values)
        over = 100 * float(np.mean(all_of_them > MILLIMETRE))
        quantile = 1e3 * float(np.quantile(all_of_them, 0.99))
        rows.append([name, 1e3 * float(all_of_them.mean()), quantile, 1e3 * float(all_of_them.max()), over])
    rows.append(["reach, residual at contacts", None, None, 1, 0])
    return table(["of all grounds", "mean mm", "99 % mm", "max mm", "over 1 mm, %"], rows)
