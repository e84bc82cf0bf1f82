"""Swing feet are raised over obstacles: no higher than necessary, smoothly, and never in contact."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from footfall.core.control.feet.swing_clearance import LIFT_BLEND_S, swing_lift

RATE = 60.0
FRAMES = 80

depths = arrays(float, FRAMES, elements=st.floats(-0.5, 0.3))
stances = arrays(bool, FRAMES)


@given(depths=depths, held=stances)
def test_no_swing_stays_in_the_ground_and_no_stance_moves(depths: np.ndarray, held: np.ndarray) -> None:
    lift = swing_lift(depths, held, RATE)
    assert (lift[~held] >= depths[~held]).all()
    np.testing.assert_array_equal(lift[held], 0.0)


@given(depths=depths, held=stances)
def test_nothing_is_lifted_higher_than_it_takes(depths: np.ndarray, held: np.ndarray) -> None:
    lift = swing_lift(depths, held, RATE)
    assert lift.min() >= 0.0
    assert lift.max() <= max(depths[~held].max(initial=0.0), 0.0)


@given(depths=depths, held=stances, rate=st.sampled_from([24.0, 30.0, 60.0, 120.0]))
def test_the_deeper_the_higher(depths: np.ndarray, held: np.ndarray, rate: float) -> None:
    assert (swing_lift(depths + 0.05, held, rate) >= swing_lift(depths, held, rate) - 1e-12).all()


@given(depths=arrays(float, FRAMES, elements=st.floats(-1.0, 0.0)), held=stances)
def test_what_is_over_the_ground_stays_as_it_is(depths: np.ndarray, held: np.ndarray) -> None:
    np.testing.assert_array_equal(swing_lift(depths, held, RATE), 0.0)


@pytest.mark.parametrize("rate", [30.0, 60.0, 120.0])
def test_a_foot_rises_before_a_step_and_sinks_behind_it(rate: float) -> None:
    """A stone of 10 cm in the middle of a swing of a second."""
    frames = round(rate)
    held = np.zeros(3 * frames, dtype=bool)
    held[:frames] = held[2 * frames :] = True
    depths = np.full(3 * frames, -0.05)
    middle = frames + frames // 2
    depths[middle] = 0.1
    lift = swing_lift(depths, held, rate)
    assert lift[middle] == lift.max() == 0.1
    assert (np.diff(lift[frames : middle + 1]) >= 0).all()
    assert (np.diff(lift[middle : 2 * frames]) <= 0).all()
    # Over a quarter of a second, and not at all farther away; no faster than 10 cm in that time at most can be.
    np.testing.assert_array_equal(lift[: middle - round(LIFT_BLEND_S * rate)], 0.0)
    np.testing.assert_array_equal(lift[middle + round(LIFT_BLEND_S * rate) + 1 :], 0.0)
    assert np.abs(np.diff(lift)).max() * rate < 2 * 0.1 / LIFT_BLEND_S


def test_beside_a_stance_a_foot_rises_within_what_is_left_of_the_swing() -> None:
    held = np.ones(60, dtype=bool)
    held[20:40] = False
    depths = np.full(60, -1.0)
    depths[22] = 0.1
    lift = swing_lift(depths, held, RATE)
    assert lift[22] == pytest.approx(0.1)
    assert 0.0 < lift[20] < lift[21] < 0.1
    np.testing.assert_array_equal(lift[:20], 0.0)


def test_who_never_stands_is_lifted_all_the_same() -> None:
    free = np.zeros(30, dtype=bool)
    np.testing.assert_allclose(swing_lift(np.full(30, 0.2), free, RATE), 0.2)
    np.testing.assert_array_equal(swing_lift(np.full(30, 0.2), ~free, RATE), 0.0)
    assert swing_lift(np.zeros(0), np.zeros(0, dtype=bool), RATE).shape == (0,)


def test_no_ground_is_nothing_to_be_lifted_over() -> None:
    np.testing.assert_array_equal(swing_lift(np.full(30, -np.inf), np.zeros(30, dtype=bool), RATE), 0.0)


def smooth(share: np.ndarray) -> np.ndarray:
    """Perlin's quintic from 1 to 0."""
    return 1 - share**3 * (share * (6 * share - 15) + 10)


def test_of_two_penetrations_the_higher_lift_counts() -> None:
    depths = np.full(60, -1.0)
    depths[[20, 32]] = 0.1, 0.04
    lift = swing_lift(depths, np.zeros(60, dtype=bool), RATE)
    frames = np.arange(60)
    each = [d * smooth(np.clip(np.abs(frames - at) / 15, 0, 1)) for at, d in ((20, 0.1), (32, 0.04))]
    np.testing.assert_allclose(lift, np.max(each, axis=0), atol=1e-12)


def test_between_two_stances_a_lift_ends_where_they_begin() -> None:
    held = np.ones(60, dtype=bool)
    held[20:30] = False
    depths = np.full(60, -1.0)
    depths[26] = 0.1
    lift = swing_lift(depths, held, RATE)
    np.testing.assert_allclose(lift[20:27], 0.1 * smooth(np.arange(6, -1, -1) / 7))
    np.testing.assert_allclose(lift[26:30], 0.1 * smooth(np.arange(4) / 4))
    assert not lift[:20].any() and not lift[30:].any()
