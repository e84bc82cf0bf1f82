import numpy as np
import pytest

from footfall.benchmarks.label_error import contact_f1, phase_error, strike_agreement


def test_contacts_shifted_by_a_quarter_of_their_length_have_f1_three_quarters() -> None:
    reference = np.zeros((100, 1))
    reference[20:60] = 1.0
    np.testing.assert_allclose(contact_f1(np.roll(reference, 10, axis=0), reference), 0.75)


def test_strikes_within_three_frames_are_found_and_their_timing_is_the_median() -> None:
    agreement = strike_agreement(np.array([1.02, 2.04, 3.01, 9.0]), np.array([1.0, 2.0, 3.0, 5.0]))
    assert agreement.recall == 0.75
    assert agreement.median_error == pytest.approx(0.02)


def test_the_phase_error_goes_round_the_circle_and_leaves_standing_out() -> None:
    reference = np.array([0.95, 0.05, 0.5, 0.0])
    found = np.array([0.05, 0.95, 0.5, 0.4])
    standing = np.array([False, False, False, True])
    assert phase_error(found, reference, standing) == pytest.approx(0.2 / 3)
