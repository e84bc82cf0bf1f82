"""The signals that local phases are fitted to, of contacts that are drawn as text or computed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.errors import FootfallError
from footfall.core.labelling.contacts.contact_signal import contact_signal, fit_window_lengths


def square(frequency: float, share: float, seconds: float, rate: float) -> np.ndarray:
    """A contact (1, F) that lasts a share of every cycle."""
    cycles = frequency * (np.arange(round(seconds * rate)) + 0.5) / rate
    return (cycles % 1.0 < share)[None]


def test_a_half_and_half_square_wave_becomes_its_fundamental() -> None:
    # normalised it is -1 and 1, whose fundamental is 4 / pi; the third harmonic is 3 Hz, which the filter halves twice
    signal = contact_signal(square(1.0, 0.5, 20.0, 60.0), 60.0)[0, 300:900]
    spectrum = np.abs(np.fft.rfft(signal)) * 2 / len(signal)
    assert spectrum[10] == pytest.approx(4 / np.pi, rel=0.02)
    assert spectrum[30] == pytest.approx(4 / (3 * np.pi) / (1 + (3 / 3.25) ** 4), rel=0.05)
    assert spectrum[60:].max() < 0.01


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
