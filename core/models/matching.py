"""Motion matching (Büttner and Clavet 2015, Clavet 2016): playback of the best fitting clip frames.

The commanded trajectory and the current pose make a query. Every tenth of a second a search finds the nearest frame,
and if it fits clearly better than the next frame, playback jumps to it. Transitions are inertialized (Bollo 2018): the
difference between the old and the new frames, in value and velocity, is added and decays on a critically damped spring.
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
from ..features.strikes import TARGET_GROUP, has_targets
from ..motion.rotations import wrap_cycles
from .network import Architecture, Float32, Memory, Shapes, Task, Tensors, architecture_setting

MAX_DATABASE_FRAMES: Final = 1 << 20
"""Largest number of frames in a database: float32 still counts them exactly."""

STRIKE_GROUPS: Final = (TARGET_GROUP, "strike.effector", "strike.weapon", "strike.command", "pose.position")
"""Groups of x in a query for attacks, instead of gaits and ground."""
STRIKE_PHASE_WEIGHT: Final = 8.0
"""Weight of the phase's sine and cosine in the search for attacks, so that attacks are entered at their beginning."""
QUERY_OFFSETS_FRAMES: Final = (-40, -20, 10, 20, 30, 40, 50)
"""Times of the trajectory samples in a query, in frames from the current one."""
QUERY_AXIS_COUNT: Final = 24
"""Number of principal axes of the search. They hold 99.5 % of the variance; with three times as many, a k-d tree has to
visit nearly every frame.
"""
SEARCH_INTERVAL_S: Final = 0.1
"""Time between two searches for a better frame."""
SWITCH_MARGIN_RATIO: Final = 0.1
"""Share by which another frame must be nearer to the query than the next frame for playback to jump to it."""
MIN_JUMP_S: Final = 0.2
"""Distance in time from the next frame within which no frame is jumped to, since that would only stutter."""
MIN_REMAINING_S: Final = 0.4
"""Least time that must remain in a sequence for playback to jump into it."""
TRANSITION_HALF_LIFE_S: Final = 0.12
"""Half-life of the offset that smooths a jump."""
PHASE_SYNC_S: Final = 0.2
"""Time over which the character's phase is steered to the phase of the frames being played."""

INERTIALIZED_GROUPS: Final = (
    "root.velocity",
    "root.angular_velocity",
    "pose.position",
    "pose.velocity",
    "pose.rotation",
)
"""The groups of y that transitions smooth."""

Indices = NDArray[np.intp]


def query_columns(task: Task) -> Mapping[str, Indices]:
    """Return the columns of x that make up a search query, by name of the feature, such as ``feet.position``."""
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
    ahead = {
        "trajectory.position": inputs.view(number, "trajectory.position")[samples],
        "trajectory.direction": inputs.view(number, "trajectory.direction")[samples],
    }
    if has_targets(inputs):
        ahead |= {name: inputs.view(number, name) for name in STRIKE_GROUPS}
    else:
        ahead["trajectory.gait"] = inputs.view(number, "trajectory.gait")[ends]
        ahead["terrain.height"] = inputs.view(number, "terrain.height")[samples, 1]
    body = {"feet.position": places[feet], "feet.velocity": speeds[feet], "hips.velocity": speeds[:1]}
    columns = ahead | body
    return {name: numbers.ravel() for name, numbers in columns.items()}


@dataclass(frozen=True, slots=True)
class MatchingArchitecture(Architecture):
    """Architecture of a motion database.

    Attributes:
        points: number of frames in the database; each stores a whole output y.
    """

    family: ClassVar[str] = "matching"

    points: int = architecture_setting(100_000, 2, MAX_DATABASE_FRAMES)

    def shapes(self, task: Task) -> Shapes:
        """Return the shapes of the tensors that :class:`Matching` takes, by name."""
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
        """Return the motion database with the given tensors, ready to play."""
        return Matching(**tensors, task=task)


class Matching:
    """A database of N frames, ready for searches with normalized inputs.

    Args:
        y: (N, m) normalized outputs of the frames, sequence after sequence.
        features: (N, a) search keys of the frames: the query columns of their normalized inputs along ``axes``.
        axes: (f, a) principal axes of queries, including the weights of the f columns.
        left: (N) number of remaining frames in the sequence of each frame.
        phase: (N) phase, cycles.
        phase_unit: () phase rate, cycles per second, that is stored as 1 in y's group ``phase.rate``.
        task: layouts of x and y.

    Raises:
        ValueError: ``left`` does not count down to sequence ends, or ``phase_unit`` is not above zero.
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
            raise ValueError("the countdowns in the frame sequences do not reach zero")
        stay = min(round(MIN_REMAINING_S * task.rate), int(left.max()))
        if stay < 1:
            raise ValueError("the file has no two consecutive frames")
        if not phase_unit > 0:
            raise ValueError("the scale of the phase rates is not greater than zero")
        self._y, self._axes, self._phase = y, axes, phase
        self._phase_weight = STRIKE_PHASE_WEIGHT if has_targets(task.inputs) else 0.0
        self._features = self._with_phase(features, phase)
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
        # Built on first use, since model files are also opened for mere listing.
        """The k-d tree of the possible targets of jumps."""
        return scipy.spatial.KDTree(self._features[self._entry_frames])

    def sequences(self) -> list[tuple[Float32, Float32]]:
        """Return the normalized outputs (F, m) and phases (F) of each sequence of consecutive frames."""
        stops = np.flatnonzero(self._is_sequence_end) + 1
        return list(zip(np.split(self._y, stops[:-1]), np.split(self._phase, stops[:-1]), strict=True))

    def begin(self, count: int) -> Memory:
        """Return the initial memory of ``count`` characters (B).

        It holds the number (B) of the database frame being played (-1 before the first), the frames (B) since the last
        search, and offset (B, k) and velocity (B, k), per frame, of the transition in the k columns of y that it
        smooths.
        """
        still = np.zeros((count, len(self._inertialized_columns)), dtype=np.float32)
        return np.full(count, -1, dtype=np.float32), np.zeros(count, dtype=np.float32), still, still

    def step(self, x: Float32, phase: ArrayLike, memory: Memory) -> tuple[Float32, Memory]:
        """Return outputs (B, m) of the next frame and the memory after it, for inputs x (B, n) and phases (B), cycles.

        Except for attacks, the search ignores the phase: the phase is steered to that of the frames being played.
        """
        played, age = memory[0].astype(np.intp), memory[1] + 1
        offset, velocity = self._decay_offset(memory[2], memory[3])
        begins = played < 0
        coming = np.where(begins, 0, played + 1)
        # A sequence is left at its last frame, which provides the change from the previous frame but is never played.
        forced = begins | self._is_sequence_end[coming]
        due = np.flatnonzero(forced | (age >= self._search_frames))
        frame = coming.copy()
        if len(due):
            phases = np.broadcast_to(np.asarray(phase, dtype=np.float32), len(x))
            frame[due] = self._search(x[due], phases[due], coming[due], forced[due])
            age[due] = 0
        moved = np.flatnonzero((frame != coming) & ~begins)
        if len(moved):
            offset[moved] += self._inertialized_values(coming[moved]) - self._inertialized_values(frame[moved])
            velocity[moved] += self._inertialized_change(played[moved]) - self._inertialized_change(frame[moved])
        y = self._y[frame]
        y[:, self._inertialized_columns] += offset
        phase_lag = wrap_cycles(self._phase[frame] - np.asarray(phase, dtype=np.float32))
        y[:, self._rate_column] += self._phase_gain * phase_lag
        return y, (frame.astype(np.float32), age, offset, velocity)

    def _with_phase(self, features: Float32, phase: Float32) -> Float32:
        """Extend the search keys (N, a) of attacks by their phases (N), to (N, a + 2); return other keys unchanged."""
        if not self._phase_weight:
            return features
        angles = (2 * np.pi * phase)[:, None]
        circle = self._phase_weight * np.hstack([np.sin(angles), np.cos(angles)])
        return np.hstack([features, circle]).astype(np.float32)

    def _search(self, x: Float32, phase: Float32, following: Indices, forced: NDArray[np.bool_]) -> Indices:
        """Return the frames (B) to play next for inputs (B, n): the following ones, or clearly better matches."""
        queries = self._with_phase(np.asarray(x, dtype=np.float32)[:, self._columns] @ self._axes, phase)
        distance, entry = self._tree.query(queries)
        found = self._entry_frames[entry]
        waits = np.linalg.norm(self._features[following] - queries, axis=-1)
        better = (distance < (1 - SWITCH_MARGIN_RATIO) * waits) & (np.abs(found - following) > self._min_jump_frames)
        return np.where(forced | better, found, following)

    def _inertialized_values(self, frames: Indices) -> Float32:
        """Return the values (B, k) of the inertialized columns at frames (B)."""
        return self._y[frames[:, None], self._inertialized_columns]

    def _inertialized_change(self, frames: Indices) -> Float32:
        """Return how much (B, k) the inertialized columns change from frames (B) to the next ones."""
        return self._inertialized_values(frames + 1) - self._inertialized_values(frames)

    def _decay_offset(self, offset: Float32, velocity: Float32) -> tuple[Float32, Float32]:
        """Return a transition's offset and velocity after one more frame of decay."""
        (kept, driven), (drawn, slowed) = self._decay_matrix
        return kept * offset + driven * velocity, drawn * offset + slowed * velocity


def critically_damped_step(half_life: float) -> Float32:
    """Return the matrix (2, 2) that advances offset and velocity (per frame) of a critically damped spring by a frame.

    ``half_life`` is in frames.
    """
    # Solution of (1 + t) exp(-t) = 1/2: the time after which a spring released at rest has returned halfway.
    rate = 1.678347 / half_life
    return np.array([[1 + rate, 1], [-rate * rate, 1 - rate]], dtype=np.float32) * np.float32(math.exp(-rate))
