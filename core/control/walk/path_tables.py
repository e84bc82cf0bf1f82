"""The ways of a crowd as tables: where each is at an arc length, and how far along it at a frame, looked up at once."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import Array
from ..path.path import PATH_SPACING_M, Path
from ..path.terrain_profile import TerrainProfile
from ..path.velocity_profile import Timing

ARC_LENGTH_WEIGHT: Final = 0.1
"""What a metre along the way weighs against a metre off it, when the nearest point is looked for."""
SEARCH_WINDOW_M: Final = 0.6
"""Metres of way, before and behind where somebody is expected, on which they are looked for."""
X_COLUMN, Y_COLUMN, YAW_COLUMN, HEIGHT_COLUMN, JUMP_COLUMN = range(5)


class PathSamples(NamedTuple):
    """What ways (B) are like at arc lengths (B, ...): points (B, ..., 2), yaws, the ground's levels, who jumps (1)."""

    points: Array
    yaws: Array
    heights: Array
    jumps: Array


class PlanSamples(NamedTuple):
    """Plans (B) at frames (B, ...): see :class:`.speed_plan.Timing`."""

    distances: Array
    speeds: Array
    turns: Array
    phase_offsets: Array
    styles: Array


class PathTables:
    """The ways of B characters.

    Args:
        paths, profiles, timings: (B) of each, metres of its controller.
    """

    def __init__(self, paths: Sequence[Path], profiles: Sequence[TerrainProfile], timings: Sequence[Timing]) -> None:
        tables = [path_table(path, profile) for path, profile in zip(paths, profiles, strict=True)]
        self._table = _stack_padded(tables)
        self._ends = np.array([path.length for path in paths])
        self._last = np.array([len(table) - 1 for table in tables])
        self._plan = _stack_padded([plan_table(one) for one in timings])
        self.lengths = np.array([len(one) for one in timings])

    def select(self, rows: NDArray[np.intp]) -> None:
        """Goes on with some of the ways only."""
        for name in ("_table", "_ends", "_last", "_plan", "lengths"):
            setattr(self, name, getattr(self, name)[rows])

    def plan_at(self, frames: NDArray[np.integer]) -> PlanSamples:
        """What is planned at frames (B, ...): outside the plan, what is at its ends, but nobody goes or strides."""
        ends = _expand_like(self.lengths, frames)
        found = self._plan[_expand_like(np.arange(len(frames)), frames), np.minimum(np.maximum(frames, 0), ends - 1)]
        inside = (frames >= 0) & (frames < ends)
        return PlanSamples(found[..., 0], found[..., 1] * inside, found[..., 2], found[..., 3] * inside, found[..., 4:])

    def path_at(self, arc_lengths: Array) -> PathSamples:
        """What is at arc lengths (B, ...); beyond the ends, what is at the ends."""
        rows = _expand_like(np.arange(len(arc_lengths)), arc_lengths)
        at = np.clip(arc_lengths, 0.0, _expand_like(self._ends, arc_lengths)) / PATH_SPACING_M
        index = np.minimum(at.astype(np.intp), _expand_like(self._last, arc_lengths) - 1)
        share = (at - index)[..., None]
        found = self._table[rows, index] * (1 - share) + self._table[rows, index + 1] * share
        return PathSamples(
            found[..., :YAW_COLUMN], found[..., YAW_COLUMN], found[..., HEIGHT_COLUMN], found[..., JUMP_COLUMN]
        )

    def project(self, positions: Array, expected_lengths: Array) -> Array:
        """Arc lengths (B) of the nearest points to positions (B, 2), looked for about ``expected_lengths`` (B).

        Of points about as near, where the way crosses or turns back on itself, it is the one closer to ``expected_lengths``.
        """
        count = int(2 * SEARCH_WINDOW_M / PATH_SPACING_M) + 2
        first = np.clip((expected_lengths - SEARCH_WINDOW_M) / PATH_SPACING_M, 0, None).astype(np.intp)[:, None]
        index = np.minimum(first + np.arange(count), self._last[:, None] - 1)
        rows = np.arange(len(expected_lengths))[:, None]
        # Axis by axis: sums over axes of two numbers are what would take most of the time.
        (x, y), (end_x, end_y) = (
            (self._table[rows, at, X_COLUMN], self._table[rows, at, Y_COLUMN]) for at in (index, index + 1)
        )
        along_x, along_y = end_x - x, end_y - y
        square = np.maximum(along_x * along_x + along_y * along_y, 1e-12)
        to_x, to_y = positions[:, :1] - x, positions[:, 1:] - y
        share = np.clip((to_x * along_x + to_y * along_y) / square, 0.0, 1.0)
        reached = np.minimum((index + share) * PATH_SPACING_M, self._ends[:, None])
        distance = (to_x - along_x * share) ** 2 + (to_y - along_y * share) ** 2
        off = reached - expected_lengths[:, None]
        cost = distance + (ARC_LENGTH_WEIGHT * off) ** 2
        cost[np.abs(off) > SEARCH_WINDOW_M + 2 * PATH_SPACING_M] = np.inf
        return reached[rows[:, 0], np.argmin(cost, axis=1)]

    def transform(self, row: int, turn: float, pivot: Array, shift: Array, rise: float) -> None:
        """Turns a way by so many radians about ``pivot`` (2), then shifts it by ``shift`` (2) and ``rise``, metres."""
        cosine, sine = np.cos(turn), np.sin(turn)
        table = self._table[row]
        table[:, :YAW_COLUMN] = (
            (table[:, :YAW_COLUMN] - pivot) @ np.array([[cosine, sine], [-sine, cosine]]) + pivot + shift
        )
        table[:, YAW_COLUMN] += turn
        table[:, HEIGHT_COLUMN] += rise


def path_table(path: Path, profile: TerrainProfile) -> Array:
    """X, Y, YAW, LEVEL and JUMP (M, 5) of a way, every :data:`.path.SPACING`; the last row is at its end or beyond."""
    lengths = PATH_SPACING_M * np.arange(int(np.ceil(path.length / PATH_SPACING_M)) + 1)
    points = path.position_at(lengths)
    points[-1] += (lengths[-1] - path.length) * path.directions[-1]
    return np.column_stack([points, path.yaw_at(lengths), profile.height_at(lengths), profile.jump_share_at(lengths)])


def plan_table(timing: Timing) -> Array:
    """Arc lengths, speeds, turns, strides and styles (T, 4 + G) of a plan."""
    return np.column_stack(
        [timing.distances, timing.speeds, timing.yaw_offsets, timing.phase_offsets, timing.style_weights]
    )


def _stack_padded(tables: Sequence[Array]) -> Array:
    """Tables (M, ...) of many lengths as one (B, M, ...), the last row repeated."""
    longest = max(len(table) for table in tables)
    return np.stack([table[np.minimum(np.arange(longest), len(table) - 1)] for table in tables])


def _expand_like(values: NDArray, array: NDArray) -> NDArray:
    """Values (B) with axes of length one added, to go with an array (B, ...)."""
    return values.reshape(-1, *(1,) * (array.ndim - 1))
