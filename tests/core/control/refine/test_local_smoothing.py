"""A track is smoothed where it is fast, and left alone elsewhere."""

import numpy as np

from footfall.core.control.refine.local_smoothing import smooth_where

RATE = 60.0
STEP = np.where(np.arange(240)[:, None] < 120, 0.0, 0.1)
"""A step of 10 cm."""


def is_fast(track: np.ndarray) -> np.ndarray:
    """Faster than 1 m/s."""
    return np.abs(np.diff(track[:, 0], prepend=track[0, 0])) * RATE > 1.0


def test_a_track_without_a_fast_frame_is_itself() -> None:
    slow = 0.001 * np.arange(240.0)[:, None]
    assert smooth_where(slow, is_fast, (0.1,), RATE) is slow


def test_a_step_is_led_over_and_its_ends_stay() -> None:
    smooth = smooth_where(STEP, is_fast, (0.02, 0.05, 0.1), RATE)
    assert is_fast(STEP).any() and not is_fast(smooth).any()
    np.testing.assert_allclose(smooth[[0, 60, 180, -1]], STEP[[0, 60, 180, -1]], atol=1e-3)


def test_the_first_deviation_that_suffices_is_taken() -> None:
    """A step of 10 cm led over by a Gaussian of sigma frames has a largest step of 10 cm / (sqrt(2 pi) sigma)."""
    for deviations, sigma in (((0.05, 0.1), 3.0), ((0.01, 0.05, 0.1), 3.0), ((0.1,), 6.0)):
        steepest = np.diff(smooth_where(STEP, is_fast, deviations, RATE)[:, 0]).max()
        assert np.isclose(steepest, 0.1 / (np.sqrt(2 * np.pi) * sigma), rtol=0.05)


def test_frames_from_three_deviations_and_their_fade_on_stay() -> None:
    """3 sigma about the fast frame, and 4 sigma of the Gaussian by which the weight fades."""
    track = STEP + 0.1 * np.sin(np.arange(240) / 20)[:, None]
    moved = np.flatnonzero(smooth_where(track, is_fast, (0.05,), RATE) != track)
    assert moved.min() == 120 - 9 - 12 and moved.max() == 120 + 9 + 12


def test_a_track_that_no_deviation_calms_is_smoothed_by_the_widest() -> None:
    jump = np.where(np.arange(240)[:, None] < 120, 0.0, 10.0)
    smooth = smooth_where(jump, is_fast, (0.05, 0.1), RATE)
    assert is_fast(smooth).any()
    assert np.isclose(np.diff(smooth[:, 0]).max(), 10.0 / (np.sqrt(2 * np.pi) * 6.0), rtol=0.02)
