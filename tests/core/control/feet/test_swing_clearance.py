"""Swing feet are raised over obstacles: no higher than necessary, smoothly, and never in contact."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from footfall.core.control.feet import swing_clearance
from footfall.core.control.feet.swing_clearance import swing_lift

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
    np.testing.assert_array_equal(lift[: middle - round(swing_clearance.TUNING.lift_blend * rate)], 0.0)
    np.testing.assert_array_equal(lift[middle + round(swing_clearance.TUNING.lift_blend * rate) + 1 :], 0.0)
    assert np.abs(np.diff(lift)).max() * rate < 2 * 0.1 / swing_clearance.TUNING.lift_blend
