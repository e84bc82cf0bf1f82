"""Smoothing splines between bounds: as smooth as possible, approximately or firmly inside."""

import numpy as np

from footfall.core.control.crowd.offset_smoothing import smooth_between_bounds


def test_a_smooth_curve_keeps_to_its_bounds_about_and_firmly() -> None:
    low, high = np.full(401, -np.inf), np.full(401, np.inf)
    low[180:200], high[260:270] = 0.6, -0.2
    out = []
    for firmness in range(3):
        curve = smooth_between_bounds(low, high, (0.0, 0.0), 0.05, firmness)
        out.append(max((low - curve).max(), (curve - high).max()))
        np.testing.assert_allclose(curve[[0, -1]], 0.0, atol=1e-6)
        assert np.abs(np.diff(curve, n=2)).max() / 0.05**2 < 1.5
        np.testing.assert_allclose(curve[:20], 0.0, atol=0.05)
    assert out[0] < 0.12 and out[1] < 0.03 and out[2] < 0.01
    assert out[0] > out[1] > out[2]


def test_a_curve_without_bounds_is_straight_and_goes_from_end_to_end() -> None:
    free = np.full(300, np.inf)
    np.testing.assert_allclose(smooth_between_bounds(-free, free, (0.0, 0.0), 0.05), 0.0, atol=1e-9)
    curve = smooth_between_bounds(-free, free, (0.5, -0.3), 0.05)
    np.testing.assert_allclose(curve[[0, -1]], [0.5, -0.3], atol=1e-4)
    np.testing.assert_allclose(np.diff(curve)[[0, -1]], 0.0, atol=2e-3)
    torn = np.full(300, 0.4)
    np.testing.assert_allclose(smooth_between_bounds(torn, -torn, (0.0, 0.0), 0.05, 2), 0.0, atol=0.01)
    np.testing.assert_allclose(smooth_between_bounds(free[:2], free[:2], (0.1, 0.2), 0.05), [0.1, 0.2])
