"""Weights with which bodies are moved to where they act or stay: all there, nothing far away, and no gliding."""

import numpy as np
import pytest

from footfall.core.control.interaction.placing import placing_weights, staying_weights, stepping_time_from

RATE = 60.0


def test_a_body_that_stays_is_all_the_time_at_its_place_and_comes_and_leaves_in_steps() -> None:
    stands = np.zeros(600, dtype=bool)
    stands[200:400] = True
    weights = staying_weights(stands, 200, 399, RATE)
    assert (weights[200:400] == 1.0).all()
    assert weights[0] == weights[-1] == 0.0
    assert (np.diff(weights[:200]) >= 0).all() and (np.diff(weights[400:]) <= 0).all()
    np.testing.assert_array_equal(weights[:201], placing_weights(stands[:201], 200, RATE))
    np.testing.assert_array_equal(weights[399:], placing_weights(stands[399:], 0, RATE))


def test_a_body_that_stands_before_does_not_glide_at_once() -> None:
    stands = np.ones(300, dtype=bool)
    stands[150:250] = False
    weights = staying_weights(stands, 299, 299, RATE)
    assert np.ptp(weights[:150]) <= np.ptp(weights[150:250])


@pytest.mark.parametrize("stepped", [0, 30, 90])
def test_of_standing_counts_what_steps_lack_to_the_ends(stepped: int) -> None:
    stands = np.ones(400, dtype=bool)
    stands[220 : 220 + stepped] = False
    time = stepping_time_from(stands, 200, RATE)
    assert time[-1] == pytest.approx(1.6) and time[0] == pytest.approx(1.6)
    share = (1.6 - stepped / 60) / ((200 - stepped) / 60)
    assert time[219] == pytest.approx(share * 20 / 60)
