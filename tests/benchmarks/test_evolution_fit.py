"""The evolutionary fit comes near the projection's, and never below it."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.benchmarks.evolution_fit import evolve_sinusoids
from footfall.core.labelling.contacts.contact_signal import contact_signal, fit_window_lengths
from footfall.core.labelling.phase.sinusoid_fit import MAX_FREQUENCY_HZ, MIN_FREQUENCY_HZ, FitWindows, fit_sinusoids

RATE = 60.0


@pytest.fixture(scope="module")
def windows() -> FitWindows:
    """Two contacts of changing tempo, two seconds."""
    cycles = np.cumsum(np.linspace([0.8, 2.5], [1.6, 1.5], 120), axis=0).T / RATE
    contacts = cycles % 1.0 < 0.6
    return FitWindows.of(contact_signal(contacts, RATE), fit_window_lengths(contacts, RATE), RATE)


@pytest.mark.all_only("what is compared with in the tables is no part of the product")
def test_its_loss_is_about_the_projections_and_never_below(windows: FitWindows) -> None:
    evolved, projected = evolve_sinusoids(windows, np.random.default_rng(0)), fit_sinusoids(windows)
    whole = windows.nearest_full == np.arange(120)
    excess = (evolved.rmse - projected.rmse)[whole]
    assert excess.min() > -1e-5
    assert np.median(excess) < 1e-3
    longer = evolve_sinusoids(windows, np.random.default_rng(0), generations=30)
    assert (longer.rmse - projected.rmse)[whole].mean() < excess.mean()


def test_it_keeps_its_bounds(windows: FitWindows) -> None:
    fit = evolve_sinusoids(windows, np.random.default_rng(2), generations=2)
    assert ((fit.amplitude >= 0) & (fit.amplitude <= windows.highest - windows.lowest)).all()
    assert ((fit.frequency >= MIN_FREQUENCY_HZ) & (fit.frequency <= MAX_FREQUENCY_HZ)).all()
    assert ((fit.offset >= windows.lowest) & (fit.offset <= windows.highest)).all()


def test_the_generator_decides(windows: FitWindows) -> None:
    one, same, other = (evolve_sinusoids(windows, np.random.default_rng(seed), generations=1) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.rmse, same.rmse)
    assert (one.rmse != other.rmse).any()


def test_frames_without_a_signal_have_no_amplitude(windows: FitWindows) -> None:
    nothing = np.zeros_like(windows.signal)
    fit = evolve_sinusoids(replace(windows, signal=nothing, lowest=nothing, highest=nothing), np.random.default_rng(0))
    np.testing.assert_array_equal(fit.amplitude, 0.0)
    np.testing.assert_array_equal(fit.frequency, MIN_FREQUENCY_HZ)
