"""Phases as vectors in the plane: amplitude times (sine, cosine) of the angle (Starke et al. 2020, section 4).

Several phases can run in parallel, one for each key bone, where one phase of the whole body means little; and a phase
of zero amplitude has no effect, instead of a wrong one. Vectors are sampled along the trajectory, and predicted.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..motion.rotations import Array
from .locomotion import FUTURE_OFFSETS_FRAMES, SAMPLE_OFFSETS_FRAMES

INTEGRATED_PHASE_WEIGHT: Final = 0.5
"""Weight of the phase integrated from the predicted frequency; the rest is the predicted phase.

A complementary filter, as in Starke et al. 2022 (DeepPhase), section 5.
"""

PREDICTED_PHASE_WEIGHT: Final = 0.5
"""Weight lambda of the predicted phase vectors; the rest is the updated last vectors (equation 2)."""

PAST_FRAMES: Final = -SAMPLE_OFFSETS_FRAMES[0]
"""Number of remembered frames before the current one."""


def phase_vector(phase: ArrayLike, amplitude: ArrayLike = 1.0) -> Array:
    """Return phase vectors (..., 2): ``amplitude`` (...) times sine and cosine of ``phase`` (...), cycles."""
    angle = 2 * np.pi * np.asarray(phase)
    return np.asarray(amplitude)[..., None] * np.stack([np.sin(angle), np.cos(angle)], axis=-1)


def advance_phase_vectors(vectors: Array, cycles: ArrayLike) -> Array:
    """Return phase vectors (..., 2) advanced by ``cycles`` (...)."""
    sine, cosine = phase_vector(cycles)[..., 0], phase_vector(cycles)[..., 1]
    x, y = vectors[..., 0], vectors[..., 1]
    return np.stack([x * cosine + y * sine, y * cosine - x * sine], axis=-1)


def phase_frequencies(vectors: Array, rate: float) -> Array:
    """Return the frequencies (F, C), Hz, at which vectors (F, C, 2) rotate.

    A frequency is the mean of the steps to and from a frame, weighted by the lengths of their vectors, since the
    direction of a very short vector is uncertain.
    """
    x, y = vectors[..., 0], vectors[..., 1]
    steps = np.zeros((len(vectors) + 1, vectors.shape[1]), dtype=complex)
    steps[1:-1] = x[1:] * x[:-1] + y[1:] * y[:-1] + 1j * (x[1:] * y[:-1] - y[1:] * x[:-1])
    return np.angle(steps[1:] + steps[:-1]) * rate / (2 * np.pi)


def sample_phase_vectors(vectors: Array, rate: float, frames: NDArray[np.intp], offsets: tuple[int, ...]) -> Array:
    """Return a clip's phase vectors (N, S, C, 2) at S offsets from N frames.

    Beyond the clip's ends, vectors keep rotating at the frequencies that they have there.

    Args:
        vectors: (F, C, 2) vectors of the clip.
        rate: frames per second.
        frames: (N) frames of the clip.
        offsets: (S) sample offsets, frames.
    """
    speeds = phase_frequencies(vectors, rate)
    at = frames[:, None] + np.array(offsets)
    inside = np.clip(at, 0, len(vectors) - 1)
    beyond = (at - inside) / rate
    return advance_phase_vectors(vectors[inside], speeds[inside] * beyond[..., None])


@dataclass(eq=False)
class PhaseVectors:
    """The phase vectors of B characters with C channels: those of the last second, and those predicted for the next.

    Attributes:
        past: (B, PAST_FRAMES + 1, C, 2) past vectors, the current one last.
        predicted: (B, S, C, 2) predicted vectors at the future samples.
    """

    past: Array
    predicted: Array

    @classmethod
    def begin(
        cls,
        start: Mapping[str, NDArray[np.float32]],
        rate: float,
        count: int,
        offsets: tuple[int, ...] = FUTURE_OFFSETS_FRAMES,
    ) -> Self:
        """Create the phase vectors of characters in a controller's initial pose, rotating at the initial frequencies.

        Args:
            start: a controller's initial pose: its phase ``vector`` (C, 2) and ``frequency`` (C), Hz.
            rate: frames per second.
            count: number of characters, B.
            offsets: (S) frames of the future samples.
        """
        now, speeds = np.asarray(start["vector"], float), np.asarray(start["frequency"], float)

        def at(offsets: ArrayLike) -> Array:
            """Return the phase vectors (B, S, C, 2) at S offsets, frames, from the current frame."""
            cycles = np.asarray(offsets)[:, None] / rate * speeds
            one = advance_phase_vectors(np.broadcast_to(now, (len(cycles), *now.shape)), cycles)
            return np.repeat(one[None], count, axis=0)

        return cls(at(np.arange(-PAST_FRAMES, 1)), at(offsets))

    def take(self, rows: NDArray[np.intp]) -> None:
        """Keep only the characters at the indices ``rows``; changes both arrays."""
        self.past, self.predicted = self.past[rows], self.predicted[rows]

    def trajectory_samples(self) -> Array:
        """Return the phase vectors (B, S, C, 2) at all trajectory samples, past and future."""
        known = [offset + PAST_FRAMES for offset in SAMPLE_OFFSETS_FRAMES if offset <= 0]
        return np.concatenate([self.past[:, known], self.predicted], axis=1)

    def advance(self, vectors: NDArray[np.float32], frequencies: NDArray[np.float32], dt: float) -> None:
        """Advance by one frame with the vectors and frequencies that the network predicts.

        Args:
            vectors: (B, 6, C, 2) vectors of the next frame and at the future samples.
            frequencies: (B, C) predicted frequencies, Hz.
            dt: length of the frame, seconds.
        """
        now = advance_phase_vectors(self.past[:, -1], frequencies.astype(float) * dt)
        predicted = vectors[:, 0].astype(float)
        amplitude = np.linalg.norm(predicted, axis=-1, keepdims=True)
        integrated = now / np.maximum(np.linalg.norm(now, axis=-1, keepdims=True), 1e-9) * amplitude
        self.past[:, :-1] = self.past[:, 1:]
        self.past[:, -1] = INTEGRATED_PHASE_WEIGHT * integrated + (1 - INTEGRATED_PHASE_WEIGHT) * predicted
        self.predicted = vectors[:, 1:].astype(float)

    def update(self, vectors: NDArray[np.float32], deltas: NDArray[np.float32]) -> None:
        """Advance by one frame with predicted vectors and updates (Starke et al. 2020, equation 2).

        Args:
            vectors: (B, 1 + S, C, 2) Theta of the next frame and at the future samples after it.
            deltas: (B, 1 + S, C, 2) Delta Theta, added to the vectors of the current frame.
        """
        before = np.concatenate([self.past[:, -1:], self.predicted], axis=1)
        weight = PREDICTED_PHASE_WEIGHT
        blended = weight * vectors.astype(float) + (1 - weight) * (before + deltas.astype(float))
        self.past[:, :-1] = self.past[:, 1:]
        self.past[:, -1], self.predicted = blended[:, 0], blended[:, 1:]
