"""Phase from strikes at known times."""

import numpy as np
import pytest

from footfall.core.labelling import label_clip
from footfall.core.labelling.phase import find_phase, find_strikes
from footfall.tests.core.walker import Walker

RATE = 60.0


def circular(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Distance on the circle of phases, cycles."""
    return np.abs((a - b + 0.5) % 1.0 - 0.5)


def frames(*at: int) -> np.ndarray:
    return np.array(at, dtype=np.intp)


def walking(count: int) -> np.ndarray:
    return np.zeros(count, dtype=bool)


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


def test_at_30_hz_a_strike_is_at_most_a_frame_and_a_half_off() -> None:
    for walker in (Walker(rate=30.0), Walker.runner(rate=30.0)):
        labels = label_clip(walker.clip())
        assert np.abs(labels.left_strikes - walker.strikes("L")).max() < 1.5
        assert np.abs(labels.right_strikes - walker.strikes("R")).max() < 1.5


def test_the_phase_is_zero_at_right_strikes_and_a_half_at_left_ones() -> None:
    right, left = frames(10, 70, 128, 190), frames(41, 100, 160)
    phase = find_phase(left, right, walking(240), RATE)
    np.testing.assert_allclose(circular(phase[right], np.zeros(4)), 0.0, atol=1e-12)
    np.testing.assert_allclose(phase[left], 0.5, atol=1e-12)


def test_even_strikes_make_an_even_phase_also_before_and_after_them() -> None:
    phase = find_phase(frames(60, 120), frames(30, 90, 150), walking(300), RATE)
    expected = (np.arange(300) - 30) / 60 % 1.0
    np.testing.assert_allclose(circular(phase, expected), 0.0, atol=1e-12)


def test_the_phase_never_runs_backwards_and_its_rate_has_no_steps() -> None:
    rng = np.random.default_rng(3)
    at = np.cumsum(rng.integers(15, 45, size=20))
    phase = find_phase(at[1::2], at[::2], walking(int(at[-1]) + 60), RATE)
    rate = np.diff(np.unwrap(phase, period=1.0))
    assert rate.min() > 0
    # A half cycle in 15 to 45 frames is 0.011 to 0.033 a frame.
    assert np.abs(np.diff(rate)).max() < 0.01


def test_a_foot_that_comes_down_twice_has_gone_a_whole_cycle() -> None:
    phase = find_phase(frames(), frames(10, 70), walking(80), RATE)
    assert np.unwrap(phase, period=1.0)[70] - np.unwrap(phase, period=1.0)[10] == pytest.approx(1.0)


def test_standing_adds_whole_cycles_of_a_second() -> None:
    standing = walking(400)
    standing[60:300] = True  # four seconds
    phase = find_phase(frames(310), frames(50, 340), standing, RATE)
    unwrapped = np.unwrap(phase, period=1.0)
    assert unwrapped[310] - unwrapped[50] == pytest.approx(4.5)
    assert phase[310] == pytest.approx(0.5)
    assert np.diff(unwrapped).min() > 0


def test_after_a_pause_the_phase_is_right_again() -> None:
    walker = Walker(pause=2.0, seconds=9.0)
    phase = label_clip(walker.clip()).phase
    again = walker.times > walker.times[walker.resting][-1] + 1.5
    assert circular(phase, walker.phase)[again].max() < 0.05
    assert np.diff(np.unwrap(phase, period=1.0)).min() > 0


def test_without_strikes_the_phase_goes_round_once_a_second() -> None:
    phase = find_phase(frames(), frames(), np.ones(150, dtype=bool), RATE)
    np.testing.assert_allclose(phase, np.arange(150) / 60 % 1.0)


@pytest.mark.parametrize("left, right, at_strike", [((), (20,), 0.0), ((20,), (), 0.5)])
def test_a_single_strike_fixes_the_phase(left: tuple[int, ...], right: tuple[int, ...], at_strike: float) -> None:
    phase = find_phase(frames(*left), frames(*right), walking(100), RATE)
    assert phase[20] == pytest.approx(at_strike)
    assert np.diff(np.unwrap(phase, period=1.0)) == pytest.approx(1 / 60)


def test_of_two_feet_that_land_together_the_first_counts() -> None:
    phase = find_phase(frames(33), frames(30, 90), walking(100), RATE)
    assert phase[30] == pytest.approx(0.0)
    assert np.unwrap(phase, period=1.0)[90] - np.unwrap(phase, period=1.0)[30] == pytest.approx(1.0)


def test_a_foot_is_down_while_its_heel_or_its_toe_is() -> None:
    contacts = np.zeros((60, 4))
    contacts[20:30, 0] = 1.0  # left heel, then
    contacts[25:40, 1] = 1.0  # left toe
    contacts[0:10, 2] = 1.0  # a right foot that was down before the clip began
    contacts[45:60, 3] = 1.0
    left, right = find_strikes(contacts, RATE)
    assert left.tolist() == [20]
    assert right.tolist() == [45]


def test_strikes_of_one_foot_within_a_quarter_second_are_one() -> None:
    contacts = np.zeros((60, 4))
    for begin in (10, 20, 40):
        contacts[begin : begin + 5, 0] = 1.0
    assert find_strikes(contacts, RATE)[0].tolist() == [10, 40]
