import numpy as np
import pytest

from footfall.benchmarks.label_error import contact_f1, extra_strikes, phase_error, strike_agreement, strike_time_errors


def test_contacts_shifted_by_a_quarter_of_their_length_have_f1_three_quarters() -> None:
    reference = np.zeros((100, 1))
    reference[20:60] = 1.0
    np.testing.assert_allclose(contact_f1(np.roll(reference, 10, axis=0), reference), 0.75)


def test_contacts_agree_where_neither_has_any() -> None:
    np.testing.assert_array_equal(contact_f1(np.zeros((10, 2)), np.zeros((10, 2))), 1.0)


def test_strikes_within_three_frames_are_found_and_their_timing_is_the_median() -> None:
    agreement = strike_agreement(np.array([1.02, 2.04, 3.01, 9.0]), np.array([1.0, 2.0, 3.0, 5.0]))
    assert agreement.recall == 0.75
    assert agreement.median_error == pytest.approx(0.02)


def test_no_strikes_found_is_a_share_of_zero() -> None:
    agreement = strike_agreement(np.zeros(0), np.array([1.0]))
    assert (agreement.recall, agreement.median_error) == (0.0, None)


def test_a_reference_without_strikes_is_refused() -> None:
    with pytest.raises(ValueError, match="no strikes"):
        strike_agreement(np.array([1.0]), np.zeros(0))


def test_gaps_are_those_to_the_nearest_strike_and_infinite_where_there_is_none() -> None:
    reference = np.array([1.0, 2.0])
    np.testing.assert_allclose(strike_time_errors(np.array([0.9, 2.2, 7.0]), reference), [-0.1, 0.2])
    np.testing.assert_array_equal(strike_time_errors(np.zeros(0), reference), np.inf)
    assert len(strike_time_errors(np.array([1.0]), np.zeros(0))) == 0


def test_a_strike_is_extra_where_there_is_none_or_a_nearer_one_was_found() -> None:
    found = np.array([1.0, 1.03, 2.04, 3.0])
    np.testing.assert_array_equal(extra_strikes(found, np.array([1.01, 2.0])), [False, True, False, True])
    np.testing.assert_array_equal(extra_strikes(found, np.zeros(0)), True)
    assert len(extra_strikes(np.zeros(0), np.array([1.0]))) == 0


def test_the_phase_error_goes_round_the_circle_and_leaves_standing_out() -> None:
    reference = np.array([0.95, 0.05, 0.5, 0.0])
    found = np.array([0.05, 0.95, 0.5, 0.4])
    standing = np.array([False, False, False, True])
    assert phase_error(found, reference, standing) == pytest.approx(0.2 / 3)


def test_a_clip_of_standing_only_has_no_phase_to_compare() -> None:
    with pytest.raises(ValueError, match="standing"):
        phase_error(np.zeros(3), np.zeros(3), np.ones(3, dtype=bool))
