"""Phase from strikes at known times."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from footfall.core.labelling import label_clip
from footfall.core.labelling.phase.phase import MAX_RATE_HZ, find_phase, find_strikes
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


def test_at_30_hz_a_strike_is_at_most_a_frame_and_a_half_off() -> None:
    for walker in (Walker(rate=30.0), Walker.runner(rate=30.0)):
        labels = label_clip(walker.clip())
        assert np.abs(labels.left_strikes - walker.strikes("L")).max() < 1.5
        assert np.abs(labels.right_strikes - walker.strikes("R")).max() < 1.5


def test_the_phase_passes_zero_and_a_half_just_before_the_frames_of_right_and_left_strikes() -> None:
    right, left = frames(10, 70, 128, 190), frames(41, 100, 160)
    phase = find_phase(left, right, walking(240), RATE)
    np.testing.assert_allclose(circular(when_struck(phase, right), np.zeros(4)), 0.0, atol=1e-3)
    np.testing.assert_allclose(when_struck(phase, left), 0.5, atol=1e-3)
    assert (phase[right] < 0.02).all()
    assert (phase[right - 1] > 0.98).all()


def test_even_strikes_make_an_even_phase_also_before_and_after_them() -> None:
    phase = find_phase(frames(60, 120), frames(30, 90, 150), walking(300), RATE)
    expected = (np.arange(300) - 29.5) / 60 % 1.0
    np.testing.assert_allclose(circular(phase, expected), 0.0, atol=1e-12)


def test_the_phase_never_runs_backwards_and_its_rate_has_no_steps() -> None:
    rng = np.random.default_rng(3)
    at = np.cumsum(rng.integers(15, 45, size=20))
    phase = find_phase(at[1::2], at[::2], walking(int(at[-1]) + 60), RATE)
    rate = rates_of(phase)
    assert rate.min() > 0
    # A half cycle in 15 to 45 frames is 0.67 to 2 cycles a second.
    assert np.abs(np.diff(rate)).max() < 0.6


@pytest.mark.parametrize("side", "LR")
def test_a_foot_whose_other_one_is_never_seen_goes_a_whole_cycle_from_strike_to_strike(side: str) -> None:
    at, never = frames(10, 70, 130), frames()
    phase = find_phase(*((at, never) if side == "L" else (never, at)), walking(140), RATE)
    assert cycles_between(phase, 10, 130) == pytest.approx(2.0)
    np.testing.assert_allclose(circular(when_struck(phase, at), np.array(0.5 if side == "L" else 0.0)), 0, atol=1e-9)


@pytest.mark.parametrize("lost", [(4,), (5,), (4, 5), (4, 5, 6)], ids=str)
def test_strikes_that_are_lost_leave_the_phase_where_it_was(lost: tuple[int, ...]) -> None:
    at = np.array([30 + 30 * step for step in range(12) if step not in lost])
    sides = np.array([step % 2 for step in range(12) if step not in lost])
    phase = find_phase(at[sides == 1], at[sides == 0], walking(420), RATE)
    np.testing.assert_allclose(circular(phase, (np.arange(420) - 29.5) / 60), 0.0, atol=1e-9)


@pytest.mark.parametrize("late", [4, 8, 13, 16, 20])
def test_a_foot_that_comes_down_twice_comes_down_once(late: int) -> None:
    left, right = np.arange(60, 420, 60), np.arange(30, 420, 60)
    phase = find_phase(np.append(left, left[2] + late), right, walking(420), RATE)
    np.testing.assert_allclose(circular(phase, (np.arange(420) - 29.5) / 60), 0.0, atol=1e-9)


def test_a_strike_of_the_wrong_side_is_passed_over() -> None:
    left, right = np.arange(60, 420, 60), np.arange(30, 420, 60)
    swapped = left[2]
    phase = find_phase(left[left != swapped], np.append(right, swapped), walking(420), RATE)
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


def test_after_a_hop_the_walk_goes_on() -> None:
    right, left = frames(30, 90, 150, 182, 212, 272), frames(60, 120, 180, 242, 302)  # lands on both at 180
    phase = find_phase(left, right, walking(330), RATE)
    np.testing.assert_allclose(when_struck(phase, left[[0, 1, 3, 4]]), 0.5, atol=1e-3)
    np.testing.assert_allclose(circular(when_struck(phase, right[[0, 1, 2, 4, 5]]), np.zeros(5)), 0.0, atol=1e-3)
    assert cycles_between(phase, 29, 301) == pytest.approx(4.5, abs=0.05)


def test_in_side_steps_the_trailing_foot_follows_at_half_a_cycle() -> None:
    leading = np.arange(30, 400, 60)
    phase = find_phase(leading, leading + 15, walking(420), RATE)
    np.testing.assert_allclose(when_struck(phase, leading), 0.5, atol=0.01)
    assert circular(when_struck(phase, leading + 15), np.zeros(7)).max() < 0.01
    assert rates_of(phase).max() < MAX_RATE_HZ


def test_a_trailing_foot_too_fast_for_half_a_cycle_makes_whole_ones() -> None:
    leading = np.arange(30, 400, 60)
    phase = find_phase(leading, leading + 6, walking(420), RATE)
    assert cycles_between(phase, 30, 390) == pytest.approx(6.0, abs=0.05)


def test_a_stumble_does_not_last() -> None:
    right, left = frames(30, 90, 142, 202, 262), frames(60, 120, 135, 172, 232)  # the left foot catches the body at 135
    phase = find_phase(left, right, walking(300), RATE)
    after = np.arange(150, 300)
    assert circular(phase[after], (after - 201.5) / 60).max() < 0.03
    assert rates_of(phase).min() > 0


def test_a_slow_pivot_on_the_spot_is_followed_though_the_hips_stand() -> None:
    standing = walking(600)
    standing[120:480] = True
    right, left = frames(30, 90, 200, 330, 450, 510), frames(60, 140, 270, 400, 480, 540)
    phase = find_phase(left, right, standing, RATE)
    np.testing.assert_allclose(when_struck(phase, left), 0.5, atol=0.01)
    assert circular(when_struck(phase, right), np.zeros(len(right))).max() < 0.01


def test_standing_adds_whole_cycles_of_a_second() -> None:
    standing = walking(400)
    standing[60:300] = True  # four seconds
    phase = find_phase(frames(310), frames(50, 340), standing, RATE)
    assert cycles_between(phase, 50, 310) == pytest.approx(4.5, abs=0.01)
    assert when_struck(phase, frames(310)) == pytest.approx(0.5, abs=1e-3)
    assert rates_of(phase).min() > 0


def test_standing_at_the_ends_goes_round_once_a_second() -> None:
    standing = np.ones(900, dtype=bool)
    standing[300:600] = False
    phase = find_phase(np.arange(320, 600, 36), np.arange(338, 600, 36), standing, RATE)  # 1.67 cycles a second
    assert cycles_between(phase, 0, 180) == pytest.approx(3.0, abs=0.01)
    assert cycles_between(phase, 719, 899) == pytest.approx(3.0, abs=0.01)


def test_after_a_pause_the_phase_is_right_again() -> None:
    walker = Walker(pause=2.0, seconds=9.0)
    phase = label_clip(walker.clip()).phase
    again = walker.times > walker.times[walker.resting][-1] + 1.5
    assert circular(phase, walker.phase)[again].max() < 0.05
    assert np.diff(np.unwrap(phase, period=1.0)).min() > 0


def test_a_run_after_a_walk_keeps_its_own_rate_where_strikes_are_lost() -> None:
    walk, run = np.arange(30, 630, 36), np.arange(630, 1000, 20)
    at = np.concatenate([walk, run])
    phases = 0.5 * np.arange(len(at))
    kept = np.ones(len(at), dtype=bool)
    kept[[5, 10, 11, 20, 28, 29]] = False
    even = np.arange(len(at)) % 2 == 0
    phase = find_phase(at[kept & ~even], at[kept & even], walking(1000), RATE)
    assert circular(when_struck(phase, at), phases).max() < 0.05


def test_without_strikes_the_phase_goes_round_once_a_second() -> None:
    phase = find_phase(frames(), frames(), np.ones(150, dtype=bool), RATE)
    np.testing.assert_allclose(phase, np.arange(150) / 60 % 1.0)


@pytest.mark.parametrize("left, right, at_strike", [((), (20,), 0.0), ((20,), (), 0.5)])
def test_a_single_strike_fixes_the_phase(left: tuple[int, ...], right: tuple[int, ...], at_strike: float) -> None:
    phase = find_phase(frames(*left), frames(*right), walking(100), RATE)
    assert circular(when_struck(phase, frames(20)), np.array(at_strike)) == pytest.approx(0.0, abs=1e-9)
    assert rates_of(phase) == pytest.approx(1.0)


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


@given(ANY_STRIKES, ANY_STRIKES, st.lists(st.booleans(), min_size=10, max_size=10))
def test_whatever_the_strikes_the_phase_runs_forwards_and_not_too_fast(
    left: np.ndarray, right: np.ndarray, stood: list[bool]
) -> None:
    phase = find_phase(left, right, np.repeat(stood, 30), RATE)
    assert (phase >= 0).all()
    assert (phase < 1).all()
    assert rates_of(phase).min() > 0
    assert rates_of(phase).max() <= MAX_RATE_HZ + 1e-6


@given(ANY_STRIKES, ANY_STRIKES, st.integers(0, 200))
def test_a_clip_that_begins_later_has_the_same_phase(left: np.ndarray, right: np.ndarray, later: int) -> None:
    if len(left) + len(right) == 0:
        return
    # At 64 frames a second times are exact, and no two ways that cost the same differ by rounding.
    early = find_phase(left, right, walking(300), 64.0)
    late = find_phase(left + later, right + later, walking(300 + later), 64.0)
    np.testing.assert_allclose(circular(early, late[later:]), 0.0, atol=1e-6)


@given(ANY_STRIKES, ANY_STRIKES)
def test_mirrored_strikes_are_half_a_cycle_on(left: np.ndarray, right: np.ndarray) -> None:
    if len(left) == 0 or len(right) == 0 or np.intersect1d(left, right).size:
        return
    phase, mirrored = (find_phase(*feet, walking(300), RATE) for feet in ((left, right), (right, left)))
    np.testing.assert_allclose(circular(phase + 0.5, mirrored), 0.0, atol=1e-6)


@given(GAITS, st.data())
def test_in_a_walk_of_uneven_steps_every_strike_is_kept(steps: list[int], data: st.DataObject) -> None:
    # Steps change by at most a third from one to the next, as people's do.
    for index in range(1, len(steps)):
        steps[index] = int(np.clip(steps[index], np.ceil(steps[index - 1] * 0.75), steps[index - 1] * 1.33))
    at = 20 + np.cumsum(steps)
    phase = find_phase(at[1::2], at[::2], walking(int(at[-1]) + 60), RATE)
    struck = when_struck(phase, at)
    assert circular(struck, 0.5 * np.arange(len(at))).max() < 0.01


def test_of_several_strikes_in_a_quarter_second_the_first_counts() -> None:
    down = np.zeros(60, dtype=bool)
    for begin in (10, 20, 40):
        down[begin : begin + 5] = True
    assert find_strikes(down, RATE).tolist() == [10, 40]


def test_a_foot_that_is_down_when_the_clip_begins_has_no_strike_there() -> None:
    down = np.ones(60, dtype=bool)
    down[20:40] = False
    assert find_strikes(down, RATE).tolist() == [40]
    assert find_strikes(np.ones(60, dtype=bool), RATE).tolist() == []
    assert find_strikes(np.ones(1, dtype=bool), RATE).tolist() == []
