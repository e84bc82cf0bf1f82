"""Feet that creep step to their next place: for long enough, with a rise, and while the other foot stands."""

import numpy as np
import pytest

from footfall.core.control.feet.stepping import give_time_to_step, step_rise

RATE, FRAMES = 60.0, 120
MIDDLE = FRAMES // 2


def standing() -> np.ndarray:
    """Return contacts in which the left foot has a gap of four frames and the right one stands."""
    held = np.ones((FRAMES, 4), dtype=bool)
    held[MIDDLE : MIDDLE + 4, :2] = False
    return held


def places(away: float) -> list[np.ndarray]:
    """Return the balls of both feet; the left one has its second place some meters away."""
    left, right = np.zeros((FRAMES, 3)), np.zeros((FRAMES, 3))
    left[MIDDLE + 2 :, 1] = away
    return [left, right]


@pytest.mark.parametrize("away", [0.1, 0.3, 0.5])
def test_a_foot_between_two_places_has_the_time_of_a_step(away: float) -> None:
    held = standing()
    give_time_to_step(held, places(away), RATE, 1.0)
    gap = int((~held[:, 0]).sum())
    assert 0.2 * RATE <= gap <= 0.5 * RATE
    assert held[:, 2:].all()


@pytest.mark.parametrize("away", [0.01, 0.8])
def test_contacts_at_one_place_or_a_stride_apart_stay(away: float) -> None:
    held = standing()
    give_time_to_step(held, places(away), RATE, 1.0)
    np.testing.assert_array_equal(held, standing())


def test_a_contact_too_short_to_step_to_is_left_out() -> None:
    held = standing()
    held[MIDDLE + 11 :, :2] = False
    give_time_to_step(held, places(0.2), RATE, 1.0)
    assert held[:MIDDLE, 0].all() and not held[MIDDLE:, :2].any()


def test_no_foot_is_let_go_while_the_other_one_swings() -> None:
    held = standing()
    held[:, 2:] = False
    before = held.copy()
    give_time_to_step(held, places(0.2), RATE, 1.0)
    np.testing.assert_array_equal(held, before)


def test_a_step_rises_off_the_ground_and_lands_on_it() -> None:
    touches = np.ones(FRAMES, dtype=bool)
    touches[50:70] = False
    tips = np.zeros((FRAMES, 3))
    tips[60:, 1] = 0.2
    rise = step_rise(tips, np.zeros(FRAMES), touches, 1.0)
    assert 0.02 < rise.max() < 0.05
    np.testing.assert_array_equal(rise[touches], 0.0)


def test_a_foot_that_swings_high_enough_is_not_raised() -> None:
    touches = np.ones(FRAMES, dtype=bool)
    touches[50:70] = False
    tips = np.zeros((FRAMES, 3))
    tips[60:, 1] = 0.2
    np.testing.assert_array_equal(step_rise(tips, np.where(touches, 0.0, -0.1), touches, 1.0), 0.0)
