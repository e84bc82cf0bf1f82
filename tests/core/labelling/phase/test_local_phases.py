"""Local phases of contacts whose cycles are known."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.benchmarks.evolution_fit import evolve_sinusoids
from footfall.core.errors import FootfallError
from footfall.core.labelling.phase.local_phases import LocalPhases, find_local_phases
from footfall.tests.support.properties import examples

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


def test_a_square_wave_of_one_hertz_is_nearly_a_sinusoid() -> None:
    found = phases(steady(1.0))
    inside = slice(90, -90)
    np.testing.assert_allclose(found.frequency[inside], 1.0, atol=0.01)
    np.testing.assert_allclose(np.diff(np.unwrap(found.phase[inside, 0], period=1.0)), 1 / RATE, rtol=0.04)
    np.testing.assert_allclose(found.amplitude[inside], 4 / np.pi, rtol=0.04)  # the fundamental of -1 and 1


def test_the_phase_goes_on_evenly_to_both_ends_of_the_clip() -> None:
    found = phases(steady(1.0, seconds=5.0))
    assert apart(found.phase[:, 0], (np.arange(300) + 0.5) / RATE).max() < 0.05
    assert found.amplitude.min() > 0.7 * found.amplitude.max()


@pytest.mark.parametrize("state", [False, True])
def test_what_never_changes_has_no_amplitude(state: bool) -> None:
    found = phases(np.full(200, state), steady(1.0, seconds=200 / RATE))
    np.testing.assert_array_equal(found.amplitude[:, 0], 0.0)
    np.testing.assert_array_equal(found.vectors[:, 0], 0.0)
    assert (found.amplitude[:, 1] > 0).all()


def test_the_amplitude_fades_where_the_contacts_end() -> None:
    found = phases(np.concatenate([steady(1.0, seconds=4.0), np.zeros(300, dtype=bool)]))
    assert found.amplitude[60:180].min() > 1.0
    np.testing.assert_array_equal(found.amplitude[420:], 0.0)
    assert np.abs(np.diff(found.amplitude[:, 0])).max() < 0.15


@given(st.floats(0.1, 10.0), st.floats(0.0, 5.0))
@settings(max_examples=examples(20))
def test_vectors_scale_with_the_speed(factor: float, speed: float) -> None:
    contact = steady(1.3, seconds=3.0)
    slow, fast = phases(contact, speed=speed), phases(contact, speed=factor * speed)
    np.testing.assert_allclose(fast.vectors, factor * slow.vectors, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(fast.phase, slow.phase)


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


@given(st.floats(0.8, 2.0), st.floats(0.3, 0.7))
@settings(max_examples=examples(20))
def test_bones_in_antiphase_are_half_a_cycle_apart(frequency: float, share: float) -> None:
    found = phases(steady(frequency, share), steady(frequency, share, start=0.5))
    inside = slice(90, -90)
    assert apart(found.phase[inside, 0], found.phase[inside, 1] + 0.5).max() < 0.05


def test_frame_rates_agree() -> None:
    coarse, middle, fine = (phases(steady(1.0, 0.4, rate=rate), rate=rate) for rate in (30.0, 60.0, 120.0))
    # a frame stands for its middle, so that the middle of two is between them
    for less, more in [(coarse, middle), (middle, fine)]:
        ahead = less.frequency / (4 * len(less.phase) / 8.0)  # a quarter of the coarser frame
        inside = slice(len(less.phase) // 8, -len(less.phase) // 8)
        assert apart(more.phase[::2], less.phase - ahead)[inside].max() < 0.02
        np.testing.assert_allclose(more.amplitude[::2][inside], less.amplitude[inside], atol=0.06)
        np.testing.assert_allclose(more.frequency[::2][inside], less.frequency[inside], atol=0.03)


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


@given(st.permutations(range(4)))
@settings(max_examples=examples(10))
def test_bones_are_independent(order: list[int]) -> None:
    columns = [steady(1.0), steady(1.7, 0.3), np.zeros(480, dtype=bool), steady(0.4)]
    together, alone = phases(*(columns[bone] for bone in order)), [phases(column) for column in columns]
    for place, bone in enumerate(order):
        np.testing.assert_allclose(together.vectors[:, place], alone[bone].vectors[:, 0], atol=1e-4)
        np.testing.assert_allclose(together.rmse[:, place], alone[bone].rmse[:, 0], atol=1e-6)


def test_evolution_finds_the_same_phases() -> None:
    contacts = np.stack([steady(1.0, seconds=3.0), steady(1.5, 0.3, 0.2, seconds=3.0)], axis=1)
    speeds = np.ones(contacts.shape)
    evolved = find_local_phases(contacts, speeds, RATE, partial(evolve_sinusoids, generator=np.random.default_rng(1)))
    projected = find_local_phases(contacts, speeds, RATE)
    assert projected.rmse.mean() <= evolved.rmse.mean() < 1.1 * projected.rmse.mean()
    inside = slice(60, -60)
    assert np.median(apart(evolved.phase[inside], projected.phase[inside])) < 0.02
    again = find_local_phases(contacts, speeds, RATE, partial(evolve_sinusoids, generator=np.random.default_rng(1)))
    np.testing.assert_array_equal(again.vectors, evolved.vectors)


@pytest.mark.parametrize("frames", [1, 2, 3, 10])
@pytest.mark.parametrize("bones", [0, 1, 3])
def test_the_shortest_clips_and_no_bones(frames: int, bones: int) -> None:
    contacts = np.arange(frames * bones).reshape(frames, bones) % 2
    found = find_local_phases(contacts, np.ones((frames, bones)), RATE)
    assert found.vectors.shape == (frames, bones, 2) and found.phase.shape == (frames, bones)
    for values in (found.vectors, found.amplitude, found.frequency, found.phase, found.fitted_values, found.rmse):
        assert np.isfinite(values).all()


@given(st.lists(st.integers(1, 80), min_size=1, max_size=30), st.sampled_from([24.0, 30.0, 60.0, 240.0]))
def test_any_contacts_have_finite_phases_in_range(runs: list[int], rate: float) -> None:
    contact = np.repeat(np.arange(len(runs)) % 2 == 0, runs)
    found = phases(contact, rate=rate)
    assert ((found.phase >= 0) & (found.phase < 1)).all() and (found.amplitude >= 0).all()
    assert ((found.frequency >= 0.25) & (found.frequency <= 4.0 + 1e-9)).all()
    assert np.isfinite(found.vectors).all()


def test_graded_contacts_count_above_a_half() -> None:
    contact = steady(1.0)
    graded = np.where(contact, 0.7, 0.3)[:, None]
    found = find_local_phases(graded, np.ones((480, 1)), RATE)
    np.testing.assert_array_equal(found.vectors, phases(contact).vectors)


def test_what_cannot_be_is_refused() -> None:
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
    with pytest.raises(FootfallError, match="fps, and these are"):
        find_local_phases(contacts, speeds, 5.0)
