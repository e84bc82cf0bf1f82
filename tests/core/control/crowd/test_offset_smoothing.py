"""Smoothing splines between bounds: as smooth as possible, approximately or firmly inside."""

import numpy as np
import pytest

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


def dense(count: int, bending: float) -> np.ndarray:
    """The matrix of squares, and of weighted squares of second differences and of the slopes at both ends."""
    seconds = np.diff(np.eye(count), n=2, axis=0)
    ends = np.diff(np.eye(count), axis=0)[[0, -1]]
    return np.eye(count) + bending * (seconds.T @ seconds + ends.T @ ends)


@pytest.mark.parametrize("stiffness, weight", [(0, 3000.0), (1, 36000.0), (2, 432000.0)])
def test_the_curve_is_that_of_forty_updates_of_the_method_of_multipliers(stiffness: int, weight: float) -> None:
    """The same with a dense matrix, and the whole values of Boyd et al.: rho, alpha and the scaled multiplier u."""
    low, high = np.full(61, -np.inf), np.full(61, np.inf)
    low[20:25], high[40] = 0.3, -0.2
    curve = smooth_between_bounds(low, high, (0.1, -0.1), 0.2, stiffness)
    low[[0, -1]] = high[[0, -1]] = 0.1, -0.1
    rho = np.array([1e6, *[300.0] * 59, 1e6])
    share = np.array([1.0, *[weight / (weight + 300.0)] * 59, 1.0])
    inverse = np.linalg.inv(dense(61, (1.8 / 0.2) ** 4) + np.diag(rho))
    z, u, x = np.clip(np.zeros(61), low, high), np.zeros(61), np.zeros(61)
    for _ in range(40):
        x = inverse @ (rho * (z - u))
        over = 1.6 * x - 0.6 * z + u
        z = over + share * (np.clip(over, low, high) - over)
        u = over - z
    np.testing.assert_allclose(curve, x, atol=1e-8)


def test_bounds_that_contradict_each_other_are_met_in_their_middle() -> None:
    low, high = np.full(81, -np.inf), np.full(81, np.inf)
    low[30:50], high[30:50] = 0.4, 0.2
    middle = np.full(81, -np.inf), np.full(81, np.inf)
    middle[0][30:50] = middle[1][30:50] = 0.3
    curve = smooth_between_bounds(low, high, (0.0, 0.0), 0.2)
    np.testing.assert_allclose(curve, smooth_between_bounds(*middle, (0.0, 0.0), 0.2), atol=1e-12)
    assert low[40] == 0.4 and high[40] == 0.2, "the bounds of the caller stay"


def test_up_to_two_values_are_a_line() -> None:
    assert smooth_between_bounds(np.zeros(1), np.zeros(1), (0.3, 0.5), 0.1).tolist() == [0.3]
    assert smooth_between_bounds(np.zeros(2), np.zeros(2), (0.3, 0.5), 0.1).tolist() == [0.3, 0.5]
    three = smooth_between_bounds(np.full(3, -9.0), np.full(3, 9.0), (0.3, 0.3), 0.1)
    np.testing.assert_allclose(three, 0.3, atol=1e-3)
