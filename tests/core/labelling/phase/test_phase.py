"""Phase from strikes at known times."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from footfall.core.labelling import label_clip
from footfall.core.labelling.phase.phase import find_phase, find_strikes, wrap_cycles
from footfall.tests.support.walker import Walker

RATE = 60.0


def circular(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Distance on the circle of phases, cycles."""
    return np.abs((a - b + 0.5) % 1.0 - 0.5)


def frames(*at: int) -> np.ndarray:
    return np.array(at, dtype=np.intp)


def walking(count: int) -> NDArray[np.bool_]:
    return np.zeros(count, dtype=bool)


def cycles_between(phase: np.ndarray, start: int, stop: int) -> float:
    """How far the phase goes from one frame to another, cycles."""
    unwrapped = np.unwrap(phase, period=1.0)
    return float(unwrapped[stop] - unwrapped[start])


def when_struck(phase: np.ndarray, strikes: np.ndarray) -> np.ndarray:
    """The phase half a frame before each strike's frame, when the foot came down; in [0, 1)."""
    unwrapped = np.unwrap(phase, period=1.0)
    return np.interp(strikes - 0.5, np.arange(len(phase)), unwrapped) % 1.0


def rates_of(phase: np.ndarray) -> np.ndarray:
    """Cycles a second."""
    return np.diff(np.unwrap(phase, period=1.0)) * RATE


WALKERS = {
    "adult": Walker(),
    "child": Walker(scale=0.6),
    "giant": Walker(scale=2.0),
    "120 Hz": Walker(rate=120.0),
    "circle": Walker(turn=0.6),
    "stroll": Walker(speed=0.6, cycle=1.3, duty=0.68),
    "runner": Walker.runner(),
    "running child": Walker.runner(scale=0.6),
}


@pytest.mark.parametrize("walker", WALKERS.values(), ids=WALKERS.keys())
def test_every_strike_of_a_walker_is_found_on_time(walker: Walker) -> None:
    labels = label_clip(walker.clip())
    for found, exact in ((labels.left_strikes, walker.strikes("L")), (labels.right_strikes, walker.strikes("R"))):
        exact = exact[exact < len(labels) - 0.1 * walker.rate]  # nobody can tell what begins in the last frames
        assert len(exact) <= len(found) <= len(exact) + 1
        found = found[: len(exact)]
        assert np.abs(found - exact).max() / walker.rate < 0.03


@pytest.mark.parametrize("walker", WALKERS.values(), ids=WALKERS.keys())
def test_the_phase_of_a_walker_is_found_from_the_first_frame_to_the_last(walker: Walker) -> None:
    assert circular(label_clip(walker.clip()).phase, walker.phase).max() < 0.05


def test_a_foot_that_lifts_for_a_moment_strikes_once() -> None:
    down = walking(120)
    down[:5] = down[20:28] = down[30:60] = down[100:] = True
    assert find_strikes(down, RATE).tolist() == [20, 100]


def test_a_phase_a_rounding_error_below_zero_is_zero() -> None:
    assert wrap_cycles(np.array([-1e-20, -0.25, 1.0])).tolist() == [0.0, 0.75, 0.0]


def test_the_phase_passes_zero_and_a_half_just_before_the_frames_of_right_and_left_strikes() -> None:
    right, left = frames(10, 70, 128, 190), frames(41, 100, 160)
    phase = find_phase(left, right, walking(240), RATE)
    np.testing.assert_allclose(circular(when_struck(phase, right), np.zeros(4)), 0.0, atol=1e-3)
    np.testing.assert_allclose(when_struck(phase, left), 0.5, atol=1e-3)
    assert (phase[right] < 0.02).all()
    assert (phase[right - 1] > 0.98).all()


def test_the_phase_never_runs_backwards_and_its_rate_has_no_steps() -> None:
    rng = np.random.default_rng(3)
    at = np.cumsum(rng.integers(15, 45, size=20))
    phase = find_phase(at[1::2], at[::2], walking(int(at[-1]) + 60), RATE)
    rate = rates_of(phase)
    assert rate.min() > 0
    # A half cycle in 15 to 45 frames is 0.67 to 2 cycles a second.
    assert np.abs(np.diff(rate)).max() < 0.6


@pytest.mark.parametrize("lost", [(4,), (5,), (4, 5), (4, 5, 6)], ids=str)
def test_strikes_that_are_lost_leave_the_phase_where_it_was(lost: tuple[int, ...]) -> None:
    at = np.array([30 + 30 * step for step in range(12) if step not in lost])
    sides = np.array([step % 2 for step in range(12) if step not in lost])
    phase = find_phase(at[sides == 1], at[sides == 0], walking(420), RATE)
    np.testing.assert_allclose(circular(phase, (np.arange(420) - 29.5) / 60), 0.0, atol=1e-9)


@pytest.mark.parametrize("apart", [0, 1, 4])
def test_a_hop_on_both_feet_is_a_whole_cycle(apart: int) -> None:
    hops = np.arange(30, 400, 40)
    sooner = np.where(np.arange(len(hops)) % 2, hops, hops + apart)  # now one foot lands first, now the other
    later = np.where(np.arange(len(hops)) % 2, hops + apart, hops)
    phase = find_phase(sooner, later, walking(420), RATE)
    turns = [cycles_between(phase, a, b) for a, b in pairwise(hops)]
    np.testing.assert_allclose(turns, 1.0, atol=0.12)
    assert cycles_between(phase, int(hops[0]), int(hops[-1])) == pytest.approx(len(hops) - 1, abs=0.12)


def test_standing_adds_whole_cycles_of_a_second() -> None:
    standing = walking(400)
    standing[60:300] = True  # four seconds
    phase = find_phase(frames(310), frames(50, 340), standing, RATE)
    assert cycles_between(phase, 50, 310) == pytest.approx(4.5, abs=0.01)
    assert when_struck(phase, frames(310)) == pytest.approx(0.5, abs=1e-3)
    assert rates_of(phase).min() > 0


def test_after_a_pause_the_phase_is_right_again() -> None:
    walker = Walker(pause=2.0, seconds=9.0)
    phase = label_clip(walker.clip()).phase
    again = walker.times > walker.times[walker.resting][-1] + 1.5
    assert circular(phase, walker.phase)[again].max() < 0.05
    assert np.diff(np.unwrap(phase, period=1.0)).min() > 0


def test_without_strikes_the_phase_goes_round_once_a_second() -> None:
    phase = find_phase(frames(), frames(), np.ones(150, dtype=bool), RATE)
    np.testing.assert_allclose(phase, np.arange(150) / 60 % 1.0)


def test_an_hour_with_a_tenth_of_the_strikes_lost_stays_in_step() -> None:
    rng = np.random.default_rng(5)
    count = 216_000
    tempo = np.interp(np.arange(count), np.arange(0, count + 600, 600), rng.uniform(0.75, 1.5, size=count // 600 + 1))
    cycles = np.cumsum(tempo) / RATE
    found = []
    for offset in (0.5, 0.0):
        at = np.interp(np.arange(1, int(cycles[-1])) + offset, cycles, np.arange(count))
        found.append(np.ceil(at[rng.random(len(at)) > 0.1]).astype(np.intp))
    phase = find_phase(found[0], found[1], walking(count), RATE)
    assert np.mean(circular(phase, cycles) < 0.1) > 0.995
    assert np.sqrt(np.mean(circular(phase, cycles) ** 2)) < 0.02


GAITS = st.lists(st.integers(16, 50), min_size=6, max_size=30)
ANY_STRIKES = st.lists(st.integers(1, 299), max_size=25).map(lambda at: np.array(at, dtype=np.intp))


@given(ANY_STRIKES, ANY_STRIKES, st.integers(0, 200))
def test_a_clip_that_begins_later_has_the_same_phase(left: np.ndarray, right: np.ndarray, later: int) -> None:
    if len(left) + len(right) == 0:
        return
    # At 64 frames a second times are exact, and no two ways that cost the same differ by rounding.
    early = find_phase(left, right, walking(300), 64.0)
    late = find_phase(left + later, right + later, walking(300 + later), 64.0)
    np.testing.assert_allclose(circular(early, late[later:]), 0.0, atol=1e-6)


@given(GAITS, st.data())
def test_in_a_walk_of_uneven_steps_every_strike_is_kept(steps: list[int], data: st.DataObject) -> None:
    # Steps change by at most a third from one to the next, as people's do.
    for index in range(1, len(steps)):
        steps[index] = int(np.clip(steps[index], np.ceil(steps[index - 1] * 0.75), steps[index - 1] * 1.33))
    at = 20 + np.cumsum(steps)
    phase = find_phase(at[1::2], at[::2], walking(int(at[-1]) + 60), RATE)
    struck = when_struck(phase, at)
    assert circular(struck, 0.5 * np.arange(len(at))).max() < 0.01
