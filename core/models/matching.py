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

from ..features.locomotion import SAMPLE_OFFSETS_FRAMES
from .network import Architecture, Float32, Memory, Shapes, Task, Tensors, architecture_setting

MAX_DATABASE_FRAMES: Final = 1 << 20
"""A float32 still tells all of them apart."""

QUERY_OFFSETS_FRAMES: Final = (-40, -20, 10, 20, 30, 40, 50)
"""Which samples of the trajectory a query has, frames from now."""
QUERY_AXIS_COUNT: Final = 24
"""Principal axes of the queries among which is searched: they hold 99.5 % of what makes queries differ, and in three
times as many a tree has to look at nearly everything."""
SEARCH_INTERVAL_S: Final = 0.1
"""Seconds from search to search."""
SWITCH_MARGIN_RATIO: Final = 0.1
"""By which share nearer to the query another frame must be than the one that comes next."""
MIN_JUMP_S: Final = 0.2
"""Seconds around the next frame in which going on elsewhere would only stutter."""
MIN_REMAINING_S: Final = 0.4
"""Seconds that a sequence must still last to be joined."""
TRANSITION_HALF_LIFE_S: Final = 0.12
"""Seconds in which half of a transition's offset has died away."""
PHASE_SYNC_S: Final = 0.2
"""Seconds in which the character's phase becomes that of the frames that it plays."""

INERTIALIZED_GROUPS: Final = (
    "root.velocity",
    "root.angular_velocity",
    "pose.position",
    "pose.velocity",
    "pose.rotation",
)
"""The groups of y in which a transition is smoothed."""

Indices = NDArray[np.intp]


def query_columns(task: Task) -> Mapping[str, Indices]:
    """Which numbers of x a query consists of, by what they tell."""
    inputs = task.inputs
    number = np.arange(inputs.size)
    samples, ends = (
        [SAMPLE_OFFSETS_FRAMES.index(offset) for offset in QUERY_OFFSETS_FRAMES],
        [SAMPLE_OFFSETS_FRAMES.index(0), len(SAMPLE_OFFSETS_FRAMES) - 1],
    )
    places, speeds, feet = (
        inputs.view(number, "pose.position"),
        inputs.view(number, "pose.velocity"),
        list(task.foot_joints),
    )
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

    points: int = architecture_setting(100_000, 2, MAX_DATABASE_FRAMES)

    def shapes(self, task: Task) -> Shapes:
        """See :class:`Matching`."""
        width = sum(len(columns) for columns in query_columns(task).values())
        return {
            "y": (self.points, task.outputs.size),
            "features": (self.points, min(QUERY_AXIS_COUNT, width)),
            "axes": (width, min(QUERY_AXIS_COUNT, width)),
            "left": (self.points,),
            "phase": (self.points,),
            "phase_unit": (),
        }

    def network(self, tensors: Tensors, task: Task) -> "Matching":
        """Return the data base."""
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
        stay = min(round(MIN_REMAINING_S * task.rate), int(left.max()))
        if stay < 1:
            raise ValueError("it has no two frames that follow each other")
        if not phase_unit > 0:
            raise ValueError("its unit of phases is not above zero")
        self._y, self._features, self._axes, self._phase = y, features, axes, phase
        self._is_sequence_end = left == 0
        self._columns = np.concatenate(list(query_columns(task).values()))
        self._entry_frames = np.flatnonzero(left >= stay)
        slices = task.outputs.slices
        self._inertialized_columns = np.concatenate(
            [np.arange(slices[name].start, slices[name].stop) for name in INERTIALIZED_GROUPS]
        )
        self._rate_column = slices["phase.rate"].start
        self._phase_gain = 1 / (PHASE_SYNC_S * float(phase_unit))
        self._search_frames, self._min_jump_frames = round(SEARCH_INTERVAL_S * task.rate), round(MIN_JUMP_S * task.rate)
        self._decay_matrix = critically_damped_step(TRANSITION_HALF_LIFE_S * task.rate)

    @cached_property
    def _tree(self) -> "scipy.spatial.KDTree":
        # Files are only looked through for what they are, too.
        return scipy.spatial.KDTree(self._features[self._entry_frames])

    def begin(self, count: int) -> Memory:
        """Return the frame that is played (-1: none yet), frames since the last search, and the transition's offset
        (B, k) and its velocity (B, k) a frame, in y's inertial columns."""
        still = np.zeros((count, len(self._inertialized_columns)), dtype=np.float32)
        return np.full(count, -1, dtype=np.float32), np.zeros(count, dtype=np.float32), still, still

    def step(self, x: Float32, phase: ArrayLike, memory: Memory) -> tuple[Float32, Memory]:
        """See :meth:`Network.step`. The phase is not searched for; it is led to that of the frames that are played."""
        played, age = memory[0].astype(np.intp), memory[1] + 1
        offset, velocity = self._decay_offset(memory[2], memory[3])
        begins = played < 0
        coming = np.where(begins, 0, played + 1)
        # A sequence is left on its last frame, which is still known to be continued from but never played.
        forced = begins | self._is_sequence_end[coming]
        due = np.flatnonzero(forced | (age >= self._search_frames))
        frame = coming.copy()
        if len(due):
            frame[due] = self._search(x[due], coming[due], forced[due])
            age[due] = 0
        moved = np.flatnonzero((frame != coming) & ~begins)
        if len(moved):
            offset[moved] += self._inertialized_values(coming[moved]) - self._inertialized_values(frame[moved])
            velocity[moved] += self._inertialized_change(played[moved]) - self._inertialized_change(frame[moved])
        y = self._y[frame]
        y[:, self._inertialized_columns] += offset
        apart = np.mod(self._phase[frame] - np.asarray(phase, dtype=np.float32) + 0.5, 1) - 0.5
        y[:, self._rate_column] += self._phase_gain * apart
        return y, (frame.astype(np.float32), age, offset, velocity)

    def _search(self, x: Float32, following: Indices, forced: NDArray[np.bool_]) -> Indices:
        """Return the frames (B) to go on with for inputs (B, n): those that come anyway, or those that fit better."""
        queries = np.asarray(x, dtype=np.float32)[:, self._columns] @ self._axes
        distance, entry = self._tree.query(queries)
        found = self._entry_frames[entry]
        waits = np.linalg.norm(self._features[following] - queries, axis=-1)
        better = (distance < (1 - SWITCH_MARGIN_RATIO) * waits) & (np.abs(found - following) > self._min_jump_frames)
        return np.where(forced | better, found, following)

    def _inertialized_values(self, frames: Indices) -> Float32:
        return self._y[frames[:, None], self._inertialized_columns]

    def _inertialized_change(self, frames: Indices) -> Float32:
        """By how much the inertial columns change (B, k) from frames (B) to those that follow."""
        return self._inertialized_values(frames + 1) - self._inertialized_values(frames)

    def _decay_offset(self, offset: Float32, velocity: Float32) -> tuple[Float32, Float32]:
        """Offset and velocity one frame later."""
        (kept, driven), (drawn, slowed) = self._decay_matrix
        return kept * offset + driven * velocity, drawn * offset + slowed * velocity


def critically_damped_step(half_life: float) -> Float32:
    """What place and velocity become in one frame, (2, 2), on a spring that is back half way after ``half_life``."""
    # Where (1 + t) exp(-t), the way back from rest, is a half.
    rate = 1.678347 / half_life
    return np.array([[1 + rate, 1], [-rate * rate, 1 - rate]], dtype=np.float32) * np.float32(math.exp(-rate))
