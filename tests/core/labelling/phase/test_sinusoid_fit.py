"""The best sinusoid around every frame: pure sinusoids are found again, and nothing fits better."""

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from footfall.core.labelling.phase.sinusoid_fit import (
    MAX_FREQUENCY_HZ,
    MIN_FREQUENCY_HZ,
    FitWindows,
    Sinusoids,
    fit_sinusoids,
)

RATE = 60.0


def sinusoid(frames: int, amplitude: float, frequency: float, angle: float, offset: float) -> np.ndarray:
    return amplitude * np.sin(2 * np.pi * frequency * np.arange(frames) / RATE + angle) + offset


def losses(windows: FitWindows, fit: Sinusoids) -> np.ndarray:
    """Equation 4 as it is written, one frame after the other (K, F)."""
    result = np.zeros(windows.signal.shape)
    frames = np.arange(windows.signal.shape[1])
    for line, frame in np.ndindex(*result.shape):
        at = line, frame
        away = frames - frame
        weight = np.clip(windows.half_width[at] + 0.5 - np.abs(away), 0, 1)
        value = fit.amplitude[at] * np.sin(2 * np.pi * fit.frequency[at] * away / windows.rate + fit.angle[at])
        error = value + fit.offset[at] - windows.signal[line]
        result[at] = np.sqrt(weight @ error**2 / weight.sum())
    return result


def windows_of(signal: np.ndarray, seconds: float, rate: float = RATE) -> FitWindows:
    signal = np.atleast_2d(signal)
    return FitWindows.of(signal, np.full(signal.shape, seconds * rate), rate)


@given(st.floats(0.5, 3.9), st.floats(0.1, 3.0), st.floats(-np.pi, np.pi), st.floats(-1.0, 1.0), st.floats(1.25, 2.0))
def test_a_pure_sinusoid_is_found_again(
    frequency: float, amplitude: float, angle: float, offset: float, cycles: float
) -> None:
    signal = sinusoid(200, amplitude, frequency, angle, offset)
    fit = fit_sinusoids(windows_of(signal, cycles / frequency))
    inside = slice(60, 140)  # all of whose windows are whole
    expected = 2 * np.pi * frequency * np.arange(200) / RATE + angle
    np.testing.assert_allclose(fit.frequency[0, inside], frequency, rtol=1e-3)
    np.testing.assert_allclose(fit.amplitude[0, inside], amplitude, rtol=1e-3)
    np.testing.assert_allclose(fit.offset[0, inside], offset, atol=1e-3 * amplitude)
    np.testing.assert_allclose(np.exp(1j * fit.angle[0, inside]), np.exp(1j * expected[inside]), atol=1e-3)
    np.testing.assert_allclose(fit.fitted_values[0, inside], signal[inside], atol=1e-3 * amplitude)


@given(
    st.integers(0, 2**32 - 1), st.floats(MIN_FREQUENCY_HZ, MAX_FREQUENCY_HZ), st.floats(0.5, 2.0), st.floats(0.0, 1.0)
)
def test_the_loss_is_no_larger_than_that_of_the_true_parameters(
    seed: int, frequency: float, seconds: float, noise: float
) -> None:
    random = np.random.default_rng(seed)
    true = 1.0, frequency, random.uniform(-np.pi, np.pi), 0.0
    signal = sinusoid(150, *true) + noise * random.standard_normal(150)
    windows = windows_of(signal, seconds)
    turned = true[2] + 2 * np.pi * frequency * np.arange(150)[None] / RATE
    same = np.ones_like(turned)
    truth = Sinusoids(same, frequency * same, turned, 0 * same, 0 * same)
    # the true amplitude and offset may lie beyond the bounds of windows that hold a small part of a cycle
    allowed = (windows.highest - windows.lowest >= 1) & (windows.lowest <= 0) & (windows.highest >= 0)
    excess = fit_sinusoids(windows).rmse ** 2 - losses(windows, truth) ** 2
    # at the ends of the signal, where windows of a few frames say little of the frequency, a thousandth is left
    assert excess[allowed].max(initial=-1) < 0.002**2


@given(st.integers(0, 2**32 - 1), st.floats(0.5, 2.0))
@example(18, 1.8203125)  # valleys at 0.79 and 3.71 Hz
def test_no_frequency_fits_better(seed: int, seconds: float) -> None:
    random = np.random.default_rng(seed)
    signal = np.convolve(random.standard_normal(160), np.hanning(12), mode="same")
    windows = windows_of(signal, seconds)
    fit = fit_sinusoids(windows)
    frame = 80
    away = np.arange(160) - frame
    weight = np.sqrt(np.clip(windows.half_width[0, frame] + 0.5 - np.abs(away), 0, 1))
    for frequency in np.arange(MIN_FREQUENCY_HZ, MAX_FREQUENCY_HZ, 0.01):
        turns = 2 * np.pi * frequency * away / RATE
        basis = np.stack([np.sin(turns), np.cos(turns), np.ones(160)], axis=1)
        (sine, cosine, offset), *_ = np.linalg.lstsq(basis * weight[:, None], signal * weight)
        kept = np.hypot(sine, cosine) <= windows.highest[0, frame] - windows.lowest[0, frame]
        if kept and windows.lowest[0, frame] <= offset <= windows.highest[0, frame]:
            loss = np.linalg.norm((basis @ [sine, cosine, offset] - signal) * weight) / np.linalg.norm(weight)
            # Of two valleys of nearly equal depth the grid may choose the other one.
            assert fit.rmse[0, frame] <= 1.001 * loss + 1e-6
