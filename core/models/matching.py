"""Motion matching (Büttner and Clavet 2015, Clavet 2016): the clips' own frames, played on from what fits best.

What is wanted and the pose that is make a query. Every tenth of a second the frame that answers it best is looked up,
and where that fits clearly better than playing on, the character goes on there. Transitions are inertialised (Bollo
2018): by what the new frames differ from the old ones is added to them at first, in value and velocity, and dies away.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from ..features.locomotion import OFFSETS
from .network import Architecture, Float32, Memory, Shapes, Task, Tensors, setting

MAX_POINTS: Final = 1 << 20
"""A float32 still tells all of them apart."""

SEARCHED: Final = (-40, -20, 10, 20, 30, 40, 50)
"""Which samples of the trajectory a query has, frames from now."""
AXES: Final = 24
"""Principal axes of the queries among which is searched: they hold 99.5 % of what makes queries differ, and in three
times as many a tree has to look at nearly everything."""
SEARCH_TIME: Final = 0.1
"""Seconds from search to search."""
MARGIN: Final = 0.1
"""By which share nearer to the query another frame must be than the one that comes next."""
NEARBY: Final = 0.2
"""Seconds around the next frame in which going on elsewhere would only stutter."""
STAY: Final = 0.4
"""Seconds that a sequence must still last to be joined."""
HALF_LIFE: Final = 0.12
"""Seconds in which half of a transition's offset has died away."""
PHASE_TIME: Final = 0.2
"""Seconds in which the character's phase becomes that of the frames that it plays."""

INERTIAL: Final = ("root.velocity", "root.turn", "pose.position", "pose.velocity", "pose.rotation")
"""The groups of y in which a transition is smoothed."""

Indices = NDArray[np.intp]


def query_columns(task: Task) -> Mapping[str, Indices]:
    """Which numbers of x a query consists of, by what they tell."""
    inputs = task.inputs
    number = np.arange(inputs.size)
    samples, ends = [OFFSETS.index(offset) for offset in SEARCHED], [OFFSETS.index(0), len(OFFSETS) - 1]
    places, speeds, feet = inputs.view(number, "pose.position"), inputs.view(number, "pose.velocity"), list(task.feet)
    columns = {
        "trajectory.position": inputs.view(number, "trajectory.position")[samples],
        "trajectory.direction": inputs.view(number, "trajectory.direction")[samples],
        "trajectory.gait": inputs.view(number, "trajectory.gait")[ends],
        "terrain.height": inputs.view(number, "terrain.height")[samples, 1],
        "feet.position": places[feet],
        "feet.velocity": speeds[feet],
        "hips.velocity": speeds[:1],
    }
    return {name: numbers.ravel() for name, numbers in columns.items()}


@dataclass(frozen=True, slots=True)
class MatchingArchitecture(Architecture):
    """A data base of frames.

    Attributes:
        points: how many frames it has; each is a whole answer y.
    """

    family: ClassVar[str] = "matching"

    points: int = setting(100_000, 2, MAX_POINTS)

    def shapes(self, task: Task) -> Shapes:
        """See :class:`Matching`."""
        width = sum(len(columns) for columns in query_columns(task).values())
        return {
            "y": (self.points, task.outputs.size),
            "features": (self.points, min(AXES, width)),
            "axes": (width, min(AXES, width)),
            "left": (self.points,),
            "phase": (self.points,),
            "phase_unit": (),
        }

    def network(self, tensors: Tensors, task: Task) -> "Matching":
        """The data base."""
        return Matching(**tensors, task=task)


class Matching:
    """A data base of N frames, ready to be searched with normalised inputs.

    Args:
        y: the frames' normalised outputs (N, m), sequence after sequence.
        features: by what each frame is found (N, a): the query columns of its own normalised input along ``axes``.
        axes: (f, a), the principal axes of queries, and in them how much each of the f columns counts.
        left: (N), how many frames of its sequence come after each.
        phase: (N), cycles.
        phase_unit: (), how many cycles a second are 1 in y's ``phase.rate``.
        task: which column is what.

    Raises:
        ValueError: ``left`` does not count down to ends, or ``phase_unit`` is not above zero.
    """

    def __init__(
        self,
        y: Float32,
        features: Float32,
        axes: Float32,
        left: Float32,
        phase: Float32,
        phase_unit: Float32,
        task: Task,
    ) -> None:
        if not np.all((left == 0) | (left == np.append(left[1:], -1) + 1)):
            raise ValueError("its sequences of frames do not count down to their ends")
        stay = min(round(STAY * task.rate), int(left.max()))
        if stay < 1:
            raise ValueError("it has no two frames that follow each other")
        if not phase_unit > 0:
            raise ValueError("its unit of phases is not above zero")
        self._y, self._features, self._axes, self._phase = y, features, axes, phase
        self._last = left == 0
        self._columns = np.concatenate(list(query_columns(task).values()))
        self._entries = np.flatnonzero(left >= stay)
        slices = task.outputs.slices
        self._inertial = np.concatenate([np.arange(slices[name].start, slices[name].stop) for name in INERTIAL])
        self._rate_column = slices["phase.rate"].start
        self._pull = 1 / (PHASE_TIME * float(phase_unit))
        self._search_frames, self._nearby = round(SEARCH_TIME * task.rate), round(NEARBY * task.rate)
        self._spring = critically_damped(HALF_LIFE * task.rate)

    @cached_property
    def _tree(self) -> "scipy.spatial.KDTree":
        # Files are only looked through for what they are, too.
        return scipy.spatial.KDTree(self._features[self._entries])

    def begin(self, count: int) -> Memory:
        """The frame that is played (-1: none yet), frames since the last search, and the transition's offset (B, k) and
        its velocity (B, k) a frame, in y's inertial columns."""
        still = np.zeros((count, len(self._inertial)), dtype=np.float32)
        return np.full(count, -1, dtype=np.float32), np.zeros(count, dtype=np.float32), still, still

    def step(self, x: Float32, phase: ArrayLike, memory: Memory) -> tuple[Float32, Memory]:
        """See :meth:`Network.step`. The phase is not searched for; it is led to that of the frames that are played."""
        played, age = memory[0].astype(np.intp), memory[1] + 1
        offset, velocity = self._decayed(memory[2], memory[3])
        begins = played < 0
        coming = np.where(begins, 0, played + 1)
        # A sequence is left on its last frame, which is still known to be continued from but never played.
        forced = begins | self._last[coming]
        due = np.flatnonzero(forced | (age >= self._search_frames))
        frame = coming.copy()
        if len(due):
            frame[due] = self._found(x[due], coming[due], forced[due])
            age[due] = 0
        moved = np.flatnonzero((frame != coming) & ~begins)
        if len(moved):
            offset[moved] += self._inertia(coming[moved]) - self._inertia(frame[moved])
            velocity[moved] += self._change(played[moved]) - self._change(frame[moved])
        y = self._y[frame]
        y[:, self._inertial] += offset
        apart = np.mod(self._phase[frame] - np.asarray(phase, dtype=np.float32) + 0.5, 1) - 0.5
        y[:, self._rate_column] += self._pull * apart
        return y, (frame.astype(np.float32), age, offset, velocity)

    def _found(self, x: Float32, coming: Indices, forced: NDArray[np.bool_]) -> Indices:
        """The frames (B) to go on with for inputs (B, n): those that come anyway, or those that fit better."""
        queries = np.asarray(x, dtype=np.float32)[:, self._columns] @ self._axes
        distance, entry = self._tree.query(queries)
        found = self._entries[entry]
        waits = np.linalg.norm(self._features[coming] - queries, axis=-1)
        better = (distance < (1 - MARGIN) * waits) & (np.abs(found - coming) > self._nearby)
        return np.where(forced | better, found, coming)

    def _inertia(self, frames: Indices) -> Float32:
        return self._y[frames[:, None], self._inertial]

    def _change(self, frames: Indices) -> Float32:
        """By how much the inertial columns change (B, k) from frames (B) to those that follow."""
        return self._inertia(frames + 1) - self._inertia(frames)

    def _decayed(self, offset: Float32, velocity: Float32) -> tuple[Float32, Float32]:
        """Offset and velocity one frame later."""
        (kept, driven), (drawn, slowed) = self._spring
        return kept * offset + driven * velocity, drawn * offset + slowed * velocity


def critically_damped(half_life: float) -> Float32:
    """What place and velocity become in one frame, (2, 2), on a spring that is back half way after ``half_life``."""
    # Where (1 + t) exp(-t), the way back from rest, is a half.
    rate = 1.678347 / half_life
    return np.array([[1 + rate, 1], [-rate * rate, 1 - rate]], dtype=np.float32) * np.float32(math.exp(-rate))
