"""Swing feet are raised over obstacles: no higher than necessary, smoothly, and never in contact."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from footfall.core.control.feet import swing_clearance
from footfall.core.control.feet.swing_clearance import swing_lift, swing_shift

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


def swing_onto_a_step(overshoot: float, rate: float = RATE) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return tips of the toes, depths and contacts of a swing of 0.6 m that passes its landing place and comes back."""
    frames = round(rate)
    share = np.clip(np.arange(3 * frames) / frames - 1.0, 0.0, 1.0)
    tips = np.zeros((3 * frames, 3))
    tips[:, 1] = 0.6 * np.minimum(share / 0.6, 1.0) + overshoot * np.sin(np.pi * np.clip(2 * share - 1, 0.0, 1.0)) ** 2
    held = (share == 0.0) | (share == 1.0)
    return tips, np.where(tips[:, 1] > 0.61, 0.17, -0.05), held


@pytest.mark.parametrize("overshoot", [0.05, 0.15])
def test_a_foot_that_swings_past_its_landing_place_is_kept_before_the_riser(overshoot: float) -> None:
    tips, depths, held = swing_onto_a_step(overshoot)
    back = swing_shift(tips, depths, held, RATE, 1.0)
    assert tips[:, 1].max() > 0.61 and (tips + back)[:, 1].max() < 0.61
    np.testing.assert_array_equal(back[held], 0.0)
    np.testing.assert_array_equal(back[:, [0, 2]], 0.0)


def test_a_foot_that_only_passes_over_high_ground_is_not_kept_back() -> None:
    tips, depths, held = swing_onto_a_step(0.0)
    depths[70:80] = 0.1
    np.testing.assert_array_equal(swing_shift(tips, depths, held, RATE, 1.0), 0.0)


def test_a_foot_that_lands_beyond_the_edge_of_a_step_passes_the_edge_before_it_sinks() -> None:
    """Its way down ends one frame after it has passed the edge, from where it would drop by the whole riser."""
    frames = round(RATE)
    share = np.clip(np.arange(3 * frames) / frames - 1.0, 0.0, 1.0)
    tips = np.zeros((3 * frames, 3))
    tips[:, 1] = 0.6 * share
    held = (share == 0.0) | (share == 1.0)
    edge = 0.59
    depths = np.where((tips[:, 1] < edge) & ~held, 0.1, -0.05)
    moved = tips + swing_shift(tips, depths, held, RATE, 1.0)
    passed = np.flatnonzero(moved[:, 1] >= edge)[0]
    assert passed <= np.flatnonzero(tips[:, 1] >= edge)[0] - 3
    assert (np.diff(moved[:, 1]) >= -0.01).all()
    np.testing.assert_array_equal(moved[held], tips[held])
