"""Spikes of joints that turn faster than people's, and jolts of heights."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.control.passes import spike_filter
from footfall.core.control.passes.spike_filter import remove_height_jolts, remove_spikes
from footfall.core.motion.rotations import Array, from_axis_angle, inverse, log, multiply

RATE = 60.0
FRAMES = 120


def turning(angles: Array) -> Array:
    """Return rotations (F, 1, 4) about the vertical by angles (F)."""
    return from_axis_angle(np.array([0.0, 0.0, 1.0]), angles)[:, None]


def speeds(rotations: Array) -> Array:
    return np.linalg.norm(log(multiply(inverse(rotations[:-1]), rotations[1:])), axis=-1) * RATE


@given(st.floats(0.1, 2.0), st.floats(0.5, 1.5))
def test_a_swing_as_fast_as_peoples_is_left_as_it_is(hertz: float, amplitude: float) -> None:
    swing = turning(amplitude * np.sin(2 * np.pi * hertz * np.arange(FRAMES) / RATE))
    if speeds(swing).max() < spike_filter.TUNING.max_joint_speed:
        assert remove_spikes(swing, RATE) is swing


@given(st.integers(20, 90), st.integers(1, 8), st.floats(0.6, 2.5))
def test_a_spike_is_removed(start: int, length: int, angle: float) -> None:
    calm = 0.3 * np.sin(2 * np.pi * np.arange(FRAMES) / FRAMES)
    spiked = calm.copy()
    spiked[start : start + length] += angle
    result = remove_spikes(turning(spiked), RATE)
    assert speeds(result).max() < spike_filter.TUNING.max_joint_speed
    away = np.linalg.norm(log(multiply(inverse(turning(calm)), result)), axis=-1)
    assert away.max() < 0.1, "as if there had been none"
    np.testing.assert_allclose(result[: start - 12], turning(calm)[: start - 12], atol=1e-12)


@given(st.floats(0.5, 3.0), st.floats(0.005, 0.08))
def test_hips_that_bounce_as_peoples_do_are_left_as_they_are(hertz: float, amplitude: float) -> None:
    heights = 1.0 + amplitude * np.sin(2 * np.pi * hertz * np.arange(FRAMES) / RATE)
    if amplitude * (2 * np.pi * hertz) ** 2 < spike_filter.TUNING.max_height_acceleration:
        assert remove_height_jolts(heights, RATE) is heights


@given(st.integers(30, 90), st.floats(0.01, 0.05))
def test_a_body_that_is_raised_at_once_rises_within_a_step(edge: int, height: float) -> None:
    heights = 1.0 + height * (np.arange(FRAMES) >= edge)
    result = remove_height_jolts(heights, RATE)
    assert np.abs(np.diff(result, n=2)).max() * RATE**2 < spike_filter.TUNING.max_height_acceleration
    np.testing.assert_allclose(result[[0, -1]], heights[[0, -1]], atol=1e-12)
    assert np.abs(result - heights).max() < 0.6 * height
