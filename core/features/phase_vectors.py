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
from .locomotion import FUTURE, OFFSETS

OWN: Final = 0.5
"""How much of a vector is where its own turning leads; the rest is where the network says it is."""

PAST: Final = -OFFSETS[0]


def vector(phase: ArrayLike, amplitude: ArrayLike = 1.0) -> Array:
    """Vectors (..., 2) of phases (...), cycles, and amplitudes (...)."""
    angle = 2 * np.pi * np.asarray(phase)
    return np.asarray(amplitude)[..., None] * np.stack([np.sin(angle), np.cos(angle)], axis=-1)


def turned(vectors: Array, cycles: ArrayLike) -> Array:
    """Vectors (..., 2) a number of cycles (...) later."""
    sine, cosine = vector(cycles)[..., 0], vector(cycles)[..., 1]
    x, y = vectors[..., 0], vectors[..., 1]
    return np.stack([x * cosine + y * sine, y * cosine - x * sine], axis=-1)


def frequencies(vectors: Array, rate: float) -> Array:
    """How fast vectors (F, C, 2) turn, Hz (F, C): the mean of the steps before and after each frame.

    A step counts by the lengths of its vectors: where they nearly vanish they hardly know where they point.
    """
    x, y = vectors[..., 0], vectors[..., 1]
    steps = np.zeros((len(vectors) + 1, vectors.shape[1]), dtype=complex)
    steps[1:-1] = x[1:] * x[:-1] + y[1:] * y[:-1] + 1j * (x[1:] * y[:-1] - y[1:] * x[:-1])
    return np.angle(steps[1:] + steps[:-1]) * rate / (2 * np.pi)


def sampled(vectors: Array, rate: float, frames: NDArray[np.intp], offsets: tuple[int, ...]) -> Array:
    """Vectors (N, S, C, 2) at offsets (S), frames, from frames (N) of a clip's (F, C, 2).

    Beyond the clip's ends they turn on as they turned there.
    """
    speeds = frequencies(vectors, rate)
    at = frames[:, None] + np.array(offsets)
    inside = np.clip(at, 0, len(vectors) - 1)
    beyond = (at - inside) / rate
    return turned(vectors[inside], speeds[inside] * beyond[..., None])


@dataclass(eq=False)
class PhaseVectors:
    """The phase vectors of B characters: those of the last second, C channels, and what is expected of the next.

    Attributes:
        past: (B, PAST + 1, C, 2), the last one is now.
        expected: (B, 5, C, 2), at the future samples.
    """

    past: Array
    expected: Array

    @classmethod
    def begin(cls, start: Mapping[str, NDArray[np.float32]], rate: float, count: int) -> Self:
        """Those of a controller's standing pose, ``vector`` (C, 2) and ``frequency`` (C), turning as they do there."""
        now, speeds = np.asarray(start["vector"], float), np.asarray(start["frequency"], float)

        def at(offsets: ArrayLike) -> Array:
            cycles = np.asarray(offsets)[:, None] / rate * speeds
            one = turned(np.broadcast_to(now, (len(cycles), *now.shape)), cycles)
            return np.repeat(one[None], count, axis=0)

        return cls(at(np.arange(-PAST, 1)), at(FUTURE))

    def keep(self, rows: NDArray[np.intp]) -> None:
        """Goes on with some of the characters only."""
        self.past, self.expected = self.past[rows], self.expected[rows]

    def samples(self) -> Array:
        """The vectors (B, S, C, 2) at the trajectory's samples."""
        known = [offset + PAST for offset in OFFSETS if offset <= 0]
        return np.concatenate([self.past[:, known], self.expected], axis=1)

    def advance(self, predicted: NDArray[np.float32], speeds: NDArray[np.float32], dt: float) -> None:
        """Goes on by a frame of ``dt`` seconds, with what was predicted: vectors (B, 6, C, 2), frequencies (B, C)."""
        now = turned(self.past[:, -1], speeds.astype(float) * dt)
        said = predicted[:, 0].astype(float)
        amplitude = np.linalg.norm(said, axis=-1, keepdims=True)
        own = now / np.maximum(np.linalg.norm(now, axis=-1, keepdims=True), 1e-9) * amplitude
        self.past[:, :-1] = self.past[:, 1:]
        self.past[:, -1] = OWN * own + (1 - OWN) * said
        self.expected = predicted[:, 1:].astype(float)
