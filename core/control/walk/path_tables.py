"""Tables of a crowd's paths and timings, in which all characters are looked up at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import Array
from ...tuning import Tuning, tuned
from ..path.path import PATH_SPACING_M, Path
from ..path.stair_flights import stride_columns
from ..path.terrain_profile import TerrainProfile
from ..path.velocity_profile import Timing


@dataclass(frozen=True, slots=True)
class PathTablesTuning(Tuning):
    arc_length_weight: float = tuned(0.1, "1", 0.0, 2.0)
    """Cost of a meter along the path, relative to a meter sideways, in the search for the nearest point."""
    search_window: float = tuned(0.6, "m", 0.1, 5.0)
    """Arc length before and after the expected one within which the nearest point is searched."""


TUNING: Final = PathTablesTuning()

X_COLUMN, Y_COLUMN, YAW_COLUMN, HEIGHT_COLUMN, JUMP_COLUMN, CYCLE_COLUMN, STEERING_COLUMN, LEAD_COLUMN = range(8)
SCALAR_COLUMNS: Final = range(YAW_COLUMN, LEAD_COLUMN + 1)
"""Columns of a path's table for all values except the points, in the order of :class:`PathSamples`."""


class PathSamples(NamedTuple):
    """Samples of B paths at arc lengths (B, ...), meters: points (B, ..., 2), yaws, ground heights and jump weights.

    On stairs, also the planned phase, cycles, the weight of steering to it, and the leads of foot strikes, meters.
    """

    points: Array
    yaws: Array
    heights: Array
    jumps: Array
    cycles: Array
    steering: Array
    leads: Array


class PlanSamples(NamedTuple):
    """Samples of the timings of B characters at frames (B, ...), with the fields of :class:`.Timing`."""

    distances: Array
    speeds: Array
    yaw_offsets: Array
    phase_offsets: Array
    run_shares: Array
    style_weights: Array


class PathTables:
    """The paths and timings of B characters, in meters of their controller.

    Args:
        paths: (B) the paths.
        profiles: (B) terrain along the paths.
        timings: (B) timings of the walks.
    """

    def __init__(self, paths: Sequence[Path], profiles: Sequence[TerrainProfile], timings: Sequence[Timing]) -> None:
        tables = [path_table(path, profile) for path, profile in zip(paths, profiles, strict=True)]
        self._path_tables = _stack_padded(tables)
        self._path_lengths = np.array([path.length for path in paths])
        self._last_segments = np.array([len(table) - 1 for table in tables])
        self._plan_tables = _stack_padded([plan_table(timing) for timing in timings])
        self.frame_counts = np.array([len(timing) for timing in timings])

    def select(self, rows: NDArray[np.intp]) -> None:
        """Keep only the characters in the given rows."""
        for name in ("_path_tables", "_path_lengths", "_last_segments", "_plan_tables", "frame_counts"):
            setattr(self, name, getattr(self, name)[rows])

    def plan_at(self, frames: NDArray[np.integer]) -> PlanSamples:
        """Return samples of the timings at frames (B, ...), limited to each timing's ends.

        Speeds and phase offsets are zero outside the timings.
        """
        ends = _expand_like(self.frame_counts, frames)
        found = self._plan_tables[
            _expand_like(np.arange(len(frames)), frames), np.minimum(np.maximum(frames, 0), ends - 1)
        ]
        inside = (frames >= 0) & (frames < ends)
        return PlanSamples(
            found[..., 0], found[..., 1] * inside, found[..., 2], found[..., 3] * inside, found[..., 4], found[..., 5:]
        )

    def path_at(self, arc_lengths: Array) -> PathSamples:
        """Return samples of the paths at arc lengths (B, ...), meters, limited to each path's ends."""
        rows = _expand_like(np.arange(len(arc_lengths)), arc_lengths)
        at = np.minimum(np.maximum(arc_lengths, 0.0), _expand_like(self._path_lengths, arc_lengths)) / PATH_SPACING_M
        index = np.minimum(at.astype(np.intp), _expand_like(self._last_segments, arc_lengths) - 1)
        share = (at - index)[..., None]
        found = self._path_tables[rows, index] * (1 - share) + self._path_tables[rows, index + 1] * share
        return PathSamples(found[..., :YAW_COLUMN], *(found[..., column] for column in SCALAR_COLUMNS))

    def project(self, positions: Array, expected_lengths: Array) -> Array:
        """Return the arc lengths (B), meters, of the path points nearest to the roots, close to expected arc lengths.

        Where a path crosses itself or turns back, several points are about equally near; the one closest to the
        expected arc length is chosen.

        Args:
            positions: (B, 2) roots, meters.
            expected_lengths: (B) expected arc lengths, meters.
        """
        count = int(2 * TUNING.search_window / PATH_SPACING_M) + 2
        first = np.maximum((expected_lengths - TUNING.search_window) / PATH_SPACING_M, 0).astype(np.intp)[:, None]
        index = np.minimum(first + np.arange(count), self._last_segments[:, None] - 1)
        rows = np.arange(len(expected_lengths))[:, None]
        # Axis by axis, since sums over an axis of length two would dominate the time.
        points = self._path_tables[:, :, :YAW_COLUMN]
        (x, y), (end_x, end_y) = (np.moveaxis(points[rows, at], -1, 0) for at in (index, index + 1))
        along_x, along_y = end_x - x, end_y - y
        square = np.maximum(along_x * along_x + along_y * along_y, 1e-12)
        to_x, to_y = positions[:, :1] - x, positions[:, 1:] - y
        share = np.minimum(np.maximum((to_x * along_x + to_y * along_y) / square, 0.0), 1.0)
        reached = np.minimum((index + share) * PATH_SPACING_M, self._path_lengths[:, None])
        distance = (to_x - along_x * share) ** 2 + (to_y - along_y * share) ** 2
        deviation = reached - expected_lengths[:, None]
        cost = distance + (TUNING.arc_length_weight * deviation) ** 2
        cost[np.abs(deviation) > TUNING.search_window + 2 * PATH_SPACING_M] = np.inf
        return reached[rows[:, 0], np.argmin(cost, axis=1)]

    def transform(self, row: int, turn: float, pivot: Array, shift: Array, rise: float) -> None:
        """Rotate a character's path about a point, and then displace it.

        Args:
            row: row of the character.
            turn: rotation to the left, radians.
            pivot: (2) center of the rotation, meters, world.
            shift: (2) displacement after the rotation, meters, world.
            rise: change of the ground heights, meters.
        """
        cosine, sine = np.cos(turn), np.sin(turn)
        table = self._path_tables[row]
        table[:, :YAW_COLUMN] = (
            (table[:, :YAW_COLUMN] - pivot) @ np.array([[cosine, sine], [-sine, cosine]]) + pivot + shift
        )
        table[:, YAW_COLUMN] += turn
        table[:, HEIGHT_COLUMN] += rise


def path_table(path: Path, profile: TerrainProfile) -> Array:
    """Return the table (M, 8) of a path: x, y (m), yaw (rad), height (m), jump weight, three values of planned strikes.

    The rows are at the path's samples; the last row is at the path's end.
    """
    lengths = PATH_SPACING_M * np.arange(int(np.ceil(path.length / PATH_SPACING_M)) + 1)
    points = path.position_at(lengths)
    points[-1] += (lengths[-1] - path.length) * path.directions[-1]
    strides = stride_columns(profile.flights, lengths, profile.scale)
    heights, jumps = profile.height_at(lengths), profile.jump_share_at(lengths)
    return np.column_stack([points, path.yaw_at(lengths), heights, jumps, strides])


def plan_table(timing: Timing) -> Array:
    """Return the table (T, 5 + G) of a timing, a row per frame.

    Its columns are arc length (m), speed (m/s), yaw offset (rad), phase offset (cycles per frame), run share and style
    weights.
    """
    columns = (timing.distances, timing.speeds, timing.yaw_offsets, timing.phase_offsets, timing.run_shares)
    return np.column_stack([*columns, timing.style_weights])


def _stack_padded(tables: Sequence[Array]) -> Array:
    """Return tables (M, ...) of different lengths stacked as (B, M, ...), padded by repeating their last rows."""
    longest = max(len(table) for table in tables)
    return np.stack([table[np.minimum(np.arange(longest), len(table) - 1)] for table in tables])


def _expand_like(values: NDArray, array: NDArray) -> NDArray:
    """Return values (B) reshaped with axes of length one, so that they broadcast with an array (B, ...)."""
    return values.reshape(-1, *(1,) * (array.ndim - 1))
