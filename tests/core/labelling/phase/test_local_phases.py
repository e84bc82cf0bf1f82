"""Local phases of contacts whose cycles are known."""

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.labelling.phase.local_phases import LocalPhases, find_local_phases

RATE = 60.0


def steady(
    frequency: float, share: float = 0.5, start: float = 0.0, seconds: float = 8.0, rate: float = RATE
) -> np.ndarray:
    """A contact (F) for the first share of every cycle; the cycles begin at ``start`` of one."""
    return (start + frequency * (np.arange(round(seconds * rate)) + 0.5) / rate) % 1.0 < share


def phases(*columns: np.ndarray, speed: float = 1.0, rate: float = RATE) -> LocalPhases:
    contacts = np.stack(columns, axis=1)
    return find_local_phases(contacts, np.full(contacts.shape, speed), rate)


def apart(one: np.ndarray, other: np.ndarray | float) -> np.ndarray:
    """Distances of phases, cycles."""
    return np.abs((one - other + 0.5) % 1.0 - 0.5)


@pytest.mark.parametrize("frequency", [0.6, 1.0, 1.7, 2.5])
@pytest.mark.parametrize("share", [0.3, 0.5, 0.7])
def test_a_steady_contact_has_its_frequency_and_an_even_phase(frequency: float, share: float) -> None:
    found = phases(steady(frequency, share))
    inside = slice(90, -90)
    np.testing.assert_allclose(found.frequency[inside, 0], frequency, rtol=0.3)
    assert found.frequency[inside, 0].mean() == pytest.approx(frequency, rel=0.05)
    expected = frequency * (np.arange(480) + 0.5) / RATE - share / 2 + 0.25  # 0.25 in the contact's middle
    assert apart(found.phase[inside, 0], expected[inside]).max() < 0.025
    steps = np.diff(np.unwrap(found.phase[inside, 0], period=1.0))
    np.testing.assert_allclose(steps, frequency / RATE, rtol=0.3)
    assert np.ptp(found.amplitude[inside, 0]) < 0.35 * found.amplitude[inside, 0].mean()


def test_vectors_are_greatest_speed_times_amplitude_at_the_phase() -> None:
    """Equation 8: sine first."""
    contact = steady(1.0)
    speeds = np.where(np.arange(480) < 240, 0.5, 2.0)
    found = find_local_phases(contact[:, None], speeds[:, None], RATE)
    greatest = np.where(np.arange(480) < 210, 0.5, 2.0)[:, None]  # half a cycle ahead
    turns = 2 * np.pi * found.phase
    expected = (greatest * found.amplitude)[..., None] * np.stack([np.sin(turns), np.cos(turns)], axis=-1)
    sharp = np.abs(np.arange(480) - 210) > 30
    np.testing.assert_allclose(found.vectors[sharp], expected[sharp], rtol=1e-6, atol=1e-9)


def test_a_change_of_tempo_is_followed() -> None:
    tempo = np.repeat([0.8, 1.6], 360)
    cycles = np.cumsum(tempo) / RATE
    found = phases(cycles % 1.0 < 0.5)
    np.testing.assert_allclose(found.frequency[90:270, 0], 0.8, atol=0.05)
    np.testing.assert_allclose(found.frequency[450:630, 0], 1.6, atol=0.05)
    assert apart(found.phase[90:630, 0], cycles[90:630]).max() < 0.15
    steps = np.diff(np.unwrap(found.phase[90:630, 0], period=1.0))
    assert steps.min() > 0 and steps.max() < 2.0 / RATE
    assert apart(found.phase[90:270, 0], cycles[90:270]).max() < 0.03


def test_impossible_input_is_refused() -> None:
    contacts, speeds = np.zeros((10, 2)), np.ones((10, 2))
    with pytest.raises(ValueError, match="both"):
        find_local_phases(contacts, speeds[:, :1], RATE)
    with pytest.raises(ValueError, match="both"):
        find_local_phases(contacts[:0], speeds[:0], RATE)
    for wrong in (np.nan, np.inf):
        with pytest.raises(ValueError, match="finite"):
            find_local_phases(np.full((10, 2), wrong), speeds, RATE)
        with pytest.raises(ValueError, match="finite"):
            find_local_phases(contacts, np.full((10, 2), wrong), RATE)
    with pytest.raises(FootfallError, match="fps, but the clip has"):
        find_local_phases(contacts, speeds, 5.0)
