"""Phases as vectors: they turn, and where they vanish they are silent."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.features.locomotion import FUTURE_OFFSETS_FRAMES, SAMPLE_OFFSETS_FRAMES
from footfall.core.features.phase_vectors import (
    PREDICTED_PHASE_WEIGHT,
    PhaseVectors,
    advance_phase_vectors,
    phase_frequencies,
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


@given(cycles, cycles, amplitudes)
def test_turning_is_undone_and_keeps_the_length(phase: float, by: float, amplitude: float):
    there = advance_phase_vectors(phase_vector(phase, amplitude), by)
    assert np.linalg.norm(there) == pytest.approx(amplitude, abs=1e-9)
    np.testing.assert_allclose(advance_phase_vectors(there, -by), phase_vector(phase, amplitude), atol=1e-9)


def test_every_channel_is_turned_by_its_own():
    both = advance_phase_vectors(phase_vector(np.zeros((5, 2))), [0.25, 0.5])
    np.testing.assert_allclose(both, np.tile([[1.0, 0.0], [0.0, -1.0]], (5, 1, 1)), atol=1e-15)


@given(slow, cycles, st.floats(0.01, 100.0))
def test_what_turns_evenly_has_that_frequency_at_every_frame(frequency: float, start: float, amplitude: float):
    np.testing.assert_allclose(phase_frequencies(steady(frequency, start, amplitude), RATE), frequency, atol=1e-6)


def test_a_frequency_that_changes_is_the_mean_of_the_steps_around_a_frame():
    phase = np.cumsum([0.0, 0.01, 0.02, 0.04])
    found = phase_frequencies(phase_vector(phase)[:, None], RATE)[:, 0]
    np.testing.assert_allclose(found, RATE * np.array([0.01, 0.015, 0.03, 0.04]))


def test_what_hardly_has_a_length_hardly_says_how_fast_it_turns():
    vectors = steady(1.0)
    # One frame points anywhere, but is next to nothing.
    vectors[20] = 1e-6 * vectors[45]
    assert np.abs(phase_frequencies(vectors, RATE)[[18, 22]] - 1.0).max() < 1e-6
    assert not phase_frequencies(np.zeros((30, 2, 2)), RATE).any()


@pytest.mark.parametrize("frames", [0, 1])
def test_who_is_seen_once_or_never_does_not_turn(frames: int):
    found = phase_frequencies(np.ones((frames, 3, 2)), RATE)
    assert found.shape == (frames, 3)
    assert not found.any()


@given(slow, cycles, amplitudes)
def test_samples_beyond_the_ends_turn_on(frequency: float, start: float, amplitude: float):
    frames = np.array([0, 3, 49])
    found = sample_phase_vectors(steady(frequency, start, amplitude), RATE, frames, SAMPLE_OFFSETS_FRAMES)
    expected = phase_vector(start + frequency * (frames[:, None] + np.array(SAMPLE_OFFSETS_FRAMES)) / RATE, amplitude)[
        :, :, None
    ]
    np.testing.assert_allclose(found, expected, atol=1e-6)


@given(st.integers(2, 90), st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_samples_within_are_the_vectors_themselves(frames: int, channels: int, seed: int):
    vectors = np.random.default_rng(seed).normal(size=(frames, channels, 2))
    at = np.arange(frames)
    found = sample_phase_vectors(vectors, RATE, at, SAMPLE_OFFSETS_FRAMES)
    assert found.shape == (frames, len(SAMPLE_OFFSETS_FRAMES), channels, 2)
    where = at[:, None] + np.array(SAMPLE_OFFSETS_FRAMES)
    inside = (where >= 0) & (where < frames)
    np.testing.assert_allclose(found[inside], vectors[where[inside]], atol=1e-12)
    # What is beyond is as long as the vector at the end.
    ends = vectors[np.clip(where, 0, frames - 1)]
    np.testing.assert_allclose(np.linalg.norm(found, axis=-1), np.linalg.norm(ends, axis=-1), atol=1e-9)


def test_a_character_begins_as_if_it_had_always_turned():
    found = begun().trajectory_samples()[0]
    seconds = np.array(SAMPLE_OFFSETS_FRAMES)[:, None] / RATE
    np.testing.assert_allclose(found, phase_vector([0.25, 0.5] + seconds * [1.0, 2.0], [1.0, 3.0]), atol=1e-12)


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


def test_lengths_are_those_that_the_network_says():
    state = begun()
    said = np.zeros((1, 6, 2, 2), dtype=np.float32)
    said[0] = 7.0 * advance_phase_vectors(state.past[0, -1], np.array([1.0, 2.0]) / RATE) / [[1.0], [3.0]]
    state.advance(said, np.array([[1.0, 2.0]], dtype=np.float32), 1 / RATE)
    np.testing.assert_allclose(np.linalg.norm(state.past[0, -1], axis=-1), 7.0, rtol=1e-6)
    state.advance(0 * said, np.ones((1, 2), dtype=np.float32), 1 / RATE)
    assert not state.past[0, -1].any()
    # Out of silence they come to where the network says they are.
    for _ in range(2):
        state.advance(said, np.zeros((1, 2), dtype=np.float32), 1 / RATE)
    np.testing.assert_allclose(state.past[0, -1], said[0, 0], atol=1.0)
    assert np.isfinite(state.trajectory_samples()).all()


def test_half_of_where_a_vector_points_is_its_own_turning():
    state = begun()
    said = np.tile(phase_vector(np.array([0.5, 0.5]))[None, None], (1, 6, 1, 1)).astype(np.float32)
    state.advance(said, np.zeros((1, 2), dtype=np.float32), 1 / RATE)
    np.testing.assert_allclose(state.past[0, -1, 0], (phase_vector(0.25) + phase_vector(0.5)) / 2, atol=1e-6)


def test_characters_have_their_own_and_some_of_them_go_on():
    state = begun(3)
    said = np.tile(phase_vector([[0.1], [0.2], [0.3]])[:, None], (1, 6, 2, 1)).astype(np.float32)
    state.advance(said, np.zeros((3, 2), dtype=np.float32), 1 / RATE)
    whole = state.trajectory_samples()
    state.take(np.array([2, 0]))
    np.testing.assert_array_equal(state.trajectory_samples(), whole[[2, 0]])


def test_an_update_is_equation_2():
    vectors = begun()
    before = np.concatenate([vectors.past[:, -1:], vectors.predicted], axis=1)
    theta, delta = np.full_like(before, 4.0, dtype=np.float32), np.full_like(before, 1.0, dtype=np.float32)
    vectors.update(theta, delta)
    expected = PREDICTED_PHASE_WEIGHT * theta + (1 - PREDICTED_PHASE_WEIGHT) * (before + delta)
    np.testing.assert_allclose(vectors.past[:, -1], expected[:, 0])
    np.testing.assert_allclose(vectors.predicted, expected[:, 1:])
    np.testing.assert_allclose(vectors.past[:, -2], before[:, 0])
