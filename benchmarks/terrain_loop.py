"""Terrain fitting one patch at a time, by the equations (PFNN section 4.2), compared with all at once."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..core.motion.rotations import Array
from ..core.terrain.clip_terrain import SWING_SAMPLE_INTERVAL_S, find_best_patches
from ..core.terrain.fitting import DEFAULT_WEIGHTS, FitWeights, fit_patches
from ..core.terrain.foot_points import FootPoints, FootTracks
from ..core.terrain.patches import HEIGHT_UNIT_M, PatchDatabase
from ..core.terrain.refinement import FittedGround, refine_ground
from .stopwatch import median_seconds
from .tables import Part, table

LOOPED: Final = 8
"""Number of parts fitted patch by patch."""
LOOPED_PATCHES: Final = 2000
"""Number of patches in that fit; the time for all patches is a multiple."""
COUNT: Final = 10
REPEATS: Final = 5

NOTES: Final = """\
The mean of {parts} parts of clips of all lengths. *Looked up once*: the same, its places found in the grid once for
all patches."""

Grids = NDArray[np.int16]
Lookup = tuple[NDArray[np.intp], NDArray[np.intp], Array, Array]


def compare(parts: Sequence[tuple[FootTracks, int, int]], patches: PatchDatabase) -> list[Part]:
    """Return the table of the mean times of one part, over some feet's frames [start, stop), with its notes."""
    every = round(SWING_SAMPLE_INTERVAL_S * parts[0][0].rate)
    count = patches.heights.shape[1]
    numbers = np.linspace(0, count - 1, min(LOOPED_PATCHES, count)).astype(np.intp)
    grids = np.ascontiguousarray(patches.heights[:, numbers].T).reshape(
        -1, patches.points_per_side, patches.points_per_side
    )
    share = count / len(numbers)
    times: list[Array] = []
    for feet, start, stop in parts:
        whole, thinned = frame_by_frame(feet).points(start, stop), feet.points(start, stop, every)
        points = feet.points(start, stop)
        one_by_one = partial(fit_one_by_one, whole, grids, patches.cell_size, DEFAULT_WEIGHTS)
        anew, _ = timed(partial(one_by_one, once=False))
        once, _ = timed(partial(one_by_one, once=True))
        at_once = partial(find_best_patches, thinned, patches, COUNT)
        seconds = [
            anew * share,
            once * share,
            median_seconds(at_once, REPEATS),
            median_seconds(partial(fit_patches, thinned, patches), REPEATS),
            median_seconds(partial(refine_all, at_once()[0], points), REPEATS),
        ]
        times.append(np.array([*seconds, reading(thinned, patches)]))
    anew, once, best_at_once, fitting, refining, reads = 1e3 * np.mean(times, axis=0)
    rows: list[list[object]] = [
        ["one patch after the other", anew + refining, 1],
        ["one patch after the other, looked up once", once + refining, (anew + refining) / (once + refining)],
        ["all at once", best_at_once + refining, (anew + refining) / (best_at_once + refining)],
        ["reach", None, 60],
        ["E_fit of all at once, alone", fitting, None],
        ["its bound", reads, None],
    ]
    return [table(["one part, one process", "ms", "times as fast"], rows), NOTES.format(parts=len(parts))]


def refine_all(grounds: Sequence[FittedGround], points: FootPoints) -> list[FittedGround]:
    """Return the grounds, deformed to the feet."""
    return [refine_ground(ground, points) for ground in grounds]


def timed(work: Callable[[], Array]) -> tuple[float, Array]:
    """Return the seconds of a call, and its result."""
    start = perf_counter()
    result = work()
    return perf_counter() - start, result


def frame_by_frame(feet: FootTracks) -> FootTracks:
    """Return the feet with every frame of a contact as its own contact."""
    frames, points = np.nonzero(feet.down)
    return replace(
        feet, contact_runs=np.stack([frames, frames + 1], axis=1), contact_points=feet.sole_points[frames, points]
    )


def fit_one_by_one(points: FootPoints, grids: Grids, cell: float, weights: FitWeights, once: bool) -> Array:
    """Return E_fit (P), square meters, of patches (P, N, N) of 0.1 mm.

    Args:
        points: the foot points to fit.
        grids: the heights (P, N, N) of the patches, 0.1 mm.
        cell: size of a cell, meters.
        weights: weights of the terms of E_fit.
        once: whether to look the places up in the grid once for all patches instead of for each.
    """
    count = len(points.contacts)
    places = np.concatenate([points.contacts, points.swings]) - points.centre
    shares = points.contact_weights / points.contact_weights.sum()
    up = points.swing_weights / points.swing_weights.sum()
    jumping = points.swing_weights * points.jumping
    over = jumping / max(jumping.sum(), 1e-9)
    known = _lookup(places[:, :2], grids.shape[1], cell)
    errors = np.empty(len(grids))
    for number, grid in enumerate(grids):
        above = _heights(grid, known if once else _lookup(places[:, :2], grids.shape[1], cell)) - places[:, 2]
        above -= shares @ above[:count]
        swinging = above[count:]
        errors[number] = weights.down * (shares @ above[:count] ** 2) + weights.up * (up @ np.maximum(swinging, 0) ** 2)
        if over.any():
            errors[number] += weights.over * (over @ np.minimum(swinging + weights.jump_clearance, 0) ** 2)
    return errors


def _lookup(xy: Array, cells: int, cell: float) -> Lookup:
    """Return the cells (row, column) before places (N, 2) from a patch's middle, and the fractions to the next."""
    at = np.clip(xy / cell + (cells - 1) / 2, 0, cells - 1)
    first = np.minimum(at.astype(np.intp), cells - 2)
    x, y = (at - first).T
    return first[:, 1], first[:, 0], x, y


def _heights(grid: Grids, lookup: Lookup) -> Array:
    row, column, x, y = lookup
    low = grid[row, column] * (1 - x) + grid[row, column + 1] * x
    high = grid[row + 1, column] * (1 - x) + grid[row + 1, column + 1] * x
    return (low * (1 - y) + high * y) * HEIGHT_UNIT_M


def reading(points: FootPoints, patches: PatchDatabase) -> float:
    """Return the seconds of reading each row for the points once."""
    places = np.concatenate([points.contacts, points.swings])[:, :2] - points.centre[:2]
    row, column, _, _ = _lookup(places, patches.points_per_side, patches.cell_size)
    needed = np.unique(
        (row * patches.points_per_side + column)[:, None] + [0, 1, patches.points_per_side, patches.points_per_side + 1]
    )
    heights = np.asarray(patches.heights)
    words = heights.shape[1] // 4 * 4  # four heights at a time

    def read() -> int:
        return max(int(heights[cell, :words].view(np.int64).max()) for cell in needed)

    return median_seconds(read, REPEATS)
