"""Phases as vectors in the plane: amplitude times (sine, cosine) of the angle (Starke 2020, section 4).

Several can run side by side, one for each key bone, where one phase for the whole body means little; and where a phase
has no amplitude, it is silent and not wrong. They are sampled along the trajectory, and predicted.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..motion.rotations import Array
from .locomotion import FUTURE_OFFSETS_FRAMES, SAMPLE_OFFSETS_FRAMES

INTEGRATED_PHASE_WEIGHT: Final = 0.5
"""How much of a vector is where its own turning leads; the rest is where the network says it is."""

PAST_FRAMES: Final = -SAMPLE_OFFSETS_FRAMES[0]


def phase_vector(phase: ArrayLike, amplitude: ArrayLike = 1.0) -> Array:
    """Vectors (..., 2) of phases (...), cycles, and amplitudes (...)."""
    angle = 2 * np.pi * np.asarray(phase)
    return np.asarray(amplitude)[..., None] * np.stack([np.sin(angle), np.cos(angle)], axis=-1)


def advance_phase_vectors(vectors: Array, cycles: ArrayLike) -> Array:
    """Vectors (..., 2) a number of cycles (...) later."""
    sine, cosine = phase_vector(cycles)[..., 0], phase_vector(cycles)[..., 1]
    x, y = vectors[..., 0], vectors[..., 1]
    return np.stack([x * cosine + y * sine, y * cosine - x * sine], axis=-1)


def phase_frequencies(vectors: Array, rate: float) -> Array:
    """How fast vectors (F, C, 2) turn, Hz (F, C): the mean of the steps before and after each frame.

    A step counts by the lengths of its vectors: where they nearly vanish they hardly know where they point.
    """
    x, y = vectors[..., 0], vectors[..., 1]
    steps = np.zeros((len(vectors) + 1, vectors.shape[1]), dtype=complex)
    steps[1:-1] = x[1:] * x[:-1] + y[1:] * y[:-1] + 1j * (x[1:] * y[:-1] - y[1:] * x[:-1])
    return np.angle(steps[1:] + steps[:-1]) * rate / (2 * np.pi)


def sample_phase_vectors(vectors: Array, rate: float, frames: NDArray[np.intp], offsets: tuple[int, ...]) -> Array:
    """Vectors (N, S, C, 2) at offsets (S), frames, from frames (N) of a clip's (F, C, 2).

    Beyond the clip's ends they turn on as they turned there.
    """
    speeds = phase_frequencies(vectors, rate)
    at = frames[:, None] + np.array(offsets)
    inside = np.clip(at, 0, len(vectors) - 1)
    beyond = (at - inside) / rate
    return advance_phase_vectors(vectors[inside], speeds[inside] * beyond[..., None])


@dataclass(eq=False)
class PhaseVectors:
    """The phase vectors of B characters: those of the last second, C channels, and what is expected of the next.

    Attributes:
        past: (B, PAST + 1, C, 2), the last one is now.
        predicted: (B, 5, C, 2), at the future samples.
    """

    past: Array
    predicted: Array

    @classmethod
    def begin(cls, start: Mapping[str, NDArray[np.float32]], rate: float, count: int) -> Self:
        """Those of a controller's standing pose, ``phase_vector`` (C, 2) and ``frequency`` (C), turning as they do there."""
        now, speeds = np.asarray(start["vector"], float), np.asarray(start["frequency"], float)

        def at(offsets: ArrayLike) -> Array:
            cycles = np.asarray(offsets)[:, None] / rate * speeds
            one = advance_phase_vectors(np.broadcast_to(now, (len(cycles), *now.shape)), cycles)
            return np.repeat(one[None], count, axis=0)

        return cls(at(np.arange(-PAST_FRAMES, 1)), at(FUTURE_OFFSETS_FRAMES))

    def take(self, rows: NDArray[np.intp]) -> None:
        """Goes on with some of the characters only."""
        self.past, self.predicted = self.past[rows], self.predicted[rows]

    def trajectory_samples(self) -> Array:
        """Return the vectors (B, S, C, 2) at the trajectory's samples."""
        known = [offset + PAST_FRAMES for offset in SAMPLE_OFFSETS_FRAMES if offset <= 0]
        return np.concatenate([self.past[:, known], self.predicted], axis=1)

    def advance(self, vectors: NDArray[np.float32], frequencies: NDArray[np.float32], dt: float) -> None:
        """Goes on by a frame of ``dt`` seconds, with what was predicted: vectors (B, 6, C, 2), frequencies (B, C)."""
        now = advance_phase_vectors(self.past[:, -1], frequencies.astype(float) * dt)
        said = vectors[:, 0].astype(float)
        amplitude = np.linalg.norm(said, axis=-1, keepdims=True)
        own = now / np.maximum(np.linalg.norm(now, axis=-1, keepdims=True), 1e-9) * amplitude
        self.past[:, :-1] = self.past[:, 1:]
        self.past[:, -1] = INTEGRATED_PHASE_WEIGHT * own + (1 - INTEGRATED_PHASE_WEIGHT) * said
        self.predicted = vectors[:, 1:].astype(float)
