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
