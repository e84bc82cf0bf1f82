"""The ways of a crowd as tables: where each is at an arc length, and how far along it at a frame, looked up at once."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import Array
from ..path.path import SPACING, Path
from ..path.terrain_profile import Profile
from ..path.velocity_profile import Timing

NEARNESS: Final = 0.1
"""What a metre along the way weighs against a metre off it, when the nearest point is looked for."""
WINDOW: Final = 0.6
"""Metres of way, before and behind where somebody is expected, on which they are looked for."""
X, Y, YAW, LEVEL, JUMP = range(5)


class Places(NamedTuple):
    """What ways (B) are like at arc lengths (B, ...): points (B, ..., 2), yaws, the ground's levels, who jumps (1)."""

    points: Array
    yaws: Array
    levels: Array
    jumps: Array


class Plans(NamedTuple):
    """Plans (B) at frames (B, ...): see :class:`.speed_plan.Timing`."""

    distances: Array
    speeds: Array
    turns: Array
    strides: Array
    styles: Array


class Routes:
    """The ways of B characters.

    Args:
        paths, profiles, timings: (B) of each, metres of its controller.
    """

    def __init__(self, paths: Sequence[Path], profiles: Sequence[Profile], timings: Sequence[Timing]) -> None:
        tables = [table_of(path, profile) for path, profile in zip(paths, profiles, strict=True)]
        self._table = _stacked(tables)
        self._ends = np.array([path.length for path in paths])
        self._last = np.array([len(table) - 1 for table in tables])
        self._plan = _stacked([plan_of(one) for one in timings])
        self.lengths = np.array([len(one) for one in timings])

    def keep(self, rows: NDArray[np.intp]) -> None:
        """Goes on with some of the ways only."""
        for name in ("_table", "_ends", "_last", "_plan", "lengths"):
            setattr(self, name, getattr(self, name)[rows])

    def planned(self, frames: NDArray[np.integer]) -> Plans:
        """What is planned at frames (B, ...): outside the plan, what is at its ends, but nobody goes or strides."""
        ends = _like(self.lengths, frames)
        found = self._plan[_like(np.arange(len(frames)), frames), np.minimum(np.maximum(frames, 0), ends - 1)]
        inside = (frames >= 0) & (frames < ends)
        return Plans(found[..., 0], found[..., 1] * inside, found[..., 2], found[..., 3] * inside, found[..., 4:])

    def places(self, lengths: Array) -> Places:
        """What is at arc lengths (B, ...); beyond the ends, what is at the ends."""
        rows = _like(np.arange(len(lengths)), lengths)
        at = np.clip(lengths, 0.0, _like(self._ends, lengths)) / SPACING
        index = np.minimum(at.astype(np.intp), _like(self._last, lengths) - 1)
        share = (at - index)[..., None]
        found = self._table[rows, index] * (1 - share) + self._table[rows, index + 1] * share
        return Places(found[..., :YAW], found[..., YAW], found[..., LEVEL], found[..., JUMP])

    def project(self, positions: Array, near: Array) -> Array:
        """Arc lengths (B) of the nearest points to positions (B, 2), looked for about ``near`` (B).

        Of points about as near, where the way crosses or turns back on itself, it is the one closer to ``near``.
        """
        count = int(2 * WINDOW / SPACING) + 2
        first = np.clip((near - WINDOW) / SPACING, 0, None).astype(np.intp)[:, None]
        index = np.minimum(first + np.arange(count), self._last[:, None] - 1)
        rows = np.arange(len(near))[:, None]
        # Axis by axis: sums over axes of two numbers are what would take most of the time.
        (x, y), (end_x, end_y) = ((self._table[rows, at, X], self._table[rows, at, Y]) for at in (index, index + 1))
        along_x, along_y = end_x - x, end_y - y
        square = np.maximum(along_x * along_x + along_y * along_y, 1e-12)
        to_x, to_y = positions[:, :1] - x, positions[:, 1:] - y
        share = np.clip((to_x * along_x + to_y * along_y) / square, 0.0, 1.0)
        reached = np.minimum((index + share) * SPACING, self._ends[:, None])
        distance = (to_x - along_x * share) ** 2 + (to_y - along_y * share) ** 2
        off = reached - near[:, None]
        cost = distance + (NEARNESS * off) ** 2
        cost[np.abs(off) > WINDOW + 2 * SPACING] = np.inf
        return reached[rows[:, 0], np.argmin(cost, axis=1)]

    def move(self, row: int, turn: float, pivot: Array, shift: Array, rise: float) -> None:
        """Turns a way by so many radians about ``pivot`` (2), then shifts it by ``shift`` (2) and ``rise``, metres."""
        cosine, sine = np.cos(turn), np.sin(turn)
        table = self._table[row]
        table[:, :YAW] = (table[:, :YAW] - pivot) @ np.array([[cosine, sine], [-sine, cosine]]) + pivot + shift
        table[:, YAW] += turn
        table[:, LEVEL] += rise


def table_of(path: Path, profile: Profile) -> Array:
    """X, Y, YAW, LEVEL and JUMP (M, 5) of a way, every :data:`.path.SPACING`; the last row is at its end or beyond."""
    lengths = SPACING * np.arange(int(np.ceil(path.length / SPACING)) + 1)
    points = path.point(lengths)
    points[-1] += (lengths[-1] - path.length) * path.directions[-1]
    return np.column_stack([points, path.yaw(lengths), profile.height(lengths), profile.jumped(lengths)])


def plan_of(timing: Timing) -> Array:
    """Arc lengths, speeds, turns, strides and styles (T, 4 + G) of a plan."""
    return np.column_stack([timing.distances, timing.speeds, timing.turns, timing.strides, timing.styles])


def _stacked(tables: Sequence[Array]) -> Array:
    """Tables (M, ...) of many lengths as one (B, M, ...), the last row repeated."""
    longest = max(len(table) for table in tables)
    return np.stack([table[np.minimum(np.arange(longest), len(table) - 1)] for table in tables])


def _like(values: NDArray, array: NDArray) -> NDArray:
    """Values (B) with axes of length one added, to go with an array (B, ...)."""
    return values.reshape(-1, *(1,) * (array.ndim - 1))
