"""Phases as vectors: they turn, and where they vanish they are silent."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.features.locomotion import FUTURE_OFFSETS_FRAMES, SAMPLE_OFFSETS_FRAMES
from footfall.core.features.phase_vectors import (
    PREDICTED_PHASE_WEIGHT,
    PhaseVectors,
    advance_phase_vectors,
    phase_vector,
    sample_phase_vectors,
)

RATE = 60.0

cycles = st.floats(-100.0, 100.0)
amplitudes = st.floats(0.0, 100.0)
slow = st.floats(-20.0, 20.0)


def steady(frequency: float, start: float = 0.0, amplitude: float = 1.0, frames: int = 50) -> np.ndarray:
    """The vectors (F, 1, 2) of one channel that turns evenly."""
    return phase_vector(start + frequency * np.arange(frames) / RATE, amplitude)[:, None]


def begun(count: int = 1) -> PhaseVectors:
    """Two channels of 1 and 2 Hz."""
    start = {"vector": phase_vector(np.array([0.25, 0.5]), [1.0, 3.0]), "frequency": np.array([1.0, 2.0])}
    return PhaseVectors.begin(start, RATE, count)


def test_a_phase_is_a_clocks_hand():
    np.testing.assert_allclose(phase_vector([0.0, 0.25, 0.5, 0.75]), [[0, 1], [1, 0], [0, -1], [-1, 0]], atol=1e-15)
    np.testing.assert_allclose(phase_vector(0.25, 3.0), [3.0, 0.0], atol=1e-15)


@given(cycles, cycles, amplitudes)
def test_turning_adds_to_the_phase(phase: float, by: float, amplitude: float):
    np.testing.assert_allclose(
        advance_phase_vectors(phase_vector(phase, amplitude), by), phase_vector(phase + by, amplitude), atol=1e-9
    )


@given(slow, cycles, amplitudes)
def test_samples_beyond_the_ends_turn_on(frequency: float, start: float, amplitude: float):
    frames = np.array([0, 3, 49])
    found = sample_phase_vectors(steady(frequency, start, amplitude), RATE, frames, SAMPLE_OFFSETS_FRAMES)
    expected = phase_vector(start + frequency * (frames[:, None] + np.array(SAMPLE_OFFSETS_FRAMES)) / RATE, amplitude)[
        :, :, None
    ]
    np.testing.assert_allclose(found, expected, atol=1e-6)


def test_vectors_go_on_as_they_turn_where_the_network_agrees():
    state, speeds = begun(), np.array([[1.0, 2.0]], dtype=np.float32)
    for frame in range(1, 200):
        ahead = (frame + np.array([0, *FUTURE_OFFSETS_FRAMES]))[:, None] / RATE
        said = phase_vector([0.25, 0.5] + ahead * [1.0, 2.0], [1.0, 3.0])
        state.advance(said[None].astype(np.float32), speeds, 1 / RATE)
    seconds = (199 + np.array(SAMPLE_OFFSETS_FRAMES))[:, None] / RATE
    np.testing.assert_allclose(
        state.trajectory_samples()[0], phase_vector([0.25, 0.5] + seconds * [1.0, 2.0], [1.0, 3.0]), atol=1e-5
    )


def test_an_update_is_equation_2():
    vectors = begun()
    before = np.concatenate([vectors.past[:, -1:], vectors.predicted], axis=1)
    theta, delta = np.full_like(before, 4.0, dtype=np.float32), np.full_like(before, 1.0, dtype=np.float32)
    vectors.update(theta, delta)
    expected = PREDICTED_PHASE_WEIGHT * theta + (1 - PREDICTED_PHASE_WEIGHT) * (before + delta)
    np.testing.assert_allclose(vectors.past[:, -1], expected[:, 0])
    np.testing.assert_allclose(vectors.predicted, expected[:, 1:])
    np.testing.assert_allclose(vectors.past[:, -2], before[:, 0])
