"""The signals that local phases are fitted to, of contacts that are drawn as text or computed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.errors import FootfallError
from footfall.core.labelling.contacts.contact_signal import contact_signal, fit_window_lengths, sliding_maximum


def square(frequency: float, share: float, seconds: float, rate: float) -> np.ndarray:
    """A contact (1, F) that lasts a share of every cycle."""
    cycles = frequency * (np.arange(round(seconds * rate)) + 0.5) / rate
    return (cycles % 1.0 < share)[None]


@pytest.mark.parametrize("state", [False, True])
def test_what_never_changes_has_no_signal(state: bool) -> None:
    np.testing.assert_array_equal(contact_signal(np.full((2, 100), state), 60.0), 0.0)


def test_the_signal_is_above_zero_in_contact() -> None:
    contact = square(1.0, 0.5, 10.0, 60.0)
    signal = contact_signal(contact, 60.0)
    np.testing.assert_array_equal(signal[:, 61:-61] > 0, contact[:, 61:-61])


def test_the_signal_is_greatest_in_the_middle_of_a_contact() -> None:
    signal = contact_signal(square(1.0, 0.3, 10.0, 60.0), 60.0)[0, 240:300]
    assert signal.argmax() == pytest.approx(8.5, abs=0.6)  # the contact fills frames 0 to 17


def test_a_half_and_half_square_wave_becomes_its_fundamental() -> None:
    # normalised it is -1 and 1, whose fundamental is 4 / pi; the third harmonic is 3 Hz, which the filter halves twice
    signal = contact_signal(square(1.0, 0.5, 20.0, 60.0), 60.0)[0, 300:900]
    spectrum = np.abs(np.fft.rfft(signal)) * 2 / len(signal)
    assert spectrum[10] == pytest.approx(4 / np.pi, rel=0.02)
    assert spectrum[30] == pytest.approx(4 / (3 * np.pi) / (1 + (3 / 3.25) ** 4), rel=0.05)
    assert spectrum[60:].max() < 0.01


def test_a_slow_gait_has_one_wave_a_cycle() -> None:
    signal = contact_signal(square(0.6, 0.7, 20.0, 60.0), 60.0)[0, 200:1000]  # eight cycles
    assert np.count_nonzero(np.diff(signal > 0)) == 16


def test_a_shorter_contact_has_a_larger_signal() -> None:
    peaks = [contact_signal(square(1.0, share, 10.0, 60.0), 60.0)[0, 200:400].max() for share in (0.2, 0.4, 0.6)]
    assert peaks[0] > peaks[1] > peaks[2]


@given(st.lists(st.integers(1, 90), min_size=2, max_size=12), st.booleans())
def test_time_has_no_direction(runs: list[int], first: bool) -> None:
    states = np.arange(len(runs)) % 2 == first
    contact = np.repeat(states, runs)[None]
    for made in (contact_signal, fit_window_lengths):
        np.testing.assert_allclose(made(contact[:, ::-1], 60.0)[:, ::-1], made(contact, 60.0), atol=1e-5)


def test_frame_rates_agree() -> None:
    coarse, middle, fine = (contact_signal(square(1.0, 0.4, 10.0, rate), rate)[0] for rate in (30.0, 60.0, 120.0))
    # a frame stands for its middle, so that two of the finer are one of the coarser
    np.testing.assert_allclose((middle[::2] + middle[1::2])[30:-30] / 2, coarse[30:-30], atol=0.03)
    np.testing.assert_allclose((fine[::2] + fine[1::2])[60:-60] / 2, middle[60:-60], atol=0.03)


def test_a_rate_that_is_too_low_is_refused() -> None:
    with pytest.raises(FootfallError, match="resample"):
        contact_signal(np.array([[True, False, True]]), 6.0)


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_windows_of_a_steady_gait_are_a_little_more_than_its_cycle(share: float) -> None:
    windows = fit_window_lengths(square(1.25, share, 10.0, 60.0), 60.0)[0]
    np.testing.assert_allclose(windows[60:-60], 1.25 * 48, atol=0.5)


def test_windows_are_bounded_and_change_smoothly() -> None:
    slow_then_fast = np.concatenate([square(0.1, 0.5, 20.0, 60.0), square(6.0, 0.5, 5.0, 60.0)], axis=1)
    windows = fit_window_lengths(slow_then_fast, 60.0)[0]
    assert windows[300] == pytest.approx(120.0) and windows[-1] == pytest.approx(30.0)
    assert np.abs(np.diff(windows)).max() < 6.0


@pytest.mark.parametrize("shape", [(1, 1), (2, 2), (0, 10), (3, 3)])
def test_the_shortest_and_the_emptiest(shape: tuple[int, int]) -> None:
    contact = np.arange(shape[0] * shape[1]).reshape(shape) % 2 == 0
    assert contact_signal(contact, 60.0).shape == shape
    assert np.isfinite(contact_signal(contact, 60.0)).all()
    assert fit_window_lengths(contact, 60.0).shape == shape


@given(st.data(), st.integers(1, 3), st.integers(1, 40))
def test_maxima_are_those_of_every_window(data: st.DataObject, lines: int, frames: int) -> None:
    shape = (lines, frames)
    cells = lines * frames
    values = np.reshape(data.draw(st.lists(st.floats(-5, 5), min_size=cells, max_size=cells)), shape)
    reach = np.reshape(data.draw(st.lists(st.floats(0, 50), min_size=cells, max_size=cells)), shape)
    away = np.abs(np.arange(frames)[:, None] - np.arange(frames))
    expected = np.where(away <= reach[..., None], values[:, None], -np.inf).max(axis=-1)
    np.testing.assert_array_equal(sliding_maximum(values, reach), expected)


def test_nothing_has_no_maxima() -> None:
    assert sliding_maximum(np.zeros((0, 5)), np.zeros((0, 5))).shape == (0, 5)
    assert sliding_maximum(np.zeros((2, 0)), np.zeros((2, 0))).shape == (2, 0)
